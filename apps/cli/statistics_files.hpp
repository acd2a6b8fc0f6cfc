#pragma once

#include "options/common.hpp"
#include "options/source.hpp"

#include <genera/stats.hpp>

#include <functional>
#include <string>

/// The common parts of stats, merge and forget.
namespace genera::cli {

/// The treatment of rows with missing values. Throws Error (bad_argument) for EM, which needs the
/// rows.
[[nodiscard]] Missing missing_of_statistics(const Source& source);

/// The rows of a source with the columns and the target of the statistics; other columns are
/// ignored.
[[nodiscard]] RowStream rows_like(const Source& source, const StatisticsSchema& schema);
/// Options that collect statistics with this schema.
[[nodiscard]] CollectOptions options_like(const StatisticsSchema& schema, Missing missing);

/// Runs `combine`, and adds the name of the file to its errors.
void about_file(const std::string& file, const std::function<void()>& combine);

/// Saves the statistics, or prints their summary without -o.
void deliver(const Statistics& statistics, const Common& common);

}  // namespace genera::cli
