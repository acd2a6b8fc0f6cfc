#include "fit/em/iteration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <genera/error.hpp>

#include "kernel/infinity.hpp"

namespace genera::fit_detail {
namespace {

using kernel::infinity;
/// Steps before the first extrapolation.
constexpr int plain_steps = 4;
/// Relative rounding error of a log-likelihood.
constexpr double rounding = 1e-13;
/// Changes below this part of the tolerance are rounding errors.
constexpr double negligible = 1e-4;
/// A run is far from its end if its log-likelihood per row still grows by `quick_gain` after this
/// many steps. Until then, the change of the parameters is not computed, because this costs as much
/// as factorising all covariances.
constexpr int quick_steps = 20;
constexpr double far_from_end = 1e-6;
/// Factor by which the limit of extrapolations grows after success and shrinks after failure.
constexpr double growth = 4;

/// Returns false if no rows have such sums.
bool read(const Vector& coordinates, PlanSums& sums) {
  const std::size_t classes = sums.class_weights.size();
  std::span<const double> rest(coordinates);
  sums.class_weights.assign(rest.begin(), rest.begin() + static_cast<Index>(classes));
  rest = rest.subspan(classes);
  bool possible = std::ranges::all_of(sums.class_weights, [](double w) { return w > 0; });
  for (const auto& block : sums.blocks) possible = block->read(rest) && possible;
  return possible;
}

double norm(const Vector& x) {
  double square = 0;
  for (const double value : x) square += value * value;
  return std::sqrt(square);
}

}  // namespace

EmIteration::EmIteration(const Plan& plan, Model start, const Expected& complete,
                         const EmOptions& options, const PlanSums* start_sums, int threads)
    : plan_(plan),
      complete_(complete),
      options_(options),
      start_sums_(start_sums),
      threads_(threads),
      model_(std::move(start)),
      sums_(start_sums ? start_sums->clone() : PlanSums()),
      priors_(plan.blocks.size()),
      objective_(-infinity) {}

Outcome EmIteration::outcome() const {
  if (degenerate_) return Outcome::degenerate;
  return converged_ ? Outcome::converged : Outcome::iteration_limit;
}

std::optional<double> EmIteration::iterations_left() const {
  const std::optional<double> left = pace_.steps_left(options_.tolerance);
  if (!left) return left;
  return std::min<double>(*left, options_.max_iterations - asked_);
}

Model EmIteration::estimate(const PlanSums& sums, bool& degenerate) const {
  Report report;  // of one step; EM itself is reported at the end
  blocks::Estimating how;
  how.maximum_likelihood = true;
  how.threads = threads_;
  Model model = estimate_model(plan_, sums, how, priors_, report);
  degenerate = report.outcome == Outcome::degenerate;
  return model;
}

double EmIteration::log_prior() const {
  double total = 0;
  for (std::size_t b = 0; b < plan_.blocks.size(); ++b)
    total += plan_.blocks[b]->log_prior(model_.blocks()[b], priors_[b]);
  return total;
}

double EmIteration::change(const Model& before, const Model& after) const {
  double max = 0;
  for (std::size_t k = 0; k < before.classes().size(); ++k)
    max = std::max(max,
                   std::abs(before.prior().probabilities()[k] - after.prior().probabilities()[k]));
  for (std::size_t b = 0; b < plan_.blocks.size(); ++b)
    max = std::max(max, plan_.blocks[b]->change(before.blocks()[b], after.blocks()[b]));
  return max;
}

bool EmIteration::start_again_if_collapsing(const Model& next) {
  if (!start_sums_) return false;
  bool found = false;
  for (std::size_t b = 0; b < plan_.blocks.size(); ++b) {
    std::vector<blocks::CollapsePrior> priors = plan_.blocks[b]->collapsing(
        next.blocks()[b], *complete_.sums.blocks[b], start_sums_->class_weights);
    priors_[b].resize(std::max(priors_[b].size(), priors.size()));
    for (std::size_t c = 0; c < priors.size(); ++c) {
      if (priors[c].rows == 0 || priors_[b][c].rows > 0) continue;
      priors_[b][c] = std::move(priors[c]);
      found = true;
    }
  }
  if (!found) return false;
  sums_ = start_sums_->clone();
  model_ = estimate(sums_, degenerate_);
  phase_ = Phase::plain;
  step_ = {};
  pace_.start_again();
  objective_ = -infinity;
  change_before_ = rate_before_ = 0;
  asked_ = 0;
  return true;
}

/// Aitken: if steps shrink by a rate r, r / (1 - r) of the last one still remains. Uses the rate of
/// the slower of two pairs of steps, since an extrapolation hides the slow ones at first.
bool EmIteration::has_converged(double gain) {
  if (is_far_from_end(gain)) {
    change_before_ = 0;
    rate_before_ = 1;
    return false;
  }
  const double before = change_before_;
  change_before_ = step_.change;
  if (step_.change <= negligible * options_.tolerance) return true;
  if (!(before > 0)) return false;
  const double rate = step_.change / before;
  const double slower = std::max(rate, rate_before_);
  rate_before_ = rate;
  if (!(slower < 1)) return false;
  const double to_go = slower / (1 - slower);
  const bool likelihood = std::abs(gain) * to_go <= options_.tolerance * complete_.rows.weight;
  return likelihood && step_.change * to_go <= options_.tolerance;
}

bool EmIteration::is_far_from_end(double gain) const {
  const double near = std::max(far_from_end, options_.tolerance);
  return step_.iteration > quick_steps && !(std::abs(gain) <= near * complete_.rows.weight);
}

void EmIteration::take_back_extrapolation() {
  longest_ = std::max(1.0, longest_ / growth);
  model_ = *std::move(fallback_);
  sums_ = std::move(fallback_sums_);
  phase_ = Phase::plain;
  done_ = asked_ >= options_.max_iterations;
}

bool EmIteration::accept(Expected expected) {
  ++asked_;
  const double objective = expected.log_likelihood + log_prior();
  if (phase_ == Phase::tried &&
      !(objective >= fallback_objective_ - rounding * std::abs(fallback_objective_))) {
    take_back_extrapolation();
    return false;
  }
  bool degenerate = false;
  std::optional<Model> next;
  try {
    next = estimate(expected.sums, degenerate);
  } catch (const Error&) {  // singular after one step: possibly a collapsing covariance
    if (phase_ == Phase::tried)
      take_back_extrapolation();
    else if (!start_again_if_collapsing(model_))
      throw;
    return false;
  }
  if (start_again_if_collapsing(*next)) return false;
  degenerate_ = degenerate;
  ++step_.iteration;
  step_.log_likelihood = expected.log_likelihood;
  step_.certainty = expected.certainty();
  const double gain = objective - objective_;
  const bool last = asked_ >= options_.max_iterations;
  const bool may_be_last = asked_ + 1 >= options_.max_iterations;  // if the next one is rolled back
  step_.change = may_be_last || !is_far_from_end(gain) ? change(model_, *next) : infinity;
  if (step_.iteration == 1)
    first_ = step_;
  else
    pace_.add(step_.change, gain / complete_.rows.weight);
  objective_ = objective;
  if (phase_ == Phase::tried) change_before_ = 0;  // the previous step was an extrapolation
  converged_ = has_converged(gain);
  done_ = converged_ || last;
  if (done_)
    sums_ = std::move(expected.sums);
  else
    go_on(*std::move(next), std::move(expected.sums));
  return true;
}

void EmIteration::go_on(Model next, PlanSums sums) {
  const bool second = phase_ == Phase::second;
  if (second && try_extrapolation(next, sums, objective_)) return;
  if (options_.accelerated && step_.iteration >= plain_steps && !second) {
    origin_ = sums_.coordinates();
    direction_ = sums.coordinates();
    for (std::size_t i = 0; i < origin_.size(); ++i) direction_[i] -= origin_[i];
    phase_ = Phase::second;
  } else {
    phase_ = Phase::plain;
  }
  model_ = std::move(next);
  sums_ = std::move(sums);
}

/// Extrapolates to x - 2 a r + a^2 v, where x is the origin, r the first of two steps from it, and
/// v the difference between the second and the first.
bool EmIteration::try_extrapolation(Model& next, PlanSums& sums, double objective) {
  Vector bend = sums.coordinates();
  const Vector middle = sums_.coordinates();
  for (std::size_t i = 0; i < bend.size(); ++i) bend[i] -= middle[i] + direction_[i];
  const double length = norm(direction_), bent = norm(bend);
  double a = bent > 0 ? -length / bent : -1;
  if (!(a < -1)) return false;
  if (a <= -longest_) {
    a = -longest_;
    longest_ *= growth;
  }
  for (std::size_t i = 0; i < bend.size(); ++i)
    bend[i] = origin_[i] - 2 * a * direction_[i] + a * a * bend[i];
  PlanSums further = sums.clone();
  if (!read(bend, further)) return false;
  try {
    bool degenerate = false;
    Model tried = estimate(further, degenerate);
    fallback_ = std::move(next);
    fallback_sums_ = std::move(sums);
    fallback_objective_ = objective;
    model_ = std::move(tried);
    sums_ = std::move(further);
    phase_ = Phase::tried;
    return true;
  } catch (const Error&) {  // too far: not a covariance
    return false;
  }
}

}  // namespace genera::fit_detail
