#include "kernel/log_concave.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <boost/math/quadrature/gauss_kronrod.hpp>

#include "kernel/index.hpp"

namespace genera::kernel {
namespace {

/// An interval around the largest value: steps from 0 that grow as long as the function rises.
Interval bracket_of(const LogConcave& f, const Interval& range) {
  const double start = std::clamp(0.0, range.low, range.high);
  double low = std::max(range.low, start - 1), high = std::min(range.high, start + 1);
  for (double step = 1; high < range.high && f(high) > f(0.5 * (low + high)); step *= 2)
    high = std::min(range.high, high + step);
  for (double step = 1; low > range.low && f(low) > f(0.5 * (low + high)); step *= 2)
    low = std::max(range.low, low - step);
  return {low, high};
}

/// Distance from the peak towards `limit` within which the function is not negligible.
double reach(const LogConcave& f, const Peak& peak, double limit) {
  const double sign = limit < peak.x ? -1 : 1, far = std::abs(limit - peak.x);
  const auto fall = [&](double distance) { return peak.value - f(peak.x + sign * distance); };
  double inside = 0, outside = std::max(peak.width, epsilon * std::abs(peak.x));
  while (outside < far && fall(outside) < negligible) {
    inside = outside;
    outside *= 3;
  }
  outside = std::min(outside, far);
  constexpr int halvings = 60;  // sufficient for the steepest slope of a double
  for (int i = 0; i < halvings && fall(outside) > 2 * negligible; ++i) {
    const double middle = 0.5 * (inside + outside);
    (fall(middle) < negligible ? inside : outside) = middle;
  }
  return outside == far ? limit : peak.x + sign * outside;
}

/// The integral of exp(f - peak) over a part of the range, by Kronrod's 21 nodes, 10 of which
/// are Gauss's.
struct Panel {
  double low, high;
  double sum = 0, error = 0;
};

Panel panel_of(const LogConcave& f, double peak, double low, double high) {
  using Kronrod = boost::math::quadrature::gauss_kronrod<double, 21>;
  using Gauss = boost::math::quadrature::gauss<double, 10>;
  const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
  const auto at_node = [&](double t) { return std::exp(f(middle + half * t) - peak); };
  const auto& nodes = Kronrod::abscissa();
  std::array<double, 21> values{at_node(0)};
  double kronrod = values[0] * Kronrod::weights()[0], gauss = 0;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    values[2 * i - 1] = at_node(-nodes[i]);
    values[2 * i] = at_node(nodes[i]);
    const double both = values[2 * i - 1] + values[2 * i];
    kronrod += both * Kronrod::weights()[i];
    if (i % 2 == 1) gauss += both * Gauss::weights()[i / 2];
  }
  double spread = std::abs(values[0] - 0.5 * kronrod) * Kronrod::weights()[0];
  for (std::size_t i = 1; i < values.size(); ++i)
    spread += std::abs(values[i] - 0.5 * kronrod) * Kronrod::weights()[(i + 1) / 2];
  // QUADPACK's estimate of the error (Piessens et al. 1983)
  const double off = std::abs(kronrod - gauss);
  const double error = spread > 0 ? spread * std::min(1.0, std::pow(200 * off / spread, 1.5)) : off;
  return {low, high, half * kronrod, half * error};
}

}  // namespace

/// Golden section.
Peak peak_of(const LogConcave& f, const Interval& range) {
  constexpr double golden = 0.38196601125010515;
  const Interval bracket = bracket_of(f, range);
  const auto inside = [](double from, double to) { return from + golden * (to - from); };
  std::array<double, 4> x{bracket.low, inside(bracket.low, bracket.high),
                          inside(bracket.high, bracket.low), bracket.high};
  std::array<double, 4> y{f(x[0]), f(x[1]), f(x[2]), f(x[3])};
  const auto flat = [&] {
    const auto [min, max] = std::ranges::minmax(y);
    return max - min <= 0.5 || x[3] - x[0] <= 4 * epsilon * std::max(-x[0], x[3]);
  };
  while (!flat()) {
    if (y[1] < y[2]) {
      x = {x[1], x[2], inside(x[3], x[1]), x[3]};
      y = {y[1], y[2], f(x[2]), y[3]};
    } else {
      x = {x[0], inside(x[0], x[2]), x[1], x[2]};
      y = {y[0], f(x[1]), y[1], y[2]};
    }
  }
  const std::size_t best = at(std::ranges::max_element(y) - y.begin());
  return {x[best], y[best], x[3] - x[0]};
}

Interval support_of(const LogConcave& f, const Peak& peak, const Interval& range) {
  return {reach(f, peak, range.low), reach(f, peak, range.high)};
}

LogProbability integral_of(const LogConcave& f, const Peak& peak, const Vector& ends,
                           double tolerance) {
  constexpr std::size_t max_panels = 32;
  std::vector<Panel> panels;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i)
    if (ends[i] < ends[i + 1]) panels.push_back(panel_of(f, peak.value, ends[i], ends[i + 1]));
  while (true) {
    double sum = 0, error = 0;
    for (const Panel& panel : panels) sum += panel.sum, error += panel.error;
    if (!(sum > 0 && std::isfinite(sum))) return {peak.value, 1};
    if (error <= tolerance * sum || panels.size() >= max_panels)
      return {std::log(sum) + peak.value, error / sum};
    Panel& worst = *std::ranges::max_element(panels, {}, &Panel::error);
    const Panel whole = worst;
    const double middle = 0.5 * (whole.low + whole.high);
    worst = panel_of(f, peak.value, whole.low, middle);
    panels.push_back(panel_of(f, peak.value, middle, whole.high));
  }
}

}  // namespace genera::kernel
