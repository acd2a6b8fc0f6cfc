#pragma once

#include <string>
#include <vector>

#include <genera/stats.hpp>

namespace genera::sums {

/// Number of rows of all classes.
[[nodiscard]] Index rows_of(const Statistics& statistics);

/// The classes in the order of a model.
struct ClassList {
  std::vector<const ClassStatistics*> statistics;  ///< owned by the statistics
  std::vector<std::string> names;
  Vector counts;  ///< weights

  [[nodiscard]] Index size() const { return static_cast<Index>(names.size()); }
};
/// Throws Error (bad_data) if there is no class.
[[nodiscard]] ClassList sorted_classes(const Statistics& statistics);

/// Throws Error (bad_data) if there are so many labels for so few rows that they cannot be classes,
/// whose statistics would exhaust memory.
void refuse_flood_of_classes(const std::string& target, std::size_t classes, Index rows);

/// Throws Error (bad_data) if labels of unknown type are measurements rather than classes, or if
/// two labels are the same number written differently.
void refuse_odd_classes(const Statistics& statistics);

}  // namespace genera::sums
