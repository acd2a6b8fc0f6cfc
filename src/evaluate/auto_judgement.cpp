#include "evaluate/auto_judgement.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <genera/error.hpp>

#include "data/join_tables.hpp"
#include "evaluate/strata.hpp"
#include "evaluate/temperature.hpp"
#include "evaluate/unlabelled_weight.hpp"
#include "kernel/index.hpp"
#include "sums/summarise.hpp"

namespace genera::select_detail {
namespace {

using kernel::at;

/// Labelled rows that decide where each fold of each candidate takes an EM of its own.
constexpr Index max_by_em = 1000;

/// With fewer rows, one row is more than a hundredth of the evidence: neither weights of a
/// committee nor temperatures near 1 can be trusted.
constexpr Index few_rows = 100;

/// Rows that decide: labelled ones of a weight above 0; complete ones if others are dropped.
std::vector<Index> labelled_rows_of(const Table& table, Missing missing) {
  std::vector<Index> rows;
  const Rows all(table);
  const auto usable = sums::usable_rows(all, missing);
  for (Index i = 0; i < std::ssize(table.labels); ++i) {
    const bool counts = table.labels[at(i)] >= 0 && all.weight(i) > 0;
    if (counts && (missing != Missing::drop || usable(i))) rows.push_back(i);
  }
  return rows;
}

bool lacks_numbers(const Table& table, const std::vector<Index>& rows) {
  return std::ranges::any_of(rows, [&](Index i) {
    return std::ranges::any_of(table.numbers.row(i), [](double x) { return std::isnan(x); });
  });
}

}  // namespace

ClassWeights weights_of(const Rows& rows) {
  ClassWeights weights;
  const CodesView& labels = rows.data().labels;
  for (Index i = 0; !labels.empty() && i < rows.count(); ++i) {
    const Index row = rows.row(i);
    const std::int32_t label = labels(row);
    if (label >= 0) weights[labels.names[at(label)]] += rows.weight(row);
  }
  return weights;
}

AutoJudgement::AutoJudgement(const AutoData& data, const AutoOptions& options,
                             const Control& control)
    : data_(data),
      options_(options),
      control_(control),
      rows_(labelled_rows_of(*data.sample.table, options.fit.missing)) {
  const bool expensive =
      options.fit.missing == Missing::em && lacks_numbers(*data.sample.table, rows_);
  if (expensive) take_sample();
  std::vector<std::string> fixed = data.source.fixed_types();
  fixed.insert(fixed.end(), options.keep_types.begin(), options.keep_types.end());
  candidates_ = auto_candidates(data.sample, fixed, options, expensive);
  const bool several = weights_of(*data.sample.table).size() > 1;
  folds_ = std::min(options.folds, std::ssize(rows_));
  if (several && folds_ >= 2) judge();
}

SelectOptions AutoJudgement::select_options() const {
  return {.folds = folds_, .seed = options_.seed, .fit = options_.fit};
}

bool AutoJudgement::weighs_unlabelled() const {
  const std::vector<std::int32_t>& labels = data_.sample.table->labels;
  return !options_.fit.unlabelled_weight && std::ranges::find(labels, -1) != labels.end();
}

UnlabelledWeight AutoJudgement::unlabelled_weight(std::size_t c) const {
  if (!weighs_unlabelled()) return {};
  const AutoCandidate& one = candidates_.list[c];
  const Rows rows(*one.reading->table);
  return choose_unlabelled_weight({rows, data_.unlabelled_scale}, one.recipe, select_options(),
                                  control_);
}

std::optional<AutoJudgement::Judged> AutoJudgement::judged(std::size_t c,
                                                           const FitOptions& fit) const {
  if (!fit.uses_unlabelled() && selection_.candidates[c].scores)
    return Judged{selection_.candidates[c], selection_.truths};
  SelectOptions select = select_options();
  select.keep_scores = true;
  select.fit = fit;
  const AutoCandidate& one = candidates_.list[c];
  const WithUnlabelled with(all_of(*one.reading), rows_, fit.uses_unlabelled() ? max_unlabelled : 0,
                            options_.seed);
  if (fit.uses_unlabelled())
    select.fit.unlabelled_weight = *fit.unlabelled_weight * with.scale * data_.unlabelled_scale;
  Folds folds = dealt_;
  folds.of.resize(with.list.size(), -1);
  Selection again =
      cross_validate(with.rows, {{one.name, one.recipe, {}}}, folds, select, control_);
  if (!again.candidates.front().usable || again.judged.empty()) return std::nullopt;
  return Judged{std::move(again.candidates.front()), std::move(again.truths)};
}

Rows AutoJudgement::all_of(const Reading& reading) const {
  if (weights_.empty()) return *reading.table;
  DataView data = Rows(*reading.table).data();
  data.weights = weights_;
  return Rows(std::move(data));
}

/// Classes weigh as much as in the whole sample.
void AutoJudgement::take_sample() {
  const Table& table = *data_.sample.table;
  const std::vector<Index> all =
      std::exchange(rows_, stratified_sample(table, max_by_em, options_.seed));
  if (rows_.size() == all.size()) return;
  const auto count = [&](const std::vector<Index>& rows) {
    Vector of_class(table.classes.size());
    for (const Index i : rows) ++of_class[at(table.labels[at(i)])];
    return of_class;
  };
  const Vector before = count(all), after = count(rows_);
  weights_ = table.weights.empty() ? Vector(at(table.rows()), 1) : table.weights;
  for (const Index i : rows_) {
    const std::size_t k = at(table.labels[at(i)]);
    weights_[at(i)] *= data::weight_of_stratum({before[k], static_cast<double>(all.size())},
                                               {after[k], static_cast<double>(rows_.size())});
  }
}

/// Those of all candidates, of which one is needed: else the winner is judged again.
bool AutoJudgement::scores_fit_in_memory() const {
  constexpr double max_bytes = 1 << 26;
  const auto classes = static_cast<double>(data_.sample.table->classes.size());
  const auto rows = static_cast<double>(rows_.size() * candidates_.list.size());
  return rows * classes * sizeof(double) <= max_bytes;
}

/// By labelled rows alone: the candidates need not be fitted by EM then.
void AutoJudgement::judge() {
  std::vector<Candidate> list;
  const Reading& first = *candidates_.list.front().reading;
  for (const AutoCandidate& one : candidates_.list)
    list.push_back({one.name, one.recipe,
                    one.reading == &first ? std::nullopt : std::optional(rows_of(*one.reading))});
  SelectOptions select = select_options();
  select.keep_scores = options_.calibrate && scores_fit_in_memory();
  try {
    dealt_ = stratified_folds(rows_of(first), folds_, options_.seed);
    selection_ = cross_validate(rows_of(first), list, dealt_, select, control_);
  } catch (const Error& error) {  // too few rows are complete, say
    if (error.code() == Errc::stopped) throw;
    return;
  }
  for (const std::size_t c : selection_.ranking()) {
    if (std::isfinite(loss(c)) && !selection_.judged.empty()) ranking_.push_back(c);
  }
}

/// As if one more row, typical of the others, had been taken for its second class.
Calibration AutoJudgement::Judged::calibration(const Control& control) const {
  return std::ssize(truths) < few_rows ? cautious_temperature(*held_out.scores, truths, control)
                                       : fit_temperature(*held_out.scores, truths, control);
}

std::vector<CandidateLosses> AutoJudgement::losses() const {
  std::vector<std::string> families;
  std::vector<CandidateLosses> all;
  for (const std::size_t c : ranking_) {
    const std::string& family = candidates_.list[c].family;
    const auto place = std::ranges::find(families, family) - families.begin();
    if (place == std::ssize(families)) families.push_back(family);
    all.push_back({&selection_.candidates[c].losses, static_cast<std::size_t>(place)});
  }
  return all;
}

/// Those that are the best of their family by all rows, or by the rows of all folds but one, as
/// places in the ranking.
std::vector<std::size_t> AutoJudgement::ever_best(const std::vector<CandidateLosses>& all) const {
  const Vector weights =
      selection_.weights.empty() ? Vector(selection_.judged.size(), 1) : selection_.weights;
  std::set<std::size_t> chosen;
  for (Index fold = -1; fold < folds_; ++fold) {
    Vector others = weights;
    for (std::size_t i = 0; i < others.size(); ++i)
      if (dealt_.of[at(selection_.judged[i])] == fold) others[i] = 0;
    for (const std::size_t c : best_of_families(all, others)) chosen.insert(c);
  }
  return {chosen.begin(), chosen.end()};
}

std::optional<AutoJudgement::Pooled> AutoJudgement::pooled() const {
  if (!options_.pool || options_.fast || rows() < few_rows || options_.fit.uses_unlabelled() ||
      ranking_.empty())
    return std::nullopt;
  const std::vector<CandidateLosses> all = losses();
  const std::vector<std::size_t> places = ever_best(all);
  std::vector<std::size_t> list;
  for (const std::size_t place : places) list.push_back(ranking_[place]);
  const bool known = std::ranges::all_of(
      list, [&](std::size_t c) { return selection_.candidates[c].scores.has_value(); });
  Selection again;
  if (!known) {
    std::vector<Candidate> asked;
    for (const std::size_t c : list) asked.push_back(candidate(c));
    SelectOptions select = select_options();
    select.keep_scores = true;
    again =
        cross_validate(rows_of(*candidates_.list.front().reading), asked, dealt_, select, control_);
  }
  std::vector<PoolCandidate> pooled;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const HeldOut& held_out = known ? selection_.candidates[list[i]] : again.candidates[i];
    pooled.push_back({all[places[i]], &*held_out.scores});
  }
  const PoolOptions options{.calibrate = options_.calibrate,
                            .standard_errors = options_.simple ? 3.0 : 1.0};
  return Pooled{list, pool_candidates(pooled, selection_.truths, options, control_)};
}

Candidate AutoJudgement::candidate(std::size_t c) const {
  const AutoCandidate& one = candidates_.list[c];
  if (one.reading == candidates_.list.front().reading) return {one.name, one.recipe, {}};
  return {one.name, one.recipe, rows_of(*one.reading)};
}

}  // namespace genera::select_detail
