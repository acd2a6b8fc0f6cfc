#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <genera/committee.hpp>
#include <genera/rows.hpp>

namespace genera::score {

/// Rows without column names, given as the features of a committee in order, as a member has them:
/// its own features in its own order, and categories as numbers of its own levels.
class MemberColumns {
 public:
  MemberColumns(const Committee& committee, const Committee::Member& member);

  [[nodiscard]] Index size() const { return static_cast<Index>(columns_.size()); }
  /// `to` has size() numbers. NaN stays NaN, and unknown levels become NaN. Does not allocate.
  void convert(std::span<const double> from, double* to) const noexcept;

 private:
  struct OwnColumn {
    std::size_t place;                             ///< among the features of the committee
    bool coded = false;                            ///< a category in the member
    std::unordered_map<double, double> code_of{};  ///< the member's number of each value
  };
  std::vector<OwnColumn> columns_;
};

/// The rows as the member reads them; rows with column names are returned unchanged.
[[nodiscard]] Rows rows_of_member(const Committee& committee, const Committee::Member& member,
                                  const Rows& rows);

}  // namespace genera::score
