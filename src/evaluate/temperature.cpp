// Fits a temperature to held-out scores.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <boost/math/tools/minima.hpp>
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

constexpr double max_temperature = 100;

/// Weighted sums over rows at one temperature.
struct HeldOutSums {
  double bounded = 0;   ///< bounded losses, which no single row can dominate
  double log_loss = 0;  ///< of -log p(truth); infinite if the truth is impossible in some row
  /// weight of rows whose label became wrong minus weight of rows whose label became right
  double raised = 0;
  double squares = 0;  ///< squared weights of both

  void add(const HeldOutSums& other) {
    bounded += other.bounded;
    log_loss += other.log_loss;
    raised += other.raised;
    squares += other.squares;
  }
};

/// The true class of a row at inverse temperature b: log p(truth), and whether it is predicted.
struct TruthAt {
  double log_probability;
  bool right;
};

TruthAt truth_at(const HeldOutScores& scores, Index row, Index truth, double b) {
  const Index classes = scores.scores.columns();
  const auto total = [&](Index k) {
    const double score = scores.scores(row, k), prior = scores.log_prior(row, k);
    return std::isinf(score) ? -infinity : prior + b * (score - prior);
  };
  Index best = 0;
  for (Index k = 1; k < classes; ++k)
    if (total(k) > total(best)) best = k;
  const double largest = total(best);
  if (std::isinf(largest)) {  // impossible under every class: the prior, at any temperature
    for (Index k = 1; k < classes; ++k)
      if (scores.log_prior(row, k) > scores.log_prior(row, best)) best = k;
    return {scores.log_prior(row, truth), best == truth};
  }
  double sum = 0;
  for (Index k = 0; k < classes; ++k) sum += std::exp(total(k) - largest);
  return {total(truth) - largest - std::log(sum), best == truth};
}

/// Held-out losses as functions of the temperature.
class HeldOutLoss {
 public:
  HeldOutLoss(const HeldOutScores& scores, const std::vector<std::int32_t>& truths, int threads)
      : scores_(scores), truths_(truths), threads_(threads) {
    for (std::size_t i = 0; i < truths.size(); ++i) {
      weight_ += weight(i);
      right_before_.push_back(truth_at(scores, static_cast<Index>(i), truths[i], 1).right ? 1 : 0);
    }
  }

  /// Summed in parts of a fixed number of rows, in order.
  [[nodiscard]] HeldOutSums at_temperature(double temperature) const {
    constexpr Index rows_per_part = 2048;
    const Index rows = scores_.scores.rows(), parts = (rows + rows_per_part - 1) / rows_per_part;
    std::vector<HeldOutSums> sums(at(parts));
    kernel::parallel_for(parts, threads_, [&](Index part) {
      const Index end = std::min(rows, (part + 1) * rows_per_part);
      for (Index i = part * rows_per_part; i < end; ++i) add(i, 1 / temperature, sums[at(part)]);
    });
    HeldOutSums total;
    for (const HeldOutSums& part : sums) total.add(part);
    return total;
  }

  [[nodiscard]] double mean(double sum) const { return sum / weight_; }

 private:
  [[nodiscard]] double weight(std::size_t i) const {
    return scores_.weights.empty() ? 1 : scores_.weights[i];
  }

  void add(Index i, double b, HeldOutSums& to) const {
    const Index truth = truths_[at(i)];
    const TruthAt found = truth_at(scores_, i, truth, b);
    const double w = weight(at(i));
    to.bounded += w * select_detail::bounded_loss(found.log_probability,
                                                  {std::ssize(truths_), scores_.scores.columns()});
    if (w > 0) to.log_loss -= w * found.log_probability;
    if (found.right == (right_before_[at(i)] != 0)) return;
    to.raised += found.right ? -w : w;
    to.squares += w * w;
  }

  const HeldOutScores& scores_;
  const std::vector<std::int32_t>& truths_;
  int threads_;
  double weight_ = 0;
  std::vector<char> right_before_;  // at temperature 1
};

/// The temperature with the smallest bounded loss that does not raise the log loss, nor the error
/// rate by more than the standard error of the difference.
class TemperatureSearch {
 public:
  explicit TemperatureSearch(const HeldOutLoss& loss)
      : loss_(loss), before_(loss.at_temperature(1)) {}

  [[nodiscard]] const HeldOutSums& before() const { return before_; }

  /// Searches a logarithmic grid, then between the neighbours of the best point.
  [[nodiscard]] double find() const {
    constexpr int steps = 40;
    const double last = std::log(max_temperature), step = last / steps;
    double best = 0, best_loss = before_.bounded;
    for (int i = 1; i <= steps; ++i) {
      const HeldOutSums sums = loss_.at_temperature(temperature_at(i * step));
      if (!(sums.bounded < best_loss) || !is_allowed(sums)) continue;
      best = i * step;
      best_loss = sums.bounded;
    }
    const auto bounded = [&](double t) { return loss_.at_temperature(std::exp(t)).bounded; };
    /// attainable precision of a minimum
    constexpr int bits = std::numeric_limits<double>::digits / 2;
    const auto [between, value] = boost::math::tools::brent_find_minima(
        bounded, std::max(0.0, best - step), std::min(last, best + step), bits);
    const double refined = temperature_at(between);
    const bool better = value < best_loss && is_allowed(loss_.at_temperature(refined));
    return better ? refined : temperature_at(best);
  }

 private:
  /// Rounded to five decimals, because the minimum is flat.
  static double temperature_at(double logarithm) {
    constexpr double unit = 1e-5;
    return std::min(std::round(std::exp(logarithm) / unit) * unit, max_temperature);
  }
  [[nodiscard]] bool is_allowed(const HeldOutSums& sums) const {
    return !(sums.log_loss > before_.log_loss) && sums.raised <= std::sqrt(sums.squares);
  }

  const HeldOutLoss& loss_;
  HeldOutSums before_;
};

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
  const double weight = std::accumulate(scores.weights.begin(), scores.weights.end(), 0.0);
  if (!scores.weights.empty() && (scores.weights.size() != truths.size() || !(weight > 0)))
    throw Error(Errc::bad_argument, "the weights of the rows do not fit them",
                "give a weight for each row, and one above 0, or none");
  Calibration found{.rows = std::ssize(truths), .folds = scores.log_priors.rows()};
  if (truths.empty()) return found;
  const HeldOutLoss loss(scores, truths, control.threads);
  const TemperatureSearch search(loss);
  found.log_loss_before = loss.mean(search.before().log_loss);
  found.temperature = search.find();
  found.log_loss_after = loss.mean(loss.at_temperature(found.temperature).log_loss);
  return found;
}

namespace {

/// A row, the difference between its two largest scores, and the class of the second.
struct Margin {
  double size = infinity;
  Index row = 0;
  std::int32_t second = 0;
};

Margin margin_of(const HeldOutScores& scores, Index row) {
  const auto values = scores.scores.row(row);
  const auto best = std::ranges::max_element(values) - values.begin();
  std::int32_t second = best == 0 ? 1 : 0;
  for (std::int32_t k = 0; k < std::ssize(values); ++k)
    if (k != best && values[at(k)] > values[at(second)]) second = k;
  return {values[at(best)] - values[at(second)], row, second};
}

}  // namespace

Calibration select_detail::cautious_temperature(const HeldOutScores& scores,
                                                const std::vector<std::int32_t>& truths,
                                                const Control& control) {
  std::vector<Margin> margins;
  for (Index i = 0; i < scores.scores.rows() && scores.scores.columns() > 1; ++i)
    if (const Margin one = margin_of(scores, i); std::isfinite(one.size)) margins.push_back(one);
  if (margins.empty()) return fit_temperature(scores, truths, control);
  const auto median = margins.begin() + std::ssize(margins) / 2;
  std::ranges::nth_element(margins, median, {}, &Margin::size);
  const Index n = scores.scores.rows(), classes = scores.scores.columns();
  HeldOutScores more{Matrix(n + 1, classes), scores.log_priors, scores.model_of, scores.weights};
  for (Index i = 0; i <= n; ++i)
    std::ranges::copy(scores.scores.row(i < n ? i : median->row), more.scores.row(i).begin());
  more.model_of.push_back(scores.model_of[at(median->row)]);
  const double total = std::accumulate(more.weights.begin(), more.weights.end(), 0.0);
  if (!more.weights.empty()) more.weights.push_back(total / static_cast<double>(n));
  std::vector<std::int32_t> answers = truths;
  answers.push_back(median->second);
  const Calibration cautious = fit_temperature(more, answers, control);
  Calibration found{.temperature = cautious.temperature, .rows = n, .folds = cautious.folds};
  const HeldOutLoss loss(scores, truths, control.threads);
  found.log_loss_before = loss.mean(loss.at_temperature(1).log_loss);
  found.log_loss_after = loss.mean(loss.at_temperature(found.temperature).log_loss);
  return found;
}

double select_detail::truth_log_probability(const HeldOutScores& scores, Index row, Index truth,
                                            double temperature) {
  return truth_at(scores, row, truth, 1 / temperature).log_probability;
}

double select_detail::bounded_loss(double log_probability, const HeldOutSize& of) {
  const double share = 1 / static_cast<double>(of.rows);
  return -std::log((1 - share) * std::exp(log_probability) +
                   share / static_cast<double>(of.classes));
}

Fitted<Classifier> select_detail::with_temperature(Fitted<Classifier> fitted,
                                                   const Calibration& found) {
  fitted.report.calibration = found;
  if (auto* joint = std::get_if<Model>(&fitted.model))
    fitted.model = std::move(*joint).with_temperature(found.temperature);
  else if (auto* linear = std::get_if<LinearModel>(&fitted.model))
    fitted.model = std::move(*linear).with_temperature(found.temperature);
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
