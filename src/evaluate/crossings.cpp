// Sizes estimated from learning curves.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/curves.hpp>
#include <genera/random.hpp>

#include "kernel/rng_purpose.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"

namespace genera {
namespace {

using kernel::at;
using kernel::infinity;

const Vector& values_of(const CurvePoint& point, Metric metric) {
  return metric == Metric::error ? point.errors : point.log_losses;
}

/// Means over the listed repeats (with multiplicity) at each size.
Vector means_of(const LearningCurve& curve, Metric metric,
                const std::vector<std::size_t>& repeats) {
  Vector means;
  for (const CurvePoint& point : curve.points) {
    const Vector& values = values_of(point, metric);
    double sum = 0;
    for (const std::size_t r : repeats) sum += values[r];
    means.push_back(sum / static_cast<double>(repeats.size()));
  }
  return means;
}

/// Zero of the line through (log a, from) and (log b, to). Infinite values count as very large.
double zero_between(Index a, double from, Index b, double to) {
  const double share = std::isfinite(from) && std::isfinite(to) ? from / (from - to) : 0.5;
  const double log_a = std::log(static_cast<double>(a)), log_b = std::log(static_cast<double>(b));
  return std::exp(log_a + share * (log_b - log_a));
}

/// Bootstrap resamples of the repeats, determined by the seed.
class Resamples {
 public:
  Resamples(std::size_t repeats, const BootstrapOptions& options)
      : repeats_(repeats), rng_(kernel::stream_for(kernel::RngPurpose::resamples, options.seed)) {
    if (options.resamples < 1 || !(options.level > 0 && options.level < 1))
      throw Error(Errc::bad_argument,
                  fmt::format("{} resamples at level {} give no interval", options.resamples,
                              options.level),
                  "give at least one resample and a level between 0 and 1");
  }
  std::vector<std::size_t> next() {
    Rng rng = rng_.split(number_++);
    std::vector<std::size_t> drawn(repeats_);
    for (std::size_t& r : drawn)
      r = static_cast<std::size_t>(rng.uniform() * static_cast<double>(repeats_));
    return drawn;
  }
  [[nodiscard]] std::vector<std::size_t> all() const {
    std::vector<std::size_t> each(repeats_);
    for (std::size_t r = 0; r < repeats_; ++r) each[r] = r;
    return each;
  }

 private:
  std::size_t repeats_;
  Rng rng_;
  std::uint64_t number_ = 0;
};

/// `sizes`: of the resamples, infinite outside of the tested sizes.
void add_interval(Vector sizes, double level, SizeEstimate& to) {
  std::ranges::sort(sizes);
  const auto n = static_cast<double>(sizes.size());
  to.below = static_cast<double>(std::ranges::count(sizes, -infinity)) / n;
  to.above = static_cast<double>(std::ranges::count(sizes, infinity)) / n;
  if (!to.size) return;
  const auto quantile = [&](double q) -> std::optional<double> {
    const double value = sizes[static_cast<std::size_t>(std::lround(q * (n - 1)))];
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  };
  to.low = quantile((1 - level) / 2);
  to.high = quantile((1 + level) / 2);
}

/// Last change of sign of first - second.
struct Change {
  int before = 0, after = 0;  // signs; equal if there is no change
  double size = -infinity;    // size at the change
};

double excess(double first, double second) { return first == second ? 0 : first - second; }

Change last_change(const std::vector<CurvePoint>& points, const Vector& first,
                   const Vector& second) {
  const auto sign = [&](std::size_t s) {
    const double d = excess(first[s], second[s]);
    return d > 0 ? 1 : d < 0 ? -1 : 0;
  };
  Change found;
  for (std::size_t s = points.size(); s-- > 0;) {
    if (found.after == 0) found.after = sign(s);
    if (sign(s) != -found.after || found.after == 0) continue;
    found.before = sign(s);
    found.size = zero_between(points[s].size, excess(first[s], second[s]), points[s + 1].size,
                              excess(first[s + 1], second[s + 1]));
    return found;
  }
  found.before = found.after;
  return found;
}

Crossing::Winner winner(int sign) {
  return sign < 0   ? Crossing::Winner::first
         : sign > 0 ? Crossing::Winner::second
                    : Crossing::Winner::none;
}

/// -inf: reached at the smallest size; +inf: never reached.
double size_within(const std::vector<CurvePoint>& points, const Vector& means, double error) {
  for (std::size_t s = 0; s < points.size(); ++s) {
    if (!(means[s] <= error)) continue;
    if (s == 0) return -infinity;
    return zero_between(points[s - 1].size, means[s - 1] - error, points[s].size, means[s] - error);
  }
  return infinity;
}

void check_alike(const LearningCurve& first, const LearningCurve& second) {
  bool alike = first.points.size() == second.points.size() && !first.points.empty();
  for (std::size_t s = 0; alike && s < first.points.size(); ++s)
    alike = first.points[s].size == second.points[s].size &&
            first.points[s].errors.size() == second.points[s].errors.size() &&
            !first.points[s].errors.empty();
  if (!alike)
    throw Error(Errc::bad_argument,
                fmt::format("the curves of '{}' and '{}' are not of the same samples", first.name,
                            second.name),
                "compare curves of one call");
}

}  // namespace

Crossing crossing(const LearningCurve& first, const LearningCurve& second, Metric metric,
                  const BootstrapOptions& options) {
  check_alike(first, second);
  Resamples resamples(first.points.front().errors.size(), options);
  const auto change = [&](const std::vector<std::size_t>& repeats) {
    return last_change(first.points, means_of(first, metric, repeats),
                       means_of(second, metric, repeats));
  };
  const Change seen = change(resamples.all());
  Crossing found{.before = winner(seen.before), .after = winner(seen.after)};
  if (seen.before != seen.after) found.at.size = seen.size;
  Vector sizes;
  for (Index b = 0; b < options.resamples; ++b) {
    const Change again = change(resamples.next());
    sizes.push_back(again.after != seen.after ? infinity : again.size);
  }
  add_interval(std::move(sizes), options.level, found.at);
  return found;
}

std::vector<Average> differences(const LearningCurve& first, const LearningCurve& second,
                                 Metric metric) {
  check_alike(first, second);
  std::vector<Average> found;
  for (std::size_t s = 0; s < first.points.size(); ++s) {
    Vector difference;
    const Vector& a = values_of(first.points[s], metric);
    const Vector& b = values_of(second.points[s], metric);
    for (std::size_t r = 0; r < a.size(); ++r) difference.push_back(excess(a[r], b[r]));
    found.push_back(average(difference));
  }
  return found;
}

SizeEstimate rows_needed(const LearningCurve& curve, double error,
                         const BootstrapOptions& options) {
  check_alike(curve, curve);
  Resamples resamples(curve.points.front().errors.size(), options);
  const auto needed = [&](const std::vector<std::size_t>& repeats) {
    return size_within(curve.points, means_of(curve, Metric::error, repeats), error);
  };
  SizeEstimate found;
  const double size = needed(resamples.all());
  if (std::isfinite(size)) found.size = size;
  Vector sizes;
  for (Index b = 0; b < options.resamples; ++b) sizes.push_back(needed(resamples.next()));
  add_interval(std::move(sizes), options.level, found);
  return found;
}

}  // namespace genera
