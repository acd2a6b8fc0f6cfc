#pragma once

#include <map>
#include <optional>
#include <string>

#include <genera/report.hpp>
#include <genera/rows.hpp>

/// Rows of weight 0, which are ignored.
namespace genera::sums {

/// Number of labelled rows of a class with a weight.
struct RowsOfClass {
  Index weighted = 0, weightless = 0;
  Index fractional = 0;  ///< rows whose weight is not a whole number
  Index heavy = 0;       ///< rows of a weight above 1
};
using WeightedRows = std::map<std::string, RowsOfClass>;  ///< by class

/// A note about the rows and classes left out; empty if there are none.
[[nodiscard]] std::optional<Note> note_weightless(const WeightedRows& rows);

/// A note that the weights may be frequencies, if all are whole numbers and some are above 1.
[[nodiscard]] std::optional<Note> note_whole_weights(const WeightedRows& rows);

[[nodiscard]] Index weightless_rows(const WeightedRows& rows);

/// Includes rows without a label.
[[nodiscard]] Index rows_with_weight(const Rows& rows);

}  // namespace genera::sums
