// Every candidate on every row, as all other rows make it.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/select.hpp>

#include "evaluate/judging.hpp"
#include "evaluate/of_all_rows.hpp"
#include "fit/em/fit_by_em.hpp"
#include "kernel/index.hpp"
#include "kernel/parallel.hpp"
#include "kernel/progress.hpp"

namespace genera {
namespace {

using kernel::at;
using select_detail::Judged;
using select_detail::OfAllRows;
using select_detail::Verdict;

constexpr Index rows_per_chunk = 128;
/// EM without a row begins with the model of all rows, and comes this near its limit in about so
/// many steps.
constexpr double em_tolerance = 1e-6;
constexpr double em_steps = 10;

/// Rows of classes that have others.
Judged rows_with_others(const Rows& rows) {
  const CodesView& labels = rows.data().labels;
  std::vector<Index> counts(labels.names.size());
  for (Index i = 0; i < rows.count(); ++i) {
    const std::int32_t label = labels(rows.row(i));
    if (label >= 0 && rows.weight(rows.row(i)) > 0) ++counts[at(label)];
  }
  return select_detail::judged_rows(rows, [&](Index i) {
    const Index row = rows.row(i);
    return counts[at(labels(row))] < 2;
  });
}

class LeavingOut {
 public:
  LeavingOut(const Rows& rows, const std::vector<Candidate>& candidates,
             const SelectOptions& options, const Control& control)
      : rows_(rows),
        candidates_(candidates),
        options_(options),
        control_(control),
        judged_(rows_with_others(rows)),
        results_(candidates.size()),
        all_(candidates.size()),
        em_(candidates.size()) {
    if (judged_.positions.empty())
      throw Error(Errc::bad_data, "no class has two rows: none is left when one is left out",
                  "give more rows");
  }

  Selection run() {
    prepare();
    refuse_expensive();
    kernel::ProgressMeter meter(control_, Progress::Task::searching, std::ssize(candidates_));
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      if (all_[c]) results_[c] = judged(c);
      if (em_[c]) results_[c] = judged_by_em(c);
      meter.advance(1);
    }
    Selection selection{.classes = judged_.classes,
                        .judged = judged_.positions,
                        .truths = judged_.truths,
                        .weights = judged_.weights,
                        .not_judged = judged_.not_judged};
    if (auto note = sums::note_weightless(judged_.weightless))
      selection.notes.push_back(*std::move(note));
    by_folds(selection);
    for (auto& result : results_) selection.candidates.push_back(*std::move(result));
    return selection;
  }

 private:
  /// Models of all rows; what has none is unusable, what takes more than sums goes to folds.
  void prepare() {
    select_detail::LatentCells latent(options_.fit);
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      if (!select_detail::is_closed_form(rows_, candidates_[c], options_.fit, latent)) {
        begin_em(c);
        continue;
      }
      try {
        const Rows& rows = select_detail::rows_of(candidates_[c], rows_);
        all_[c] = std::make_unique<OfAllRows>(
            statistics(rows, select_detail::sums_needed(rows_, candidates_[c], options_.fit)), rows,
            std::get<Recipe>(candidates_[c].recipe));
      } catch (const Error& error) {
        if (error.code() == Errc::stopped) throw;
        results_[c] = select_detail::unusable(error);
      }
    }
  }

  /// Where numbers are missing, but no label: EM of all rows is where that of all but one begins.
  void begin_em(std::size_t c) {
    const auto* recipe = std::get_if<Recipe>(&candidates_[c].recipe);
    bool labelled = true;
    for (Index i = 0; i < rows_.count(); ++i)
      labelled = labelled && rows_.data().labels(rows_.row(i)) >= 0;
    if (!labelled || !recipe ||
        !select_detail::needs_sums_only(*recipe, select_detail::rows_of(candidates_[c], rows_),
                                        options_.fit.missing))
      return to_folds(c, "has no closed form for this model or these missing values");
    try {
      em_[c] = fit(select_detail::rows_of(candidates_[c], rows_), *recipe, options_.fit,
                   kernel::silent(control_));
    } catch (const Error& error) {
      if (error.code() == Errc::stopped) throw;
      results_[c] = select_detail::unusable(error);
    }
  }

  const Statistics& statistics(const Rows& rows, const CollectOptions& options) {
    const auto key = std::tuple(&rows, options.joint, options.scatter);
    auto found = statistics_.find(key);
    if (found == statistics_.end())
      found = statistics_.emplace(key, collect(rows, options, kernel::silent(control_)).statistics)
                  .first;
    return found->second;
  }

  [[nodiscard]] double refit_operations(std::size_t c) const {
    const auto d = static_cast<double>(model_of(c).features().size());
    const bool full = scatter_needed(std::get<Recipe>(candidates_[c].recipe)) == Scatter::full;
    return static_cast<double>(rows_.count()) * (d + 1) * (full ? d + 1 : 4);
  }
  /// Besides the sums over complete rows: rows with holes, and a factor for each set of them.
  [[nodiscard]] double em_operations(std::size_t c) const {
    const auto d = static_cast<double>(model_of(c).features().size()) + 1;
    const auto missing = static_cast<double>(
        std::min(rows_.count(), em_[c]->report.missing_numbers + em_[c]->report.missing_cells));
    return em_steps * (missing * d * d + std::min(missing, std::exp2(d)) * d * d * d);
  }
  [[nodiscard]] double operations(std::size_t c) const {
    const auto rows = static_cast<double>(judged_.positions.size());
    if (em_[c]) return rows * (refit_operations(c) + em_operations(c));
    return rows * (all_[c]->is_closed() ? all_[c]->operations() : refit_operations(c));
  }
  [[nodiscard]] const Model& model_of(std::size_t c) const {
    return em_[c] ? em_[c]->model : all_[c]->model();
  }
  [[nodiscard]] bool is_learned(std::size_t c) const { return all_[c] || em_[c]; }

  void refuse_expensive() {
    const double expensive = options_.max_operations / 1000;
    double total = 0;
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      if (is_learned(c) && operations(c) > expensive) total += operations(c);
    }
    if (total <= options_.max_operations) return;
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      if (is_learned(c) && operations(c) > expensive)
        to_folds(c, fmt::format("would take about {:.0e} operations for all candidates", total));
    }
  }

  void to_folds(std::size_t c, const std::string& why) {
    all_[c].reset();
    em_[c].reset();
    why_folds_.emplace(c, why);
  }

  [[nodiscard]] blocks::OneRow row_of(std::size_t i) const {
    const Index row = rows_.row(judged_.positions[i]);
    return {row, judged_.truths[i], rows_.weight(row)};
  }

  std::optional<HeldOut> judged(std::size_t c) {
    Verdict verdict(judged_, std::ssize(judged_.positions), options_.keep_scores);
    std::vector<char> left(judged_.positions.size(), 1);
    if (all_[c]->is_closed()) left = closed_form(c, verdict);
    std::vector<Index> again;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (left[i]) again.push_back(static_cast<Index>(i));
    }
    const double operations = static_cast<double>(again.size()) * refit_operations(c);
    if (operations > options_.max_operations) {
      to_folds(c, "would take new fits without each of " + counted(std::ssize(again), "row"));
      return std::nullopt;
    }
    if (auto failed = refitted(c, again, verdict)) return failed;
    HeldOut found = std::move(verdict).result();
    found.method = HeldOut::Method::leave_one_out;
    found.refitted = std::ssize(again);
    if (all_[c]->is_closed()) found.notes = all_[c]->notes();
    return found;
  }

  /// Marks what it could not tell.
  std::vector<char> closed_form(std::size_t c, Verdict& verdict) const {
    const OfAllRows& all = *all_[c];
    const auto n = std::ssize(judged_.positions);
    std::vector<char> left(judged_.positions.size());
    const std::vector<std::size_t> places = places_in_judged(all.model());
    kernel::parallel_for(
        (n + rows_per_chunk - 1) / rows_per_chunk, control_.threads, [&](Index chunk) {
          OfAllRows::Worker worker(all);
          Vector scores(judged_.classes.size()), prior(judged_.classes.size());
          Vector own(all.model().classes().size());
          for (Index i = chunk * rows_per_chunk; i < std::min(n, (chunk + 1) * rows_per_chunk);
               ++i) {
            blocks::OneRow one = row_of(at(i));
            one.of_class = class_in(places, one.of_class);
            std::ranges::fill(own, 0.0);
            left[at(i)] = !worker.add(one, own);
            if (left[at(i)]) continue;
            const Vector log_prior = all.prior_without(one, options_.loo_priors).log();
            std::ranges::fill(scores, -HUGE_VAL);
            std::ranges::fill(prior, -HUGE_VAL);
            for (std::size_t k = 0; k < own.size(); ++k) {
              prior[places[k]] = log_prior[k];
              scores[places[k]] = log_prior[k] + own[k];
            }
            verdict.set_prior(i, prior);
            verdict.set(i, i, scores, prior);
          }
        });
    return left;
  }

  /// Where the classes of a model are among those judged; they lack those without weight.
  [[nodiscard]] std::vector<std::size_t> places_in_judged(const Model& model) const {
    std::vector<std::size_t> places;
    for (const Index place : find_labels(judged_.classes, model.classes()))
      places.push_back(at(place));
    return places;
  }
  static Index class_in(const std::vector<std::size_t>& places, Index of_class) {
    return std::ranges::find(places, at(of_class)) - places.begin();
  }

  /// The model of other rows, by EM from that of all rows. Where a prior had to keep a likelihood
  /// from growing without bound, that is found out again.
  [[nodiscard]] Model learned_again(std::size_t c, const Rows& others) const {
    const auto& recipe = std::get<Recipe>(candidates_[c].recipe);
    if (!em_[c] || em_[c]->report.weak_priors > 0) return fit(others, recipe, options_.fit).model;
    return fit_detail::fit_by_em(others, recipe, options_.fit, {em_[c]->model, em_tolerance});
  }

  /// New fits without each of these rows; the candidate that cannot be used if one fails.
  std::optional<HeldOut> refitted(std::size_t c, const std::vector<Index>& again,
                                  Verdict& verdict) const {
    const Rows& rows = select_detail::rows_of(candidates_[c], rows_);
    std::vector<std::optional<Error>> errors(again.size());
    kernel::parallel_for(std::ssize(again), control_.threads, [&](Index task) {
      const Index i = again[at(task)];
      std::vector<Index> others;
      for (Index position = 0; position < rows.count(); ++position) {
        if (position != judged_.positions[at(i)]) others.push_back(rows.row(position));
      }
      try {
        Model model = learned_again(c, rows.only(others));
        if (options_.loo_priors == LooPriors::full) model = model.with_prior(model_of(c).prior());
        select_detail::judge(model, rows, judged_, {&i, 1}, i, verdict);
      } catch (const Error& error) {
        errors[at(task)] = error;
      }
    });
    for (std::size_t task = 0; task < errors.size(); ++task) {
      if (!errors[task]) continue;
      HeldOut failed = select_detail::unusable(*errors[task]);
      failed.method = HeldOut::Method::leave_one_out;
      failed.why_not =
          fmt::format("without {}: {}", rows_.place(rows_.row(judged_.positions[at(again[task])])),
                      failed.why_not);
      return failed;
    }
    return std::nullopt;
  }

  HeldOut judged_by_em(std::size_t c) const {
    Verdict verdict(judged_, std::ssize(judged_.positions), options_.keep_scores);
    std::vector<Index> all(judged_.positions.size());
    std::iota(all.begin(), all.end(), Index{0});
    if (auto failed = refitted(c, all, verdict)) return *std::move(failed);
    HeldOut found = std::move(verdict).result();
    found.method = HeldOut::Method::leave_one_out;
    found.refitted = std::ssize(all);
    return found;
  }

  /// What is left to folds, as well as there are rows for them.
  void by_folds(Selection& selection) {
    if (why_folds_.empty()) return;
    std::vector<Candidate> some;
    for (const auto& [c, why] : why_folds_) some.push_back(candidates_[c]);
    SelectOptions options = options_;
    options.folds = std::max<Index>(
        2, std::min(options.folds, std::ssize(judged_.positions) + judged_.not_judged));
    Selection found = cross_validate(rows_, some, options, control_);
    std::ranges::copy_if(found.notes, std::back_inserter(selection.notes), [&](const Note& note) {
      return std::ranges::find(selection.notes, note) == selection.notes.end();
    });
    std::size_t next = 0;
    for (const auto& [c, why] : why_folds_) {
      results_[c] = std::move(found.candidates[next++]);
      results_[c]->notes.push_back(
          {fmt::format("leave-one-out {}: {} instead", why, counted(options.folds, "fold"))});
    }
  }

  const Rows& rows_;
  const std::vector<Candidate>& candidates_;
  const SelectOptions& options_;
  const Control& control_;
  Judged judged_;
  std::vector<std::optional<HeldOut>> results_;
  std::vector<std::unique_ptr<OfAllRows>> all_;   // null: unusable, or judged otherwise
  std::vector<std::optional<Fitted<Model>>> em_;  // of those that take EM
  std::map<std::size_t, std::string> why_folds_;
  std::map<std::tuple<const Rows*, bool, Scatter>, Statistics> statistics_;
};

}  // namespace

Selection leave_one_out(const Rows& rows, const std::vector<Candidate>& candidates,
                        const SelectOptions& options, const Control& control) {
  select_detail::check_candidates(rows, candidates);
  select_detail::check_labels(rows, candidates);
  validate(options.fit);
  const select_detail::RowsInUse used(rows, candidates, options.fit);
  (void)stratified_folds(used.rows(), 2);  // refuses what has too few labels
  const select_detail::LaidOutCandidates laid_out(used.rows(), used.candidates(),
                                                  options.fit.missing);
  return used.of_all_rows(LeavingOut(used.rows(), laid_out.get(), options, control).run());
}

}  // namespace genera
