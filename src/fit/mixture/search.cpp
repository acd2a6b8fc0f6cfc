#include "fit/mixture/search.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "kernel/cholesky.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "kernel/parallel.hpp"
#include "sums/row_moments.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;

constexpr double rough_tolerance = 1e-7;  // of the log-likelihood per row: close to convergence
/// Log-likelihood per row that a start may still gain after it slowed down to `rough_tolerance`.
constexpr double rough_distance = 0.01;
/// Two starts lead to the same maximum if their log-likelihoods per row differ by less, after the
/// same number of steps or close to convergence.
constexpr double same_maximum = 1e-6;
/// Rows per task of an E-step (fit/em/latent_rows.cpp); fewer rows use one thread.
constexpr Index rows_for_a_thread = 4096;

bool is_diagonal(const Matrix& s) {
  for (Index i = 0; i < s.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      if (s(i, j) != 0) return false;
    }
  }
  return true;
}

/// Divides the columns by the square roots of these variances.
Matrix scaled(Matrix rows, const Vector& variances) {
  for (Index j = 0; j < rows.columns(); ++j) {
    const double unit = std::sqrt(variances[at(j)]);
    for (Index i = 0; i < rows.rows(); ++i) rows(i, j) /= unit;
  }
  return rows;
}

/// A x with A' A = reference^-1: separates groups along correlated columns.
Matrix whitened(const Matrix& rows, const Matrix& reference) {
  std::vector<Index> order(at(rows.columns()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto factor = kernel::factorise(reference, order);
  if (!factor) return {};
  Matrix result(rows.rows(), rows.columns());
  for (Index i = 0; i < rows.rows(); ++i) {
    for (Index k = 0; k < rows.columns(); ++k) {
      for (Index j = 0; j <= k; ++j) result(i, k) += factor->inverse(k, j) * rows(i, j);
    }
  }
  return result;
}

/// The plan of a mixture with this number of components.
Plan plan_for(const blocks::GaussianFrame& frame, const blocks::ComponentScale& scale,
              Index components, const GaussianOptions& options) {
  Plan plan{frame.classes, "class", {}, {}};
  plan.blocks.push_back(
      std::make_unique<blocks::MixturePlan>(frame, options, std::vector<Index>(at(components), 0),
                                            std::vector<blocks::ComponentScale>{scale}));
  return plan;
}

}  // namespace

bool better(const FoundMixture& a, const FoundMixture& b) {
  if (a.on_floor() != b.on_floor()) return b.on_floor();
  return a.bic < b.bic;
}

bool MixtureSearch::better_run(const Run& a, const Run& b) {
  const bool floor = b.outcome == Outcome::degenerate;
  if ((a.outcome == Outcome::degenerate) != floor) return floor;
  return a.log_likelihood > b.log_likelihood;
}

/// Selects the starts that continue: all starts that are not random, and the best of the random
/// ones, including those that would have been selected with fewer starts, so that more starts only
/// add runs. Of starts that lead to the same maximum, only the first continues.
std::vector<MixtureSearch::Run> MixtureSearch::runs_to_continue(std::vector<Run> runs,
                                                                std::size_t one_in) const {
  std::vector<std::size_t> ranked, chosen;
  std::vector<char> is_chosen(runs.size());
  for (std::size_t s = 0; s < runs.size(); ++s) {
    if (runs[s].starts == 0) {
      chosen.push_back(s);
      continue;
    }
    const auto place = std::upper_bound(
        ranked.begin(), ranked.end(), s,
        [&](std::size_t a, std::size_t b) { return better_run(runs[a], runs[b]); });
    ranked.insert(place, s);
    const std::size_t seen = runs[s].starts;
    const std::size_t best = std::min(ranked.size(), continuing(seen, one_in));
    for (std::size_t r = 0; r < best; ++r) {
      if (std::exchange(is_chosen[ranked[r]], 1)) continue;
      chosen.push_back(ranked[r]);
      runs[ranked[r]].starts = seen;
    }
  }
  std::vector<Run> kept;
  for (const std::size_t s : chosen) {
    const bool known = std::ranges::any_of(kept, [&](const Run& run) {
      return (run.outcome == Outcome::degenerate) == (runs[s].outcome == Outcome::degenerate) &&
             std::abs(run.log_likelihood - runs[s].log_likelihood) <= same_maximum * weight_;
    });
    if (!known) kept.push_back(std::move(runs[s]));
  }
  return kept;
}

int starts_for(Index rows, Index columns) {
  constexpr Index numbers = 20000, max = 40;
  return static_cast<int>(std::clamp<Index>(numbers / (rows * columns), usual_starts, max));
}

MixtureSearch::MixtureSearch(MixtureRows rows, const MixtureOptions& options, int starts,
                             int threads)
    : rows_(std::move(rows)),
      options_(options),
      start_count_(starts),
      threads_(threads),
      cost_({rows_.rows.count(), rows_.completed.columns(), starts}) {
  for (Index i = 0; i < rows_.rows.count(); ++i)
    weights_.push_back(rows_.rows.weight(rows_.rows.row(i)));
  weight_ = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  if (options_.components.max == 1) return;
  scaled_ = KMeans(scaled(rows_.completed, rows_.scale.unit), weights_);
  if (start_count_ == 1) return;
  hierarchy_ = Hierarchy(evened_axes(rows_.completed, weights_), weights_);
  if (!rows_.whitening.empty() && !is_diagonal(rows_.whitening))
    whitened_ = KMeans(whitened(rows_.completed, rows_.whitening), weights_);
}

const blocks::ComponentScale& MixtureSearch::scale_of(Covariance covariance) const {
  return is_full(covariance) && rows_.full_scale ? *rows_.full_scale : rows_.scale;
}

void MixtureSearch::find_starts(std::span<const MixtureCandidate> candidates,
                                const kernel::Tell& tell) {
  std::vector<Index> wanted;
  for (const MixtureCandidate& candidate : candidates) {
    if (starts_.contains(candidate.components)) continue;
    std::vector<Groups>& found = starts_[candidate.components];
    if (candidate.components == 1) {
      found.emplace_back(weights_.size(), 0);
    } else {
      found.resize(at(start_count_));
      wanted.push_back(candidate.components);
    }
  }
  const Index count = std::ssize(wanted) * start_count_;
  const bool apart = count >= threads_;  // does not change the result
  kernel::parallel_for(
      count, apart ? threads_ : 1,
      [&](Index i) {
        const Index components = wanted[at(i / start_count_)], s = i % start_count_;
        const Rng rng = Rng(options_.seed).split(static_cast<std::uint64_t>(components));
        const bool second = s % 2 == 1 && !whitened_.empty();
        starts_.at(components)[at(s)] =
            (second ? whitened_ : scaled_)
                .groups(components, rng.split(static_cast<std::uint64_t>(s)), apart ? 1 : threads_);
      },
      [&](Index i) { tell(0, cost_.start(wanted[at(i / start_count_)])); });
  for (const Index components : wanted) {
    std::vector<Groups>& found = starts_.at(components);
    if (hierarchy_.usable()) found.insert(found.begin() + 1, hierarchy_.groups(components));
  }
}

/// All starts with one number of components, over the same rows.
class MixtureSearch::StartRuns {
 public:
  StartRuns(const MixtureSearch& search, Index components, const GaussianOptions& options,
            int threads)
      : search_(search),
        plan_(
            plan_for(search.rows_.frame, search.scale_of(options.covariance), components, options)),
        threads_(threads) {}

  /// The model of groups of completed rows.
  [[nodiscard]] Run begin(const Groups& groups) const {
    PlanSums sums(plan_);
    sums.class_weights = {search_.weight_};
    auto& to = blocks::sums_as<blocks::ComponentSums>(*sums.blocks.front());
    genera::sums::RowMoments moments(data::NumberColumns(search_.rows_.completed), search_.weights_,
                                     to.kind());
    for (std::size_t c = 0; c < to.moments.size(); ++c) {
      std::vector<Index> own;
      for (std::size_t i = 0; i < groups.size(); ++i) {
        if (groups[i] == static_cast<std::int32_t>(c) && search_.weights_[i] > 0)
          own.push_back(static_cast<Index>(i));
      }
      if (!own.empty()) to.moments[c] = moments.of(own);
    }
    Report report;
    return {estimate_model(plan_, sums, {}, {}, report)};
  }

  /// Locates the columns in the rows; must be called before any run.
  void prepare(const Model& like) {
    latent_ = std::make_unique<const LatentRows>(search_.rows_.rows, plan_, like, 1.0, threads_);
  }

  /// Runs until EM ends or `give_up`, which receives the gain of each step, returns true. A run
  /// that continues later repeats its last step.
  template <class GiveUp>
  void iterate(Run& run, EmOptions options, int threads, GiveUp give_up) const {
    const int again = run.iterations > 0 ? 1 : 0;
    options.max_iterations += again;
    EmIteration em(plan_, std::move(run.model), latent_->complete(), options, nullptr, threads);
    bool given_up = false;
    double before = -kernel::infinity;
    while (!em.done() && !given_up) {
      if (!em.accept(latent_->expect(em.model(), threads))) continue;
      run.log_likelihood = em.step().log_likelihood;
      run.outcome = em.outcome();
      given_up = !em.done() && give_up(run.log_likelihood - before);
      before = run.log_likelihood;
    }
    if (run.iterations == 0) run.log_likelihood_first = em.first().log_likelihood;
    run.iterations += em.step().iteration - again;
    run.model = em.model();
  }

  [[nodiscard]] Index missing_numbers() const { return latent_->complete().rows.missing_numbers; }

 private:
  const MixtureSearch& search_;
  Plan plan_;
  int threads_;
  std::unique_ptr<const LatentRows> latent_;
};

/// Remaining gain of log-likelihood of a run whose last step gained this much.
double MixtureSearch::remaining_gain(double gain) const {
  return std::max(rough_distance * weight_, pace().patience * gain);
}

/// Whether a run may stop because it leads to the maximum of the leader, or to a lower one.
bool MixtureSearch::gives_up(const Run& run, double gain, const Run& leader) const {
  const bool slow = std::abs(gain) <= rough_tolerance * weight_;
  if (slow && run.log_likelihood <= leader.log_likelihood &&
      run.log_likelihood >= leader.log_likelihood - same_maximum * weight_)
    return true;
  const bool on_floor = run.outcome == Outcome::degenerate;
  const bool leader_on_floor = leader.outcome == Outcome::degenerate;
  if (leader_on_floor && !on_floor) return false;
  const bool below = run.log_likelihood + remaining_gain(gain) <= leader.log_likelihood;
  return below || (on_floor && !leader_on_floor && slow);
}

struct MixtureSearch::Scouted {
  Index components = 0;
  double step_cost = 0;
  std::unique_ptr<StartRuns> starts{};
  std::vector<Run> runs{};  // the best runs, or all
  int steps_left = 0;       // of each run to its end
};

FoundMixture MixtureSearch::found_by(const Run& run, Index components) const {
  FoundMixture found{blocks::mixtures_of(run.model.blocks().front()),
                     run.outcome,
                     run.iterations,
                     run.log_likelihood_first,
                     run.log_likelihood,
                     components,
                     run.model.free_parameters().total(),
                     0};
  found.bic = -2 * found.log_likelihood + static_cast<double>(found.parameters) * std::log(weight_);
  return found;
}

MixtureSearch::Scouted MixtureSearch::scout(const MixtureCandidate& candidate, int threads,
                                            kernel::Budget& budget) const {
  const Index components = candidate.components;
  Scouted scouted{components, cost_.step(candidate),
                  std::make_unique<StartRuns>(*this, components, candidate.options, threads)};
  StartRuns& starts_of = *scouted.starts;
  std::vector<Run>& runs = scouted.runs;
  const std::vector<Groups>& groups = starts_.at(components);
  runs.assign(groups.size(), starts_of.begin(groups.front()));
  starts_of.prepare(runs.front().model);
  const bool closed_form = components == 1 && starts_of.missing_numbers() == 0;
  const Pace& own = pace();
  const auto iterate_all = [&](int iterations) {
    const bool side_by_side = std::ssize(runs) >= threads;  // does not change the result
    kernel::parallel_for(
        std::ssize(runs), side_by_side ? threads : 1,
        [&](Index s) {
          Run& run = runs[at(s)];
          if (s > 0 && run.iterations == 0) run.model = starts_of.begin(groups[at(s)]).model;
          starts_of.iterate(run, {.max_iterations = iterations, .accelerated = own.accelerated},
                            side_by_side ? 1 : threads, [](double) { return false; });
        },
        [&](Index) { budget.spend(iterations * cost_.step(candidate)); });
  };
  // The hierarchy is the second start, so that the result of a single start is found, too.
  const std::size_t always = hierarchy_.usable() && components > 1 ? 2 : 0;
  for (std::size_t s = always; s < runs.size(); ++s) runs[s].starts = s + 1 - always / 2;
  const int left = options_.max_iterations - own.steps_before_following;
  const int begin = left > 0 ? own.steps_of_all : options_.max_iterations;
  iterate_all(closed_form ? 1 : begin);
  if (closed_form && runs.front().outcome == Outcome::iteration_limit)
    runs.front().outcome = Outcome::converged;  // no iteration needed
  if (!closed_form && left > 0) {
    scouted.steps_left = left;
    runs = runs_to_continue(std::move(runs), own.continue_one_in);
    iterate_all(own.steps_before_following - own.steps_of_all);
    runs = runs_to_continue(std::move(runs), one_followed_in);
  } else {
    std::stable_sort(runs.begin(), runs.end(), better_run);
  }
  return scouted;
}

FoundMixture MixtureSearch::follow(Scouted& scouted, double to_beat, int threads,
                                   kernel::Budget& budget) const {
  std::vector<Run>& runs = scouted.runs;
  if (scouted.steps_left == 0) return found_by(runs.front(), scouted.components);
  const auto parameters = static_cast<double>(runs.front().model.free_parameters().total());
  const double needed = (parameters * std::log(weight_) - to_beat) / 2;  // required log-likelihood
  std::size_t leader = runs.size();
  std::vector<char> hopeless(runs.size());
  for (std::size_t r = 0; r < runs.size(); ++r) {
    // The first run goes to its end unless it is hopeless. Whether another one does, does not
    // depend on later runs.
    const bool none_before = leader == runs.size();
    const EmOptions options{.max_iterations = scouted.steps_left};
    scouted.starts->iterate(runs[r], options, threads, [&](double gain) {
      budget.spend(scouted.step_cost);
      hopeless[r] = runs[r].log_likelihood + remaining_gain(gain) < needed ? 1 : 0;
      return hopeless[r] != 0 || (!none_before && gives_up(runs[r], gain, runs[leader]));
    });
    if (none_before || better_run(runs[r], runs[leader])) leader = r;
  }
  FoundMixture found = found_by(runs[leader], scouted.components);
  found.given_up = hopeless[leader] != 0;
  return found;
}

bool MixtureSearch::can_scout_all(std::span<const MixtureCandidate> candidates) const {
  constexpr double max_numbers = 1 << 24;
  const auto d = static_cast<double>(rows_.completed.columns());
  double numbers = 0;
  for (const MixtureCandidate& candidate : candidates) {
    const Covariance structure = candidate.options.covariance;
    const auto covariances = is_tied(structure) ? 1.0 : static_cast<double>(candidate.components);
    numbers += static_cast<double>(weights_.size());  // indices of the rows
    numbers += static_cast<double>(continuing(at(start_count_), one_followed_in) + 2) *
               covariances * (is_full(structure) ? d * d : d);
  }
  return numbers <= max_numbers;
}

void MixtureSearch::each_candidate(std::vector<kernel::Budget> budgets,
                                   const std::function<Index()>& found,
                                   const CandidateWork& work) const {
  const bool few_rows = std::ssize(weights_) < 2 * threads_ * rows_for_a_thread;
  if (!few_rows || threads_ == 1) {
    for (std::size_t i = 0; i < budgets.size(); ++i) {
      work(i, threads_, budgets[i]);
      budgets[i].close(found());
    }
    return;
  }
  std::vector<std::size_t> order(budgets.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::size_t i) { return budgets[i].left(); });
  kernel::parallel_for(
      std::ssize(order), threads_, [&](Index i) { work(order[at(i)], 1, budgets[order[at(i)]]); },
      [&](Index i) { budgets[order[at(i)]].close(found()); });
}

std::vector<FoundMixture> MixtureSearch::find_all(std::span<const MixtureCandidate> candidates,
                                                  const kernel::Tell& tell) {
  find_starts(candidates, tell);
  std::vector<FoundMixture> found(candidates.size());
  std::vector<kernel::Budget> to_scout, to_follow, for_both;
  for (const MixtureCandidate& candidate : candidates) {
    const double scouting = cost_.scouting(candidate), following = cost_.following(candidate);
    to_scout.emplace_back(tell, scouting);
    to_follow.emplace_back(tell, following);
    for_both.emplace_back(tell, scouting + following);
  }
  if (candidates.size() == 1 || !scouts_first(pace()) || !can_scout_all(candidates)) {
    each_candidate(
        std::move(for_both), [] { return Index{1}; },
        [&](std::size_t i, int threads, kernel::Budget& budget) {
          Scouted scouted = scout(candidates[i], threads, budget);
          found[i] = follow(scouted, kernel::infinity, threads, budget);
        });
    return found;
  }
  Index halves = 0;  // half steps of progress: scouting and following
  const auto advanced = [&] { return Index{++halves % 2 == 0 ? 1 : 0}; };
  std::vector<Scouted> scouted(candidates.size());
  each_candidate(std::move(to_scout), advanced,
                 [&](std::size_t i, int threads, kernel::Budget& budget) {
                   scouted[i] = scout(candidates[i], threads, budget);
                   found[i] = found_by(scouted[i].runs.front(), candidates[i].components);
                 });
  // The candidate that leads after scouting sets the BIC to beat.
  const auto leader = at(std::ranges::min_element(found, better) - found.begin());
  found[leader] = follow(scouted[leader], kernel::infinity, threads_, to_follow[leader]);
  const double to_beat = found[leader].on_floor() ? kernel::infinity : found[leader].bic;
  each_candidate(std::move(to_follow), advanced,
                 [&](std::size_t i, int threads, kernel::Budget& budget) {
                   if (i != leader) found[i] = follow(scouted[i], to_beat, threads, budget);
                   scouted[i] = {};
                 });
  return found;
}

}  // namespace genera::fit_detail
