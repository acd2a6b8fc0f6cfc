#include "io/document.hpp"

#include "io/discrete_statistics.hpp"
#include "io/label_type.hpp"
#include "document/fields.hpp"

#include <genera/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace genera::io {
namespace {

/// The lower triangle, row i with i + 1 numbers; of a diagonal the d numbers themselves.
Value scatter_document(const Matrix& scatter, Scatter kind) {
  if (kind != Scatter::full) return {Numbers(scatter.data(), scatter.data() + scatter.columns())};
  List rows;
  for (Index i = 0; i < scatter.rows(); ++i)
    rows.push_back(Value{Numbers(scatter.row(i).begin(), scatter.row(i).begin() + i + 1)});
  return {std::move(rows)};
}

Value class_document(const ClassStatistics& one, Scatter kind) {
  Members members;
  members["name"] = Value{one.name};
  members["rows"] = Value{static_cast<double>(one.rows)};
  members["weight"] = Value{one.weight};
  if (!one.moments.mean.empty() && one.moments.weight != one.weight)
    members["mean_weight"] = Value{one.moments.weight};
  members["mean"] = Value{one.moments.mean};
  members["mean_low"] = Value{one.moments.mean_low};
  members["scatter"] = scatter_document(one.moments.scatter, kind);
  put_sums(one, members);
  return {std::move(members)};
}

Index read_rows(const Field& field) {
  const double rows = field.number_at_least(0);
  constexpr double largest_exact = 9007199254740992;  // 2^53
  if (rows != std::trunc(rows) || rows > largest_exact)
    field.refuse(fmt::format("is {}, expected a whole number", rows), "it is a number of rows");
  return static_cast<Index>(rows);
}

double read_weight(const Field& field, Index rows) {
  const double weight = field.number_at_least(0);
  if (weight == 0 && rows > 0)
    field.refuse(
        fmt::format("is 0 although there {} {}", rows == 1 ? "is" : "are", counted(rows, "row")),
        "collect the statistics again");
  return weight;
}

void check_diagonal(const Field& scatter, Index j, double value) {
  if (value >= 0) return;
  scatter.refuse(
      fmt::format("has {} on its diagonal (feature {}), expected at least 0", value, j + 1),
      "collect the statistics again");
}

Matrix read_diagonal(const Field& field, Index d) {
  Vector values = field.numbers(d);
  for (Index j = 0; j < d; ++j) check_diagonal(field, j, values[static_cast<std::size_t>(j)]);
  return {1, d, std::move(values)};
}

Matrix read_triangle(const Field& field, Index d) {
  std::vector<Vector> rows;
  for (const Field& row : field.elements("a list", d))
    rows.push_back(row.numbers(static_cast<Index>(rows.size()) + 1));
  Matrix scatter(d, d);
  for (Index i = 0; i < d; ++i) {
    const Vector& row = rows[static_cast<std::size_t>(i)];
    for (Index j = 0; j <= i; ++j) scatter(i, j) = scatter(j, i) = row[static_cast<std::size_t>(j)];
    check_diagonal(field, i, row.back());
  }
  return scatter;
}

/// Without numeric columns they are empty.
Moments read_moments(const Field& one, const Statistics& statistics,
                     const ClassStatistics& of_class) {
  const auto d = static_cast<Index>(statistics.columns().size());
  const bool full = statistics.scatter() == Scatter::full;
  Moments read;
  read.mean = one["mean"].numbers(d);
  read.mean_low = one["mean_low"].numbers(d);
  Matrix scatter = full ? read_triangle(one["scatter"], d) : read_diagonal(one["scatter"], d);
  if (d == 0) return read;
  read.scatter = std::move(scatter);
  read.weight =
      one.has("mean_weight") ? read_weight(one["mean_weight"], of_class.rows) : of_class.weight;
  return read;
}

ClassStatistics read_class(const Field& one, const Statistics& statistics) {
  one.allow_only({"name", "rows", "weight", "mean_weight", "mean", "mean_low", "scatter", "levels",
                  "counts", "counts_observed", "terms"});
  ClassStatistics read;
  read.name = one["name"].text();
  read.rows = read_rows(one["rows"]);
  read.weight = read_weight(one["weight"], read.rows);
  read.moments = read_moments(one, statistics, read);
  read_sums(one, statistics, read);
  return read;
}

}  // namespace

Value to_document(const Statistics& statistics) {
  List columns;
  for (const std::string& name : statistics.columns()) columns.push_back(Value{name});
  List classes;
  for (const ClassStatistics& one : statistics.classes())
    classes.push_back(class_document(one, statistics.scatter()));
  Members root;
  root["format"] = Value{std::string(statistics_format)};
  root["version"] = Value{format_version};
  root["target"] = Value{statistics.target()};
  put_label_type(statistics.schema().label_type, root);
  root["scatter"] = Value{statistics.scatter() == Scatter::full       ? "full"
                          : statistics.scatter() == Scatter::diagonal ? "diagonal"
                                                                      : "none"};
  root["columns"] = Value{std::move(columns)};
  root["classes"] = Value{std::move(classes)};
  put_schema(statistics, root);
  return {std::move(root)};
}

Statistics to_statistics(const Value& document, const std::string& place) {
  const Field root(document, place);
  check_format(root, statistics_format);
  root.allow_only({"format", "version", "target", "labels", "scatter", "columns", "classes",
                   "features", "joint", "svmlight", "all_columns", "entries", "levels", "terms",
                   "cut"});
  Statistics statistics = read_schema(root);
  for (const Field& one : root["classes"].elements("an object")) {
    ClassStatistics read = read_class(one, statistics);
    const std::size_t before = statistics.classes().size();
    ClassStatistics& place_of_class = statistics.of_class(read.name);
    if (statistics.classes().size() == before)
      one["name"].refuse(fmt::format("is '{}', a class that is there already", read.name),
                         "write its sums once, those of all its rows");
    place_of_class = std::move(read);
  }
  return statistics;
}

}  // namespace genera::io
