#include "fit/mixture/ordered_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/columns.hpp"
#include "kernel/index.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;

/// -1, 0 or 1; NaN is the largest number.
int compared(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return int{std::isnan(a)} - int{std::isnan(b)};
  return int{a > b} - int{a < b};
}

std::vector<Index> order_of(const Matrix& numbers, const Vector& weights) {
  std::vector<Index> order(at(numbers.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, [&](Index a, Index b) {
    for (Index j = 0; j < numbers.columns(); ++j) {
      if (const int c = compared(numbers(a, j), numbers(b, j)); c != 0) return c < 0;
    }
    return !weights.empty() && weights[at(a)] < weights[at(b)];
  });
  return order;
}

}  // namespace

OrderedRows::OrderedRows(const ClassGaussians& one, std::size_t k, const Rows& rows)
    : labels_(at(rows.count())), class_names_{one.plan->classes[k]} {
  const DataView& data = rows.data();
  const std::vector<std::string>& names = one.gaussian().frame().columns;
  const data::NumberColumns columns(data, data::number_places(data, names));
  std::vector<Index> list;
  for (Index i = 0; i < rows.count(); ++i) list.push_back(rows.row(i));
  Matrix numbers(rows.count(), columns.count());
  columns.gather_rows(list, columns.count(), numbers.data());
  Vector weights;
  for (const Index row : list)
    if (!data.weights.empty()) weights.push_back(rows.weight(row));

  DataView view;
  numbers_ = Matrix(numbers.rows(), numbers.columns());
  for (Index i = 0; const Index from : order_of(numbers, weights)) {
    std::ranges::copy(numbers.row(from), numbers_.row(i++).begin());
    if (!weights.empty()) weights_.push_back(weights[at(from)]);
  }
  for (const std::string& name : names) view.columns.push_back({name, ColumnType::numeric});
  view.rows = rows.count();
  view.numbers.emplace_back(MatrixView(numbers_));
  view.target = one.plan->target;
  view.labels = CodesView(labels_.data(), class_names_);
  view.weights = weights_;
  rows_ = Rows(std::move(view));
}

}  // namespace genera::fit_detail
