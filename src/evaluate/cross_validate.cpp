// Cross-validation of several candidates on the same folds.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include <genera/curves.hpp>
#include <genera/error.hpp>
#include <genera/select.hpp>

#include "data/columns.hpp"
#include "evaluate/fit_cost.hpp"
#include "evaluate/judging.hpp"
#include "kernel/index.hpp"
#include "kernel/parallel.hpp"
#include "kernel/shared_progress.hpp"

namespace genera {
namespace {

using kernel::at;
using select_detail::Judged;
using select_detail::Verdict;

/// Rows of a fold: training rows, and indices of the evaluated rows.
struct FoldRows {
  std::vector<Index> training;
  std::vector<Index> judged;
};

/// Number of rows with a weight by label and fold, and in total.
class LabelCounts {
 public:
  LabelCounts(const Rows& rows, const Folds& folds)
      : counts_(at(folds.count), std::vector<Index>(rows.data().labels.names.size())),
        total_(rows.data().labels.names.size()) {
    for (Index i = 0; i < rows.count(); ++i) {
      if (folds.of[at(i)] < 0 || !(rows.weight(rows.row(i)) > 0)) continue;
      const std::size_t label = at(rows.data().labels(rows.row(i)));
      ++counts_[at(folds.of[at(i)])][label];
      ++total_[label];
    }
  }
  /// True if the label occurs outside of the fold.
  [[nodiscard]] bool remains(std::int32_t label, std::int32_t fold) const {
    return total_[at(label)] > counts_[at(fold)][at(label)];
  }

 private:
  std::vector<std::vector<Index>> counts_;
  std::vector<Index> total_;
};

/// Statistics shared by several candidates: the training statistics of each fold.
struct Training {
  const Rows* rows;
  CollectOptions options;
  std::vector<Statistics> of_fold;
};

std::vector<Statistics> merged_without_each(const std::vector<Statistics>& parts, int threads) {
  std::vector<Statistics> merged(parts.size());
  kernel::parallel_for(std::ssize(parts), threads, [&](Index left_out) {
    for (std::size_t f = 0; f < parts.size(); ++f) {
      if (f != at(left_out)) merged[at(left_out)].merge(parts[f]);
    }
  });
  return merged;
}

class CrossValidation {
 public:
  CrossValidation(const Rows& rows, const std::vector<Candidate>& candidates, const Folds& folds,
                  const SelectOptions& options, const Control& control)
      : rows_(rows),
        candidates_(candidates),
        folds_(folds),
        options_(options),
        control_(control),
        counts_(rows, folds),
        judged_(select_detail::judged_rows(rows,
                                           [&](Index i) {
                                             const std::int32_t fold = folds.of[at(i)];
                                             const Index row = rows.row(i);
                                             return fold < 0 ||
                                                    !counts_.remains(rows.data().labels(row), fold);
                                           })),
        fold_rows_(at(folds.count)),
        training_of_(candidates.size(), nullptr) {
    list_rows();
    collect();
  }

  Selection run() {
    if (judged_.positions.empty()) return unjudged();
    const Index folds = folds_.count, tasks = folds * std::ssize(candidates_);
    std::vector<Verdict> verdicts;
    for (std::size_t c = 0; c < candidates_.size(); ++c)
      verdicts.emplace_back(judged_, folds, options_.keep_scores);
    std::vector<std::optional<Error>> errors(at(tasks));
    const Vector costs = costs_of_a_fold();
    const double cost =
        static_cast<double>(folds) * std::accumulate(costs.begin(), costs.end(), 0.0);
    kernel::SharedMeter meter(control_, Progress::Task::fitting, {tasks, cost});
    const Control within = meter.within();
    kernel::parallel_for(tasks, control_.threads, [&](Index task) {
      const std::size_t c = at(task / folds);
      try {
        run_fold({c, task % folds}, verdicts[c], within);
      } catch (const Error& error) {
        if (error.code() == Errc::stopped) throw;
        errors[at(task)] = error;
      }
      meter.advance(1, costs[c]);
    });
    Selection selection = nothing_yet();
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      const auto first = errors.begin() + static_cast<std::ptrdiff_t>(c) * folds;
      const auto failed = std::find_if(first, first + folds, [](const auto& e) { return !!e; });
      selection.candidates.push_back(failed == first + folds ? std::move(verdicts[c]).result()
                                                             : select_detail::unusable(**failed));
    }
    return selection;
  }

 private:
  [[nodiscard]] Selection nothing_yet() const {
    Selection selection{.classes = judged_.classes,
                        .judged = judged_.positions,
                        .truths = judged_.truths,
                        .weights = judged_.weights,
                        .not_judged = judged_.not_judged,
                        .notes = folds_.notes};
    if (auto note = sums::note_weightless(judged_.weightless))
      selection.notes.push_back(*std::move(note));
    return selection;
  }

  /// Result if no candidate is usable.
  [[nodiscard]] Selection unjudged() const {
    const Error why(Errc::bad_data, "no class has rows in several folds: no row can be judged",
                    {"choose the column of class labels with {}, or give more rows of each class",
                     {{"target"}}});
    Selection selection = nothing_yet();
    selection.candidates.assign(candidates_.size(), select_detail::unusable(why));
    return selection;
  }

  /// Rows without a fold are in every training set, if they are used at all.
  void list_rows() {
    for (Index i = 0; i < rows_.count(); ++i) {
      for (Index f = 0; f < folds_.count; ++f) {
        if (folds_.of[at(i)] != f) fold_rows_[at(f)].training.push_back(i);
      }
    }
    for (std::size_t i = 0; i < judged_.positions.size(); ++i)
      fold_rows_[at(folds_.of[at(judged_.positions[i])])].judged.push_back(static_cast<Index>(i));
  }

  void collect() {
    select_detail::LatentCells latent(options_.fit);
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      const Candidate& candidate = candidates_[c];
      const Rows& rows = select_detail::rows_of(candidate, rows_);
      if (!select_detail::is_closed_form(rows_, candidate, options_.fit, latent)) continue;
      const CollectOptions needed = select_detail::sums_needed(rows_, candidate, options_.fit);
      if (fits_into_memory(rows, needed)) training_of_[c] = training(rows, needed);
    }
    for (const auto& shared : trainings_) {
      shared->of_fold = merged_without_each(
          collect_folds(*shared->rows, folds_.of, folds_.count, shared->options, control_),
          control_.threads);
    }
  }

  /// Expected cost of each candidate for one fold.
  [[nodiscard]] Vector costs_of_a_fold() const {
    Vector costs;
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      const Rows& rows = select_detail::rows_of(candidates_[c], rows_);
      const Index held_out = std::ssize(judged_.positions) / folds_.count;
      costs.push_back(select_detail::expected_cost(
          rows, candidates_[c].recipe,
          {rows.count() - held_out, held_out, training_of_[c] != nullptr}));
    }
    return costs;
  }

  /// True if the statistics of all folds fit into memory. Otherwise each fold is learned from its
  /// rows in turn, or refused as a fit to all rows would be. The limit is twice that of collect().
  [[nodiscard]] bool fits_into_memory(const Rows& rows, const CollectOptions& needed) const {
    constexpr double max_bytes = 4e9;
    if (needed.scatter != Scatter::full) return true;
    const auto d =
        static_cast<double>(data::number_places(rows.data(), ColumnType::numeric).size());
    const auto classes = static_cast<double>(judged_.classes.size());
    return 2 * static_cast<double>(folds_.count) * classes * d * d * sizeof(double) <= max_bytes;
  }

  const Training* training(const Rows& rows, const CollectOptions& options) {
    for (const auto& known : trainings_) {
      if (known->rows == &rows && select_detail::serve_both(known->options, options))
        return known.get();
    }
    trainings_.push_back(std::make_unique<Training>(Training{&rows, options, {}}));
    return trainings_.back().get();
  }

  struct Place {
    std::size_t candidate;
    Index fold;
  };

  void run_fold(const Place& of, Verdict& verdict, const Control& within) const {
    const FoldRows& own = fold_rows_[at(of.fold)];
    if (own.judged.empty()) return;
    const Rows& rows = select_detail::rows_of(candidates_[of.candidate], rows_);
    const Fitted<Classifier> fitted = fitted_without(of, rows, within);
    select_detail::judge(fitted.model, rows, judged_, own.judged, of.fold, verdict);
  }

  [[nodiscard]] Fitted<Classifier> fitted_without(const Place& of, const Rows& rows,
                                                  const Control& within) const {
    const AnyRecipe& recipe = candidates_[of.candidate].recipe;
    if (const Training* known = training_of_[of.candidate])
      return estimate(known->of_fold[at(of.fold)], recipe);
    std::vector<Index> list;
    for (const Index position : fold_rows_[at(of.fold)].training)
      list.push_back(rows.row(position));
    return fit(rows.only(list), recipe, options_.fit, within);
  }

  const Rows& rows_;
  const std::vector<Candidate>& candidates_;
  const Folds& folds_;
  const SelectOptions& options_;
  const Control& control_;
  LabelCounts counts_;
  Judged judged_;
  std::vector<FoldRows> fold_rows_;
  std::vector<std::unique_ptr<Training>> trainings_;
  std::vector<const Training*> training_of_;  // null: fitted for each fold
};

void check_folds(const Rows& rows, const Folds& folds) {
  const auto refuse = [](const std::string& what, const char* hint) {
    throw Error(Errc::bad_argument, what, hint);
  };
  if (std::ssize(folds.of) != rows.count())
    refuse(fmt::format("{} named for {}", counted(std::ssize(folds.of), "fold is", "folds are"),
                       counted(rows.count(), "row")),
           "name the fold of each row");
  if (folds.count < 2)
    refuse(fmt::format(
               "{} nothing to learn from",
               folds.count == 1 ? "one fold leaves" : fmt::format("{} folds leave", folds.count)),
           "give two folds or more");
  for (Index i = 0; i < rows.count(); ++i) {
    const std::int32_t fold = folds.of[at(i)];
    const Index row = rows.row(i);
    if (fold < -1 || fold >= folds.count)
      refuse(fmt::format("{}: fold {} is not one of {}", rows.place(row), fold, folds.count),
             "number the folds from 0; -1 is in none");
    if (fold >= 0 && rows.data().labels(row) < 0)
      refuse(fmt::format("{}: the row has a fold but no label", rows.place(row)),
             "give rows without a label the fold -1");
  }
}

}  // namespace

Selection cross_validate(const Rows& rows, const std::vector<Candidate>& candidates,
                         const Folds& folds, const SelectOptions& options, const Control& control) {
  select_detail::check_candidates(rows, candidates);
  select_detail::check_labels(rows, candidates);
  validate(options.fit);
  check_folds(rows, folds);
  const select_detail::LaidOutCandidates laid_out(rows, candidates, options.fit.missing);
  return CrossValidation(rows, laid_out.get(), folds, options, control).run();
}

Selection cross_validate(const Rows& rows, const std::vector<Candidate>& candidates,
                         const SelectOptions& options, const Control& control) {
  select_detail::check_candidates(rows, candidates);
  select_detail::check_labels(rows, candidates);
  validate(options.fit);
  const select_detail::RowsInUse used(rows, candidates, options.fit);
  const Folds folds = stratified_folds(used.rows(), options.folds, options.seed);
  return used.of_all_rows(cross_validate(used.rows(), used.candidates(), folds, options, control));
}

std::vector<std::size_t> Selection::ranking(Metric metric) const {
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    if (candidates[c].usable) order.push_back(c);
  }
  const auto key = [&](std::size_t c) {
    const HeldOut& of = candidates[c];
    return metric == Metric::log_loss ? std::pair(of.log_loss, of.error_rate)
                                      : std::pair(of.error_rate, of.log_loss);
  };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return order;
}

Selection::Difference Selection::difference(std::size_t worse, std::size_t better) const {
  const Vector &a = candidates[worse].losses, &b = candidates[better].losses;
  if (a.empty() || a.size() != b.size()) return {};
  Vector differences(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) differences[i] = a[i] - b[i];
  const Average found = average(differences, weights);
  if (std::isfinite(found.se)) return {found.mean, found.se};
  return {candidates[better].log_loss == HUGE_VAL ? 0 : HUGE_VAL, HUGE_VAL};
}

Vector evenly(double first, double last, double step) {
  if (!(step > 0) || !(last >= first) || !std::isfinite(first) || !std::isfinite(last) ||
      (last - first) / step > 1e6)
    throw Error(Errc::bad_argument,
                fmt::format("there are no steps of {} from {} to {}", step, first, last),
                "give the first, the last and a positive step, as in 0:1:0.1");
  Vector values;
  const double rounding = 1e-9;
  for (double i = 0; first + i * step <= last + rounding * step; ++i)
    values.push_back(std::min(last, std::round((first + i * step) * 1e12) / 1e12));
  return values;
}

std::vector<Candidate> rda_grid(const Recipe& recipe, const Vector& alphas, const Vector& gammas) {
  std::vector<Candidate> grid;
  for (const double alpha : alphas) {
    for (const double gamma : gammas) {
      Recipe one = recipe;
      one.gaussian.covariance = Covariance::full;
      if (!one.gaussian.rda) one.gaussian.rda.emplace();
      one.gaussian.rda->alpha = alpha;
      one.gaussian.rda->gamma = gamma;
      grid.push_back({fmt::format("rda({:.6g}, {:.6g})", alpha, gamma), one, {}});
    }
  }
  return grid;
}

}  // namespace genera
