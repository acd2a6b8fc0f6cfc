#pragma once

#include <map>
#include <optional>
#include <string>

#include <genera/report.hpp>
#include <genera/rows.hpp>

/// Rows of weight 0 are as if they were not there.
namespace genera::sums {

/// How many labelled rows of a class have a weight.
struct RowsOfClass {
  Index weighted = 0, weightless = 0;
};
using WeightedRows = std::map<std::string, RowsOfClass>;  ///< by class

/// Says how many rows are left out, and which classes with them; nothing if none is.
[[nodiscard]] std::optional<Note> note_weightless(const WeightedRows& rows);

[[nodiscard]] Index weightless_rows(const WeightedRows& rows);

/// Labelled or not.
[[nodiscard]] Index rows_with_weight(const Rows& rows);

}  // namespace genera::sums
