#include "figure/separation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernel/index.hpp"
#include "kernel/symmetric_eigen.hpp"

namespace genera::figure {
namespace {

using kernel::at;

/// Pillai's trace of (W + B)^-1 B, on the scale of total deviations, ignoring directions without
/// variation.
double trace_of_ratio(const Matrix& within, Matrix between) {
  const Index d = within.rows();
  Matrix total(d, d);
  Vector scale(at(d));
  for (Index i = 0; i < d; ++i) scale[at(i)] = std::sqrt(within(i, i) + between(i, i));
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j < d; ++j) {
      const double unit = scale[at(i)] * scale[at(j)];
      total(i, j) = unit > 0 ? (within(i, j) + between(i, j)) / unit : 0;
      between(i, j) = unit > 0 ? between(i, j) / unit : 0;
    }
  }
  const kernel::SymmetricEigen eigen = kernel::symmetric_eigen(total);
  double trace = 0;
  for (Index e = 0; e < d; ++e) {
    if (eigen.values[at(e)] < 1e-9) continue;
    double along = 0;
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j < d; ++j)
        along += eigen.vectors(i, e) * between(i, j) * eigen.vectors(j, e);
    }
    trace += along / eigen.values[at(e)];
  }
  return trace;
}

}  // namespace

std::vector<Index> Separation::choose(Index count, std::vector<Index> given) const {
  std::vector<Index> chosen = std::move(given);
  if (chosen.empty() && count >= 2 && columns_ >= 2) {
    const auto [a, b] = best_pair();
    chosen = {a, b};
  }
  while (std::ssize(chosen) < count) chosen.push_back(best_with(chosen));
  return chosen;
}

double Separation::of(const std::vector<Index>& columns) const {
  const ClassMoments m = moments_(columns);
  const Index d = std::ssize(columns);
  const double total = std::accumulate(m.weights.begin(), m.weights.end(), 0.0);
  Vector mean(at(d));
  Matrix within(d, d), between(d, d);
  for (Index k = 0; k < m.means.rows(); ++k) {
    for (Index i = 0; i < d; ++i) mean[at(i)] += m.weights[at(k)] / total * m.means(k, i);
  }
  for (Index k = 0; k < m.means.rows(); ++k) {
    const double weight = m.weights[at(k)] / total;
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j < d; ++j) {
        within(i, j) += weight * m.within[at(k)](i, j);
        between(i, j) += weight * (m.means(k, i) - mean[at(i)]) * (m.means(k, j) - mean[at(j)]);
      }
    }
  }
  return trace_of_ratio(within, between);
}

/// The columns that separate best alone, in their order.
std::vector<Index> Separation::candidates() const {
  constexpr std::size_t max = 40;
  std::vector<Index> all(at(columns_));
  std::iota(all.begin(), all.end(), 0);
  if (all.size() <= max) return all;
  Vector alone;
  for (const Index column : all) alone.push_back(of({column}));
  std::ranges::stable_sort(all, [&](Index a, Index b) { return alone[at(a)] > alone[at(b)]; });
  all.resize(max);
  std::ranges::sort(all);
  return all;
}

std::pair<Index, Index> Separation::best_pair() const {
  const std::vector<Index> from = candidates();
  std::pair<Index, Index> best{from[0], from[1]};
  double max = -1;
  for (std::size_t a = 0; a < from.size(); ++a) {
    for (std::size_t b = a + 1; b < from.size(); ++b) {
      const double value = of({from[a], from[b]});
      if (!(value > max * (1 + 1e-12))) continue;
      max = value;
      best = {from[a], from[b]};
    }
  }
  return best;
}

Index Separation::best_with(std::vector<Index> chosen) const {
  Index best = -1;
  double max = -1;
  for (const Index column : candidates()) {
    if (std::ranges::find(chosen, column) != chosen.end()) continue;
    chosen.push_back(column);
    const double value = of(chosen);
    chosen.pop_back();
    if (best >= 0 && !(value > max * (1 + 1e-12))) continue;
    max = value;
    best = column;
  }
  for (Index column = 0; best < 0; ++column)  // all candidates have been chosen
    if (std::ranges::find(chosen, column) == chosen.end()) best = column;
  return best;
}

}  // namespace genera::figure
