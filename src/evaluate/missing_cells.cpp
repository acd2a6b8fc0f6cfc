#include "evaluate/missing_cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/columns.hpp"
#include "data/densified.hpp"
#include "kernel/index.hpp"

namespace genera::curves_detail {
namespace {

using kernel::at;
using Place = data::FeaturePlace;

/// 0 of a column without a number in these rows.
double mean_of_column(const Matrix& numbers, Index column, std::span<const Index> rows) {
  double mean = 0, count = 0;
  for (const Index row : rows) {
    const double value = numbers(row, column);
    if (!std::isnan(value)) mean += (value - mean) / ++count;
  }
  return mean;
}

/// The first of them if several are as frequent; 0 of a column without a category in these rows.
std::int32_t mode_of_column(const Codes& codes, Index column, std::size_t levels,
                            std::span<const Index> rows) {
  if (levels == 0) return -1;
  std::vector<Index> counts(levels);
  for (const Index row : rows) {
    if (codes(row, column) >= 0) ++counts[at(codes(row, column))];
  }
  return static_cast<std::int32_t>(std::ranges::max_element(counts) - counts.begin());
}

void fill_numbers(Table& table, Index column, bool whole, std::span<const Index> training) {
  const double mean = mean_of_column(table.numbers, column, training);
  const double value = whole ? std::round(mean) : mean;
  for (Index i = 0; i < table.rows(); ++i) {
    if (std::isnan(table.numbers(i, column))) table.numbers(i, column) = value;
  }
}

/// Whether every class has a value there.
bool is_known(const Table& table, Index column, const Population& population,
              std::span<const Index> training) {
  std::vector<char> seen(population.classes.size());
  for (const Index row : training) {
    if (!std::isnan(table.numbers(row, column))) seen[at(population.truths[at(row)])] = 1;
  }
  return std::ranges::find(seen, 0) == seen.end();
}

}  // namespace

Table with_missing(const Rows& rows, double share, const Rng& rng) {
  Table table = data::table_of(rows);
  const std::vector<Place> places = data::feature_places(table.columns);
  for (Index i = 0; i < table.rows(); ++i) {
    Rng chance = rng.split(static_cast<std::uint64_t>(i));
    for (const Place place : places) {
      const bool removed = chance.uniform() < share;
      if (removed && place.kind == Place::Kind::number)
        table.numbers(i, place.at) = std::numeric_limits<double>::quiet_NaN();
      else if (removed && place.kind == Place::Kind::code)
        table.codes(i, place.at) = -1;
    }
  }
  return table;
}

Table known_columns(const Table& table, const Population& population,
                    std::span<const Index> training) {
  Table some = table;
  some.columns.clear();
  std::vector<Index> kept;
  const std::vector<Place> places = data::feature_places(table.columns);
  for (std::size_t j = 0; j < places.size(); ++j) {
    const Column& column = table.columns[j];
    if (column.type == ColumnType::numeric && !is_known(table, places[j].at, population, training))
      continue;
    some.columns.push_back(column);
    if (places[j].kind == Place::Kind::number) kept.push_back(places[j].at);
  }
  if (std::ssize(kept) == table.numbers.columns()) return some;
  some.numbers = Matrix(table.rows(), std::ssize(kept));
  for (Index i = 0; i < table.rows(); ++i) {
    for (std::size_t j = 0; j < kept.size(); ++j)
      some.numbers(i, static_cast<Index>(j)) = table.numbers(i, kept[j]);
  }
  return some;
}

Table filled_by_means(const Table& incomplete, std::span<const Index> training) {
  Table table = incomplete;
  const std::vector<Place> places = data::feature_places(table.columns);
  for (std::size_t j = 0; j < places.size(); ++j) {
    const Index column = places[j].at;
    if (places[j].kind == Place::Kind::number) {
      fill_numbers(table, column, table.columns[j].type == ColumnType::count, training);
    } else if (places[j].kind == Place::Kind::code) {
      const std::int32_t mode =
          mode_of_column(incomplete.codes, column, table.levels[at(column)].size(), training);
      for (Index i = 0; i < table.rows(); ++i) {
        if (table.codes(i, column) < 0) table.codes(i, column) = mode;
      }
    }
  }
  for (SparseColumns& sparse : table.sparse) sparse.missing.clear();
  return table;
}

}  // namespace genera::curves_detail
