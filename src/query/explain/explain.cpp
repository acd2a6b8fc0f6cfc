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
#include "score/committee/member_rows.hpp"
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

  /// The two most probable classes of a row.
  [[nodiscard]] Pair pair_of(const Answers& answers, Index position) const {
    return best_two(answers.labels[at(position)], scores_of(answers, position));
  }

  Explanation explain(const Answers& answers, Index position, Pair pair, Index max) {
    const Vector scores = scores_of(answers, position);
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
  [[nodiscard]] Vector scores_of(const Answers& answers, Index position) const {
    // Log joints, far below zero, may have no digits left; log posteriors do.
    return answers.log_posterior.empty()
               ? score::tempered(bound_.model(), answers.log_joint.row(position))
               : vector_of(answers.log_posterior.row(position));
  }

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

/// Explains each row by a model; `pairs`: the classes to compare, empty: the two most probable.
std::vector<Explanation> explain_by(ClassifierRef model, const Rows& rows, const Answers& answers,
                                    const std::vector<Pair>& pairs, Index max,
                                    const Control& control) {
  const score::BoundModel bound(model, rows);
  std::vector<Explanation> explanations(at(rows.count()));
  constexpr Index rows_per_task = 256;
  const auto end_of = [&](Index task) {
    return std::min(rows.count(), (task + 1) * rows_per_task);
  };
  const auto explain_some = [&](Index task) {
    Explainer explainer(bound);
    for (Index i = task * rows_per_task; i < end_of(task); ++i)
      explanations[at(i)] = explainer.explain(
          answers, i, pairs.empty() ? explainer.pair_of(answers, i) : pairs[at(i)], max);
  };
  kernel::ProgressMeter meter(control, Progress::Task::answering, rows.count());
  kernel::parallel_for((rows.count() + rows_per_task - 1) / rows_per_task, control.threads,
                       explain_some,
                       [&](Index task) { meter.advance(end_of(task) - task * rows_per_task); });
  return explanations;
}

constexpr WantedAnswers for_explanations{.log_joint = true, .labels = true, .log_posterior = true};

/// What one member says of each row, with the part that it has in the decision: v_m (p_m(best) +
/// p_m(second)), not yet divided by the sum over the members.
struct MemberSays {
  std::vector<Explanation> rows;
  Vector parts;
};

MemberSays what_says(const Committee& committee, std::size_t m, const Rows& rows,
                     const std::vector<Pair>& pairs, const Control& control) {
  const Committee::Member& member = committee.members()[m];
  const Rows own = score::rows_of_member(committee, member, rows);
  const Answers given = answers(member, own, for_explanations, control);
  MemberSays says{explain_by(member, own, given, pairs, std::numeric_limits<Index>::max(), control),
                  Vector(pairs.size())};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto row = given.log_posterior.row(static_cast<Index>(i));
    says.parts[i] =
        member.weight * (std::exp(row[at(pairs[i].best)]) + std::exp(row[at(pairs[i].second)]));
    // Infinite log odds have no share that could be weighted: they are left to `between models`.
    if (!std::isfinite(says.rows[i].log_odds)) says.parts[i] = 0;
  }
  return says;
}

/// Weighted shares of the members about one row, and what is left of its log odds.
Explanation pooled(const std::vector<MemberSays>& members, std::size_t i, Explanation result,
                   Index max) {
  double total = 0, sum = 0;
  for (const MemberSays& member : members) total += member.parts[i];
  std::vector<std::string> names;
  Shares shares;
  for (const MemberSays& member : members) {
    const double weight = member.parts[i] > 0 ? member.parts[i] / total : 0;
    if (weight == 0) continue;
    const Explanation& own = member.rows[i];
    result.base += weight * own.base;
    for (const Evidence& one : own.evidence) {
      const auto known = std::ranges::find(names, one.feature);
      const auto place = static_cast<std::size_t>(known - names.begin());
      if (known == names.end()) {
        names.push_back(one.feature);
        shares.push_back({place, {.feature = static_cast<Index>(place), .log_odds = 0}});
      }
      shares[place].share.log_odds += weight * one.log_odds;
    }
  }
  const auto name = [&](const query::BlockShare& share) { return names[share.block]; };
  result.rest = query::keep_largest(shares, max, query::By::size, name, result.evidence);
  sum = result.base + result.rest;
  for (const Evidence& one : result.evidence) sum += one.log_odds;
  result.evidence.push_back({"between models", result.log_odds - sum});
  return result;
}

std::vector<Explanation> explain_committee(const Committee& committee, const Rows& rows,
                                           const Answers& answers, Index max,
                                           const Control& control) {
  std::vector<Explanation> all(at(rows.count()));
  std::vector<Pair> pairs;
  for (Index i = 0; i < rows.count(); ++i) {
    const Pair pair = best_two(answers.labels[at(i)], vector_of(answers.log_posterior.row(i)));
    pairs.push_back(pair);
    all[at(i)].best = static_cast<std::int32_t>(pair.best);
    all[at(i)].second = static_cast<std::int32_t>(pair.second);
    if (pair.second >= 0)
      all[at(i)].log_odds =
          answers.log_posterior(i, pair.best) - answers.log_posterior(i, pair.second);
  }
  if (committee.classes().size() < 2) return all;
  std::vector<MemberSays> members;
  for (std::size_t m = 0; m < committee.members().size(); ++m)
    members.push_back(what_says(committee, m, rows, pairs, kernel::silent(control)));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = pooled(members, i, std::move(all[i]), max);
  return all;
}

}  // namespace

std::vector<Explanation> explain(ClassifierRef model, const Rows& rows, const Answers& answers,
                                 Index max, const Control& control) {
  if (answers.log_joint.rows() != rows.count() || std::ssize(answers.labels) != rows.count())
    throw Error(Errc::bad_argument, "the answers do not hold log joints and labels of these rows",
                "ask for both, of the same rows");
  const Committee* committee = model.committee();
  if (!committee) return explain_by(model, rows, answers, {}, max, control);
  if (!answers.log_posterior.empty())
    return explain_committee(*committee, rows, answers, max, control);
  return explain(model, rows, max, control);
}

std::vector<Explanation> explain(ClassifierRef model, const Rows& rows, Index max,
                                 const Control& control) {
  return explain(model, rows, answers(model, rows, for_explanations, kernel::silent(control)), max,
                 control);
}

}  // namespace genera
