#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <genera/random.hpp>
#include <genera/rows.hpp>

/// Rows of each class in random order: what folds and samples are dealt from.
namespace genera::select_detail {

struct Stratum {
  std::string label;
  std::vector<Index> positions;
};
/// The labelled rows of a weight above 0, one stratum for each label, sorted by label. Their random
/// order depends on the content of the rows and on the seed, not on the order of the rows.
[[nodiscard]] std::vector<Stratum> shuffled_strata(const Rows& rows, std::uint64_t seed);

/// Fisher and Yates, with numbers that are the same on every machine.
void shuffle(std::vector<Index>& list, Rng rng);

/// Positions of a stratified sample of the labelled rows, in order: `max_rows` of them, a few more
/// where small classes keep their minimum.
[[nodiscard]] std::vector<Index> stratified_sample(const Rows& rows, Index max_rows,
                                                   std::uint64_t seed);

}  // namespace genera::select_detail
