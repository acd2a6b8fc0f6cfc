#include "evaluate/judging.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <genera/curves.hpp>
#include <genera/error.hpp>

#include "data/columns.hpp"
#include "data/join_tables.hpp"
#include "fit/laid_out.hpp"
#include "fit/needs.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "kernel/log_sum.hpp"
#include "score/bound_model.hpp"
#include "score/scorer.hpp"
#include "sums/classes.hpp"
#include "sums/summarise.hpp"

namespace genera::select_detail {
namespace {

using kernel::at;
using kernel::infinity;
using kernel::log_sum;

double brier_of(std::span<const double> posterior, std::int32_t truth) {
  double sum = 0;
  for (std::size_t k = 0; k < posterior.size(); ++k) {
    const double off = posterior[k] - (static_cast<std::int32_t>(k) == truth ? 1 : 0);
    sum += off * off;
  }
  return sum;
}

std::vector<sums::RowsOfClass> rows_by_label(const Rows& rows) {
  const CodesView& labels = rows.data().labels;
  std::vector<sums::RowsOfClass> counts(labels.names.size());
  for (Index i = 0; i < rows.count() && !labels.empty(); ++i) {
    const std::int32_t label = labels(rows.row(i));
    if (label < 0) continue;
    sums::RowsOfClass& of_class = counts[at(label)];
    ++(rows.weight(rows.row(i)) > 0 ? of_class.weighted : of_class.weightless);
  }
  return counts;
}

/// Positions of the rows that take part, each as often as it is there.
std::vector<Index> used_positions(const Rows& rows, const FitOptions& options, Index& left_out) {
  std::vector<Index> positions;
  const bool drop = options.missing == Missing::drop;
  const auto usable = sums::usable_rows(rows, options.missing);
  for (Index i = 0; i < rows.count(); ++i) {
    const Index row = rows.row(i), copies = rows.copies(row);
    const bool labelled = rows.data().labels(row) >= 0;
    if (drop ? labelled && usable(row) : labelled || options.uses_unlabelled()) {
      if (copies > data::max_copies - std::ssize(positions)) data::refuse_copies();
      positions.insert(positions.end(), at(copies), i);
    } else {
      left_out += copies;
    }
  }
  return positions;
}

/// These positions of rows; every row stands for itself. `list` must outlive them.
Rows some_of(const Rows& rows, const std::vector<Index>& positions, std::vector<Index>& list) {
  for (const Index position : positions) list.push_back(rows.row(position));
  if (!rows.data().frequencies) return rows.only(list);
  DataView single = rows.data();
  single.weights = {};
  single.frequencies = false;
  return Rows(std::move(single)).only(list);
}

bool has_sparse_features(const Rows& rows) {
  return data::sparse_features(rows.data()).has_value();
}

}  // namespace

Judged judged_rows(const Rows& rows, const std::function<bool(Index)>& is_left_out) {
  const CodesView& labels = rows.data().labels;
  Judged judged;
  const std::vector<sums::RowsOfClass> counts = rows_by_label(rows);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k].weighted > 0) judged.classes.push_back(labels.names[k]);
    if (counts[k].weightless > 0) judged.weightless.emplace(labels.names[k], counts[k]);
  }
  sums::refuse_flood_of_classes(rows.data().target, judged.classes.size(), rows.count());
  sort_labels(judged.classes);
  for (const Index place : find_labels(judged.classes, labels.names))
    judged.class_of.push_back(static_cast<std::int32_t>(place));
  for (Index i = 0; i < rows.count() && !labels.empty(); ++i) {
    const std::int32_t label = labels(rows.row(i));
    if (label < 0 || !(rows.weight(rows.row(i)) > 0)) continue;
    if (is_left_out(i)) {
      ++judged.not_judged;
      continue;
    }
    judged.positions.push_back(i);
    judged.truths.push_back(judged.class_of[at(label)]);
    if (!rows.data().weights.empty()) judged.weights.push_back(rows.weight(rows.row(i)));
  }
  return judged;
}

Verdict::Verdict(const Judged& judged, Index models, bool keep_scores)
    : judged_(judged),
      losses_(judged.positions.size()),
      briers_(judged.positions.size()),
      wrong_(judged.positions.size()) {
  if (!keep_scores) return;
  const auto classes = std::ssize(judged.classes);
  scores_ = HeldOutScores{Matrix(std::ssize(judged.positions), classes), Matrix(models, classes),
                          std::vector<std::int32_t>(judged.positions.size()), judged.weights};
}

void Verdict::set_prior(Index model, std::span<const double> log_prior) {
  if (scores_) std::ranges::copy(log_prior, scores_->log_priors.row(model).begin());
}

void Verdict::set(Index i, Index model, const Answer& answer) {
  const std::int32_t truth = judged_.truths[at(i)];
  losses_[at(i)] = answer.loss;
  briers_[at(i)] = brier_of(answer.posterior, truth);
  wrong_[at(i)] = answer.label != truth;
  if (!scores_) return;
  std::ranges::copy(answer.scores, scores_->scores.row(i).begin());
  scores_->model_of[at(i)] = static_cast<std::int32_t>(model);
}

void Verdict::set(Index i, Index model, std::span<const double> scores,
                  std::span<const double> log_prior) {
  const double total = log_sum(scores);
  const bool impossible = std::isinf(total);
  Vector posterior(scores.size());
  for (std::size_t k = 0; k < posterior.size(); ++k)
    posterior[k] = std::exp(impossible ? log_prior[k] : scores[k] - total);
  const std::span<const double> by = impossible ? log_prior : scores;
  const std::size_t truth = at(judged_.truths[at(i)]);
  set(i, model,
      {scores, posterior, static_cast<std::int32_t>(std::ranges::max_element(by) - by.begin()),
       impossible ? -log_prior[truth] : total - scores[truth]});
}

HeldOut Verdict::result() && {
  HeldOut found;
  found.usable = true;
  found.rows = std::ssize(losses_);
  Vector wrong(wrong_.begin(), wrong_.end());
  found.errors = std::ranges::count(wrong_, 1);
  const Average error = average(wrong, judged_.weights), loss = average(losses_, judged_.weights),
                brier = average(briers_, judged_.weights);
  found.error_rate = error.mean;
  found.error_rate_se = error.se;
  found.log_loss = loss.mean;
  found.log_loss_se = loss.se;
  found.brier = brier.mean;
  found.brier_se = brier.se;
  found.losses = std::move(losses_);
  found.scores = std::move(scores_);
  return found;
}

void judge(ClassifierRef model, const Rows& rows, const Judged& judged,
           std::span<const Index> which, Index model_number, Verdict& to) {
  std::vector<Index> list;
  for (const Index i : which) list.push_back(rows.row(judged.positions[at(i)]));
  const score::BoundModel bound(model, rows.only(list));
  const Index n = std::ssize(list), own = bound.classes(), all = std::ssize(judged.classes);
  Matrix joint(n, own), posterior(n, own), log_posterior(n, own);
  std::vector<std::int32_t> labels(at(n));
  (void)score::run_all(bound,
                       {.log_joint = joint.data(),
                        .posterior = posterior.data(),
                        .log_posterior = log_posterior.data(),
                        .labels = labels.data()},
                       {});
  std::vector<std::size_t> places;
  for (const Index place : find_labels(judged.classes, model.classes()))
    places.push_back(at(place));
  const Vector& prior = model.prior().log();
  Vector full_prior(at(all), model.model() ? -infinity : 0), scores(at(all)), shares(at(all));
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (model.model()) full_prior[places[k]] = prior[k];
  }
  to.set_prior(model_number, full_prior);
  for (Index i = 0; i < n; ++i) {
    std::ranges::fill(scores, -infinity);
    std::ranges::fill(shares, 0.0);
    const std::size_t truth = at(judged.truths[at(which[at(i)])]);
    double loss = infinity;
    for (std::size_t k = 0; k < places.size(); ++k) {
      scores[places[k]] = joint(i, static_cast<Index>(k));
      shares[places[k]] = posterior(i, static_cast<Index>(k));
      if (places[k] == truth) loss = -log_posterior(i, static_cast<Index>(k));
    }
    const auto label = static_cast<std::int32_t>(places[at(labels[at(i)])]);
    to.set(which[at(i)], model_number, {scores, shares, label, loss});
  }
}

HeldOut unusable(const Error& error) {
  HeldOut found;
  found.why_not = error.what();
  found.hint = error.hint();
  return found;
}

void check_candidates(const Rows& rows, const std::vector<Candidate>& candidates) {
  if (candidates.empty())
    throw Error(Errc::bad_argument, "there is nothing to choose among",
                {"name at least one of {}", {{"models"}}});
  for (const Candidate& candidate : candidates) {
    if (candidate.rows && candidate.rows->count() != rows.count())
      throw Error(Errc::bad_argument,
                  fmt::format("'{}' has {} of its own, not {}", candidate.name,
                              counted(candidate.rows->count(), "row"), rows.count()),
                  "give the same rows in the same order");
  }
}

void check_labels(const Rows& rows, const std::vector<Candidate>& candidates) {
  if (rows.data().labels.empty()) sums::refuse_unlabelled();
  for (const Candidate& candidate : candidates) {
    if (candidate.rows && candidate.rows->data().labels.empty())
      throw Error(Errc::bad_argument,
                  fmt::format("'{}' has rows of its own without labels", candidate.name),
                  "give them the labels of the other rows");
  }
}

RowsInUse::RowsInUse(const Rows& rows, const std::vector<Candidate>& candidates,
                     const FitOptions& options)
    : rows_(rows), candidates_(candidates), drops_(options.missing == Missing::drop) {
  std::vector<Index> used = used_positions(rows, options, left_out_);
  if (left_out_ == 0 && !rows.data().frequencies) return;
  lists_.reserve(candidates.size() + 1);
  rows_ = some_of(rows, used, lists_.emplace_back());
  for (Candidate& candidate : candidates_) {
    if (candidate.rows) candidate.rows = some_of(*candidate.rows, used, lists_.emplace_back());
  }
  positions_ = std::move(used);
}

Selection RowsInUse::of_all_rows(Selection selection) const {
  if (positions_)
    for (Index& position : selection.judged) position = (*positions_)[at(position)];
  if (left_out_ > 0)
    selection.notes.push_back(
        {drops_ ? counted(left_out_, "row is", "rows are") +
                      " left out: a value or the label is missing"
                : counted(left_out_, "row without a label is", "rows without a label are") +
                      " left out"});
  return selection;
}

bool LatentCells::in(const Rows& rows, const Recipe& recipe) {
  const bool joint = recipe.discrete.joint;
  const auto [known, is_new] = known_.try_emplace({&rows, joint});
  if (is_new)
    known->second =
        sums::summarise_all(rows, {.schema = {.scatter = Scatter::none, .joint = joint}}, {});
  return fit_detail::needs_em(known->second, recipe, options_);
}

LaidOutCandidates::LaidOutCandidates(const Rows& rows, const std::vector<Candidate>& candidates,
                                     Missing missing)
    : candidates_(candidates) {
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const auto* recipe = std::get_if<Recipe>(&candidates[c].recipe);
    const Rows& own = rows_of(candidates[c], rows);
    if (!recipe || !has_sparse_features(own) ||
        !fit_detail::needs_of(*recipe, missing, true).every_cell)
      continue;
    try {
      const auto [table, is_new] = tables_.try_emplace(&own);
      if (is_new) table->second = fit_detail::laid_out(own);
      candidates_[c].rows = table->second;
    } catch (const Error&) {
      tables_.erase(&own);
    }
  }
}

bool needs_sums_only(const Recipe& recipe, const Rows& rows, Missing missing) {
  return fit_detail::needs_of(recipe, missing, has_sparse_features(rows)).only_sums();
}

bool is_closed_form(const Rows& rows, const Candidate& candidate, const FitOptions& options,
                    LatentCells& latent) {
  const auto* recipe = std::get_if<Recipe>(&candidate.recipe);
  const Rows& own = rows_of(candidate, rows);
  if (!recipe || !needs_sums_only(*recipe, own, options.missing)) return false;
  return options.missing == Missing::drop || !latent.in(own, *recipe);
}

bool serve_both(CollectOptions& known, const CollectOptions& more) {
  const bool numbers = known.scatter != Scatter::none;
  if (known.joint != more.joint || numbers != (more.scatter != Scatter::none)) return false;
  if (more.scatter == Scatter::full) known.scatter = Scatter::full;
  return true;
}

CollectOptions sums_needed(const Rows& rows, const Candidate& candidate,
                           const FitOptions& options) {
  return fit_detail::needs_of(std::get<Recipe>(candidate.recipe), options.missing,
                              has_sparse_features(rows_of(candidate, rows)))
      .sums;
}

}  // namespace genera::select_detail
