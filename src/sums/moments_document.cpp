#include "sums/moments_document.hpp"

#include <fmt/format.h>

namespace genera::sums {
namespace {

using document::Field;
using document::List;
using document::Numbers;
using document::Value;

/// The lower triangle, row i with i + 1 numbers; of a diagonal the d numbers themselves.
Value scatter_document(const Matrix& scatter, Scatter kind) {
  if (kind != Scatter::full) return {Numbers(scatter.data(), scatter.data() + scatter.columns())};
  List rows;
  for (Index i = 0; i < scatter.rows(); ++i)
    rows.push_back(Value{Numbers(scatter.row(i).begin(), scatter.row(i).begin() + i + 1)});
  return {std::move(rows)};
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

}  // namespace

void put_moments(const Moments& moments, Scatter kind, document::Members& members) {
  members["mean"] = Value{moments.mean};
  members["mean_low"] = Value{moments.mean_low};
  members["scatter"] = scatter_document(moments.scatter, kind);
}

Moments read_moments(const Field& object, Index d, Scatter kind) {
  Moments read;
  read.mean = object["mean"].numbers(d);
  read.mean_low = object["mean_low"].numbers(d);
  read.scatter = kind == Scatter::full ? read_triangle(object["scatter"], d)
                                       : read_diagonal(object["scatter"], d);
  return read;
}

}  // namespace genera::sums
