// How the answers of models improve with the rows that they learn from.
#include <genera/curves.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "evaluate/curve_fits.hpp"
#include "evaluate/divisible.hpp"
#include "evaluate/fit_cost.hpp"
#include "evaluate/missing_cells.hpp"
#include "evaluate/judging.hpp"
#include "evaluate/training_samples.hpp"
#include "kernel/rng_purpose.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "kernel/parallel.hpp"
#include "kernel/shared_progress.hpp"

namespace genera {
namespace curves_detail {
namespace {

using kernel::at;

/// What became of a candidate in one split.
struct Result {
  Worth test{}, training{};
  bool shrunk = false, raised = false, prior_only = false;
  std::optional<double> ridge{};
  Index parameters = 0;
};

/// What learning a candidate from a sample and testing it is expected to cost.
struct FitCost {
  double ridge = 0;  ///< of the search for one
  double fit = 0;
};

/// Spends the share that a call within a part tells.
Control spending(kernel::Budget& budget) {
  const double all = budget.left();
  return {.threads = 1, .progress = [&budget, all, before = 0.0](const Progress& given) mutable {
            const double share = std::max(before, given.share.value_or(0));
            budget.spend(all * (share - before));
            before = share;
            return true;
          }};
}

class CurveRun {
 public:
  CurveRun(const Rows& rows, const std::vector<Candidate>& candidates, const CurveOptions& options,
           const Control& control)
      : candidates_(candidates),
        options_(options),
        control_(control),
        divisible_(rows, candidates, options.missing) {
    check_classes(population());
    sizes_ = checked_sizes(options.sizes, population());
    if (options.missing_share)
      refuse_sparse(divisible_);
    else
      refuse_missing(candidates, divisible_);
    has_missing_ = options.missing_share || divisible_.numbers_are_missing();
    for (const Candidate& candidate : candidates)
      recipes_.push_back(for_small_samples(candidate.recipe));
    find_shared_sums();
    foresee_costs();
    results_.resize(at(options.repeats) * sizes_.size() * candidates.size());
    redrawn_.resize(at(options.repeats));
  }

  LearningCurves run() {
    double cost = 0;
    for (const FitCost& of : costs_)
      cost += static_cast<double>(options_.repeats) * (of.ridge + of.fit);
    kernel::SharedMeter meter(control_, Progress::Task::fitting, {std::ssize(results_), cost});
    kernel::parallel_for(options_.repeats, control_.threads,
                         [&](Index repeat) { run_repeat(repeat, meter); });
    return curves();
  }

 private:
  /// Sums that several candidates share.
  struct SharedSums {
    std::size_t source;
    CollectOptions options;
  };

  struct Place {
    std::size_t size, candidate;
  };

  /// What a repeat learns from and is tested on.
  struct Split {
    const TrainingSamples& samples;
    const std::vector<Table>& incomplete;       // by source; empty: nothing was removed
    std::vector<std::vector<Statistics>> sums;  // by shared sums and size
    Rng rng;
    kernel::Tell tell;
    Control within;  // of a fit
  };

  [[nodiscard]] const Population& population() const { return divisible_.population(); }
  Result& result(Index repeat, std::size_t size, std::size_t candidate) {
    return results_[(at(repeat) * sizes_.size() + size) * candidates_.size() + candidate];
  }
  [[nodiscard]] const FitCost& cost(const Place& of) const {
    return costs_[of.size * candidates_.size() + of.candidate];
  }
  [[nodiscard]] bool seeks_ridge(std::size_t c) const {
    return softmax_of(recipes_[c]) && !options_.ridges.empty();
  }
  [[nodiscard]] Index folds_of(Index size) const { return std::min(options_.folds, size); }

  void foresee_costs() {
    for (const Index size : sizes_) {
      const Index folds = folds_of(size), fold = size / folds;
      for (std::size_t c = 0; c < candidates_.size(); ++c) {
        const auto expected = [&](const select_detail::FitSize& of) {
          return select_detail::expected_cost(divisible_.rows_of(c), recipes_[c], of);
        };
        FitCost cost{.fit = expected({size, population().rows(), sums_of_[c].has_value()})};
        if (seeks_ridge(c))
          cost.ridge = static_cast<double>(folds * std::ssize(options_.ridges)) *
                       expected({size - fold, fold, false});
        costs_.push_back(cost);
      }
    }
  }

  void find_shared_sums() {
    sums_of_.resize(candidates_.size());
    if (has_missing_) return;
    select_detail::LatentCells latent(FitOptions{.missing = Missing::em});
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      const Rows& rows = divisible_.rows_of(c);
      const Candidate alone{candidates_[c].name, candidates_[c].recipe, {}};
      if (!select_detail::is_closed_form(rows, alone, {}, latent)) continue;
      sums_of_[c] = shared(divisible_.source_of(c), select_detail::sums_needed(rows, alone, {}));
    }
  }

  std::size_t shared(std::size_t source, const CollectOptions& options) {
    for (std::size_t i = 0; i < shared_.size(); ++i) {
      SharedSums& known = shared_[i];
      if (known.source == source && select_detail::serve_both(known.options, options)) return i;
    }
    shared_.push_back({source, options});
    return shared_.size() - 1;
  }

  void run_repeat(Index repeat, kernel::SharedMeter& meter) {
    meter.pause();
    const Rng rng = kernel::stream_for(kernel::RngPurpose::splits, options_.seed)
                        .split(static_cast<std::uint64_t>(repeat));
    const TrainingSamples samples(population(), sizes_, rng.split(0), options_.max_draws);
    std::vector<Table> incomplete;
    for (std::size_t s = 0; has_missing_ && s < divisible_.sources().size(); ++s)
      incomplete.push_back(
          with_missing(divisible_.sources()[s], options_.missing_share.value_or(0), rng.split(1)));
    const kernel::Tell tell = [&](Index more, double cost) { meter.advance(more, cost); };
    Split split{samples, incomplete, {}, rng.split(2), tell, meter.within()};
    for (const SharedSums& sums : shared_) split.sums.push_back(statistics_of(sums, samples));
    for (std::size_t s = 0; s < sizes_.size(); ++s) {
      redrawn_[at(repeat)].push_back(samples.redrawn(s));
      for (std::size_t c = 0; c < candidates_.size(); ++c) {
        result(repeat, s, c) = learned_and_tested(split, {s, c});
        tell(1, cost({s, c}).fit);
      }
    }
  }

  /// Of the sample of each size. Those that are nested take one pass: each adds its own rows to the
  /// statistics of the one before.
  [[nodiscard]] std::vector<Statistics> statistics_of(const SharedSums& sums,
                                                      const TrainingSamples& samples) const {
    const Rows& rows = divisible_.sources()[sums.source];
    std::vector<Statistics> found;
    for (std::size_t s = 0; s < samples.first_nested(); ++s) {
      const std::vector<Index> list = first_rows(rows, samples.order(s), sizes_[s]);
      found.push_back(collect(rows.only(list), sums.options).statistics);
    }
    if (found.size() == sizes_.size()) return found;
    const std::vector<Index> list =
        first_rows(rows, samples.order(sizes_.size() - 1), sizes_.back());
    std::vector<std::int32_t> added_at;
    for (std::size_t s = found.size(); s < sizes_.size(); ++s)
      added_at.resize(at(sizes_[s]), static_cast<std::int32_t>(s - found.size()));
    const Index parts = std::ssize(sizes_) - std::ssize(found);
    Statistics total;
    for (const Statistics& part : collect_folds(rows.only(list), added_at, parts, sums.options)) {
      total.merge(part);
      found.push_back(total);
    }
    return found;
  }

  static std::vector<Index> first_rows(const Rows& rows, const Order& order, Index count) {
    std::vector<Index> list;
    for (std::size_t i = 0; i < at(count); ++i) list.push_back(rows.row(order[i]));
    return list;
  }

  [[nodiscard]] Result learned_and_tested(const Split& split, const Place& of) const {
    const auto [s, c] = of;
    const std::span<const Index> order(split.samples.order(s));
    const auto training = order.first(at(sizes_[s])), test = order.subspan(at(sizes_[s]));
    Table own;
    Rows rows = divisible_.rows_of(c);
    if (!split.incomplete.empty()) {
      own = known_columns(split.incomplete[divisible_.source_of(c)], population(), training);
      if (is_linear(candidates_[c])) own = filled_by_means(own, training);
      rows = own;
    }
    const std::vector<Index> list = first_rows(rows, split.samples.order(s), sizes_[s]);
    const Learned found = learn(rows.only(list), split, of);
    Result to{.test = worth_of(found, rows, population(), test),
              .training = worth_of(found, rows, population(), training),
              .shrunk = found.report.covariances_moved > 0,
              .raised = found.report.variances_raised > 0,
              .prior_only = !found.model,
              .ridge = found.ridge,
              .parameters = free_parameters(found)};
    return to;
  }

  [[nodiscard]] Learned learn(const Rows& sample, const Split& split, const Place& of) const {
    const auto [s, c] = of;
    AnyRecipe recipe = recipes_[c];
    const Statistics* sums = sums_of_[c] ? &split.sums[*sums_of_[c]][s] : nullptr;
    std::optional<double> ridge;
    try {
      if (const LogisticOptions* softmax = softmax_of(recipe)) {
        LogisticOptions with = *softmax;
        if (seeks_ridge(c)) with.ridge = ridge_for(sample, with, split, of);
        ridge = with.ridge;
        recipe = logistic(with);
      }
      Learned found = learned(sample, recipe, sums, split.within);
      found.ridge = ridge;
      return found;
    } catch (const Error& error) {
      if (error.code() == Errc::stopped) throw;
      throw Error(error.code(),
                  fmt::format("{}, learned from {}: {}", candidates_[c].name,
                              counted(sample.count(), "row"), error.what()),
                  error.hint());
    }
  }

  [[nodiscard]] double ridge_for(const Rows& sample, const LogisticOptions& softmax,
                                 const Split& split, const Place& of) const {
    Rng rng = split.rng.split(of.size);
    const SelectOptions select{.folds = folds_of(sample.count()), .seed = rng()};
    kernel::Budget budget(split.tell, cost(of).ridge);
    const double ridge = best_ridge(sample, softmax, {options_.ridges, select}, spending(budget));
    budget.close(0);
    return ridge;
  }

  LearningCurves curves() {
    LearningCurves found{.classes = population().classes,
                         .rows = population().rows(),
                         .sizes = sizes_,
                         .redrawn = std::vector<Index>(sizes_.size())};
    for (const auto& of_repeat : redrawn_) {
      for (std::size_t s = 0; s < sizes_.size(); ++s) found.redrawn[s] += of_repeat[s];
    }
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      LearningCurve curve{.name = candidates_[c].name,
                          .generative = !is_linear(candidates_[c]),
                          .parameters = result(0, sizes_.size() - 1, c).parameters};
      for (std::size_t s = 0; s < sizes_.size(); ++s) curve.points.push_back(point(s, c));
      found.curves.push_back(std::move(curve));
    }
    found.notes = divisible_.notes();
    return found;
  }

  CurvePoint point(std::size_t s, std::size_t c) {
    CurvePoint to{.size = sizes_[s]};
    Vector conditional, joint, training_joint, ridges;
    for (Index r = 0; r < options_.repeats; ++r) {
      const Result& of = result(r, s, c);
      to.errors.push_back(of.test.error);
      to.log_losses.push_back(-of.test.conditional);
      conditional.push_back(of.training.conditional);
      joint.push_back(of.test.joint);
      training_joint.push_back(of.training.joint);
      if (of.ridge) ridges.push_back(*of.ridge);
      to.shrunk += of.shrunk ? 1 : 0;
      to.raised += of.raised ? 1 : 0;
      to.prior_only += of.prior_only ? 1 : 0;
    }
    to.error = average(to.errors);
    to.log_loss = average(to.log_losses);
    to.training_conditional = average(conditional);
    if (!is_linear(candidates_[c])) {
      to.joint = average(joint);
      to.training_joint = average(training_joint);
    }
    if (!ridges.empty()) {
      std::ranges::sort(ridges);
      to.ridge = ridges[ridges.size() / 2];
    }
    return to;
  }

  const std::vector<Candidate>& candidates_;
  const CurveOptions& options_;
  const Control& control_;
  Divisible divisible_;
  std::vector<Index> sizes_;
  bool has_missing_ = false;  // each repeat has tables of its own
  std::vector<AnyRecipe> recipes_;
  std::vector<SharedSums> shared_;
  std::vector<std::optional<std::size_t>> sums_of_;  // none: learned from rows
  std::vector<FitCost> costs_;                       // sizes x candidates
  std::vector<Result> results_;                      // repeats x sizes x candidates
  std::vector<std::vector<Index>> redrawn_;          // repeats x sizes
};

}  // namespace
}  // namespace curves_detail

void validate(const CurveOptions& options) {
  const auto refuse = [](const std::string& what, const Advice& hint) {
    throw Error(Errc::bad_argument, what, hint);
  };
  if (options.repeats < 1)
    refuse(fmt::format("{} repeats give no curve", options.repeats),
           {"give {} at least 1", {{"repeats"}}});
  if (options.folds < 2)
    refuse(counted(options.folds, "fold leaves", "folds leave") + " nothing to learn from",
           {"give {} at least 2", {{"folds"}}});
  if (options.missing_share && !(*options.missing_share >= 0 && *options.missing_share < 1))
    refuse(fmt::format("the share of missing cells is {}", *options.missing_share),
           {"give a {} of at least 0 and less than 1", {{"missing_share"}}});
}

Average average(const Vector& values, const Vector& weights) {
  const auto n = static_cast<double>(values.size());
  if (values.empty()) return {};
  const auto weight = [&](std::size_t i) { return weights.empty() ? 1 : weights[i]; };
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += weight(i) * values[i];
    total += weight(i);
  }
  const double mean = sum / total;
  if (std::isnan(mean)) return {0, kernel::infinity};  // both infinities
  if (std::isinf(mean)) return {mean, kernel::infinity};
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double off = weight(i) * (values[i] - mean);
    squares += off * off;
  }
  return {mean, n > 1 ? std::sqrt(squares * (n / (n - 1))) / total : 0};
}

std::vector<Index> automatic_sizes(const Rows& rows) {
  const curves_detail::Divisible divisible(rows, {}, Missing::em);
  curves_detail::check_classes(divisible.population());
  return curves_detail::sizes_of(divisible.population());
}

LearningCurves learning_curves(const Rows& rows, const std::vector<Candidate>& candidates,
                               const CurveOptions& options, const Control& control) {
  select_detail::check_candidates(rows, candidates);
  validate(options);
  return curves_detail::CurveRun(rows, candidates, options, control).run();
}

}  // namespace genera
