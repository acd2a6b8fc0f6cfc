#include "evaluate/pooling.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "evaluate/temperature.hpp"
#include "kernel/index.hpp"
#include "kernel/parallel.hpp"

namespace genera::select_detail {
namespace {

using kernel::at;

/// Members with less add less than their scoring costs: on average they move a probability by at
/// most this.
constexpr double min_weight = 0.02;

/// With more rows one temperature, a single number, is worth less than 1/2000 nats on new rows: it
/// is then not fitted again for each fold.
constexpr std::size_t max_rows_refitted = 2000;

/// Probabilities of the true classes.
struct Truths {
  Vector plain;
  Vector bounded;  ///< these decide, so that no single row does
};

/// Candidates chosen and weighted by some rows.
struct Chosen {
  std::vector<Pool::Member> members{};
  std::size_t best = 0;
};

class Pooling {
 public:
  Pooling(const std::vector<PoolCandidate>& candidates, const std::vector<std::int32_t>& truths,
          const PoolOptions& options, const Control& control)
      : candidates_(candidates), truths_(truths), options_(options), control_(control) {
    for (const PoolCandidate& candidate : candidates) losses_.push_back(candidate.about);
    const HeldOutScores& first = *candidates.front().scores;
    weights_ = first.weights.empty() ? Vector(truths.size(), 1) : first.weights;
    size_ = {std::ssize(truths), first.scores.columns()};
  }

  Pool run() {
    Pool pool;
    for (const PoolCandidate& candidate : candidates_)
      pool.calibrations.push_back(options_.calibrate
                                      ? fit_temperature(*candidate.scores, truths_, control_)
                                      : Calibration{});
    const std::vector<Truths> probabilities = all_probabilities(pool.calibrations);
    const Chosen chosen = choose(probabilities, weights_);
    pool.best = chosen.best;
    nested(pool, probabilities);
    if (chosen.members.size() < 2) return pool;
    pool.members = chosen.members;
    return pool;
  }

 private:
  [[nodiscard]] bool refits() const {
    return options_.calibrate && truths_.size() <= max_rows_refitted;
  }

  /// Probabilities of the truth of every row.
  [[nodiscard]] Truths probabilities_of(std::size_t c, double temperature) const {
    const HeldOutScores& scores = *candidates_[c].scores;
    Truths all{Vector(truths_.size()), Vector(truths_.size())};
    constexpr Index rows_per_part = 2048;
    const Index rows = std::ssize(truths_), parts = (rows + rows_per_part - 1) / rows_per_part;
    kernel::parallel_for(parts, control_.threads, [&](Index part) {
      for (Index i = part * rows_per_part; i < std::min(rows, (part + 1) * rows_per_part); ++i) {
        const double log_p = truth_log_probability(scores, i, truths_[at(i)], temperature);
        all.plain[at(i)] = std::exp(log_p);
        all.bounded[at(i)] = std::exp(-bounded_loss(log_p, size_));
      }
    });
    return all;
  }

  [[nodiscard]] std::vector<Truths> all_probabilities(
      const std::vector<Calibration>& calibrations) const {
    std::vector<Truths> all;
    for (std::size_t c = 0; c < candidates_.size(); ++c)
      all.push_back(probabilities_of(c, calibrations[c].temperature));
    return all;
  }

  [[nodiscard]] Chosen choose(const std::vector<Truths>& probabilities,
                              const Vector& weights) const {
    std::vector<std::size_t> list = best_of_families(losses_, weights);
    Chosen chosen{.best = list.front()};
    Vector shares;
    while (true) {
      std::vector<const Vector*> some;
      for (const std::size_t c : list) some.push_back(&probabilities[c].bounded);
      shares = pool_weights(some, weights);
      std::vector<std::size_t> kept;
      for (std::size_t m = 0; m < list.size(); ++m)
        if (shares[m] >= min_weight) kept.push_back(list[m]);
      if (kept.size() == list.size()) break;
      list = std::move(kept);
    }
    for (std::size_t m = 0; m < list.size(); ++m) chosen.members.push_back({list[m], shares[m]});
    std::ranges::stable_sort(chosen.members, std::ranges::greater(), &Pool::Member::weight);
    return chosen;
  }

  /// Losses where everything is chosen by the other folds.
  void nested(Pool& pool, const std::vector<Truths>& all) const {
    const std::vector<std::int32_t>& fold_of = candidates_.front().scores->model_of;
    const Index folds = candidates_.front().scores->log_priors.rows();
    Vector pooled(truths_.size()), single(truths_.size()), gains(truths_.size());
    const auto judge = [&](Index fold) {
      Vector others = weights_;
      for (std::size_t i = 0; i < others.size(); ++i)
        if (fold_of[i] == fold) others[i] = 0;
      if (std::ranges::none_of(others, [](double w) { return w > 0; })) others = weights_;
      const std::vector<Truths> own = refits() ? refitted_without(others) : std::vector<Truths>();
      const std::vector<Truths>& probabilities = refits() ? own : all;
      const Chosen chosen = choose(probabilities, others);
      for (std::size_t i = 0; i < others.size(); ++i) {
        if (fold_of[i] != fold) continue;
        double sum = 0, bounded = 0;
        for (const Pool::Member& member : chosen.members) {
          sum += member.weight * probabilities[member.candidate].plain[i];
          bounded += member.weight * probabilities[member.candidate].bounded[i];
        }
        pooled[i] = -std::log(sum);
        single[i] = -std::log(probabilities[chosen.best].plain[i]);
        gains[i] = std::log(bounded) - std::log(probabilities[chosen.best].bounded[i]);
      }
    };
    kernel::parallel_for(folds, control_.threads, judge);
    const Vector& weights = candidates_.front().scores->weights;
    pool.log_loss = average(pooled, weights);
    pool.best_log_loss = average(single, weights);
    const Average gain = average(gains, weights);
    pool.alone = !(gain.mean > options_.standard_errors * gain.se);
  }

  /// With temperatures of these rows, for the candidates that they choose.
  [[nodiscard]] std::vector<Truths> refitted_without(const Vector& weights) const {
    std::vector<Truths> all(candidates_.size());
    for (const std::size_t c : best_of_families(losses_, weights)) {
      HeldOutScores scores = *candidates_[c].scores;
      scores.weights = weights;
      all[c] = probabilities_of(c, fit_temperature(scores, truths_, {.threads = 1}).temperature);
    }
    return all;
  }

  const std::vector<PoolCandidate>& candidates_;
  const std::vector<std::int32_t>& truths_;
  const PoolOptions& options_;
  const Control& control_;
  std::vector<CandidateLosses> losses_;
  Vector weights_;
  HeldOutSize size_{};
};

}  // namespace

std::vector<std::size_t> best_of_families(const std::vector<CandidateLosses>& candidates,
                                          const Vector& row_weights) {
  Vector losses;
  for (const CandidateLosses& one : candidates) {
    double& sum = losses.emplace_back(0);
    for (std::size_t i = 0; i < row_weights.size(); ++i)
      if (row_weights[i] > 0) sum += row_weights[i] * (*one.losses)[i];
  }
  std::map<std::size_t, std::size_t> best;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const auto [known, is_new] = best.try_emplace(candidates[c].family, c);
    if (!is_new && losses[c] < losses[known->second]) known->second = c;
  }
  std::vector<std::size_t> list;
  for (const auto& [family, c] : best) list.push_back(c);
  std::ranges::stable_sort(list, {}, [&](std::size_t c) { return losses[c]; });
  return list;
}

Vector pool_weights(const std::vector<const Vector*>& probabilities, const Vector& row_weights) {
  const std::size_t count = probabilities.size();
  const double even = 1 / static_cast<double>(count);
  const double total = std::accumulate(row_weights.begin(), row_weights.end(), 1.0);
  Vector weights(count, even), sums(count);
  constexpr int max_steps = 1000;
  constexpr double precision = 1e-8;
  for (int step = 0; step < max_steps; ++step) {
    std::ranges::fill(sums, even);  // the Dirichlet prior
    for (std::size_t i = 0; i < row_weights.size(); ++i) {
      if (!(row_weights[i] > 0)) continue;
      double pooled = 0;
      for (std::size_t m = 0; m < count; ++m) pooled += weights[m] * (*probabilities[m])[i];
      for (std::size_t m = 0; m < count; ++m)
        sums[m] += row_weights[i] * weights[m] * (*probabilities[m])[i] / pooled;
    }
    double change = 0;
    for (std::size_t m = 0; m < count; ++m) {
      const double next = sums[m] / total;
      change = std::max(change, std::abs(next - weights[m]));
      weights[m] = next;
    }
    if (change < precision) break;
  }
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

Pool pool_candidates(const std::vector<PoolCandidate>& candidates,
                     const std::vector<std::int32_t>& truths, const PoolOptions& options,
                     const Control& control) {
  return Pooling(candidates, truths, options, control).run();
}

}  // namespace genera::select_detail
