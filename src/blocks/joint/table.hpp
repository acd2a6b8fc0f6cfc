#pragma once

#include <span>
#include <vector>

#include <genera/discrete.hpp>
#include <genera/names.hpp>

namespace genera::detail {

/// The probability of each combination of levels.
class JointTable {
 public:
  explicit JointTable(const JointParameters& parameters);

  [[nodiscard]] Index columns() const { return static_cast<Index>(levels_.size()); }
  [[nodiscard]] Index levels(Index column) const {
    return levels_[static_cast<std::size_t>(column)];
  }
  /// The levels of each column by name.
  [[nodiscard]] const std::vector<NameSet>& names() const { return names_; }
  /// log p of the known levels (-1: marginalised) given class k.
  [[nodiscard]] double log_probability(Index k, std::span<const std::int32_t> cells) const;

 private:
  [[nodiscard]] double sum(Index k, std::span<const std::int32_t> cells, std::size_t column,
                           Index cell) const;

  std::vector<Index> levels_;   // number of levels of each column
  std::vector<Index> strides_;  // cells between neighbouring levels
  Matrix probabilities_;        // K x cells
  std::vector<NameSet> names_;  // of each column
};

}  // namespace genera::detail
