#pragma once

#include "candidates.hpp"

#include <genera/curves.hpp>

#include <list>
#include <string>
#include <vector>

/// Generative models and their discriminative counterparts: --pairs.
namespace genera::cli {

/// As pair_named, each once. Throws Error (bad_argument) with the nearest names.
[[nodiscard]] std::vector<ModelPair> parse_pairs(const std::vector<std::string>& items);

/// The models of pairs, each once, and which of them belong together.
struct Contenders {
  std::vector<Candidate> candidates{};
  std::vector<CurvePair> pairs{};
  Rows rows{};                            ///< as the first model reads them
  std::list<std::vector<Index>> lists{};  ///< the rows of some classes, of each table
};

/// Throws Error (bad_argument) if an option belongs to none of the models or makes no sense there.
void check_pairs(const std::vector<ModelPair>& pairs, const Words& words);
/// Of the rows of `classes` (empty: all). A counterpart reads the columns as its generative model
/// does.
[[nodiscard]] Contenders contenders_of(const std::vector<ModelPair>& pairs,
                                       const std::vector<std::string>& classes, const Words& words,
                                       Tables& tables);
/// Of rows that are drawn.
[[nodiscard]] Contenders contenders_of(const std::vector<ModelPair>& pairs, const Words& words);

}  // namespace genera::cli
