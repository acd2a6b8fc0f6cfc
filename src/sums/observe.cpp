#include "sums/observe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "data/columns.hpp"
#include "kernel/parallel.hpp"
#include "sums/checked_weight.hpp"
#include "sums/count_rows.hpp"
#include "sums/row_check.hpp"
#include "sums/row_moments.hpp"
#include "sums/summarise.hpp"

namespace genera::sums {
namespace {

/// Rows with a weight, by label.
struct RowsByLabel {
  RowsByClass labelled;
  std::vector<Index> unlabelled;
};

RowsByLabel by_label(const Rows& rows) {
  const CodesView& labels = rows.data().labels;
  RowsByLabel found{RowsByClass(labels.names.size()), {}};
  for (Index i = 0; i < rows.count(); ++i) {
    const Index row = rows.row(i);
    if (checked_weight(rows, row) == 0) continue;
    const std::int32_t label = labels.empty() ? -1 : labels(row);
    (label < 0 ? found.unlabelled : found.labelled[static_cast<std::size_t>(label)]).push_back(row);
  }
  return found;
}

/// The data with one nameless class, for rows without a label.
DataView nameless(DataView data) {
  static const std::array<std::string, 1> none;
  data.labels.names = none;
  return data;
}

bool sums_are_finite(const ClassStatistics& c) {
  const auto finite = [](const Vector& sums) {
    return std::ranges::all_of(sums, [](double x) { return std::isfinite(x); });
  };
  return finite(c.counts.sums) && std::ranges::all_of(c.terms, finite, &TermSums::sums);
}

/// Sums the available cases of rows; shared by threads.
class Observer {
 public:
  Observer(const Rows& rows, const ObserveOptions& options)
      : data_(rows.data()),
        nameless_(nameless(data_)),
        options_(options),
        cells_(data_),
        numeric_(data::number_places(data_, ColumnType::numeric)),
        numbers_(data_, numeric_),
        names_(data::names_of(data_, ColumnType::numeric)),
        none_(no_statistics(data_, options.schema)) {}

  [[nodiscard]] ObservedStatistics of(const Rows& rows) const {
    RowsByLabel by_class = by_label(rows);
    ObservedStatistics found{.labelled = cases_of(rows, data_, by_class.labelled)};
    count_missing(rows, by_class.labelled, found);
    if (options_.unlabelled) {
      const RowsByClass unlabelled{std::move(by_class.unlabelled)};
      found.unlabelled = cases_of(rows, nameless_, unlabelled);
    } else {
      for (const Index row : by_class.unlabelled) found.unlabelled_left_out += rows.copies(row);
    }
    return found;
  }

 private:
  /// `data` has the names of the classes.
  AvailableCases cases_of(const Rows& rows, const DataView& data,
                          const RowsByClass& by_class) const {
    AvailableCases found{.counted = none_};
    std::optional<RowMoments> together;
    if (numbers_.count() > 0) together.emplace(numbers_, data_.weights, Scatter::diagonal);
    for (std::size_t k = 0; k < by_class.size(); ++k) {
      if (by_class[k].empty()) continue;
      ClassStatistics& c = found.counted.of_class(data.labels.names[k]);
      for (const Index row : by_class[k]) {
        c.rows += rows.copies(row);
        c.weight += rows.weight(row);
      }
      if (together) found.numbers[c.name] = numbers_of(rows, by_class[k], *together);
    }
    count_rows(data, by_class, Entries::all, found.counted);
    if (!std::ranges::all_of(found.counted.classes(), sums_are_finite))
      for (const auto& own : by_class) refuse_infinite_sums(rows, own);
    return found;
  }

  /// A missing number makes the mean of its column NaN; such columns are then summed separately.
  ColumnMoments numbers_of(const Rows& rows, const std::vector<Index>& own,
                           RowMoments& together) const {
    Moments all = together.of(own);
    ColumnMoments found{.weight = Vector(all.mean.size(), all.weight),
                        .mean = std::move(all.mean),
                        .mean_low = std::move(all.mean_low),
                        .scatter = Vector(all.scatter.row(0).begin(), all.scatter.row(0).end())};
    for (std::size_t j = 0; j < found.mean.size(); ++j) {
      if (std::isfinite(found.mean[j])) continue;
      const Moments one = column_alone(rows, own, j);
      found.weight[j] = one.weight;
      found.mean[j] = one.mean[0];
      found.mean_low[j] = one.mean_low[0];
      found.scatter[j] = one.scatter(0, 0);
    }
    return found;
  }

  Moments column_alone(const Rows& rows, const std::vector<Index>& own, std::size_t j) const {
    std::vector<Index> there;
    for (const Index row : own) {
      const double value = numbers_(row, static_cast<Index>(j));
      if (std::isinf(value)) sums::refuse_infinite(rows, row, names_[j]);
      if (!std::isnan(value)) there.push_back(row);
    }
    if (there.empty()) return {1, Scatter::diagonal};
    return RowMoments({data_, std::span(numeric_).subspan(j, 1)}, data_.weights, Scatter::diagonal)
        .of(there);
  }

  /// Throws for infinite counts or entries; sums of finite values may overflow, too.
  void refuse_infinite_sums(const Rows& rows, const std::vector<Index>& own) const {
    for (const Index row : own) {
      for (std::size_t f = 0; f < cells_.places().size(); ++f) {
        const PresentCells::Place place = cells_.places()[f];
        if (place.kind == PresentCells::Place::Kind::number &&
            std::isinf(cells_.numbers()(row, place.at)))
          sums::refuse_infinite(rows, row, data_.columns[f].name);
      }
      for (const SparseView& sparse : data_.sparse) {
        for (Index e = sparse.begin(row); e < sparse.begin(row + 1); ++e)
          if (std::isinf(sparse.value(e)))
            sums::refuse_infinite(rows, row,
                                  sparse.terms[static_cast<std::size_t>(sparse.place(e))]);
      }
    }
  }

  void count_missing(const Rows& rows, const RowsByClass& by_class, ObservedStatistics& to) const {
    for (std::size_t f = 0; f < cells_.places().size(); ++f) {
      const PresentCells::Place place = cells_.places()[f];
      if (place.kind == PresentCells::Place::Kind::number) continue;
      Index cells = 0;
      for (const auto& own : by_class)
        for (const Index row : own) cells += cells_.is_missing(row, place) ? rows.copies(row) : 0;
      if (cells > 0) to.missing_cells[data_.columns[f].name] = cells;
    }
  }

  const DataView& data_;
  DataView nameless_;
  ObserveOptions options_;
  PresentCells cells_;
  std::vector<Index> numeric_;
  data::NumberColumns numbers_;
  std::vector<std::string> names_;  // names of the numeric columns
  Statistics none_;                 // empty; its levels and terms are shared by all parts
};

}  // namespace

namespace {

/// Each column of complete rows by itself.
AvailableCases cases_of(const Statistics& complete, Scatter scatter) {
  StatisticsSchema schema = complete.schema();
  schema.scatter = scatter;
  AvailableCases cases{.counted = Statistics(schema)};
  for (std::size_t i = 0; i < complete.levels().size(); ++i)
    cases.counted.levels_of(i) = complete.levels()[i];
  for (const ClassStatistics& from : complete.classes()) {
    ClassStatistics& c = cases.counted.of_class(from.name);
    Moments none = std::move(c.moments);
    c = from;
    c.moments = std::move(none);
    if (complete.columns().empty()) continue;
    const Moments& m = from.moments;
    ColumnMoments& numbers = cases.numbers[from.name];
    numbers = {Vector(m.mean.size(), m.weight), m.mean, m.mean_low, Vector(m.mean.size())};
    for (std::size_t j = 0; j < m.mean.size(); ++j) {
      const auto column = static_cast<Index>(j);
      numbers.scatter[j] = m.scatter(complete.scatter() == Scatter::full ? column : 0, column);
    }
  }
  return cases;
}

}  // namespace

ObservedStatistics observe(const Rows& rows, const ObserveOptions& options,
                           const Control& control) {
  const Observer observer(rows, options);
  ObservedStatistics total = observer.of(rows.between(0, 0));
  if (options.complete) total.labelled.merge(cases_of(*options.complete, options.schema.scatter));
  const Index step = rows_per_part(rows);
  Index next = 0;
  kernel::run_in_order(control.threads, [&]() -> std::optional<kernel::Task> {
    if (next >= rows.count()) return std::nullopt;
    const Rows part = rows.between(next, std::min(next + step, rows.count()));
    next += part.count();
    return [&, part]() -> kernel::Finish {
      return [&total, found = observer.of(part)] { total.merge(found); };
    };
  });
  return total;
}

}  // namespace genera::sums
