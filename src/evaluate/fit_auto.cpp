#include <genera/fit_auto.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/constant_block.hpp"
#include "data/join_tables.hpp"
#include "data/memory_rows.hpp"
#include "evaluate/auto_candidates.hpp"
#include "evaluate/strata.hpp"
#include "evaluate/temperature.hpp"
#include "evaluate/unlabelled_weight.hpp"
#include "kernel/index.hpp"
#include "kernel/progress.hpp"
#include "kernel/text.hpp"
#include "sums/summarise.hpp"

namespace genera {
namespace {

using kernel::at;
using select_detail::AutoCandidate;
using select_detail::AutoCandidates;
using select_detail::Reading;
using select_detail::Storage;
using select_detail::WithUnlabelled;

using ClassWeights = std::map<std::string, double>;

/// The rows, and a sample of them.
struct AutoData {
  AutoData(RowSource& from, RowSample&& some)
      : source(from),
        rows(some.of),
        unlabelled_scale(some.unlabelled_scale()),
        sample(select_detail::auto_sample(std::move(some.rows), some.of)) {}

  select_detail::ReadRows source;
  Index rows;               ///< of all
  double unlabelled_scale;  ///< of the weights of the rows of the sample without a label
  select_detail::AutoSample sample;
};

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

ClassWeights weights_of(RowSource& rows, const Control& control) {
  return rows.reduce(
      control, [] { return ClassWeights(); }, [](const Rows& chunk) { return weights_of(chunk); },
      [](ClassWeights& all, const ClassWeights& some) {
        for (const auto& [name, weight] : some) all[name] += weight;
      });
}

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

/// Folds of the sample, and what the candidates are worth there.
class Choice {
 public:
  Choice(const AutoData& data, const AutoOptions& options, const Control& control)
      : data_(data),
        options_(options),
        control_(control),
        rows_(labelled_rows_of(*data.sample.table, options.fit.missing)) {
    const bool expensive =
        options.fit.missing == Missing::em && lacks_numbers(*data.sample.table, rows_);
    if (expensive) take_sample();
    std::vector<std::string> fixed = data.source.fixed_types();
    fixed.insert(fixed.end(), options.keep_types.begin(), options.keep_types.end());
    candidates_ = select_detail::auto_candidates(data.sample, fixed, options, expensive);
    const bool several = weights_of(*data.sample.table).size() > 1;
    folds_ = std::min(options.folds, std::ssize(rows_));
    if (several && folds_ >= 2) judge();
  }

  [[nodiscard]] const AutoCandidates& candidates() const { return candidates_; }
  /// Of the candidates, the best first; empty if nothing could be compared.
  [[nodiscard]] const std::vector<std::size_t>& ranking() const { return ranking_; }
  [[nodiscard]] double loss(std::size_t candidate) const {
    return selection_.candidates[candidate].log_loss;
  }
  [[nodiscard]] Index rows() const { return std::ssize(rows_); }
  [[nodiscard]] Index folds() const { return folds_; }

  /// The weight of rows without a label, if there are such rows and it is not given.
  [[nodiscard]] UnlabelledWeight unlabelled_weight(std::size_t c) const {
    const std::vector<std::int32_t>& labels = data_.sample.table->labels;
    const bool open =
        !options_.fit.unlabelled_weight && std::ranges::find(labels, -1) != labels.end();
    if (!open) return {};
    const AutoCandidate& one = candidates_.list[c];
    const Rows rows(*one.reading->table);
    return select_detail::choose_unlabelled_weight({rows, data_.unlabelled_scale}, one.recipe,
                                                   select_options(), control_);
  }

  /// A candidate as it is fitted to all rows, judged in the same folds.
  struct Judged {
    HeldOut held_out;
    std::vector<std::int32_t> truths;
  };
  [[nodiscard]] std::optional<Judged> judged(std::size_t c, const FitOptions& fit) const {
    if (!fit.uses_unlabelled() && selection_.candidates[c].scores)
      return Judged{selection_.candidates[c], selection_.truths};
    SelectOptions select = select_options();
    select.keep_scores = true;
    select.fit = fit;
    const AutoCandidate& one = candidates_.list[c];
    const WithUnlabelled with(all_of(*one.reading), rows_,
                              fit.uses_unlabelled() ? select_detail::max_unlabelled : 0,
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

 private:
  /// Labelled rows that decide where each fold of each candidate takes an EM of its own.
  static constexpr Index max_by_em = 1000;

  [[nodiscard]] SelectOptions select_options() const {
    return {.folds = folds_, .seed = options_.seed, .fit = options_.fit};
  }
  [[nodiscard]] Rows all_of(const Reading& reading) const {
    if (weights_.empty()) return *reading.table;
    DataView data = Rows(*reading.table).data();
    data.weights = weights_;
    return Rows(std::move(data));
  }
  [[nodiscard]] Rows rows_of(const Reading& reading) const { return all_of(reading).only(rows_); }

  /// Classes weigh as much as in the whole sample.
  void take_sample() {
    const Table& table = *data_.sample.table;
    const std::vector<Index> all =
        std::exchange(rows_, select_detail::stratified_sample(table, max_by_em, options_.seed));
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
  [[nodiscard]] bool scores_fit_in_memory() const {
    constexpr double max_bytes = 1 << 26;
    const auto classes = static_cast<double>(data_.sample.table->classes.size());
    const auto rows = static_cast<double>(rows_.size() * candidates_.list.size());
    return rows * classes * sizeof(double) <= max_bytes;
  }

  /// By labelled rows alone: the candidates need not be fitted by EM then.
  void judge() {
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

  const AutoData& data_;
  const AutoOptions& options_;
  const Control& control_;
  std::vector<Index> rows_;  // labelled ones that decide
  Vector weights_;           // of all rows, if only a sample decides; else empty
  Index folds_ = 0;
  Folds dealt_;
  AutoCandidates candidates_;
  Selection selection_;
  std::vector<std::size_t> ranking_;
};

/// A category that is the same in every class.
Block same_everywhere(const AutoData& data, const Vector& counts) {
  const Table& table = *data.sample.table;
  const bool number = table.columns.front().type == ColumnType::numeric && table.rows() > 0 &&
                      !std::isnan(table.numbers(0, 0));
  return blocks::constant_category(table.columns.front().name,
                                   number ? fmt::format("{}", table.numbers(0, 0)) : "(none)",
                                   counts);
}

/// A model of the priors alone.
Model prior_only(const AutoData& data, const ClassWeights& weights, const Recipe& base) {
  std::vector<std::string> classes;
  Vector counts;
  for (const auto& [name, weight] : weights) classes.push_back(name);
  sort_labels(classes);
  for (const std::string& name : classes) counts.push_back(weights.at(name));
  return {classes,
          resolve(base.priors, classes, counts),
          {same_everywhere(data, counts)},
          data.sample.table->target};
}

class Automatic {
 public:
  Automatic(AutoData& data, const AutoOptions& options, const Control& control)
      : data_(data), options_(options), control_(control), choice_(data, options, control) {}

  AutoFit run() {
    for (const std::size_t c : choice_.ranking()) {
      const UnlabelledWeight weight = choice_.unlabelled_weight(c);
      FitOptions fit = options_.fit;
      if (weight.weight > 0) fit.unlabelled_weight = weight.weight;
      if (auto fitted = attempt(*list()[c].reading, list()[c].recipe, fit)) {
        if (weight.folds > 0) {
          fitted->report.unlabelled_weight = weight.weight;
          fitted->report.notes.push_back({select_detail::sentence_about(weight)});
        }
        return chosen(std::move(*fitted), c, fit);
      }
    }
    return fallback();
  }

 private:
  [[nodiscard]] const std::vector<AutoCandidate>& list() const { return choice_.candidates().list; }

  std::optional<Fitted<Classifier>> attempt(const Reading& reading, const Recipe& recipe,
                                            const FitOptions& fit) {
    try {
      data_.source.read_as(reading, control_);
      return genera::fit(data_.source, AnyRecipe(recipe), fit, control_);
    } catch (const Error& error) {
      if (error.code() == Errc::stopped) throw;
      if (!error_) error_ = error;
      return std::nullopt;
    }
  }

  AutoFit chosen(Fitted<Classifier> fitted, std::size_t c, const FitOptions& fit) {
    AutoChoice to = described(list()[c]);
    to.candidates = std::ssize(list());
    to.log_loss = choice_.loss(c);
    if (options_.calibrate || fit.uses_unlabelled()) {
      if (const auto judged = choice_.judged(c, fit)) {
        to.log_loss = judged->held_out.log_loss;
        if (options_.calibrate)
          to.calibration = fit_temperature(*judged->held_out.scores, judged->truths, control_);
      }
    }
    for (const std::size_t other : choice_.ranking()) {
      if (list()[other].kind == list()[c].kind) continue;
      to.runner_up = list()[other].name;
      to.runner_up_log_loss = choice_.loss(other);
      break;
    }
    if (to.calibration)
      fitted = select_detail::with_temperature(std::move(fitted), *to.calibration);
    return with_note(std::move(fitted), std::move(to));
  }

  AutoChoice described(const AutoCandidate& candidate) const {
    return {.name = candidate.name,
            .recipe = candidate.recipe,
            .types = candidate.reading->types,
            .counts = candidate.reading->storage == Storage::sparse_counts,
            .rows = choice_.rows(),
            .of = data_.rows};
  }

  [[nodiscard]] std::string sentence(const AutoChoice& found) const {
    if (found.candidates == 0)
      return fmt::format(
          "auto: {}; no candidate could be judged by rows held out and then fitted "
          "to all",
          found.name);
    std::string text = fmt::format("auto: {}", found.name);
    if (found.calibration)
      text += fmt::format(", temperature {:.4g}", found.calibration->temperature);
    text += fmt::format("; held-out log loss {:.5g}", found.log_loss);
    if (found.calibration && found.calibration->temperature > 1)
      text += fmt::format(", {:.5g} with the temperature", found.calibration->log_loss_after);
    if (!found.runner_up.empty())
      text += fmt::format("; runner-up {} with {:.5g}", found.runner_up, found.runner_up_log_loss);
    text += fmt::format(" ({}, {} folds of {} rows", counted(found.candidates, "candidate"),
                        choice_.folds(), found.rows);
    return text + (found.rows < found.of ? fmt::format(" out of {})", found.of) : ")");
  }

  AutoFit with_note(Fitted<Classifier> fitted, AutoChoice found) {
    fitted.report.notes.push_back({sentence(found)});
    return {select_detail::with_notes_of_report(std::move(fitted)), std::move(found)};
  }

  /// What fits anything: lda as today, then what shrinks as much as it takes, at last the priors.
  AutoFit fallback() {
    const Reading& plain = *choice_.candidates().readings.front();
    const auto with = [&](Covariance covariance, OnSingular how) {
      Recipe recipe = options_.base;
      recipe.gaussian.covariance = covariance;
      recipe.gaussian.rda.reset();
      recipe.gaussian.on_singular = how;
      return recipe;
    };
    const std::vector<AutoCandidate> last{
        {"lda", "lda", with(Covariance::tied, options_.base.gaussian.on_singular), &plain},
        {"lda on-singular shrink", "lda", with(Covariance::tied, OnSingular::shrink), &plain},
        {"dlda on-singular shrink", "dlda", with(Covariance::tied_diag, OnSingular::shrink),
         &plain}};
    for (const AutoCandidate& one : last) {
      if (auto fitted = attempt(plain, one.recipe, options_.fit))
        return with_note(std::move(*fitted), described(one));
    }
    const ClassWeights weights = weights_of(data_.source, control_);
    const bool something = !data_.sample.table->columns.empty() && !weights.empty();
    if (!something || error_->code() != Errc::bad_model) throw *error_;
    AutoChoice found{.name = "priors alone", .recipe = options_.base, .of = data_.rows};
    Fitted<Classifier> fitted{prior_only(data_, weights, options_.base), {}};
    fitted.report.notes.push_back(
        {{fmt::format("only the priors are learned: {}", error_->what())}, Note::Kind::warning});
    return with_note(std::move(fitted), std::move(found));
  }

  AutoData& data_;
  const AutoOptions& options_;
  const Control& control_;
  Choice choice_;
  std::optional<Error> error_;
};

void validate_auto(const AutoOptions& options) {
  validate(options.fit);
  validate(options.base.gaussian);
  validate(options.base.discrete);
  if (options.folds < 2 || options.max_rows < 1)
    throw Error(Errc::bad_argument,
                fmt::format("{} of {} leave nothing to choose by", counted(options.folds, "fold"),
                            counted(options.max_rows, "row")),
                {"give {} at least 2, and at least one row", {{"folds"}}});
}

}  // namespace

AutoFit fit_auto(RowsRef rows, const AutoOptions& options, const Control& control) {
  validate_auto(options);
  data::KeptRows kept(*rows);
  if (kept->passes() == Passes::one) kept.keep(control);
  kept->set_types({});
  AutoData data(*kept, read_sample(*kept, options.max_rows, options.seed, control));
  return Automatic(data, options, control).run();
}

}  // namespace genera
