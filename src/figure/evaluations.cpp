#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/figure.hpp>
#include <genera/query.hpp>

#include "kernel/index.hpp"

namespace genera::figure {
namespace {

using kernel::at;

/// Steps from the highest score down; equal scores form one step.
RocCurve roc_curve(Vector positives, Vector negatives) {
  RocCurve curve{.x = {0}, .y = {0}};
  curve.area = area_under_roc(positives, negatives).value_or(0);
  std::ranges::sort(positives, std::greater());
  std::ranges::sort(negatives, std::greater());
  std::size_t p = 0, n = 0;
  while (p < positives.size() || n < negatives.size()) {
    const double score = p == positives.size()   ? negatives[n]
                         : n == negatives.size() ? positives[p]
                                                 : std::max(positives[p], negatives[n]);
    while (p < positives.size() && positives[p] == score) ++p;
    while (n < negatives.size() && negatives[n] == score) ++n;
    const double x = static_cast<double>(n) / static_cast<double>(negatives.size());
    const double y = static_cast<double>(p) / static_cast<double>(positives.size());
    // Merges a step with the previous one if both have the same direction.
    const std::size_t last = curve.x.size() - 1;
    const bool along = last > 0 && ((curve.x[last] == x && curve.x[last - 1] == x) ||
                                    (curve.y[last] == y && curve.y[last - 1] == y));
    if (along) {
      curve.x[last] = x;
      curve.y[last] = y;
    } else {
      curve.x.push_back(x);
      curve.y.push_back(y);
    }
  }
  return curve;
}

std::string percentage(double part) { return fmt::format("{:.3g} %", 100 * part); }

void say_left_out(Frame& frame, Index rows) {
  if (rows > 0)
    frame.caption.push_back(
        fmt::format("{} without a label that is a class of the model {} left out",
                    counted(rows, "row"), rows == 1 ? "is" : "are"));
}

std::string_view title_of(Metric metric) {
  return metric == Metric::error ? "error rate of test rows" : "log loss of test rows";
}

/// The distinct values of a member, in increasing order.
Vector distinct(const std::vector<GridScore>& scores, double GridScore::*which) {
  Vector values;
  for (const GridScore& score : scores) values.push_back(score.*which);
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

Index place_of(const Vector& values, double value) {
  return std::ranges::find(values, value) - values.begin();
}

std::optional<std::pair<Index, Index>> min_of(const Matrix& values) {
  std::optional<std::pair<Index, Index>> best;
  for (Index j = 0; j < values.rows(); ++j) {
    for (Index i = 0; i < values.columns(); ++i) {
      if (!std::isfinite(values(j, i))) continue;
      if (!best || values(j, i) < values(best->first, best->second)) best = {j, i};
    }
  }
  return best;
}

}  // namespace

Confusion confusion(const Evaluation& evaluation) {
  const Index classes = std::ssize(evaluation.classes());
  Confusion figure{
      .frame = {.axes = {{.name = "predicted"}, {.name = "true"}}, .classes = evaluation.classes()},
      .counts = Matrix(classes, classes),
      .shares = Matrix(classes, classes)};
  for (Index k = 0; k < classes; ++k) {
    const auto support = static_cast<double>(evaluation.scores(k).support);
    for (Index l = 0; l < classes; ++l) {
      figure.counts(k, l) = static_cast<double>(evaluation.confusion(k, l));
      figure.shares(k, l) = support > 0 ? figure.counts(k, l) / support : 0;
    }
  }
  figure.frame.caption.push_back(
      fmt::format("{} of {} {} wrong ({}); shades are shares of each true class",
                  evaluation.errors(), counted(evaluation.rows(), "row"),
                  evaluation.errors() == 1 ? "is" : "are", percentage(evaluation.error_rate())));
  say_left_out(figure.frame, evaluation.left_out().rows());
  return figure;
}

Reliability reliability(const Evaluation& evaluation) {
  Reliability figure{.frame = {.axes = {{.name = "probability of the most probable class"},
                                        {.name = "share of rows that have it"}},
                               .classes = evaluation.classes()},
                     .error = evaluation.expected_calibration_error(),
                     .rows = evaluation.rows()};
  for (const ReliabilityBin& bin : evaluation.reliability())
    if (bin.rows > 0) figure.bins.push_back(bin);
  figure.frame.caption.push_back(
      fmt::format("expected calibration error {:.4f} over {}; the area of a dot is the number of "
                  "rows",
                  figure.error, counted(figure.rows, "row")));
  say_left_out(figure.frame, evaluation.left_out().rows());
  return figure;
}

Roc roc(ClassifierRef model, const Rows& data, Index positive, const Control& control) {
  if (data.data().labels.empty())
    throw Error(Errc::bad_data, fmt::format("the table has no label column '{}'", model.target()),
                {"name the column that holds the truth with {}", {{"target"}}});
  Roc figure = roc(model.classes(), posterior(model, data, control), data, positive);
  figure.frame.target = model.target();
  return figure;
}

Roc roc(const std::vector<std::string>& classes, const Matrix& posterior, const Rows& data,
        Index positive) {
  if (positive < 0 || positive >= std::ssize(classes))
    throw Error(Errc::bad_argument, fmt::format("there is no class number {}", positive),
                "classes are counted from 0");
  if (posterior.rows() != data.count() || posterior.columns() != std::ssize(classes))
    throw Error(Errc::bad_argument, "the posteriors do not fit the rows and the classes",
                "give a row of posteriors for each row, with a column for each class");
  const CodesView& labels = data.data().labels;
  const std::vector<Index> class_of = find_labels(classes, labels.names);
  std::vector<Index> truth;
  for (Index i = 0; i < data.count(); ++i) {
    const std::int32_t label = labels(data.row(i));
    truth.push_back(label < 0 ? -1 : class_of[at(label)]);
  }
  Roc figure{.frame = {.axes = {{.name = "false positive rate"}, {.name = "true positive rate"}},
                       .classes = classes}};
  for (Index k = 0; k < std::ssize(classes); ++k) {
    if (classes.size() == 2 && k != positive) continue;
    Vector positives, negatives;
    for (Index i = 0; i < data.count(); ++i)
      if (truth[at(i)] >= 0) (truth[at(i)] == k ? positives : negatives).push_back(posterior(i, k));
    if (positives.empty() || negatives.empty()) continue;
    RocCurve curve = roc_curve(std::move(positives), std::move(negatives));
    curve.name = classes[at(k)];
    curve.of_class = k;
    figure.curves.push_back(std::move(curve));
  }
  if (figure.curves.empty())
    throw Error(Errc::bad_data, "there are not rows of two classes of the model",
                "give rows of several classes");
  say_left_out(figure.frame, std::ranges::count(truth, -1));
  return figure;
}

Trends curves(const std::vector<LearningCurve>& curves, Index repeats, Metric metric,
              const std::vector<CurveCrossing>& crossings) {
  Trends figure{
      .frame = {.axes = {{.name = "training rows"}, {.name = std::string(title_of(metric))}}},
      .log_x = true};
  for (const LearningCurve& curve : curves) {
    Trend trend{.name = curve.name, .solid = curve.generative};
    for (const CurvePoint& point : curve.points) {
      const Average& value = metric == Metric::error ? point.error : point.log_loss;
      trend.x.push_back(static_cast<double>(point.size));
      trend.y.push_back(value.mean);
      trend.error.push_back(value.se);
    }
    figure.trends.push_back(std::move(trend));
  }
  if (repeats > 0)
    figure.frame.caption.push_back(fmt::format(
        "means of {} random splits, with standard errors; dashed: discriminative", repeats));
  for (const CurveCrossing& crossing : crossings) {
    figure.marks.push_back(crossing.size);
    figure.frame.caption.push_back(fmt::format("{} and {} cross at {:.0f} rows", crossing.first,
                                               crossing.second, crossing.size));
  }
  return figure;
}

namespace {

/// y = c x through the geometric mean of the first points.
Trend proportional(const std::vector<Trend>& trends) {
  double first = trends.front().x.front(), last = first, logs = 0, count = 0;
  for (const Trend& trend : trends) {
    first = std::min(first, trend.x.front());
    last = std::max(last, trend.x.back());
    logs += std::log(trend.y.front() / trend.x.front());
    ++count;
  }
  const double slope = std::exp(logs / count);
  return {.name = "proportional to the columns",
          .x = {first, last},
          .y = {slope * first, slope * last}};
}

}  // namespace

Trends needed(const std::vector<NeededRows>& needed, double within) {
  Trends figure{.frame = {.axes = {{.name = "columns"}, {.name = "training rows needed"}}},
                .log_x = true,
                .log_y = true};
  figure.frame.caption.push_back(
      fmt::format("rows until the mean error is within {:g} of its limit, with 90 % intervals; "
                  "dashed: discriminative",
                  within));
  for (const NeededRows& one : needed) {
    if (!one.rows) {
      figure.frame.caption.push_back(fmt::format("{} with {}: outside of the tested sizes",
                                                 one.model, counted(one.columns, "column")));
      continue;
    }
    auto found = std::ranges::find(figure.trends, one.model, &Trend::name);
    if (found == figure.trends.end()) {
      figure.trends.push_back({.name = one.model, .solid = one.generative});
      found = figure.trends.end() - 1;
    }
    found->x.push_back(static_cast<double>(one.columns));
    found->y.push_back(*one.rows);
    found->low.push_back(one.low.value_or(*one.rows));
    found->high.push_back(one.high.value_or(*one.rows));
  }
  if (figure.trends.empty())
    throw Error(Errc::bad_data, "every number of rows lies outside of the tested sizes",
                {"test more numbers of rows with {}", {{"sizes"}}});
  figure.guide = proportional(figure.trends);
  return figure;
}

Trends needed(const Comparison& comparison) {
  std::vector<NeededRows> all;
  for (const Comparison::Part& part : comparison.parts) {
    for (std::size_t c = 0; c < part.needed.size(); ++c) {
      const SizeEstimate& rows = part.needed[c].rows;
      all.push_back({part.curves.curves[c].name, part.curves.curves[c].generative,
                     part.dimension.value_or(0), rows.size, rows.low, rows.high});
    }
  }
  return needed(all, comparison.within.value_or(0));
}

Trends curves(const LearningCurves& curves, Metric metric) {
  return figure::curves(curves.curves, curves.repeats(), metric);
}

HeatMap path(const std::vector<GridScore>& scores,
             const std::optional<std::pair<double, double>>& chosen, Metric metric) {
  if (scores.empty())
    throw Error(Errc::bad_data, "there is no grid of alpha and gamma",
                {"choose among points of rda with {}", {{"models", {"rda"}}}});
  HeatMap figure{.frame = {.axes = {{.name = "alpha: own (1) or pooled (0) covariances"},
                                    {.name = "gamma: towards a simple target"}}},
                 .x = distinct(scores, &GridScore::alpha),
                 .y = distinct(scores, &GridScore::gamma),
                 .value_name = metric == Metric::error ? "error rate, cross-validated"
                                                       : "log loss, cross-validated"};
  figure.values =
      Matrix(std::ssize(figure.y), std::ssize(figure.x), std::numeric_limits<double>::quiet_NaN());
  for (const GridScore& score : scores)
    if (std::isfinite(score.value))
      figure.values(place_of(figure.y, score.gamma), place_of(figure.x, score.alpha)) = score.value;
  figure.best = min_of(figure.values);
  if (chosen) {
    const Index i = place_of(figure.x, chosen->first), j = place_of(figure.y, chosen->second);
    if (i < std::ssize(figure.x) && j < std::ssize(figure.y)) figure.best = {j, i};
  }
  if (figure.best)
    figure.frame.caption.push_back(fmt::format(
        "chosen: alpha {:g} and gamma {:g}; with gamma 0, alpha 1 is qda and alpha 0 is lda",
        figure.x[at(figure.best->second)], figure.y[at(figure.best->first)]));
  return figure;
}

Trends bic(const std::vector<ClusterCandidate>& candidates, std::optional<std::size_t> best) {
  Trends figure{.frame = {.axes = {{.name = "components"}, {.name = "BIC (lower is better)"}}}};
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const ClusterCandidate& candidate = candidates[i];
    const std::string name(name_of(candidate.covariance));
    auto found = std::ranges::find(figure.trends, name, &Trend::name);
    if (found == figure.trends.end()) {
      figure.trends.push_back({.name = name});
      found = figure.trends.end() - 1;
    }
    found->x.push_back(static_cast<double>(candidate.components));
    found->y.push_back(candidate.bic);
    found->usable.push_back(candidate.on_floor ? 0 : 1);
    if (i == best)
      figure.best = {static_cast<std::size_t>(found - figure.trends.begin()), found->x.size() - 1};
  }
  if (std::ranges::any_of(candidates, &ClusterCandidate::on_floor))
    figure.frame.caption.emplace_back("crosses: a component collapsed; not ranked");
  if (std::ranges::any_of(candidates, &ClusterCandidate::given_up))
    figure.frame.caption.emplace_back(
        "some could not become the best and were not followed to their end");
  return figure;
}

Trends bic(const Clustering& clustering) { return bic(clustering.candidates, clustering.best); }

}  // namespace genera::figure
