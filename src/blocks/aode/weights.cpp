#include "blocks/aode/weights.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "kernel/index.hpp"
#include "sums/pair_sums.hpp"

namespace genera::detail {

using kernel::at;

namespace {

/// Each bin lends this share of its weight to each of its neighbours, and half of it if the bins
/// have `many` rows on average.
constexpr double lent = 0.25, many = 200;
/// Fewer bins are not smoothed: their neighbours are half of the rows.
constexpr Index min_ordered = 4;

/// What bins lend that have this weight together.
double share_lent(double weight, Index bins) {
  return lent / (1 + weight / static_cast<double>(bins) / many);
}

double sum(std::span<const double> weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

/// Weights smoothed along the columns of each row; the sum of a row stays the same.
Matrix spread_along_columns(const Matrix& weights, double share) {
  const Index n = weights.columns();
  Matrix spread(weights.rows(), n);
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index v = 0; v < n; ++v) {
      const double part = share * weights(i, v);
      spread(i, std::max<Index>(v - 1, 0)) += part;
      spread(i, std::min(v + 1, n - 1)) += part;
      spread(i, v) += weights(i, v) - 2 * part;
    }
  }
  return spread;
}

Matrix turned(const Matrix& matrix) {
  Matrix result(matrix.columns(), matrix.rows());
  for (Index i = 0; i < matrix.rows(); ++i)
    for (Index j = 0; j < matrix.columns(); ++j) result(j, i) = matrix(i, j);
  return result;
}

bool is_ordered(const Column& column) { return column.cut && column.cut->bins() >= min_ordered; }

/// (n_kv + s t_v) / (n_k + s), where t is the distribution over all classes, with s / V added to
/// each level.
Matrix shares(const Matrix& weights, double s) {
  const Index levels = weights.columns();
  Vector all(at(levels), s / static_cast<double>(levels));
  for (Index k = 0; k < weights.rows(); ++k)
    for (Index v = 0; v < levels; ++v) all[at(v)] += weights(k, v);
  const double total = sum(all);
  Matrix result(weights.rows(), levels);
  for (Index k = 0; k < weights.rows(); ++k) {
    const auto row = weights.row(k);
    const double own = sum(row);
    for (Index v = 0; v < levels; ++v) {
      const double t = total > 0 ? all[at(v)] / total : 1 / static_cast<double>(levels);
      result(k, v) = own + s > 0 ? (row[at(v)] + s * t) / (own + s) : t;
    }
  }
  return result;
}

/// The weights of a column, smoothed in each class alone.
Matrix spread_in_classes(const Matrix& weights) {
  Matrix spread(weights.rows(), weights.columns());
  for (Index k = 0; k < weights.rows(); ++k) {
    const auto row = weights.row(k);
    const Matrix one = spread_along_columns({1, weights.columns(), Vector(row.begin(), row.end())},
                                            share_lent(sum(row), weights.columns()));
    std::ranges::copy(one.row(0), spread.row(k).begin());
  }
  return spread;
}

}  // namespace

AodeWeights::AodeWeights(const AodeParameters& parameters) : parameters_(parameters) {
  for (std::size_t j = 0; j < parameters.columns.size(); ++j)
    marginals_.push_back(shares(is_ordered(parameters.columns[j])
                                    ? spread_in_classes(parameters.weights[j])
                                    : parameters.weights[j],
                                parameters.smoothing));
}

Matrix AodeWeights::pair(std::size_t a, std::size_t b, Index k) const {
  const std::size_t columns = parameters_.columns.size();
  const auto from = parameters_.pairs[sums::pair_place(a, b, columns)].row(k);
  Matrix weights(std::ssize(parameters_.levels[a]), std::ssize(parameters_.levels[b]),
                 Vector(from.begin(), from.end()));
  const double all = sum(from);
  if (is_ordered(parameters_.columns[b]))
    weights = spread_along_columns(weights, share_lent(all, weights.columns()));
  if (is_ordered(parameters_.columns[a]))
    weights = turned(spread_along_columns(turned(weights), share_lent(all, weights.rows())));
  return weights;
}

}  // namespace genera::detail
