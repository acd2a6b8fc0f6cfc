#include "figure/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernel/index.hpp"

namespace genera::figure {
namespace {

using kernel::at;

/// More bars would be thinner than four pixels of a figure.
constexpr double max_bars = 120;

struct Weighted {
  double value = 0, weight = 1;
};

/// The smallest value with at least the fraction `p` of the weight at or below it.
double quantile(const std::vector<Weighted>& sorted, double total, double p) {
  double sum = 0;
  for (const Weighted& one : sorted) {
    sum += one.weight;
    if (sum >= p * total) return one.value;
  }
  return sorted.back().value;
}

/// 2 IQR n^(-1/3), or zero if there is no spread. More than half of the values may be equal; then
/// 1.349 standard deviations, the IQR of a normal distribution, take the place of the IQR.
double width_of(std::vector<Weighted> values) {
  std::ranges::sort(values, {}, &Weighted::value);
  double total = 0, squares = 0, mean = 0;
  for (const Weighted& one : values) {
    total += one.weight;
    squares += one.weight * one.weight;
    mean += (one.value - mean) * one.weight / total;
  }
  double spread = quantile(values, total, 0.75) - quantile(values, total, 0.25);
  if (spread == 0) {
    double variance = 0;
    for (const Weighted& one : values)
      variance += one.weight / total * (one.value - mean) * (one.value - mean);
    spread = 1.349 * std::sqrt(variance);
  }
  return 2 * spread / std::cbrt(total * total / squares);
}

/// The unit of which all differences are multiples, or zero.
double unit_of(const Vector& values) {
  Vector sorted = values;
  std::ranges::sort(sorted);
  const double range = sorted.back() - sorted.front();
  // Differences of decimal fractions are exact to the rounding of the values.
  const double noise = 1e-9 * std::max({std::abs(sorted.front()), std::abs(sorted.back()), range});
  double unit = range;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const double gap = sorted[i] - sorted[i - 1];
    if (gap > noise) unit = std::min(unit, gap);
  }
  if (!(unit > 0)) return 0;
  for (const double value : sorted) {
    const double steps = (value - sorted.front()) / unit;
    if (std::abs(steps - std::round(steps)) * unit > noise) return 0;
  }
  return unit;
}

/// The width of the bars of all classes together; see the header.
double common_width(const std::vector<std::vector<Weighted>>& groups, double total) {
  double cubes = 0;
  for (const std::vector<Weighted>& group : groups) {
    const double width = group.empty() ? 0 : width_of(group);
    double weight = 0;
    for (const Weighted& one : group) weight += one.weight;
    if (width > 0) cubes += weight / total / (width * width * width);
  }
  return cubes > 0 ? 1 / std::cbrt(cubes) : 0;
}

struct Bars {
  double low = 0, width = 1;
  Index count = 1;
};

Bars bars_over(const Vector& values, double width) {
  const auto [min, max] = std::ranges::minmax(values);
  const double range = max - min;
  if (!(range > 0)) return {min - 0.5, 1, 1};
  if (!(width > 0)) width = range / (1 + std::log2(static_cast<double>(values.size())));  // Sturges
  width = std::clamp(width, range / max_bars, range);
  const double unit = unit_of(values);
  if (unit > 0) {
    const double least = std::ceil(range / max_bars / unit);
    width = unit * std::max({1.0, least, std::round(width / unit)});
    const auto count = static_cast<Index>(std::floor((range + unit / 2) / width)) + 1;
    return {min - unit / 2, width, count};
  }
  const auto count = static_cast<Index>(std::ceil(range / width));
  const double excess = static_cast<double>(count) * width - range;
  return {min - excess / 2, width, count};
}

}  // namespace

Histogram histogram_of(const Vector& values, const std::vector<std::int32_t>& groups, Index classes,
                       const Vector& weights) {
  if (values.empty()) return {.joint = Matrix(0, classes)};
  std::vector<std::vector<Weighted>> by_group(at(classes) + 1);
  double total = 0;
  const auto weight_of = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  const auto group_of = [&](std::size_t i) { return groups.empty() ? -1 : groups[i]; };
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(weight_of(i) > 0)) continue;
    total += weight_of(i);
    by_group[static_cast<std::size_t>(group_of(i) + 1)].push_back({values[i], weight_of(i)});
  }
  if (!(total > 0)) return {.joint = Matrix(0, classes)};
  const Bars bars = bars_over(values, common_width(by_group, total));
  Histogram histogram{.density = Vector(at(bars.count)), .joint = Matrix(bars.count, classes)};
  for (Index i = 0; i <= bars.count; ++i)
    histogram.edges.push_back(bars.low + static_cast<double>(i) * bars.width);
  const auto [min, max] = std::ranges::minmax(values);
  histogram.edges.front() = std::min(histogram.edges.front(), min);  // rounding
  histogram.edges.back() = std::max(histogram.edges.back(), max);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto place = static_cast<Index>(std::floor((values[i] - bars.low) / bars.width));
    const Index bar = std::clamp<Index>(place, 0, bars.count - 1);
    const double density = weight_of(i) / total / bars.width;
    histogram.density[at(bar)] += density;
    if (group_of(i) >= 0) histogram.joint(bar, group_of(i)) += density;
  }
  return histogram;
}

Histogram histogram_of(const Points& points, const std::vector<std::int32_t>& groups,
                       Index classes) {
  return histogram_of(points.at.empty() ? Vector() : points.at[0], groups, classes, points.weights);
}

}  // namespace genera::figure
