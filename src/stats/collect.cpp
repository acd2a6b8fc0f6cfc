#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/stats.hpp>

#include "kernel/text.hpp"
#include "stats/summarise.hpp"

namespace genera {
namespace {

using stats::Summary;

/// As many labels as this, in at most twice as many rows, are something else.
constexpr std::size_t many_classes = 5000;
/// Statistics beyond this many bytes are refused rather than left to the memory of the machine.
constexpr double most_bytes = 2e9;

void require_numeric(const std::vector<Column>& columns) {
  std::vector<Column> others;
  for (const Column& column : columns) {
    if (column.type != ColumnType::numeric) others.push_back(column);
  }
  if (others.empty()) {
    if (columns.empty())
      throw Error(Errc::bad_data, "there is no feature column",
                  "give a table with numbers besides the label");
    return;
  }
  std::vector<std::string> names, described;
  for (const Column& column : others) {
    names.push_back(column.name);
    described.push_back(fmt::format("'{}' ({})", column.name, name_of(column.type)));
  }
  throw Error(Errc::bad_data,
              fmt::format("{} {} not numeric, and this version learns from numbers only",
                          fmt::join(described, ", "), others.size() == 1 ? "is" : "are"),
              others.size() == columns.size()
                  ? std::string("give a table with numbers besides the label")
                  : fmt::format("leave {} out: --drop {}", others.size() == 1 ? "it" : "them",
                                kernel::argument_list(names)));
}

/// So many labels so early are no classes; the statistics of each would fill the memory.
void refuse_flood_of_classes(const Summary& summary) {
  const std::size_t classes = summary.statistics.classes().size();
  if (classes <= many_classes || 2 * static_cast<Index>(classes) < summary.rows) return;
  throw Error(
      Errc::bad_data,
      fmt::format("the target '{}' has {} different values in {} rows: these are no classes",
                  summary.statistics.target(), classes, summary.rows),
      "choose the column of class labels with --target, or bin the numbers first");
}

void refuse_excess(const Summary& summary) {
  const auto d = static_cast<double>(summary.statistics.columns().size());
  const auto classes =
      static_cast<double>(std::max<std::size_t>(2, summary.statistics.classes().size()));
  const double each = summary.statistics.scatter() == Scatter::full ? d * d * 8 : d * 8;
  if (classes * each <= most_bytes) return;
  throw Error(Errc::bad_data,
              fmt::format("the statistics of {} classes and {} columns need {:.0f} GB", classes, d,
                          classes * each / 1e9),
              "use --model gnb, which keeps variances only, or fewer columns (--features, --drop)");
}

std::string missing_columns(const Summary& summary) {
  std::vector<std::string> parts;
  for (std::size_t j = 0; j < summary.missing_cells.size(); ++j) {
    if (summary.missing_cells[j] > 0)
      parts.push_back(
          fmt::format("'{}' ({})", summary.statistics.columns()[j], summary.missing_cells[j]));
  }
  constexpr std::size_t most = 8;
  const std::size_t shown = std::min(most, parts.size());
  std::string text =
      fmt::format("{}", fmt::join(parts.begin(), parts.begin() + static_cast<Index>(shown), ", "));
  if (parts.size() > shown) text += fmt::format(" and {} more columns", parts.size() - shown);
  return text;
}

/// Dropping rows does not help against a column that is missing everywhere.
std::string missing_hint(const Summary& summary, Missing policy) {
  std::vector<std::string> empty;
  for (std::size_t j = 0; j < summary.missing_cells.size(); ++j) {
    if (summary.missing_cells[j] == summary.incomplete_rows &&
        summary.incomplete_rows == summary.rows)
      empty.push_back(summary.statistics.columns()[j]);
  }
  if (empty.empty() && policy == Missing::drop)
    return "no row is complete: leave out the columns that miss most with --drop";
  if (empty.empty()) return "use --missing drop to learn from the complete rows only";
  return fmt::format("leave the empty columns out: --drop {}", kernel::argument_list(empty));
}

void apply_missing_policy(const Summary& summary, Missing policy, std::vector<std::string>& notes) {
  const Index lost = summary.unlabelled_rows + summary.incomplete_rows;
  if (lost == 0) return;
  std::string what;
  if (summary.incomplete_rows > 0)
    what += fmt::format("{} of {} rows have missing values in {}", summary.incomplete_rows,
                        summary.rows, missing_columns(summary));
  if (summary.unlabelled_rows > 0)
    what += fmt::format("{}{} rows have no label in '{}'", what.empty() ? "" : "; ",
                        summary.unlabelled_rows, summary.statistics.target());
  if (policy == Missing::refuse || lost == summary.rows)
    throw Error(Errc::bad_data, what, missing_hint(summary, policy));
  notes.push_back(fmt::format("{}: {} rows dropped, {} used", what, lost, summary.rows - lost));
}

Collected finish(Summary&& summary, const CollectOptions& options, std::vector<std::string> notes) {
  apply_missing_policy(summary, options.missing, notes);
  if (summary.statistics.classes().empty())
    throw Error(Errc::bad_data, "there is no row to learn from",
                "give rows that have a label and no missing value");
  return {std::move(summary.statistics), std::move(notes)};
}

std::vector<std::string> number_columns(const RowStream& rows) {
  std::vector<std::string> names;
  for (const Column& column : rows.columns()) names.push_back(column.name);
  return names;
}

Summary pass(RowStream& rows, const CollectOptions& options) {
  require_numeric(rows.columns());
  Summary total{.statistics = Statistics(number_columns(rows), rows.target(), options.scatter)};
  refuse_excess(total);
  rows.for_each_block(options.threads, [&](Table&& block) -> std::function<void()> {
    Summary part = stats::summarise(block, {0, block.rows()}, options.scatter);
    return [&total, part = std::move(part)] {
      stats::merge(total, part);
      refuse_excess(total);
      refuse_flood_of_classes(total);
    };
  });
  return total;
}

}  // namespace

Collected collect(RowStream& rows, const CollectOptions& options) {
  Summary total = pass(rows, options);
  while (!rows.types_held()) total = pass(rows, options);
  return finish(std::move(total), options, rows.notes());
}

Collected collect(const Table& table, const CollectOptions& options) {
  require_numeric(table.columns);
  refuse_excess({.statistics = Statistics(table.number_names(), table.target, options.scatter)});
  return finish(stats::summarise_all(table, options.scatter, options.threads), options, {});
}

}  // namespace genera
