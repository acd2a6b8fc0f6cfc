#pragma once

#include <string>

#include <genera/select.hpp>

namespace genera::select_detail {

/// Says what was chosen and why.
[[nodiscard]] std::string sentence_about(const UnlabelledWeight& found);

/// Rows without a label that take part where their weight is chosen or judged: twenty fits by EM
/// are made.
constexpr Index max_unlabelled = 5000;

/// As the public function; `scale` multiplies the weights, if the rows are a sample in which rows
/// without a label are fewer than their share.
struct WeighedRows {
  const Rows& rows;
  double scale = 1;
};
[[nodiscard]] UnlabelledWeight choose_unlabelled_weight(const WeighedRows& sample,
                                                        const AnyRecipe& recipe,
                                                        const SelectOptions& options,
                                                        const Control& control);

/// The labelled rows at `labelled` positions and a sample of the others, `limit` at most.
struct WithUnlabelled {
  WithUnlabelled(const Rows& rows, std::span<const Index> labelled, Index limit,
                 std::uint64_t seed);
  std::vector<Index> list;  ///< rows of the data
  Rows rows;
  double scale = 1;  ///< what their weight is multiplied by, because some are left out
};

}  // namespace genera::select_detail
