#include "fit/em/observed.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "data/columns.hpp"

namespace genera::fit_detail {
namespace {

/// Whether any row has a value, for each numeric column and each count column.
struct ColumnsSeen {
  std::vector<bool> numeric, counts;

  ColumnsSeen(const AvailableCases& labelled, const AvailableCases& unlabelled)
      : numeric(labelled.counted.columns().size()),
        counts(labelled.counted.schema().names_of(ColumnType::count).size()) {
    for (const AvailableCases* cases : {&labelled, &unlabelled}) {
      for (const auto& [name, moments] : cases->numbers) see(moments.weight, numeric);
      for (const ClassStatistics& c : cases->counted.classes()) see(c.counts.observed, counts);
    }
  }

 private:
  static void see(const Vector& weights, std::vector<bool>& seen) {
    for (std::size_t j = 0; j < weights.size(); ++j)
      if (weights[j] > 0) seen[j] = true;
  }
};

template <class T>
std::vector<T> kept(const std::vector<T>& values, const std::vector<bool>& which) {
  std::vector<T> some;
  for (std::size_t j = 0; j < values.size(); ++j)
    if (which[j]) some.push_back(values[j]);
  return some;
}

/// The mean of each column over all rows with a value, and its within-class variance, as the
/// moments of one row.
ColumnMoments pooled_columns(const AvailableCases& cases) {
  ColumnMoments pooled;
  Vector within;
  for (const auto& [name, moments] : cases.numbers) {
    within.resize(moments.scatter.size());
    for (std::size_t j = 0; j < within.size(); ++j) within[j] += moments.scatter[j];
    pooled.merge(moments);
  }
  for (std::size_t j = 0; j < within.size(); ++j)
    pooled.scatter[j] = pooled.weight[j] > 0 ? within[j] / pooled.weight[j] : 0;
  return pooled;
}

/// Gives classes without a value in a column the pooled mean and variance of the column. These
/// parameters do not affect the likelihood, so EM does not change them.
void fill_empty(AvailableCases& cases, const ColumnMoments& pooled,
                std::vector<Observed::EmptyCell>& filled) {
  if (pooled.weight.empty()) return;
  const std::vector<std::string> names = cases.counted.columns();
  for (auto& [name, moments] : cases.numbers) {
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (moments.weight[j] > 0 || !(pooled.weight[j] > 0)) continue;
      moments.weight[j] = 1;
      moments.mean[j] = pooled.mean[j];
      moments.mean_low[j] = pooled.mean_low[j];
      moments.scatter[j] = pooled.scatter[j];
      filled.push_back({name, names[j]});
    }
  }
}

/// As if each column were observed in all rows of this weight; zero for columns never observed.
Moments columns_alone(const ColumnMoments& from, const std::vector<bool>& seen, double weight,
                      Scatter kind) {
  const Vector weights = kept(from.weight, seen), squares = kept(from.scatter, seen);
  Moments moments(std::ssize(weights), kind);
  moments.weight = weight;
  moments.mean = kept(from.mean, seen);
  moments.mean_low = kept(from.mean_low, seen);
  for (std::size_t j = 0; j < weights.size(); ++j) {
    const auto column = static_cast<Index>(j);
    if (weights[j] > 0)
      moments.scatter(kind == Scatter::full ? column : 0, column) =
          squares[j] * (weight / weights[j]);
  }
  return moments;
}

/// Turns available cases into statistics of the columns that have any value.
class Completion {
 public:
  /// Both arguments have the same columns in the same order.
  Completion(const AvailableCases& labelled, const AvailableCases& unlabelled, const Recipe& recipe)
      : seen_(labelled, unlabelled), schema_(labelled.counted.schema()) {
    const bool full = scatter_needed(recipe) == Scatter::full;
    if (full) schema_.scatter = Scatter::full;
    std::size_t numeric = 0, counts = 0;
    std::erase_if(schema_.features, [&](const Column& column) {
      const bool number = column.type == ColumnType::numeric;
      if (!number && column.type != ColumnType::count) return false;
      const bool seen = number ? seen_.numeric[numeric++] : seen_.counts[counts++];
      if (!seen) empty.push_back(column.name);
      return !seen;
    });
  }

  /// `rename`: the name of every class; empty: its own.
  [[nodiscard]] Statistics of(const AvailableCases& from, const std::string& rename = {}) const {
    Statistics to(schema_);
    for (std::size_t i = 0; i < from.counted.levels().size(); ++i)
      to.levels_of(i) = from.counted.levels()[i];
    for (std::size_t i = 0; i < from.counted.terms().size(); ++i)
      to.terms_of(i) = from.counted.terms()[i];
    for (const ClassStatistics& c : from.counted.classes()) {
      ClassStatistics& own = to.of_class(rename.empty() ? c.name : rename);
      const std::string name = own.name;
      Moments none = std::move(own.moments);
      own = c;
      own.name = name;
      own.counts = {kept(c.counts.sums, seen_.counts), kept(c.counts.observed, seen_.counts)};
      own.moments = to.columns().empty() ? std::move(none)
                                         : columns_alone(from.numbers.at(c.name), seen_.numeric,
                                                         c.weight, schema_.scatter);
    }
    return to;
  }

  std::vector<std::string> empty{};

 private:
  ColumnsSeen seen_;
  StatisticsSchema schema_;
};

}  // namespace

sums::ObserveOptions observe_options(const Recipe& recipe) {
  const Scatter scatter =
      scatter_needed(recipe) == Scatter::none ? Scatter::none : Scatter::diagonal;
  return {.schema = {scatter, recipe.discrete.joint}};
}

Observed available_case_estimate(const ObservedStatistics& statistics, const Recipe& recipe) {
  if (statistics.labelled.counted.classes().empty())
    throw Error(Errc::bad_data, "no labelled row has a weight above 0",
                "give labelled rows a weight above 0");
  AvailableCases unlabelled{.counted = Statistics(statistics.labelled.counted.schema())};
  unlabelled.merge(statistics.unlabelled);  // matches the columns by name
  AvailableCases labelled = statistics.labelled;
  Observed found;
  fill_empty(labelled, pooled_columns(labelled), found.empty_cells);
  fill_empty(labelled, pooled_columns(unlabelled), found.empty_cells);  // no class has a value
  Completion completion(labelled, unlabelled, recipe);
  found.labelled = completion.of(labelled);
  found.all = found.labelled;
  Statistics others = completion.of(unlabelled, found.labelled.classes().front().name);
  for (const ClassStatistics& c : others.classes()) others.of_class(c.name).rows = 0;
  if (!others.classes().empty()) found.all.merge(others);
  found.empty_columns = std::move(completion.empty);
  return found;
}

}  // namespace genera::fit_detail
