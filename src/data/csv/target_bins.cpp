// Numbers as classes: the limits between quantiles of a target.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/stream.hpp>

namespace genera {
namespace {

/// The weight of each different value.
std::map<double, double> weights_of_values(const Table& table) {
  std::map<double, double> weights;
  for (Index i = 0; i < table.rows(); ++i) {
    const double value = table.numbers(i, 0);
    const double weight = table.weights.empty() ? 1 : table.weights[static_cast<std::size_t>(i)];
    if (!std::isnan(value) && weight > 0) weights[value] += weight;
  }
  return weights;
}

/// The values of the target, as the only feature.
Table read_target(const Source& source, Roles roles, const CsvOptions& csv,
                  const Control& control) {
  roles.refuse_measured_target = false;
  RowStream rows(source, csv, roles);
  const std::string name = rows.target();
  if (source.format() == Source::Format::svmlight || name.empty() || rows.passes() == Passes::one)
    throw Error(Errc::bad_argument,
                source.name() + ": bins need a table with a target that can be read twice",
                {"save the table to a file and leave {} out for svmlight", {{"bins"}}});
  std::erase_if(roles.types, [&](const auto& type) { return type.first == name; });
  roles.features = {name};
  roles.drop.clear();
  roles.types.clear();
  roles.default_type.reset();
  roles.target = Target::none();
  rows.read_as(roles);
  Table table = read_rows(rows, control);
  if (table.columns.front().type != ColumnType::numeric)
    throw Error(Errc::bad_data,
                source.name() + ": the target '" + name +
                    "' does not hold numbers, so that it "
                    "cannot be divided into bins",
                {"leave {} out: its values are the classes", {{"bins"}}});
  return table;
}

}  // namespace

Vector target_edges(const Source& source, const Roles& roles, const CsvOptions& csv, Index bins,
                    const Control& control) {
  if (bins < 2)
    throw Error(Errc::bad_argument, fmt::format("{} bins cannot be classes", bins),
                "give at least 2");
  const Table table = read_target(source, roles, csv, control);
  const std::map<double, double> weights = weights_of_values(table);
  double total = 0, below = 0;
  for (const auto& [value, weight] : weights) total += weight;
  Vector edges;
  Index quantile = 1;
  for (const auto& [value, weight] : weights) {
    if (below > 0 && below * static_cast<double>(bins) >= static_cast<double>(quantile) * total) {
      edges.push_back(value);
      while (below * static_cast<double>(bins) >= static_cast<double>(quantile) * total) ++quantile;
    }
    below += weight;
  }
  if (edges.empty())
    throw Error(Errc::bad_argument,
                source.name() + ": the target '" + table.columns.front().name +
                    "' has fewer than two different values",
                {"name another column with {}", {{"target"}}});
  return edges;
}

}  // namespace genera
