#include "fit/mixture/k_means.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "kernel/index.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;

constexpr int most_rounds = 50;

double square(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

/// A place with probability proportional to `mass`; the last that has any if rounding says so.
Index draw(const Vector& mass, Rng& rng) {
  double left = rng.uniform() * std::accumulate(mass.begin(), mass.end(), 0.0);
  Index last = 0;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    if (!(mass[i] > 0)) continue;
    last = static_cast<Index>(i);
    if (left < mass[i]) break;
    left -= mass[i];
  }
  return last;
}

Matrix seeds(const Matrix& rows, const Vector& weights, Index groups, Rng& rng) {
  Matrix centres(groups, rows.columns());
  Vector mass = weights;
  Vector nearest(weights.size(), std::numeric_limits<double>::infinity());
  for (Index g = 0; g < groups; ++g) {
    const Index chosen = draw(mass, rng);
    std::copy(rows.row(chosen).begin(), rows.row(chosen).end(), centres.row(g).begin());
    double total = 0;
    for (Index i = 0; i < rows.rows(); ++i) {
      nearest[at(i)] = std::min(nearest[at(i)], square(rows.row(i), centres.row(g)));
      mass[at(i)] = weights[at(i)] * nearest[at(i)];
      total += mass[at(i)];
    }
    if (!(total > 0)) mass = weights;  // fewer different rows than groups
  }
  return centres;
}

/// How many rows changed their group.
Index assign(const Matrix& rows, const Matrix& centres, std::vector<std::int32_t>& groups) {
  Matrix columns(centres.columns(), centres.rows());  // so that groups stand side by side
  for (Index g = 0; g < centres.rows(); ++g) {
    for (Index j = 0; j < centres.columns(); ++j) columns(j, g) = centres(g, j);
  }
  Vector squares(at(centres.rows()));
  Index changed = 0;
  for (Index i = 0; i < rows.rows(); ++i) {
    std::fill(squares.begin(), squares.end(), 0.0);
    for (Index j = 0; j < rows.columns(); ++j) {
      const double x = rows(i, j);
      const double* centre = columns.data() + j * columns.columns();
      for (std::size_t g = 0; g < squares.size(); ++g)
        squares[g] += (x - centre[g]) * (x - centre[g]);
    }
    const auto best = static_cast<std::int32_t>(std::min_element(squares.begin(), squares.end()) -
                                                squares.begin());
    changed += groups[at(i)] != best;
    groups[at(i)] = best;
  }
  return changed;
}

void move_centres(const Matrix& rows, const Vector& weights,
                  const std::vector<std::int32_t>& groups, Matrix& centres) {
  Matrix sums(centres.rows(), centres.columns());
  Vector mass(at(centres.rows()));
  for (Index i = 0; i < rows.rows(); ++i) {
    const Index g = groups[at(i)];
    mass[at(g)] += weights[at(i)];
    for (Index j = 0; j < rows.columns(); ++j) sums(g, j) += weights[at(i)] * rows(i, j);
  }
  for (Index g = 0; g < centres.rows(); ++g) {
    for (Index j = 0; mass[at(g)] > 0 && j < rows.columns(); ++j)
      centres(g, j) = sums(g, j) / mass[at(g)];
  }
}

}  // namespace

std::vector<std::int32_t> k_means(const Matrix& rows, const Vector& weights, Index groups,
                                  Rng rng) {
  Matrix centres = seeds(rows, weights, groups, rng);
  std::vector<std::int32_t> result(weights.size(), -1);
  const Index few = rows.rows() / 1000;  // EM moves them better
  for (int round = 0; round < most_rounds && assign(rows, centres, result) > few; ++round)
    move_centres(rows, weights, result, centres);
  return result;
}

}  // namespace genera::fit_detail
