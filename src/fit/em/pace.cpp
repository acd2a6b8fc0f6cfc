#include "fit/em/pace.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace genera::fit_detail {
namespace {

/// Smaller changes are rounding errors.
constexpr double min_change = 1e-9, min_gain = 1e-16;

}  // namespace

void EmPace::add(double change, double gain_per_row) {
  steps_.push_back(
      {std::log(std::max(change, min_change)), std::log(std::max(gain_per_row, min_gain)) / 2});
}

std::optional<double> EmPace::steps_left(double tolerance) const {
  constexpr std::size_t min_steps = 6;  // two rounds of an accelerated EM, in which steps differ
  const std::span<const Step> later = std::span(steps_).subspan(steps_.size() / 2);
  if (later.size() < min_steps) return std::nullopt;
  // The square root of the gain of a step is of the order of its change.
  const bool known =
      std::ranges::all_of(later, [](const Step& s) { return std::isfinite(s.log_change); });
  const auto height = [&](const Step& s) { return known ? s.log_change : s.log_root_gain; };
  const auto count = static_cast<double>(later.size());
  const double middle = (count - 1) / 2;
  double mean = 0, slope = 0, squares = 0;
  for (const Step& step : later) mean += height(step) / count;
  for (std::size_t i = 0; i < later.size(); ++i) {
    const double away = static_cast<double>(i) - middle;
    slope += away * (height(later[i]) - mean);
    squares += away * away;
  }
  slope /= squares;
  if (!(slope < 0)) return std::nullopt;
  return std::max(1.0, (std::log(tolerance) - mean) / slope - middle);
}

}  // namespace genera::fit_detail
