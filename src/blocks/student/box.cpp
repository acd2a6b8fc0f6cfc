// Probabilities of boxes under t densities, conditional on known columns.
#include <algorithm>
#include <cmath>

#include "blocks/gaussian/box.hpp"
#include "blocks/student/kind.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

using kernel::at;
using kernel::Interval;
using kernel::NormalBox;

/// Nodes whose share is below exp(-`negligible_share`) of the largest one are left out.
constexpr double negligible_share = 32;
/// Probabilities below the smallest double are 0: their nodes would never end.
constexpr double log_of_nothing = -745;

/// A t density with nu degrees of freedom is a normal one whose covariance is divided by V / nu,
/// V ~ chi^2(nu). With u = log(V / nu), log p(u) = nu / 2 (u - exp(u)) + const, and the trapezoid
/// rule in u converges exponentially (Trefethen and Weideman 2014).
class ScaleMixture {
 public:
  explicit ScaleMixture(double degrees)
      : degrees_(degrees), step_(std::min(0.2, 0.4 * std::sqrt(2 / degrees))) {}

  [[nodiscard]] double node(Index i) const { return static_cast<double>(i) * step_; }
  /// log p(u_i), less the value at u = 0.
  [[nodiscard]] double log_density(Index i) const {
    const double u = node(i);
    return degrees_ / 2 * (u - std::expm1(u));
  }
  /// log of the sum of all densities.
  [[nodiscard]] double log_total() const {
    double sum = 1;
    for (const Index way : {-1, 1}) {
      for (Index i = way; log_density(i) > -negligible_share - 8; i += way)
        sum += std::exp(log_density(i));
    }
    return std::log(sum);
  }

 private:
  double degrees_, step_;
};

/// The box if the covariance is divided by exp(u) and multiplied by `spread`.
NormalBox scaled_box(const ConditionalBox& box, double u, double spread, const Rng& rng) {
  const double factor = std::exp(u / 2) / std::sqrt(spread);
  std::vector<Interval> intervals;
  for (const Interval& one : box.intervals)
    intervals.push_back({one.low * factor, one.high * factor});
  return {std::move(intervals), box.covariance, rng};
}

}  // namespace

/// Given known columns, the others have a t density with nu + d_o degrees of freedom, and their
/// conditional covariance times (nu + D^2) / (nu + d_o) as scale matrix.
BoxTerms StudentKind::box(const Block& block, Index k, const BoxQuestion& question) {
  const StudentParameters& p = block.parameters();
  const ConditionalBox box = conditional_box(p.scales, question, k);
  if (box.intervals.empty()) return exactly(0);
  if (std::ranges::any_of(box.intervals, [](const Interval& one) { return one.low == one.high; }))
    return exactly(-HUGE_VAL);
  const double nu = p.degrees[at(k)], degrees = nu + static_cast<double>(box.known);
  const double spread = (nu + box.square) / degrees;
  const ScaleMixture mixture(degrees);
  const double log_total = mixture.log_total();
  BoxTerms terms;
  double best = log_of_nothing;
  const auto add = [&](Index i) {
    const double log_weight = mixture.log_density(i) - log_total;
    if (!(log_weight > best - negligible_share))
      return false;  // the probability of a box is at most 1
    const auto stream = static_cast<std::uint64_t>(2 * std::abs(i) + (i < 0 ? 1 : 0));
    terms.push_back(
        {log_weight, scaled_box(box, mixture.node(i), spread, question.rng.split(stream))});
    best = std::max(best, terms.back().estimate().log);
    return true;
  };
  for (Index i = 0; add(i); --i) {
  }
  for (Index i = 1; add(i); ++i) {
  }
  std::erase_if(terms,
                [&](const BoxTerm& term) { return term.estimate().log < best - negligible_share; });
  if (terms.empty()) return exactly(-HUGE_VAL);
  return terms;
}

}  // namespace genera::blocks
