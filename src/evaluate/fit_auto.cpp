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
#include "evaluate/auto_judgement.hpp"
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
using select_detail::AutoData;
using select_detail::AutoJudgement;
using select_detail::ClassWeights;
using select_detail::Reading;
using select_detail::Storage;

ClassWeights weights_of(RowSource& rows, const Control& control) {
  return rows.reduce(
      control, [] { return ClassWeights(); },
      [](const Rows& chunk) { return select_detail::weights_of(chunk); },
      [](ClassWeights& all, const ClassWeights& some) {
        for (const auto& [name, weight] : some) all[name] += weight;
      });
}

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
    pooled_ = choice_.pooled();
    if (auto committee = pooled()) return *std::move(committee);
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

  /// The committee, if it is better than its best member; empty also if a member cannot be fitted
  /// to all rows.
  std::optional<AutoFit> pooled() {
    if (!pooled_ || pooled_->pool.alone || pooled_->pool.members.empty()) return std::nullopt;
    const select_detail::Pool& pool = pooled_->pool;
    const std::size_t best = pooled_->candidates[pool.best];
    AutoChoice to = described(list()[best]);
    to.name = "committee";
    to.candidates = std::ssize(list());
    to.log_loss = choice_.loss(best);
    to.expected_log_loss = pool.log_loss.mean;
    to.runner_up = list()[best].name;
    to.runner_up_log_loss = pool.best_log_loss.mean;
    std::vector<Committee::Member> members;
    Report report;
    if (const UnlabelledWeight weight = choice_.unlabelled_weight(best); weight.folds > 0) {
      if (weight.weight > 0) return std::nullopt;  // the members would need weights of their own
      report.unlabelled_weight = weight.weight;
      report.notes.push_back({select_detail::sentence_about(weight)});
    }
    for (const select_detail::Pool::Member& member : pool.members) {
      const AutoCandidate& one = list()[pooled_->candidates[member.candidate]];
      auto fitted = attempt(*one.reading, one.recipe, options_.fit);
      if (!fitted) return std::nullopt;
      const double temperature = pool.calibrations[member.candidate].temperature;
      members.push_back({one.name, member.weight,
                         std::get<Model>(std::move(fitted->model)).with_temperature(temperature)});
      to.members.push_back({one.name, member.weight});
      keep_common(one, to);
      for (Note& note : fitted->report.notes)
        if (std::ranges::find(report.notes, note) == report.notes.end())
          report.notes.push_back(std::move(note));
    }
    Committee committee(std::move(members));
    const Classifier labelled = with_data_of(committee);
    return with_note({labelled, std::move(report)}, std::move(to));
  }

  /// Types and counts that all members share: other columns are read as they are.
  static void keep_common(const AutoCandidate& member, AutoChoice& choice) {
    const auto& own = member.reading->types;
    std::erase_if(choice.types,
                  [&](const auto& type) { return std::ranges::find(own, type) == own.end(); });
    choice.counts = choice.counts && member.reading->storage == Storage::sparse_counts;
  }

  static Classifier with_data_of(const Committee& committee) {
    const ClassifierRef first(committee.members().front());
    return committee.with_label_type(first.label_type()).with_origin(first.origin());
  }

  AutoFit chosen(Fitted<Classifier> fitted, std::size_t c, const FitOptions& fit) {
    AutoChoice to = described(list()[c]);
    to.candidates = std::ssize(list());
    to.log_loss = choice_.loss(c);
    if (pooled_) to.expected_log_loss = pooled_->pool.best_log_loss.mean;
    if (options_.calibrate || fit.uses_unlabelled()) {
      if (const auto judged = choice_.judged(c, fit)) {
        to.log_loss = judged->held_out.log_loss;
        if (options_.calibrate) to.calibration = judged->calibration(control_);
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
    for (std::size_t m = 0; m < found.members.size(); ++m)
      text += fmt::format("{}{} {:.2f}", m == 0 ? " of " : ", ", found.members[m].name,
                          found.members[m].weight);
    if (!found.members.empty())
      return text + fmt::format(
                        "; held-out log loss {:.5g}; best alone {} with {:.5g} ({}, {} "
                        "folds of {} rows{})",
                        *found.expected_log_loss, found.runner_up, found.runner_up_log_loss,
                        counted(found.candidates, "candidate"), choice_.folds(), found.rows,
                        out_of(found));
    if (found.calibration)
      text += fmt::format(", temperature {:.4g}", found.calibration->temperature);
    text += fmt::format("; held-out log loss {:.5g}", found.log_loss);
    if (found.calibration && found.calibration->temperature > 1)
      text += fmt::format(", {:.5g} with the temperature", found.calibration->log_loss_after);
    if (found.expected_log_loss)
      text += fmt::format(", {:.5g} for the whole choice", *found.expected_log_loss);
    if (!found.runner_up.empty())
      text += fmt::format("; runner-up {} with {:.5g}", found.runner_up, found.runner_up_log_loss);
    text += fmt::format(" ({}, {} folds of {} rows", counted(found.candidates, "candidate"),
                        choice_.folds(), found.rows);
    return text + out_of(found) + ")";
  }

  [[nodiscard]] static std::string out_of(const AutoChoice& found) {
    return found.rows < found.of ? fmt::format(" out of {}", found.of) : "";
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
        {"lda", "lda", "lda", with(Covariance::tied, options_.base.gaussian.on_singular), &plain},
        {"lda on-singular shrink", "lda", "lda", with(Covariance::tied, OnSingular::shrink),
         &plain},
        {"dlda on-singular shrink", "dlda", "dlda", with(Covariance::tied_diag, OnSingular::shrink),
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
  AutoJudgement choice_;
  std::optional<AutoJudgement::Pooled> pooled_;
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
