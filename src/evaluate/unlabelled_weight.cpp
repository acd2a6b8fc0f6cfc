#include "evaluate/unlabelled_weight.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <genera/curves.hpp>
#include <genera/error.hpp>
#include <genera/random.hpp>

#include "data/join_tables.hpp"
#include "data/row_digests.hpp"
#include "evaluate/judging.hpp"
#include "evaluate/strata.hpp"
#include "evaluate/temperature.hpp"
#include "kernel/index.hpp"

namespace genera {
namespace {

using kernel::at;
using select_detail::WithUnlabelled;

/// Labelled rows that decide, and as many others. With missing cells, or of mixtures, a fit takes
/// about five times as long.
constexpr Index max_rows = select_detail::max_unlabelled, max_rows_of_slow_fits = 1000;

/// How many standard errors a gain must have. With 2, one of 20 tables of 40 labelled rows was
/// given a weight that raised its log loss on other rows by 6 %: the standard error itself is
/// uncertain.
constexpr double clear = 3;

bool is_slow(const Rows& rows, const Recipe& recipe) {
  return recipe.mixture || recipe.kernel ||
         select_detail::LatentCells(FitOptions{}).in(rows, recipe);
}

class WeightTrials {
 public:
  WeightTrials(const Rows& rows, const Recipe& recipe, const SelectOptions& options,
               const Control& control)
      : recipe_(recipe),
        options_(options),
        control_(control),
        sample_(data::sampled(rows, is_slow(rows, recipe) ? max_rows_of_slow_fits : max_rows,
                              options.seed)),
        labelled_(std::ranges::count_if(sample_.rows.labels,
                                        [](std::int32_t label) { return label >= 0; })) {
    options_.folds = std::min(options.folds, labelled_);
  }

  UnlabelledWeight run(double scale) {
    UnlabelledWeight found{.rows = labelled_, .folds = options_.folds};
    if (options_.folds < 2 || sample_.rows.rows() == labelled_) return found;
    const auto without = held_out(std::nullopt);
    if (!without) return found;
    found.trials.push_back({0, without->log_loss, 0, 0});
    double lowest = without->log_loss;
    for (const double weight : {0.1, 1.0}) {
      const auto with = held_out(weight * scale * sample_.unlabelled_scale());
      if (!with) continue;
      const Average gained = gain(*without, *with);
      found.trials.push_back({weight, with->log_loss, gained.mean, gained.se});
      if (!(gained.mean > clear * gained.se) || !(with->log_loss < lowest)) continue;
      found.weight = weight;
      lowest = with->log_loss;
    }
    return found;
  }

 private:
  std::optional<HeldOut> held_out(std::optional<double> weight) {
    SelectOptions options = options_;
    options.fit.unlabelled_weight = weight;
    try {
      Selection found = cross_validate(sample_.rows, {{"", recipe_, {}}}, options, control_);
      if (!found.candidates.front().usable) return std::nullopt;
      weights_ = std::move(found.weights);
      classes_ = std::ssize(found.classes);
      return std::move(found.candidates.front());
    } catch (const Error& error) {
      if (error.code() == Errc::stopped) throw;
      return std::nullopt;
    }
  }

  /// The labelled rows are the same, in the same order. Losses are bounded, so that no single row
  /// decides.
  [[nodiscard]] Average gain(const HeldOut& without, const HeldOut& with) const {
    Vector gains;
    for (std::size_t i = 0; i < without.losses.size(); ++i)
      gains.push_back(bounded(without.losses[i]) - bounded(with.losses[i]));
    return average(gains, weights_);
  }
  [[nodiscard]] double bounded(double loss) const {
    return select_detail::bounded_loss(-loss, {labelled_, classes_});
  }

  const Recipe& recipe_;
  SelectOptions options_;
  const Control& control_;
  RowSample sample_;
  Index labelled_;  // rows of the sample
  Vector weights_;  // of the rows that were held out
  Index classes_ = 0;
};

}  // namespace

select_detail::WithUnlabelled::WithUnlabelled(const Rows& all, std::span<const Index> labelled,
                                              Index limit, std::uint64_t seed) {
  for (const Index position : labelled) list.push_back(all.row(position));
  std::vector<Index> others;
  Index labelled_in_all = 0;
  for (Index i = 0; i < all.count(); ++i) {
    if (!(all.weight(all.row(i)) > 0)) continue;
    if (all.data().labels(all.row(i)) >= 0)
      ++labelled_in_all;
    else
      others.push_back(i);
  }
  const auto count = static_cast<double>(others.size());
  if (std::ssize(others) > limit) {
    data::sort_by_content(all, others);
    shuffle(others, Rng(seed));
    others.resize(at(limit));
    std::ranges::sort(others);
  }
  if (!others.empty() && !labelled.empty())
    scale = (count / static_cast<double>(others.size())) /
            (static_cast<double>(labelled_in_all) / static_cast<double>(labelled.size()));
  for (const Index position : others) list.push_back(all.row(position));
  rows = all.only(list);
}

std::string select_detail::sentence_about(const UnlabelledWeight& found) {
  if (found.trials.size() < 2)
    return found.trials.empty() ? "weight of rows without a label: 0, because the labelled rows "
                                  "alone could not be cross-validated"
                                : "weight of rows without a label: 0, because no fit that included "
                                  "them could be cross-validated";
  std::vector<std::string> losses;
  for (const UnlabelledWeight::Trial& trial : found.trials)
    losses.push_back(fmt::format("{:.4g} with {:g}", trial.log_loss, trial.weight));
  return fmt::format(
      "weight of rows without a label: {:g}, chosen by the log loss in {} folds of {} labelled "
      "rows: {}",
      found.weight, found.folds, found.rows, fmt::join(losses, ", "));
}

UnlabelledWeight select_detail::choose_unlabelled_weight(const WeighedRows& sample,
                                                         const AnyRecipe& recipe,
                                                         const SelectOptions& options,
                                                         const Control& control) {
  const auto* known = std::get_if<Recipe>(&recipe);
  const bool labelled = !sample.rows.data().labels.empty();
  if (!known || !labelled || options.fit.missing != Missing::em) return {};
  return WeightTrials(sample.rows, *known, options, control).run(sample.scale);
}

UnlabelledWeight choose_unlabelled_weight(RowsRef rows, const AnyRecipe& recipe,
                                          const SelectOptions& options, const Control& control) {
  if (const Rows* all = rows->in_memory())
    return select_detail::choose_unlabelled_weight({*all}, recipe, options, control);
  const RowSample sample = read_sample(rows, max_rows, options.seed, control);
  const Rows view(sample.rows);
  return select_detail::choose_unlabelled_weight({view, sample.unlabelled_scale()}, recipe, options,
                                                 control);
}

Fitted<Classifier> fit_weighing_unlabelled(RowsRef rows, const AnyRecipe& recipe,
                                           const SelectOptions& options, const Control& control) {
  Fitted<Classifier> found = fit(rows, recipe, options.fit, control);
  const bool open = !options.fit.unlabelled_weight && found.report.unlabelled_left_out > 0;
  if (!open || !std::holds_alternative<Recipe>(recipe)) return found;
  const UnlabelledWeight weight = choose_unlabelled_weight(rows, recipe, options, control);
  if (weight.weight > 0) {
    FitOptions with = options.fit;
    with.unlabelled_weight = weight.weight;
    found = fit(rows, recipe, with, control);
  }
  found.report.unlabelled_weight = weight.weight;
  found.report.notes.push_back({select_detail::sentence_about(weight)});
  return select_detail::with_notes_of_report(std::move(found));
}

}  // namespace genera
