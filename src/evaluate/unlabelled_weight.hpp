#pragma once

#include <string>

#include <genera/select.hpp>

namespace genera::select_detail {

/// Says what was chosen and why.
[[nodiscard]] std::string sentence_about(const UnlabelledWeight& found);

/// The labelled rows at `labelled` positions and a sample of `max_rows` of the others, with the
/// weight of one of these.
struct WithUnlabelled {
  WithUnlabelled(const Rows& rows, std::span<const Index> labelled, Index max_rows,
                 std::uint64_t seed);
  std::vector<Index> list;  ///< rows of the data
  Rows rows;
  double scale = 1;  ///< what their weight is multiplied by, because some are left out
};

}  // namespace genera::select_detail
