#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <genera/random.hpp>
#include <genera/rows.hpp>

/// Rows of each class in random order, from which folds and samples are dealt.
namespace genera::select_detail {

struct Stratum {
  std::string label;
  std::vector<Index> positions;
};
/// The labelled rows with a weight above 0, one stratum per label, sorted by label. The random
/// order depends on the content of the rows and the seed, not on the order of the rows.
[[nodiscard]] std::vector<Stratum> shuffled_strata(const Rows& rows, std::uint64_t seed);

/// Fisher-Yates shuffle with the same result on every machine.
void shuffle(std::vector<Index>& list, Rng rng);

/// Positions of a stratified sample of the labelled rows, in order: `max_rows`, or slightly more
/// because small classes keep their minimum.
[[nodiscard]] std::vector<Index> stratified_sample(const Rows& rows, Index max_rows,
                                                   std::uint64_t seed);

}  // namespace genera::select_detail
