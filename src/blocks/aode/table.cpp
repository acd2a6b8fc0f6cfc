#include "blocks/aode/table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "blocks/aode/weights.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "sums/pair_sums.hpp"

namespace genera::detail {

using kernel::at;
using kernel::infinity;

double aode_cells(double classes, const std::vector<std::vector<std::string>>& levels) {
  double all = 0;
  for (const auto& of_column : levels) all += static_cast<double>(of_column.size());
  return classes * all * all;
}

AodeTable::AodeTable(const AodeParameters& parameters)
    : classes_(parameters.weights.front().rows()), begins_{0} {
  for (const auto& levels : parameters.levels) {
    begins_.push_back(begins_.back() + std::ssize(levels));
    names_.emplace_back(levels);
  }
  const AodeWeights weights(parameters);
  parents_.resize(at(places() * classes_));
  children_.resize(at(places() * places() * classes_));
  for (std::size_t j = 0; j < columns(); ++j)
    for (Index k = 0; k < classes_; ++k)
      for (Index v = 0; v < levels(j); ++v)
        parents_[at(place(j, v) * classes_ + k)] = std::log(weights.marginal(j)(k, v));
  for (std::size_t a = 0; a < columns(); ++a) {
    for (std::size_t b = a + 1; b < columns(); ++b) {
      for (Index k = 0; k < classes_; ++k) {
        const Matrix pair = weights.pair(a, b, k);
        fill_children(weights, {a, b, k}, pair);
      }
    }
  }
}

/// p(x_j = v | k, x_i = u) = (n_kuv + m p(v | k)) / (n_ku + m), in both directions.
void AodeTable::fill_children(const AodeWeights& weights, const OfPair& of, const Matrix& pair) {
  const auto child = [&](Index state, Index place) -> double& {
    return children_[at((state * places() + place) * classes_ + of.k)];
  };
  const double m = weights.prior_rows();
  Vector row_sums(at(pair.rows())), column_sums(at(pair.columns()));
  for (Index u = 0; u < pair.rows(); ++u)
    for (Index v = 0; v < pair.columns(); ++v) {
      row_sums[at(u)] += pair(u, v);
      column_sums[at(v)] += pair(u, v);
    }
  const auto share = [m](double weight, double sum, double p) {
    return sum + m > 0 ? (weight + m * p) / (sum + m) : p;
  };
  for (Index u = 0; u < pair.rows(); ++u) {
    for (Index v = 0; v < pair.columns(); ++v) {
      const Index at_a = place(of.a, u), at_b = place(of.b, v);
      child(at_a, at_b) =
          std::log(share(pair(u, v), row_sums[at(u)], weights.marginal(of.b)(of.k, v)));
      child(at_b, at_a) =
          std::log(share(pair(u, v), column_sums[at(v)], weights.marginal(of.a)(of.k, u)));
    }
  }
}

void AodeTable::add_state(std::size_t i, Index state, std::span<const std::int32_t> cells,
                          double* to) const {
  const double* parent = log_parent(state);
  for (Index k = 0; k < classes_; ++k) to[k] += parent[k];
  for (std::size_t j = 0; j < cells.size(); ++j) {
    if (j == i || cells[j] < 0) continue;
    const double* child = log_child(state, place(j, cells[j]));
    for (Index k = 0; k < classes_; ++k) to[k] += child[k];
  }
}

void AodeTable::log_probabilities(std::span<const std::int32_t> cells, std::span<double> to,
                                  Vector& scratch) const {
  if (std::ranges::all_of(cells, [](std::int32_t cell) { return cell < 0; })) {
    std::ranges::fill(to, 0.0);
    return;
  }
  // log sum exp, one state after the other
  scratch.assign(2 * to.size(), 0.0);
  const auto sums = std::span(scratch).first(to.size());
  const auto state_logs = std::span(scratch).last(to.size());
  std::ranges::fill(to, -infinity);
  each_state(cells, [&](std::size_t i, Index state) {
    std::ranges::fill(state_logs, 0.0);
    add_state(i, state, cells, state_logs.data());
    for (std::size_t k = 0; k < to.size(); ++k) {
      const double log = state_logs[k];
      if (log == -infinity) continue;
      if (log <= to[k]) {
        sums[k] += std::exp(log - to[k]);
      } else {
        sums[k] = sums[k] * std::exp(to[k] - log) + 1;
        to[k] = log;
      }
    }
  });
  const double log_count = std::log(static_cast<double>(columns()));
  for (std::size_t k = 0; k < to.size(); ++k)
    if (to[k] > -infinity) to[k] = std::min(0.0, to[k] + std::log(sums[k]) - log_count);
}

namespace {

/// The interval of a bin; unbounded in the outer ones.
struct Sides {
  double low, high;
};
Sides sides_of(const Cut& cut, Index bin) {
  return {bin == 0 ? -infinity : cut.limits[at(bin - 1)],
          bin + 1 == cut.bins() ? infinity : cut.limits[at(bin)]};
}

}  // namespace

double log_density_in_bin(const Cut& cut, double x) {
  const Sides sides = sides_of(cut, cut.bin(x));
  if (std::isinf(sides.low)) return -std::log(cut.below) - (sides.high - x) / cut.below;
  if (std::isinf(sides.high)) return -std::log(cut.above) - (x - sides.low) / cut.above;
  return -std::log(sides.high - sides.low);
}

double share_of_bin(const Cut& cut, Index bin, double low, double high) {
  const Sides sides = sides_of(cut, bin);
  low = std::max(low, sides.low);
  high = std::min(high, sides.high);
  if (!(low < high)) return 0;
  if (std::isinf(sides.low))
    return std::exp((high - sides.high) / cut.below) * -std::expm1((low - high) / cut.below);
  if (std::isinf(sides.high))
    return std::exp((sides.low - low) / cut.above) * -std::expm1((low - high) / cut.above);
  return (high - low) / (sides.high - sides.low);
}

double mean_of_bin(const Cut& cut, Index bin) {
  const Sides sides = sides_of(cut, bin);
  if (std::isinf(sides.low)) return sides.high - cut.below;
  if (std::isinf(sides.high)) return sides.low + cut.above;
  return std::midpoint(sides.low, sides.high);
}

double quantile_of_bin(const Cut& cut, Index bin, double u) {
  const Sides sides = sides_of(cut, bin);
  // 1 - u is above 0 for a uniform number in [0, 1)
  if (std::isinf(sides.low)) {
    const double x = sides.high + cut.below * std::log1p(-u);
    return x < sides.high ? x : std::nextafter(sides.high, -infinity);
  }
  if (std::isinf(sides.high)) return sides.low - cut.above * std::log1p(-u);
  const double x = std::lerp(sides.low, sides.high, u);
  return x < sides.high ? x : sides.low;
}

}  // namespace genera::detail
