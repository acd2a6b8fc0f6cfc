#include "stats/summarise.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "kernel/parallel.hpp"
#include "stats/row_moments.hpp"

namespace genera::stats {
namespace {

double weight_of(const Table& table, Index row) {
  if (table.weights.empty()) return 1;
  const double weight = table.weights[static_cast<std::size_t>(row)];
  if (weight >= 0 && std::isfinite(weight)) return weight;
  throw Error(Errc::bad_data, fmt::format("{}: the weight is {}", table.place(row), weight),
              "weights must be finite numbers of at least 0");
}

/// Rows of each class of the table, those without weight left out.
std::vector<std::vector<Index>> rows_by_class(const Table& table, RowRange range,
                                              Summary& summary) {
  std::vector<std::vector<Index>> rows(table.classes.size());
  for (Index i = range.begin; i < range.end; ++i) {
    const std::int32_t label = table.labels[static_cast<std::size_t>(i)];
    if (label < 0) {
      ++summary.unlabelled_rows;
    } else if (weight_of(table, i) > 0) {
      rows[static_cast<std::size_t>(label)].push_back(i);
    }
  }
  return rows;
}

bool is_complete(const Table& table, Index row, std::vector<Index>& missing_cells) {
  bool complete = true;
  for (Index j = 0; j < table.numbers.columns(); ++j) {
    const double value = table.numbers(row, j);
    if (std::isfinite(value)) continue;
    if (std::isinf(value))
      throw Error(Errc::bad_data,
                  fmt::format("{}: column '{}' is infinite", table.place(row),
                              table.number_names()[static_cast<std::size_t>(j)]),
                  "replace the value, or leave the cell empty if it is missing");
    ++missing_cells[static_cast<std::size_t>(j)];
    complete = false;
  }
  return complete;
}

bool is_finite(const Moments& moments) {
  return std::all_of(moments.mean.begin(), moments.mean.end(),
                     [](double m) { return std::isfinite(m); });
}

/// Moments of the complete ones among `rows`. Looking for missing values costs nothing while there
/// are none: they show in the mean.
ClassStatistics class_statistics(const Table& table, std::vector<Index> rows, RowMoments& moments,
                                 Summary& summary) {
  ClassStatistics result;
  result.moments = moments.of(rows);
  if (!is_finite(result.moments)) {
    const auto seen = static_cast<Index>(rows.size());
    std::erase_if(rows, [&](Index i) { return !is_complete(table, i, summary.missing_cells); });
    summary.incomplete_rows += seen - static_cast<Index>(rows.size());
    result.moments = moments.of(rows);
  }
  result.rows = static_cast<Index>(rows.size());
  return result;
}

}  // namespace

Summary summarise(const Table& table, RowRange range, Scatter kind) {
  Summary summary{.statistics = Statistics(table.number_names(), table.target, kind),
                  .rows = range.end - range.begin,
                  .missing_cells = std::vector<Index>(table.number_names().size())};
  std::vector<std::vector<Index>> rows = rows_by_class(table, range, summary);
  RowMoments moments(table.numbers, table.weights, kind);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k].empty()) continue;
    ClassStatistics found = class_statistics(table, std::move(rows[k]), moments, summary);
    if (found.rows == 0) continue;
    found.name = table.classes[k];
    summary.statistics.of_class(found.name) = std::move(found);
  }
  return summary;
}

void merge(Summary& a, const Summary& b) {
  a.statistics.merge(b.statistics);
  a.rows += b.rows;
  a.unlabelled_rows += b.unlabelled_rows;
  a.incomplete_rows += b.incomplete_rows;
  a.missing_cells.resize(std::max(a.missing_cells.size(), b.missing_cells.size()));
  for (std::size_t j = 0; j < b.missing_cells.size(); ++j) a.missing_cells[j] += b.missing_cells[j];
}

Summary summarise_all(const Table& table, Scatter kind, int threads) {
  const auto rows = static_cast<std::size_t>(table.rows());
  if (table.labels.size() != rows || table.numbers.rows() != table.rows() ||
      (!table.weights.empty() && table.weights.size() != rows))
    throw Error(Errc::bad_argument, "the table has no label for each row",
                "name the label column as target, or give one label per row");
  Summary total = summarise(table, {0, 0}, kind);
  const Index step = rows_per_block(table.numbers.columns());
  Index next = 0;
  kernel::run_in_order(threads, [&]() -> std::optional<kernel::Task> {
    if (next >= table.rows()) return std::nullopt;
    const RowRange range{next, std::min(next + step, table.rows())};
    next = range.end;
    return [&, range]() -> kernel::Finish {
      return [&, part = summarise(table, range, kind)] { merge(total, part); };
    };
  });
  return total;
}

}  // namespace genera::stats
