#pragma once

#include "candidates.hpp"

#include <genera/curves.hpp>

#include <list>
#include <string>
#include <vector>

/// Generative models and their discriminative counterparts: --pairs.
namespace genera::cli {

/// The pairs of these names, without duplicates. Throws Error (bad_argument) with the nearest
/// names.
[[nodiscard]] std::vector<ModelPair> parse_pairs(const std::vector<std::string>& items);

/// The models of pairs without duplicates, and their pairing.
struct Contenders {
  std::vector<Candidate> candidates{};
  std::vector<CurvePair> pairs{};
  Rows rows{};                            ///< as the first model reads them
  std::list<std::vector<Index>> lists{};  ///< the rows of some classes, of each table
};

/// Throws Error (bad_argument) if none of the models uses an option.
void check_pairs(const std::vector<ModelPair>& pairs, const Words& words);
/// Pairs for the rows of `classes` (empty: all). A counterpart uses the column types of its
/// generative model.
[[nodiscard]] Contenders contenders_of(const std::vector<ModelPair>& pairs,
                                       const std::vector<std::string>& classes, const Words& words,
                                       Tables& tables);
/// Pairs for rows drawn from a model.
[[nodiscard]] Contenders contenders_of(const std::vector<ModelPair>& pairs, const Words& words);

}  // namespace genera::cli
