#pragma once

#include <span>
#include <vector>

#include <genera/discrete.hpp>
#include <genera/names.hpp>

namespace genera::detail {

/// Log probabilities of independent columns; the K values of a cell are adjacent.
class LevelTables {
 public:
  explicit LevelTables(const CategoricalParameters& parameters);

  [[nodiscard]] Index classes() const { return classes_; }
  [[nodiscard]] Index columns() const { return static_cast<Index>(begins_.size()) - 1; }
  [[nodiscard]] Index levels(Index column) const {
    const auto j = static_cast<std::size_t>(column);
    return begins_[j + 1] - begins_[j];
  }
  /// The levels of each column by name.
  [[nodiscard]] const std::vector<NameSet>& names() const { return names_; }
  /// log p(level | k) for every class k.
  [[nodiscard]] std::span<const double> logs(Index column, Index level) const {
    const Index cell = begins_[static_cast<std::size_t>(column)] + level;
    return {logs_.data() + cell * classes_, static_cast<std::size_t>(classes_)};
  }

 private:
  Index classes_;
  std::vector<Index> begins_;  // cells before each column
  Vector logs_;
  std::vector<NameSet> names_;
};

}  // namespace genera::detail
