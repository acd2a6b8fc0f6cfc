#include "fit/em/latent_rows.hpp"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "data/columns.hpp"
#include "kernel/index.hpp"
#include "kernel/text.hpp"
#include "sums/count_rows.hpp"
#include "sums/summarise.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;

double weight_of(const Table& table, Index row) {
  return table.weights.empty() ? 1 : table.weights[at(row)];
}

std::vector<std::string> numeric_names(const Table& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) {
    if (column.type == ColumnType::numeric) names.push_back(column.name);
  }
  return names;
}

Matrix numeric_columns(const Table& table, const std::vector<std::string>& names) {
  const std::vector<Index> places = data::number_places(Rows(table).data(), names);
  Matrix numbers(table.rows(), std::ssize(places));
  for (Index i = 0; i < numbers.rows(); ++i) {
    for (Index j = 0; j < numbers.columns(); ++j) numbers(i, j) = table.numbers(i, places[at(j)]);
  }
  return numbers;
}

/// Weight, mean and sum of squares around it of the values that are there.
Moments available(const Table& table, const LatentRows& rows, std::size_t k, Index column) {
  Moments one(1, Scatter::full);
  for (const Index row : rows.labelled[k]) {
    const double value = rows.numbers(row, column);
    if (std::isnan(value)) continue;
    Moments cell(1, Scatter::full);
    cell.weight = weight_of(table, row);
    cell.mean[0] = value;
    one.merge(cell);
  }
  if (one.weight > 0) return one;
  const std::string& name = rows.columns[at(column)];
  throw Error(Errc::bad_data,
              fmt::format("class '{}' has no value in column '{}'", table.classes[k], name),
              {"nothing can be learned about it: leave the column out ({})", {{"drop", {name}}}});
}

}  // namespace

LatentRows::LatentRows(const Table& table)
    : columns(numeric_names(table)),
      numbers(numeric_columns(table, columns)),
      labelled(table.classes.size()),
      complete(table.classes.size()),
      lacking(table.classes.size()) {
  for (Index i = 0; i < table.rows(); ++i) {
    if (!(weight_of(table, i) > 0)) continue;
    const std::int32_t label = table.labels.empty() ? -1 : table.labels[at(i)];
    (label < 0 ? unlabelled : labelled[static_cast<std::size_t>(label)]).push_back(i);
  }
  std::vector<Index> all(columns.size());
  std::iota(all.begin(), all.end(), Index{0});
  const auto count = [&](const kernel::Pattern& pattern) {
    missing_cells +=
        (std::ssize(columns) - std::ssize(pattern.observed)) * std::ssize(pattern.rows);
  };
  for (std::size_t k = 0; k < labelled.size(); ++k) {
    for (kernel::Pattern& pattern : kernel::patterns_of(numbers, all, labelled[k])) {
      count(pattern);
      (pattern.observed.size() == columns.size() ? complete : lacking)[k].push_back(
          std::move(pattern));
    }
  }
  unlabelled_patterns = kernel::patterns_of(numbers, all, unlabelled);
  for (const kernel::Pattern& pattern : unlabelled_patterns) count(pattern);
}

Statistics observed_statistics(const Table& table, const LatentRows& rows,
                               const StatisticsSchema& schema) {
  Statistics statistics(schema);
  for (std::size_t k = 0; k < table.classes.size(); ++k) {
    if (rows.labelled[k].empty()) continue;
    ClassStatistics& c = statistics.of_class(table.classes[k]);
    c.rows = std::ssize(rows.labelled[k]);
    for (const Index row : rows.labelled[k]) c.weight += weight_of(table, row);
    if (!rows.columns.empty()) c.moments.weight = c.weight;
    for (Index j = 0; j < std::ssize(rows.columns); ++j) {
      const Moments one = available(table, rows, k, j);
      c.moments.mean[at(j)] = one.mean[0];
      c.moments.mean_low[at(j)] = one.mean_low[0];
      const bool full = schema.scatter == Scatter::full;
      c.moments.scatter(full ? j : 0, j) = one.scatter(0, 0) * (c.moments.weight / one.weight);
    }
  }
  sums::count_rows(Rows(table).data(), rows.labelled, sums::Entries::all, statistics);
  return statistics;
}

}  // namespace genera::fit_detail
