// One temperature from held-out scores.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/select.hpp>

#include "evaluate/temperature.hpp"
#include "fit/report.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "kernel/parallel.hpp"

namespace genera {
namespace {

using kernel::at;
using kernel::infinity;

constexpr double hottest = 100;

/// Of a sum over rows of -log p(truth), where evidence is multiplied by b = 1/T: convex in b.
struct LossAt {
  double value = 0, slope = 0, curvature = 0;
  Index impossible = 0;  ///< rows to which their class is impossible: their loss is infinite
};

/// What one row adds.
class RowLoss {
 public:
  RowLoss(const HeldOutScores& scores, Index row) : scores_(scores), row_(row) {}

  void add(Index truth, double b, LossAt& to) const {
    if (is_impossible()) {  // it has its prior, at any temperature
      to.value -= scores_.log_prior(row_, truth);
      return;
    }
    if (std::isinf(scores_.scores(row_, truth))) {
      ++to.impossible;
      return;
    }
    double most = -infinity, sum = 0, mean = 0, spread = 0;
    for (Index k = 0; k < classes(); ++k) most = std::max(most, total(k, b));
    for_each_possible([&](Index k) {
      const double share = std::exp(total(k, b) - most);
      sum += share;
      mean += share * evidence(k);
    });
    mean /= sum;
    for_each_possible([&](Index k) {
      spread += std::exp(total(k, b) - most) / sum * std::pow(evidence(k) - mean, 2);
    });
    to.value += most + std::log(sum) - total(truth, b);
    to.slope += mean - evidence(truth);
    to.curvature += spread;
  }

 private:
  [[nodiscard]] Index classes() const { return scores_.scores.columns(); }
  [[nodiscard]] double evidence(Index k) const {
    return scores_.scores(row_, k) - scores_.log_prior(row_, k);
  }
  [[nodiscard]] double total(Index k, double b) const {
    if (std::isinf(scores_.scores(row_, k))) return -infinity;
    return scores_.log_prior(row_, k) + b * evidence(k);
  }
  [[nodiscard]] bool is_impossible() const {
    for (Index k = 0; k < classes(); ++k) {
      if (!std::isinf(scores_.scores(row_, k))) return false;
    }
    return true;
  }
  template <class Visit>
  void for_each_possible(Visit visit) const {
    for (Index k = 0; k < classes(); ++k) {
      if (!std::isinf(scores_.scores(row_, k))) visit(k);
    }
  }

  const HeldOutScores& scores_;
  Index row_;
};

class TemperatureLoss {
 public:
  TemperatureLoss(const HeldOutScores& scores, const std::vector<std::int32_t>& truths, int threads)
      : scores_(scores), truths_(truths), threads_(threads) {}

  /// In parts of a fixed number of rows, which are added in order.
  [[nodiscard]] LossAt operator()(double b) const {
    constexpr Index rows_per_part = 2048;
    const Index rows = scores_.scores.rows(), parts = (rows + rows_per_part - 1) / rows_per_part;
    std::vector<LossAt> sums(at(parts));
    kernel::parallel_for(parts, threads_, [&](Index part) {
      const Index end = std::min(rows, (part + 1) * rows_per_part);
      for (Index i = part * rows_per_part; i < end; ++i)
        RowLoss(scores_, i).add(truths_[at(i)], b, sums[at(part)]);
    });
    LossAt total;
    for (const LossAt& part : sums) {
      total.value += part.value;
      total.slope += part.slope;
      total.curvature += part.curvature;
      total.impossible += part.impossible;
    }
    return total;
  }

  [[nodiscard]] double mean(const LossAt& loss) const {
    return loss.impossible > 0 ? infinity : loss.value / static_cast<double>(truths_.size());
  }

 private:
  const HeldOutScores& scores_;
  const std::vector<std::int32_t>& truths_;
  int threads_;
};

/// Where the slope is 0 in (low, 1): Newton's method, kept between points where it is negative and
/// positive.
double zero_of_slope(const TemperatureLoss& loss, double low) {
  double high = 1, b = 1;
  constexpr int most_steps = 200;
  constexpr double close = 1e-13;
  LossAt here = loss(b);
  for (int step = 0; step < most_steps && high - low > close * low; ++step) {
    const double newton = here.curvature > 0 ? b - here.slope / here.curvature : low;
    const double next = newton > low && newton < high ? newton : (low + high) / 2;
    const double moved = std::abs(next - b);
    b = next;
    here = loss(b);
    if (here.slope == 0) break;
    (here.slope > 0 ? high : low) = b;
    if (moved < close * b) break;
  }
  return b;
}

Index count_labelled(const Rows& rows) {
  Index labelled = 0;
  const CodesView& labels = rows.data().labels;
  for (Index i = 0; i < rows.count() && !labels.empty(); ++i)
    labelled += labels(rows.row(i)) >= 0 ? 1 : 0;
  return labelled;
}

}  // namespace

Calibration fit_temperature(const HeldOutScores& scores, const std::vector<std::int32_t>& truths,
                            const Control& control) {
  if (scores.scores.rows() != std::ssize(truths))
    throw Error(Errc::bad_argument,
                fmt::format("{} given for {} of scores",
                            counted(std::ssize(truths), "truth is", "truths are"),
                            counted(scores.scores.rows(), "row")),
                "give the true class of each row");
  for (std::size_t i = 0; i < truths.size(); ++i) {
    if (truths[i] < 0 || truths[i] >= scores.scores.columns())
      throw Error(Errc::bad_argument,
                  fmt::format("row {}: the truth {} is not one of {} classes", i + 1, truths[i],
                              scores.scores.columns()),
                  "number the classes from 0, as the scores do");
  }
  Calibration found{.rows = std::ssize(truths), .folds = scores.log_priors.rows()};
  if (truths.empty()) return found;
  const TemperatureLoss loss(scores, truths, control.threads);
  const LossAt cold = loss(1), hot = loss(1 / hottest);
  found.log_loss_before = loss.mean(cold);
  if (!(cold.slope > 0))
    found.temperature = 1;
  else if (!(hot.slope < 0))
    found.temperature = hottest;
  else
    found.temperature = std::clamp(1 / zero_of_slope(loss, 1 / hottest), 1.0, hottest);
  found.log_loss_after = loss.mean(loss(1 / found.temperature));
  return found;
}

Fitted<Classifier> select_detail::with_temperature(Fitted<Classifier> fitted,
                                                   const Calibration& found) {
  fitted.report.calibration = found;
  fitted.model = std::visit(
      [&](auto&& model) {
        return Classifier(std::move(model).with_temperature(found.temperature));
      },
      std::move(fitted.model));
  return fitted;
}

Fitted<Classifier> select_detail::with_notes_of_report(Fitted<Classifier> fitted) {
  return std::visit(
      [&](auto&& model) {
        auto noted = fit_detail::with_report(std::move(model), std::move(fitted.report));
        return Fitted<Classifier>{std::move(noted.model), std::move(noted.report)};
      },
      std::move(fitted.model));
}

Fitted<Classifier> calibrate(Fitted<Classifier> fitted, const Rows& rows, const AnyRecipe& recipe,
                             const SelectOptions& options, const Control& control) {
  const auto leave = [&](const std::string& why) {
    fitted.report.notes.push_back(
        {{fmt::format("the probabilities are not calibrated: {}", why)}, Note::Kind::warning});
    return select_detail::with_notes_of_report(std::move(fitted));
  };
  SelectOptions folds = options;
  folds.keep_scores = true;
  folds.folds = std::min(options.folds, count_labelled(rows));
  if (folds.folds < 2) return leave("fewer than two rows have a label");
  std::optional<Selection> selection;
  try {
    selection = cross_validate(rows, {{"", recipe, {}}}, folds, control);
  } catch (const Error& error) {
    if (error.code() == Errc::stopped) throw;
    return leave(error.what());
  }
  const HeldOut& held_out = selection->candidates.front();
  if (!held_out.usable) return leave(held_out.why_not);
  if (selection->judged.empty()) return leave("no class has rows in several folds");
  const Calibration found = fit_temperature(*held_out.scores, selection->truths, control);
  fitted.report.notes.push_back({fmt::format(
      "temperature {:.4g}: held-out log loss {:.5g} before, {:.5g} after ({} folds, "
      "{} rows)",
      found.temperature, found.log_loss_before, found.log_loss_after, found.folds, found.rows)});
  return select_detail::with_notes_of_report(
      select_detail::with_temperature(std::move(fitted), found));
}

}  // namespace genera
