#include <algorithm>
#include <cmath>

#include <genera/description.hpp>
#include <genera/error.hpp>
#include <genera/evaluate.hpp>

#include "kernel/index.hpp"

namespace genera {
namespace {

using kernel::at;

/// Index of a column among the numeric columns.
Index place_of(const Table& table, const std::string& name) {
  Index place = 0;
  for (const Column& column : table.columns) {
    if (column.type != ColumnType::numeric && column.type != ColumnType::count) continue;
    if (column.name == name) return place;
    ++place;
  }
  throw Error(Errc::bad_data, "there is no column of numbers '" + name + "', which the model needs",
              "give the table that the groups were found in");
}

struct MeanAndDeviation {
  double mean = 0, deviation = 0;
};

MeanAndDeviation moments_of(const Table& table, Index place) {
  const auto sum = [&](auto value) {
    double total = 0, weight = 0;
    for (Index i = 0; i < table.rows(); ++i) {
      const double x = table.numbers(i, place);
      if (std::isnan(x)) continue;
      const double w = table.weights.empty() ? 1 : table.weights[at(i)];
      total += w * value(x);
      weight += w;
    }
    return weight > 0 ? total / weight : 0;
  };
  const double mean = sum([](double x) { return x; });
  const double rest = sum([&](double x) { return x - mean; });  // rounding error of the mean
  const double variance = sum([&](double x) { return (x - mean) * (x - mean); }) - rest * rest;
  return {mean + rest, std::sqrt(std::max(variance, 0.0))};
}

/// K x d.
const Matrix& means_of(const BlockDescription& block) {
  if (block.moments) return block.moments->means;
  throw Error(Errc::bad_model, "a block of the model is not Gaussian: it has no profile of means",
              "give a model of numbers");
}

}  // namespace

GroupProfiles group_profiles(const Model& model, const Table& table, const Control& control) {
  GroupProfiles found{.shares = model.prior().probabilities()};
  const Index groups = std::ssize(model.classes());
  found.away = Matrix(groups, std::ssize(model.features()));
  const Description description = describe(model);
  for (std::size_t b = 0; b < description.blocks.size(); ++b) {
    const Matrix& means = means_of(description.blocks[b]);
    const std::vector<Column> columns =
        std::visit([](const auto& block) { return block.features(); }, model.blocks()[b]);
    for (Index j = 0; j < means.columns(); ++j) {
      const Index column = std::ssize(found.columns);
      found.columns.push_back(columns[at(j)].name);
      const auto [mean, deviation] = moments_of(table, place_of(table, found.columns.back()));
      found.means.push_back(mean);
      found.deviations.push_back(deviation);
      for (Index k = 0; k < groups; ++k)
        found.away(k, column) = deviation > 0 ? (means(k, j) - mean) / deviation : 0;
    }
  }
  found.rows.assign(at(groups), 0);
  for (const std::int32_t group : predict(model, table, control)) ++found.rows[at(group)];
  return found;
}

}  // namespace genera
