// Boxes of few columns: nested adaptive quadrature of log-concave integrands.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "kernel/log_concave.hpp"
#include "kernel/normal.hpp"
#include "kernel/normal_box_parts.hpp"

namespace genera::kernel {
namespace {

/// Given the first variable x, the others are normal with means and covariances of which only the
/// means depend on x.
class Rest {
 public:
  explicit Rest(const StandardBox& all) : all_(all) {
    const Index d = all.correlation.rows() - 1;
    part_.correlation = Matrix(d, d);
    for (Index i = 1; i <= d; ++i) {
      const double slope = all.correlation(i, 0);
      slopes_.push_back(slope);
      sd_.push_back(std::sqrt(std::max((1 - slope) * (1 + slope), epsilon)));
      min_ = std::min(min_, sd_.back() * sd_.back());
    }
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j < i; ++j) {
        const double unit = sd_[at(i)] * sd_[at(j)];
        const double r = (all.correlation(i + 1, j + 1) - slopes_[at(i)] * slopes_[at(j)]) / unit;
        part_.correlation(i, j) = r;
        min_ = std::min(min_, unit * std::max((1 - r) * (1 + r), epsilon));
      }
      part_.correlation(i, i) = 1;
    }
    part_.box.resize(at(d));
  }

  const StandardBox& given(double x) {
    for (std::size_t i = 0; i < slopes_.size(); ++i) {
      const Interval& own = all_.box[i + 1];
      part_.box[i] = {(own.low - slopes_[i] * x) / sd_[i], (own.high - slopes_[i] * x) / sd_[i]};
    }
    return part_;
  }

  /// Points at which the conditional mean of another variable crosses an end of its interval, and 8
  /// standard deviations on either side. The integrand is steep only between these points. Empty if
  /// it changes slowly.
  [[nodiscard]] Vector steep_places(const Interval& range) const {
    constexpr double reach = 8;  // P(X > 8) = 6e-16
    Vector found;
    for (std::size_t i = 0; i < slopes_.size(); ++i) {
      const double width = reach * sd_[i] / std::abs(slopes_[i]);
      if (!(2 * width < range.high - range.low)) continue;
      for (const double end : {all_.box[i + 1].low, all_.box[i + 1].high}) {
        const double middle = end / slopes_[i];
        for (const double x : {middle - width, middle, middle + width})
          if (x > range.low && x < range.high) found.push_back(x);
      }
    }
    return found;
  }

  /// Relative rounding error of the smallest conditional variance.
  [[nodiscard]] double rounding() const { return epsilon / min_; }

 private:
  const StandardBox& all_;
  Vector slopes_, sd_;
  StandardBox part_;
  double min_ = 1;  // conditional variance
};

LogProbability by_quadrature(const StandardBox& all);

/// log(density of the first variable times the probability of the others).
class Integrand {
 public:
  explicit Integrand(const StandardBox& all) : rest_(all) {}

  double operator()(double x) {
    const LogProbability others = by_quadrature(rest_.given(x));
    error_ = std::max(error_, others.relative_error);
    evaluations_ += others.evaluations;
    return others.log - 0.5 * x * x;
  }
  [[nodiscard]] const Rest& rest() const { return rest_; }
  [[nodiscard]] double error() const { return error_; }
  [[nodiscard]] Index evaluations() const { return evaluations_; }

 private:
  Rest rest_;
  double error_ = 0;
  Index evaluations_ = 0;
};

/// Integrates over the first variable.
LogProbability by_quadrature(const StandardBox& all) {
  if (all.box.size() == 1)
    return {log_normal_between(all.box.front().low, all.box.front().high), 0, 0, 1};
  Integrand integrand(all);
  const LogConcave f = [&](double x) { return integrand(x); };
  const Peak peak = peak_of(f, all.box.front());
  if (std::isinf(peak.value)) return {-infinity, 0, 0, integrand.evaluations()};
  // Far out, the logarithm is a square divided by a conditional variance and inherits its rounding
  // error.
  const double far = std::abs(peak.value) > negligible ? integrand.rest().rounding() : 0;
  const double rounding = (4 * epsilon + far) * (1 + std::abs(peak.value));
  if (rounding >= 1) return {peak.value, rounding, 0, integrand.evaluations()};
  const Interval range = support_of(f, peak, all.box.front());
  Vector ends = integrand.rest().steep_places(range);
  ends.insert(ends.end(), {range.low, peak.x, range.high});
  std::ranges::sort(ends);
  const LogProbability found = integral_of(f, peak, ends, std::max(1e-11, rounding));
  return {found.log - 0.5 * log_two_pi, found.relative_error + integrand.error() + rounding, 0,
          integrand.evaluations()};
}

}  // namespace

/// The first variable is the least probable one: the integrand then varies least.
LogProbability box_by_quadrature(const StandardBox& all) { return by_quadrature(all); }

}  // namespace genera::kernel
