#include "sums/summarise.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "data/columns.hpp"
#include "kernel/parallel.hpp"
#include "kernel/progress.hpp"
#include "sums/count_rows.hpp"
#include "sums/row_moments.hpp"

namespace genera::sums {
namespace {

double checked_weight(const Rows& rows, Index row) {
  const double weight = rows.weight(row);
  if (weight >= 0 && std::isfinite(weight)) return weight;
  throw Error(Errc::bad_data, fmt::format("{}: the weight is {}", rows.place(row), weight),
              "weights must be finite numbers of at least 0");
}

/// Rows of each class of the data, those without weight left out.
RowsByClass rows_by_class(const Rows& rows, Summary& summary) {
  const CodesView& labels = rows.data().labels;
  RowsByClass found(labels.names.size());
  for (Index i = 0; i < rows.count(); ++i) {
    const Index row = rows.row(i);
    const std::int32_t label = labels(row);
    if (label < 0) {
      ++summary.unlabelled_rows;
    } else if (checked_weight(rows, row) > 0) {
      found[static_cast<std::size_t>(label)].push_back(row);
    }
  }
  return found;
}

/// Where the cells of a feature are.
struct Place {
  enum class Kind { number, code, text } kind;
  Index at;
};

/// Whether cells are there, feature by feature.
class Cells {
 public:
  explicit Cells(const DataView& data) : data_(&data) {
    Index numbers = 0, codes = 0;
    std::vector<Index> all;
    std::size_t text = 0;
    for (const Column& column : data.columns) {
      if (data::kept_as_number(column.type)) {
        all.push_back(numbers);
        places_.push_back({Place::Kind::number, numbers++});
      } else if (column.type == ColumnType::text) {
        while (data.sparse[text].kind != SparseKind::text) ++text;
        places_.push_back({Place::Kind::text, static_cast<Index>(text++)});
      } else {
        places_.push_back({Place::Kind::code, codes++});
      }
    }
    numbers_ = data::NumberColumns(data, all);
  }

  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  [[nodiscard]] const data::NumberColumns& numbers() const { return numbers_; }
  [[nodiscard]] bool is_missing(Index row, Place place) const {
    const auto at = static_cast<std::size_t>(place.at);
    switch (place.kind) {
      case Place::Kind::number:
        return std::isnan(numbers_(row, place.at));
      case Place::Kind::code:
        return data_->codes[at](row) < 0;
      case Place::Kind::text:
        return data_->sparse[at].is_missing(row);
    }
    return false;
  }

 private:
  const DataView* data_;
  std::vector<Place> places_;
  data::NumberColumns numbers_;
};

/// Missing numbers spoil a row, other missing cells only if they are told to.
bool spoils(Place place, Missing policy) {
  return place.kind == Place::Kind::number || policy == Missing::drop;
}

void refuse_infinite(const Rows& rows, const Cells& cells, Index row) {
  for (std::size_t f = 0; f < cells.places().size(); ++f) {
    const Place place = cells.places()[f];
    if (place.kind == Place::Kind::number && std::isinf(cells.numbers()(row, place.at)))
      throw Error(
          Errc::bad_data,
          fmt::format("{}: column '{}' is infinite", rows.place(row), rows.data().columns[f].name),
          "replace the value, or leave the cell empty if it is missing");
  }
}

/// Leaves the usable rows and counts the missing cells.
void keep_usable(const Rows& rows, Missing policy, std::vector<Index>& of_class, Summary& summary) {
  const Cells cells(rows.data());
  const auto before = static_cast<Index>(of_class.size());
  std::erase_if(of_class, [&](Index row) {
    refuse_infinite(rows, cells, row);
    bool usable = true;
    for (std::size_t f = 0; f < cells.places().size(); ++f) {
      if (!cells.is_missing(row, cells.places()[f])) continue;
      ++summary.missing_cells[f];
      usable = usable && !spoils(cells.places()[f], policy);
    }
    return !usable;
  });
  summary.incomplete_rows += before - static_cast<Index>(of_class.size());
}

bool is_finite(const Moments& moments) {
  return std::all_of(moments.mean.begin(), moments.mean.end(),
                     [](double m) { return std::isfinite(m); });
}

double weight_of(const Rows& rows, const std::vector<Index>& of_class) {
  double weight = 0;
  for (const Index row : of_class) weight += rows.weight(row);
  return weight;
}

/// Each chunk has sums for the vocabulary of all rows: they shall be fewer than its entries.
Index rows_with_terms(const DataView& data) {
  constexpr Index least = 1 << 14;
  Index entries = 0, sums = 0;
  for (const SparseView& sparse : data.sparse) {
    entries += sparse.begin(data.rows);
    sums += std::ssize(sparse.terms) * std::ssize(data.labels.names);
  }
  return std::max(least, entries > 0 ? sums / std::max<Index>(1, entries / data.rows) : 0);
}

bool all_numeric(const DataView& data) {
  return data.sparse.empty() &&
         std::all_of(data.columns.begin(), data.columns.end(),
                     [](const Column& column) { return column.type == ColumnType::numeric; });
}

}  // namespace

std::function<bool(Index)> usable_rows(const Rows& rows, Missing missing) {
  return [rows, missing, cells = Cells(rows.data())](Index row) {
    return std::none_of(cells.places().begin(), cells.places().end(), [&](Place place) {
      return spoils(place, missing) && cells.is_missing(row, place);
    });
  };
}

Summary summarise(const Rows& rows, const SummaryOptions& options) {
  const DataView& data = rows.data();
  Summary summary{.statistics = Statistics(schema_of(data, options.schema)),
                  .rows = rows.count(),
                  .missing_cells = std::vector<Index>(data.columns.size())};
  RowsByClass by_class = rows_by_class(rows, summary);
  const bool only_numbers = all_numeric(data);
  const data::NumberColumns numbers(data, data::number_places(data, ColumnType::numeric));
  std::optional<RowMoments> moments;
  if (numbers.count() > 0) moments.emplace(numbers, data.weights, options.schema.scatter);
  for (std::size_t k = 0; k < by_class.size(); ++k) {
    std::vector<Index>& own = by_class[k];
    if (own.empty()) continue;
    // Looking for missing numbers costs nothing while there are none: they show in the mean.
    if (!only_numbers) keep_usable(rows, options.missing, own, summary);
    Moments found = moments ? moments->of(own) : Moments();
    if (!is_finite(found)) {
      keep_usable(rows, options.missing, own, summary);
      found = moments->of(own);
    }
    if (own.empty()) continue;
    ClassStatistics& of_class = summary.statistics.of_class(data.labels.names[k]);
    of_class.rows = static_cast<Index>(own.size());
    of_class.weight = moments ? found.weight : weight_of(rows, own);
    of_class.moments = std::move(found);
  }
  if (!only_numbers) count_rows(data, by_class, options.schema.entries, summary.statistics);
  return summary;
}

void refuse_unlabelled() {
  throw Error(Errc::bad_argument, "the table has no label for each row",
              "name the label column as target, or give one label per row");
}

void merge(Summary& a, const Summary& b) {
  a.statistics.merge(b.statistics);
  a.rows += b.rows;
  a.unlabelled_rows += b.unlabelled_rows;
  a.incomplete_rows += b.incomplete_rows;
  a.missing_cells.resize(std::max(a.missing_cells.size(), b.missing_cells.size()));
  for (std::size_t j = 0; j < b.missing_cells.size(); ++j) a.missing_cells[j] += b.missing_cells[j];
}

Summary summarise_all(const Rows& rows, const SummaryOptions& options, const Control& control) {
  const DataView& data = rows.data();
  if (data.labels.empty() || data.by_position) refuse_unlabelled();
  Summary total = summarise(rows.between(0, 0), options);
  Index numbers = 0;
  for (const NumbersView& piece : data.numbers) numbers += piece.columns;
  const Index step = data.sparse.empty() ? rows_per_chunk(numbers) : rows_with_terms(data);
  kernel::ProgressMeter meter(control, Progress::Task::reading, rows.count());
  Index next = 0;
  kernel::run_in_order(control.threads, [&]() -> std::optional<kernel::Task> {
    if (next >= rows.count()) return std::nullopt;
    const Rows chunk = rows.between(next, std::min(next + step, rows.count()));
    next += chunk.count();
    return [&, chunk]() -> kernel::Finish {
      return [&, chunk, part = summarise(chunk, options)] {
        merge(total, part);
        meter.advance(chunk.count());
      };
    };
  });
  return total;
}

}  // namespace genera::sums
