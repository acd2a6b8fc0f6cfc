#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>

#include <genera/error.hpp>
#include <genera/explain.hpp>

#include "kernel/index.hpp"
#include "kernel/parallel.hpp"
#include "kernel/progress.hpp"
#include "query/explain/largest.hpp"
#include "score/bound_model.hpp"
#include "score/temperature.hpp"

namespace genera {
namespace {

using kernel::at;

using blocks::Pair;
using query::Shares;

/// `scores` are compared, as those of the posterior are.
Pair best_two(Index best, const Vector& scores) {
  Index second = -1;
  for (Index k = 0; k < std::ssize(scores); ++k) {
    if (k == best) continue;
    if (second < 0 || scores[at(k)] > scores[at(second)]) second = k;
  }
  return {best, second};
}

Vector vector_of(std::span<const double> row) { return {row.begin(), row.end()}; }

/// Explains rows, one after the other; one per thread.
class Explainer {
 public:
  explicit Explainer(const score::BoundModel& bound) : bound_(bound) {
    for (std::size_t b = 0; b < bound.size(); ++b)
      workers_.push_back(bound.part(b).worker(blocks::MissingMode::none));
  }

  Explanation explain(const Answers& answers, Index position, Index max) {
    // Log posteriors are compared where log joints, far below zero, have no digits left.
    const Vector scores = answers.log_posterior.empty()
                              ? score::tempered(bound_.model(), answers.log_joint.row(position))
                              : vector_of(answers.log_posterior.row(position));
    const Pair pair = best_two(answers.labels[at(position)], scores);
    Explanation result{.best = static_cast<std::int32_t>(pair.best),
                       .second = static_cast<std::int32_t>(pair.second)};
    if (pair.second < 0) return result;
    const bool impossible = is_impossible(answers, position);
    result.log_odds = result.base = odds_of_start(pair, impossible);
    if (impossible) return result;
    const double temperature = bound_.model().temperature();
    Shares shares;
    for (std::size_t b = 0; b < workers_.size(); ++b) {
      found_.clear();
      result.base += workers_[b]->explain(bound_.rows().row(position), pair, found_) / temperature;
      for (blocks::Share share : found_) {
        share.log_odds /= temperature;
        shares.push_back({b, share});
      }
    }
    const auto name = [&](const query::BlockShare& share) {
      return workers_[share.block]->feature_name(share.share.feature);
    };
    result.rest = query::keep_largest(shares, max, query::By::size, name, result.evidence);
    result.log_odds = result.base + result.rest;
    double largest = std::max(std::abs(result.base), std::abs(result.rest));
    for (const Evidence& one : result.evidence) {
      result.log_odds += one.log_odds;
      largest = std::max(largest, std::abs(one.log_odds));
    }
    // Far out, scores have no digits left for their difference; elsewhere it has more than the sum.
    const double difference = scores[at(pair.best)] - scores[at(pair.second)];
    if (!(std::abs(result.log_odds - difference) > 1e-12 * largest)) result.log_odds = difference;
    // Rounding puts no class before the best one.
    if (result.log_odds < 0 && result.log_odds > -1e-12 * largest) result.log_odds = 0;
    return result;
  }

 private:
  /// Under every class: it then has its prior.
  [[nodiscard]] bool is_impossible(const Answers& answers, Index row) const {
    const auto infinite = [](double x) { return std::isinf(x); };
    return std::ranges::all_of(answers.log_joint.row(row), infinite) &&
           (answers.log_posterior.empty() ||
            std::ranges::equal(answers.log_posterior.row(row), bound_.model().prior().log()));
  }

  /// Before any feature is looked at; a row that is impossible has nothing but its prior.
  [[nodiscard]] double odds_of_start(Pair pair, bool impossible) const {
    const Vector& start = impossible ? bound_.model().prior().log() : bound_.start();
    const double odds = start[at(pair.best)] - start[at(pair.second)];
    const bool divided = bound_.model().linear() != nullptr && !impossible;  // intercepts
    return divided ? odds / bound_.model().temperature() : odds;
  }

  const score::BoundModel& bound_;
  std::vector<std::unique_ptr<blocks::ScoreWorker>> workers_;
  std::vector<blocks::Share> found_;
};

}  // namespace

std::vector<Explanation> explain(ClassifierRef model, const Rows& rows, const Answers& answers,
                                 Index max, const Control& control) {
  if (answers.log_joint.rows() != rows.count() || std::ssize(answers.labels) != rows.count())
    throw Error(Errc::bad_argument, "the answers do not hold log joints and labels of these rows",
                "ask for both, of the same rows");
  const score::BoundModel bound(model, rows);
  std::vector<Explanation> explanations(at(rows.count()));
  constexpr Index rows_per_task = 256;
  const auto end_of = [&](Index task) {
    return std::min(rows.count(), (task + 1) * rows_per_task);
  };
  const auto explain_some = [&](Index task) {
    Explainer explainer(bound);
    for (Index i = task * rows_per_task; i < end_of(task); ++i)
      explanations[at(i)] = explainer.explain(answers, i, max);
  };
  kernel::ProgressMeter meter(control, Progress::Task::answering, rows.count());
  kernel::parallel_for((rows.count() + rows_per_task - 1) / rows_per_task, control.threads,
                       explain_some,
                       [&](Index task) { meter.advance(end_of(task) - task * rows_per_task); });
  return explanations;
}

std::vector<Explanation> explain(ClassifierRef model, const Rows& rows, Index max,
                                 const Control& control) {
  const WantedAnswers wanted{.log_joint = true, .labels = true, .log_posterior = true};
  return explain(model, rows, answers(model, rows, wanted, kernel::silent(control)), max, control);
}

}  // namespace genera
