#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <genera/types.hpp>
#include "data/csv/fields.hpp"

namespace genera::data {

/// What the beginning of the data says about labels that are numbers.
struct TargetCells {
  Index rows = 0;                     ///< with a label
  Index different = 0;                ///< numbers; 0 if a label is not a number
  bool whole = true;                  ///< all of them
  bool codes = false;                 ///< every whole number from 0 or 1 to the largest
  std::vector<std::string> values{};  ///< the smallest numbers in order, at most max_values
  static constexpr Index max_values = 10;
};

/// Of column `target` in whole records.
[[nodiscard]] TargetCells target_cells(const std::vector<std::string_view>& records, Index target,
                                       const CellFormat& format);

/// Whether no two cells of the column are equal.
[[nodiscard]] bool all_different(const std::vector<std::string_view>& records, Index column,
                                 const CellFormat& format);

/// Whether the labels are more likely measurements than classes. At most ten numbers are classes.
/// With more, fractions are measurements; whole numbers are not if they number the classes without
/// a gap, else they are if there are fewer than 20 rows for each, which is too few to learn a class
/// from, or more than a hundred of them.
[[nodiscard]] bool looks_measured(const TargetCells& cells);

}  // namespace genera::data
