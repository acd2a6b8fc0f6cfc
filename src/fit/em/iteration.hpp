#pragma once

#include <optional>

#include "fit/em/latent_rows.hpp"
#include "fit/em/pace.hpp"

namespace genera::fit_detail {

struct EmOptions {
  int max_iterations = 1000;
  /// Tolerated distance of the log-likelihood per row and of every parameter from their limits.
  double tolerance = 1e-8;
  bool accelerated = true;
};

/// EM as a state machine for the maximum likelihood of the observed values. The owner of the rows
/// computes the expected sums under `model` and passes them to `accept`.
///
/// Every third step is extrapolated along the last two (SQUAREM, Varadhan and Roland 2008), in the
/// coordinates of the sums; a step that lowers the likelihood is rolled back. If the likelihood has
/// no maximum because a covariance collapses, this covariance gets a weak prior and EM restarts.
class EmIteration {
 public:
  /// All arguments must outlive this object. `complete`: the sums of the rows without latent
  /// values, and the totals of all rows; `start_sums`: the sums from which `start` was estimated,
  /// if a weak prior may be needed.
  EmIteration(const Plan& plan, Model start, const Expected& complete, const EmOptions& options,
              const PlanSums* start_sums = nullptr, int threads = 1);

  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] bool done() const { return done_; }
  /// True if the step was accepted; false if it was rolled back or EM starts again.
  bool accept(Expected expected);

  [[nodiscard]] Outcome outcome() const;
  [[nodiscard]] const EmStep& step() const { return step_; }
  /// Estimate, at most the number of allowed iterations; nothing if the pace is not known yet.
  [[nodiscard]] std::optional<double> iterations_left() const;
  [[nodiscard]] const EmStep& first() const { return first_; }
  [[nodiscard]] const RowTotals& rows() const { return complete_.rows; }
  [[nodiscard]] const CollapsePriors& priors() const { return priors_; }
  /// The expected sums under the last model; the next model is estimated from them.
  [[nodiscard]] const PlanSums& sums() const { return sums_; }
  [[nodiscard]] PlanSums take_sums() { return std::move(sums_); }

 private:
  enum class Phase { plain, second, tried };

  [[nodiscard]] Model estimate(const PlanSums& sums, bool& degenerate) const;
  [[nodiscard]] double log_prior() const;
  [[nodiscard]] double change(const Model& before, const Model& after) const;
  [[nodiscard]] bool start_again_if_collapsing(const Model& next);
  [[nodiscard]] bool is_far_from_end(double gain) const;
  [[nodiscard]] bool has_converged(double gain);
  [[nodiscard]] bool try_extrapolation(Model& next, PlanSums& sums, double objective);
  void take_back_extrapolation();
  void go_on(Model next, PlanSums sums);

  const Plan& plan_;
  const Expected& complete_;
  EmOptions options_;
  const PlanSums* start_sums_;
  int threads_;
  Model model_;
  PlanSums sums_;  // from which `model_` was estimated; at the end: expected under it
  CollapsePriors priors_;
  Phase phase_ = Phase::plain;
  EmStep step_, first_;
  EmPace pace_;
  int asked_ = 0;
  bool done_ = false, converged_ = false, degenerate_ = false;
  double objective_;          // of the previous model, including priors
  double change_before_ = 0;  // of the previous step; 0: no previous step
  double rate_before_ = 0;
  double longest_ = 4;         // limit of extrapolations
  Vector origin_, direction_;  // coordinates of the sums two steps ago, and the step from there
  std::optional<Model> fallback_;
  PlanSums fallback_sums_;
  double fallback_objective_ = 0;
};

/// Runs EM over rows on several threads; calls `pause` after each step, which may throw.
template <class Pause>
void run(EmIteration& em, const LatentRows& rows, int threads, Pause pause) {
  while (!em.done()) {
    if (em.accept(rows.expect(em.model(), threads))) pause();
  }
}

}  // namespace genera::fit_detail
