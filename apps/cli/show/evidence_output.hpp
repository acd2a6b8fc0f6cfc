#pragma once

#include "show/csv_output.hpp"

#include <genera/explain.hpp>

#include <string>
#include <vector>

/// What speaks for a class, for people and programs.
namespace genera::cli {

/// second, log_odds, base, feature_1, contribution_1, ..., rest. What is explained is the most
/// probable class.
[[nodiscard]] std::vector<std::string> explanation_columns(Index max);
void add_cells(const Explanation& reason, Index max, const std::vector<std::string>& classes,
               CsvWriter& rows);
/// , "second": ..., "log_odds": ..., "base": ..., "evidence": [...], "rest": ...
void append_json(const Explanation& reason, const std::vector<std::string>& classes,
                 std::string& text);

/// The levels and words that speak most for each class.
[[nodiscard]] std::string top_table(ClassifierRef model, Index max);
[[nodiscard]] std::string top_json(ClassifierRef model, Index max);

}  // namespace genera::cli
