#pragma once

#include "show/csv_output.hpp"

#include <genera/explain.hpp>

#include <string>
#include <vector>

/// Contributions of features to the log-odds, as CSV, JSON and text.
namespace genera::cli {

/// second, log_odds, base, feature_1, contribution_1, ..., rest. They explain the most probable
/// class.
[[nodiscard]] std::vector<std::string> explanation_columns(Index max);
void add_cells(const Explanation& reason, Index max, const std::vector<std::string>& classes,
               CsvWriter& rows);
/// , "second": ..., "log_odds": ..., "base": ..., "evidence": [...], "rest": ...
void append_json(const Explanation& reason, const std::vector<std::string>& classes,
                 std::string& text);

/// The levels and words with the largest contributions to each class.
[[nodiscard]] std::string top_table(ClassifierRef model, Index max);
[[nodiscard]] std::string top_json(ClassifierRef model, Index max);

}  // namespace genera::cli
