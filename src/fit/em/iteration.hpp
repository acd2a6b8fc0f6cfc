#pragma once

#include <optional>

#include "fit/em/latent_rows.hpp"
#include "fit/em/pace.hpp"

namespace genera::fit_detail {

struct EmOptions {
  int max_iterations = 1000;
  /// How far the log-likelihood per row and every parameter may still be from their limits.
  double tolerance = 1e-8;
  bool accelerated = true;
};

/// Maximum likelihood of what is observed, as a state machine: the owner of the rows asks for
/// `model`, and has it accept what they are expected to hold under it.
///
/// Every third step is extrapolated along the last two (SQUAREM, Varadhan and Roland 2008), in the
/// coordinates of the sums; a step that lowers the likelihood is taken back. A covariance that runs
/// into a likelihood without a maximum gets a weak prior, and everything starts again.
class EmIteration {
 public:
  /// What is given must outlive it. `complete`: the sums of the rows in which nothing is latent,
  /// and the totals of all; `start_sums`: what `start` was estimated from, if a weak prior may be
  /// needed.
  EmIteration(const Plan& plan, Model start, const Expected& complete, const EmOptions& options,
              const PlanSums* start_sums = nullptr, int threads = 1);

  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] bool done() const { return done_; }
  /// True if the step was accepted; false if it was rolled back or EM starts again.
  bool accept(Expected expected);

  [[nodiscard]] Outcome outcome() const;
  [[nodiscard]] const EmStep& step() const { return step_; }
  /// About so many, and no more than may be made; nothing while no pace is seen.
  [[nodiscard]] std::optional<double> iterations_left() const;
  [[nodiscard]] const EmStep& first() const { return first_; }
  [[nodiscard]] const RowTotals& rows() const { return complete_.rows; }
  [[nodiscard]] const CollapsePriors& priors() const { return priors_; }
  /// What the last model expects: the next one is estimated from it.
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
  PlanSums sums_;  // what `model_` was estimated from; at the end: what it expects
  CollapsePriors priors_;
  Phase phase_ = Phase::plain;
  EmStep step_, first_;
  EmPace pace_;
  int asked_ = 0;
  bool done_ = false, converged_ = false, degenerate_ = false;
  double objective_;          // of the model before, with priors
  double change_before_ = 0;  // of the step before; 0: there is none
  double rate_before_ = 0;
  double longest_ = 4;         // an extrapolation
  Vector origin_, direction_;  // coordinates of the sums two steps ago, and of the step from there
  std::optional<Model> fallback_;
  PlanSums fallback_sums_;
  double fallback_objective_ = 0;
};

/// Runs it over rows on several threads; `pause` is called after each step and may throw.
template <class Pause>
void run(EmIteration& em, const LatentRows& rows, int threads, Pause pause) {
  while (!em.done()) {
    if (em.accept(rows.expect(em.model(), threads))) pause();
  }
}

}  // namespace genera::fit_detail
