#include "stats/summarise.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "data/join_tables.hpp"
#include "kernel/parallel.hpp"
#include "stats/count_rows.hpp"
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
RowsByClass rows_by_class(const Table& table, RowRange range, Summary& summary) {
  RowsByClass rows(table.classes.size());
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

/// Where the cells of a feature are.
struct Place {
  enum class Kind { number, code, text } kind;
  std::size_t at;
};

std::vector<Place> places_of(const Table& table) {
  std::vector<Place> places;
  std::size_t numbers = 0, codes = 0, texts = 0;
  for (const Column& column : table.columns) {
    if (data::kept_as_number(column.type))
      places.push_back({Place::Kind::number, numbers++});
    else if (column.type == ColumnType::text)
      places.push_back({Place::Kind::text, texts++});
    else
      places.push_back({Place::Kind::code, codes++});
  }
  return places;
}

bool is_missing(const Table& table, Index row, Place place) {
  const auto i = static_cast<std::size_t>(row);
  switch (place.kind) {
    case Place::Kind::number:
      return std::isnan(table.numbers(row, static_cast<Index>(place.at)));
    case Place::Kind::code:
      return table.codes(row, static_cast<Index>(place.at)) < 0;
    case Place::Kind::text:
      return !table.sparse[place.at].missing.empty() && table.sparse[place.at].missing[i] != 0;
  }
  return false;
}

/// Missing numbers spoil a row, other missing cells only if they are told to.
bool spoils(Place place, Missing policy) {
  return place.kind == Place::Kind::number || policy == Missing::drop;
}

void refuse_infinite(const Table& table, Index row) {
  for (Index j = 0; j < table.numbers.columns(); ++j) {
    if (std::isinf(table.numbers(row, j)))
      throw Error(Errc::bad_data,
                  fmt::format("{}: column '{}' is infinite", table.place(row),
                              table.number_names()[static_cast<std::size_t>(j)]),
                  "replace the value, or leave the cell empty if it is missing");
  }
}

/// Leaves the usable rows and counts the missing cells.
void keep_usable(const Table& table, Missing policy, std::vector<Index>& rows, Summary& summary) {
  const std::vector<Place> places = places_of(table);
  const auto before = static_cast<Index>(rows.size());
  std::erase_if(rows, [&](Index row) {
    refuse_infinite(table, row);
    bool usable = true;
    for (std::size_t f = 0; f < places.size(); ++f) {
      if (!is_missing(table, row, places[f])) continue;
      ++summary.missing_cells[f];
      usable = usable && !spoils(places[f], policy);
    }
    return !usable;
  });
  summary.incomplete_rows += before - static_cast<Index>(rows.size());
}

bool is_finite(const Moments& moments) {
  return std::all_of(moments.mean.begin(), moments.mean.end(),
                     [](double m) { return std::isfinite(m); });
}

/// The numeric columns alone; a copy only where counts stand among them.
class NumericColumns {
 public:
  explicit NumericColumns(const Table& table) {
    std::vector<Index> places;
    Index place = 0;
    for (const Column& column : table.columns) {
      if (column.type == ColumnType::numeric) places.push_back(place);
      if (data::kept_as_number(column.type)) ++place;
    }
    if (static_cast<Index>(places.size()) == table.numbers.columns()) {
      view_ = table.numbers;
      return;
    }
    copy_ = Matrix(table.numbers.rows(), static_cast<Index>(places.size()));
    for (Index i = 0; i < copy_.rows(); ++i) {
      for (Index j = 0; j < copy_.columns(); ++j)
        copy_(i, j) = table.numbers(i, places[static_cast<std::size_t>(j)]);
    }
    view_ = copy_;
  }
  [[nodiscard]] const MatrixView& view() const { return view_; }

 private:
  Matrix copy_;
  MatrixView view_;
};

Moments weight_alone(const Table& table, const std::vector<Index>& rows, Scatter kind) {
  Moments moments(0, kind);
  for (const Index row : rows) moments.weight += weight_of(table, row);
  return moments;
}

/// Each block has sums for the vocabulary of the whole table: they shall be fewer than its entries.
Index rows_with_terms(const Table& table) {
  constexpr Index least = 1 << 14;
  Index entries = 0, sums = 0;
  for (const SparseColumns& sparse : table.sparse) {
    entries += std::ssize(sparse.places);
    sums += std::ssize(sparse.terms) * std::ssize(table.classes);
  }
  return std::max(least, entries > 0 ? sums / std::max<Index>(1, entries / table.rows()) : 0);
}

bool all_numeric(const Table& table) {
  return table.sparse.empty() &&
         std::all_of(table.columns.begin(), table.columns.end(),
                     [](const Column& column) { return column.type == ColumnType::numeric; });
}

}  // namespace

std::function<bool(Index)> usable_rows(const Table& table, Missing missing) {
  return [&table, missing, places = places_of(table)](Index row) {
    return std::none_of(places.begin(), places.end(), [&](Place place) {
      return spoils(place, missing) && is_missing(table, row, place);
    });
  };
}

std::vector<Index> number_places(const Table& table, const std::vector<std::string>& columns) {
  const std::vector<std::string> names = table.number_names();
  std::vector<Index> places;
  for (const std::string& column : columns)
    places.push_back(std::find(names.begin(), names.end(), column) - names.begin());
  return places;
}

Summary summarise(const Table& table, RowRange range, const SummaryOptions& options) {
  Summary summary{.statistics = Statistics(schema_of(table, options.schema)),
                  .rows = range.end - range.begin,
                  .missing_cells = std::vector<Index>(table.columns.size())};
  RowsByClass rows = rows_by_class(table, range, summary);
  const bool only_numbers = all_numeric(table);
  const NumericColumns numbers(table);
  const Scatter kind = options.schema.scatter;
  std::optional<RowMoments> moments;
  if (numbers.view().columns() > 0) moments.emplace(numbers.view(), table.weights, kind);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k].empty()) continue;
    // Looking for missing numbers costs nothing while there are none: they show in the mean.
    if (!only_numbers) keep_usable(table, options.missing, rows[k], summary);
    Moments found = moments ? moments->of(rows[k]) : weight_alone(table, rows[k], kind);
    if (!is_finite(found)) {
      keep_usable(table, options.missing, rows[k], summary);
      found = moments->of(rows[k]);
    }
    if (rows[k].empty()) continue;
    ClassStatistics& of_class = summary.statistics.of_class(table.classes[k]);
    of_class.rows = static_cast<Index>(rows[k].size());
    of_class.moments = std::move(found);
  }
  if (!only_numbers) count_rows(table, rows, options.schema.entries, summary.statistics);
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

Summary summarise_all(const Table& table, const SummaryOptions& options, int threads) {
  const auto rows = static_cast<std::size_t>(table.rows());
  const bool has_numbers = table.numbers.columns() > 0;
  if (table.labels.size() != rows || (has_numbers && table.numbers.rows() != table.rows()) ||
      (!table.weights.empty() && table.weights.size() != rows))
    throw Error(Errc::bad_argument, "the table has no label for each row",
                "name the label column as target, or give one label per row");
  Summary total = summarise(table, {0, 0}, options);
  const Index step =
      table.sparse.empty() ? rows_per_block(table.numbers.columns()) : rows_with_terms(table);
  Index next = 0;
  kernel::run_in_order(threads, [&]() -> std::optional<kernel::Task> {
    if (next >= table.rows()) return std::nullopt;
    const RowRange range{next, std::min(next + step, table.rows())};
    next = range.end;
    return [&, range]() -> kernel::Finish {
      return [&, part = summarise(table, range, options)] { merge(total, part); };
    };
  });
  return total;
}

}  // namespace genera::stats
