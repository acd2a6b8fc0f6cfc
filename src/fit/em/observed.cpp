#include "fit/em/observed.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "data/columns.hpp"
#include "kernel/index.hpp"
#include "sums/checked_weight.hpp"
#include "sums/row_check.hpp"
#include "sums/count_rows.hpp"
#include "sums/least_scatter.hpp"
#include "sums/schema.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;

/// Rows with weight, by what is known of their class.
struct SortedRows {
  sums::RowsByClass labelled;
  std::vector<Index> unlabelled;
};

SortedRows sorted(const Rows& rows) {
  const CodesView& labels = rows.data().labels;
  SortedRows found{sums::RowsByClass(labels.names.size()), {}};
  for (Index i = 0; i < rows.count(); ++i) {
    const Index row = rows.row(i);
    if (sums::checked_weight(rows, row) == 0) continue;
    const std::int32_t label = labels.empty() ? -1 : labels(row);
    (label < 0 ? found.unlabelled : found.labelled[static_cast<std::size_t>(label)]).push_back(row);
  }
  return found;
}

/// The sums of labelled rows would tell; no others are made before EM begins.
void refuse_infinite(const Rows& rows, const std::vector<Index>& unlabelled) {
  const DataView& data = rows.data();
  std::vector<std::string> names;
  for (const Column& column : data.columns) {
    if (data::kept_as_number(column.type)) names.push_back(column.name);
  }
  std::vector<Index> all(names.size());
  std::iota(all.begin(), all.end(), Index{0});
  const data::NumberColumns values(data, all);
  for (const Index row : unlabelled) {
    for (std::size_t j = 0; j < names.size(); ++j)
      if (std::isinf(values(row, static_cast<Index>(j))))
        sums::refuse_infinite(rows, row, names[j]);
    for (const SparseView& sparse : data.sparse) {
      for (Index e = sparse.begin(row); e < sparse.begin(row + 1); ++e)
        if (std::isinf(sparse.value(e)))
          sums::refuse_infinite(rows, row, sparse.terms[at(sparse.place(e))]);
    }
  }
}

std::vector<std::string> empty_columns(const Rows& rows) {
  std::vector<std::string> names, empty;
  for (const Column& column : rows.data().columns) {
    if (data::kept_as_number(column.type)) names.push_back(column.name);
  }
  const data::NumberColumns values(rows.data(), data::number_places(rows.data(), names));
  for (std::size_t j = 0; j < names.size(); ++j) {
    bool any = false;
    for (Index i = 0; i < rows.count() && !any; ++i)
      any = !std::isnan(values(rows.row(i), static_cast<Index>(j)));
    if (!any) empty.push_back(names[j]);
  }
  return empty;
}

/// Weight, mean and sum of squares around it of the values that are there.
Moments available(const Rows& rows, const std::vector<Index>& some,
                  const data::NumberColumns& columns, Index column) {
  Moments one(1, Scatter::full);
  double sum = 0;
  for (const Index row : some) {
    const double value = columns(row, column), weight = rows.weight(row);
    if (std::isnan(value)) continue;
    one.weight += weight;
    sum += weight * value;
  }
  if (one.weight == 0) return one;
  one.mean[0] = sum / one.weight;
  double residual = 0;
  bool varies = false;
  for (const Index row : some) {
    const double value = columns(row, column), weight = rows.weight(row);
    if (std::isnan(value)) continue;
    const double z = value - one.mean[0];
    residual += weight * z;
    one.scatter(0, 0) += weight * z * z;
    varies = varies || sums::is_notable_deviation(z, one.mean[0]);
  }
  one.mean_low[0] = residual / one.weight;
  one.scatter(0, 0) = std::max(0.0, one.scatter(0, 0) - residual * one.mean_low[0]);
  if (one.scatter(0, 0) == 0 && varies) one.scatter(0, 0) = sums::least_scatter;
  return one;
}

[[noreturn]] void refuse_empty(const std::string& name, const std::string& column) {
  throw Error(Errc::bad_data, fmt::format("class '{}' has no value in column '{}'", name, column),
              {"nothing can be learned about it: leave the column out ({})", {{"drop", {column}}}});
}

/// As if each column had been seen in all rows.
Moments columns_alone(const Rows& rows, const std::vector<Index>& some,
                      const std::vector<std::string>& names, const data::NumberColumns& columns,
                      const Statistics& statistics, const std::string* of_class) {
  const bool full = statistics.scatter() == Scatter::full;
  Moments moments(std::ssize(names), statistics.scatter());
  for (const Index row : some) moments.weight += rows.weight(row);
  for (std::size_t j = 0; j < names.size(); ++j) {
    const auto column = static_cast<Index>(j);
    const Moments one = available(rows, some, columns, column);
    if (one.weight == 0 && of_class) refuse_empty(*of_class, names[j]);
    if (one.weight == 0) continue;
    moments.mean[j] = one.mean[0];
    moments.mean_low[j] = one.mean_low[0];
    moments.scatter(full ? column : 0, column) = one.scatter(0, 0) * (moments.weight / one.weight);
  }
  return moments;
}

}  // namespace

Observed observed_statistics(const Rows& rows, const Recipe& recipe) {
  const DataView& data = rows.data();
  StatisticsSchema schema = sums::schema_of(data, {scatter_needed(recipe), recipe.discrete.joint});
  Observed found{{}, {}, empty_columns(rows)};
  std::erase_if(schema.features, [&](const Column& column) {
    return data::kept_as_number(column.type) &&
           std::ranges::count(found.empty_columns, column.name);
  });
  SortedRows by_class = sorted(rows);
  refuse_infinite(rows, by_class.unlabelled);
  Statistics statistics(schema);
  const std::vector<std::string>& names = statistics.columns();
  const data::NumberColumns columns(data, data::number_places(data, names));
  for (std::size_t k = 0; k < by_class.labelled.size(); ++k) {
    const std::vector<Index>& own = by_class.labelled[k];
    if (own.empty()) continue;
    const std::string& name = data.labels.names[k];
    ClassStatistics& c = statistics.of_class(name);
    for (const Index row : own) {
      c.rows += rows.copies(row);
      c.weight += rows.weight(row);
    }
    if (names.empty()) continue;
    c.moments = columns_alone(rows, own, names, columns, statistics, &name);
  }
  if (statistics.classes().empty())
    throw Error(Errc::bad_data, "no labelled row has a weight above 0",
                "give labelled rows a weight above 0");
  sums::count_rows(data, by_class.labelled, sums::Entries::all, statistics);
  found.all = statistics;
  if (!by_class.unlabelled.empty()) {
    const std::string& name = statistics.classes().front().name;
    ClassStatistics& first = found.all.of_class(name);
    for (const Index row : by_class.unlabelled) first.weight += rows.weight(row);
    if (!names.empty())
      first.moments.merge(
          columns_alone(rows, by_class.unlabelled, names, columns, statistics, nullptr));
    sums::RowsByClass in_first(by_class.labelled.size());
    const auto place = std::ranges::find(data.labels.names, name) - data.labels.names.begin();
    in_first[at(place)] = std::move(by_class.unlabelled);
    Statistics counted(schema);
    (void)counted.of_class(name);
    sums::count_rows(data, in_first, sums::Entries::all, counted);
    found.all.merge(counted);
  }
  found.labelled = std::move(statistics);
  return found;
}

}  // namespace genera::fit_detail
