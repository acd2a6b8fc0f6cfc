// Centres of the lattice of a box: minimax tilting (Botev 2017).
#include <algorithm>
#include <cmath>

#include "kernel/infinity.hpp"
#include "kernel/normal.hpp"
#include "kernel/normal_box_parts.hpp"

namespace genera::kernel {
namespace {

/// Mean and variance of a standard normal variable given that it lies in [a, b].
struct TruncatedNormal {
  double mean, variance;
};
TruncatedNormal truncated_normal(double a, double b) {
  const double log = log_normal_between(a, b) + 0.5 * log_two_pi;
  const double nearest = std::clamp(0.0, a, b);
  constexpr double no_digits = 1e4;  // of a variance of 1e-8
  if (!(std::abs(nearest) < no_digits) || std::isinf(log)) return {nearest, 0};
  const auto hazard = [&](double x) { return std::exp(-0.5 * x * x - log); };
  const double low = hazard(a), high = hazard(b);
  const double mean = std::clamp(low - high, a, b);
  const double slope = (std::isinf(a) ? 0 : a * low) - (std::isinf(b) ? 0 : b * high);
  return {mean, std::clamp(1 + slope - mean * mean, 0.0, 1.0)};
}

/// With y the values of the variables, t their tilts and e = y - t, the saddle point of Botev's
/// function has y = S'e, where S holds the slopes below a diagonal of ones, and e_i is the mean of
/// a standard normal variable between the ends of the interval less (S y)_i - e_i. That is the
/// minimum of a convex function of e, which is found coordinate by coordinate.
class SaddlePoint {
 public:
  explicit SaddlePoint(const SeparatedBox& box) : box_(box), e_(box.box.size()), y_(e_.size()) {
    constexpr int max_sweeps = 100;
    constexpr double small = 0.01;  // of a standard deviation
    const Index max_evaluations = max_tilt_evaluations(std::ssize(e_));
    for (int sweep = 0; sweep < max_sweeps && evaluations_ < max_evaluations; ++sweep) {
      double change = 0;
      for (std::size_t i = e_.size(); i-- > 0;) change = std::max(change, improve(i));
      if (change < small) break;
    }
  }

  [[nodiscard]] Vector tilts() const {
    Vector found = y_;
    for (std::size_t i = 0; i < e_.size(); ++i) found[i] -= e_[i];
    return found;
  }

 private:
  /// e_i with the others fixed: the root of e - mean(rest + (norm - 1) e), whose slope is between 1
  /// and `norm`.
  double improve(std::size_t i) {
    const double* slopes = box_.slopes.data() + i * (i - 1) / 2;
    double norm = 1, z = y_[i];
    for (std::size_t t = 0; t < i; ++t) norm += slopes[t] * slopes[t], z += slopes[t] * y_[t];
    const double rest = z - norm * e_[i];
    double e = e_[i];
    Interval root{-infinity, infinity};
    constexpr int max_steps = 3;
    for (int step = 0; step < max_steps; ++step) {
      const double centre = rest + (norm - 1) * e;
      const TruncatedNormal now =
          truncated_normal(box_.box[i].low - centre, box_.box[i].high - centre);
      ++evaluations_;
      const double off = e - now.mean;
      (off > 0 ? root.high : root.low) = e;
      double next = e - off / (1 + (norm - 1) * (1 - now.variance));
      if (!(next > root.low && next < root.high)) next = 0.5 * (root.low + root.high);
      if (!std::isfinite(next)) break;
      const double change = std::abs(next - e);
      e = next;
      if (change * std::sqrt(norm) < 1e-3) break;
    }
    const double change = e - e_[i];
    e_[i] = e;
    y_[i] += change;
    for (std::size_t t = 0; t < i; ++t) y_[t] += change * slopes[t];
    return std::abs(change) * std::sqrt(norm);
  }

  const SeparatedBox& box_;
  Vector e_, y_;
  Index evaluations_ = 0;
};

}  // namespace

Vector saddle_point_tilts(const SeparatedBox& box) {
  Vector tilts = SaddlePoint(box).tilts();
  constexpr double largest = 1e50;  // whose square is a double
  if (std::ranges::any_of(tilts, [](double t) { return !(std::abs(t) < largest); }))
    std::ranges::fill(tilts, 0);
  return tilts;
}

}  // namespace genera::kernel
