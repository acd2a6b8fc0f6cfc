#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <genera/decisions.hpp>
#include <genera/evaluate.hpp>

#include "classifier.hpp"
#include "laboratory.hpp"
#include "run.hpp"

namespace genera::python {
namespace {

nb::list list_of(const std::vector<ReliabilityBin>& bins) {
  nb::list all;
  for (const ReliabilityBin& bin : bins) {
    nb::dict to;
    to["low"] = bin.low;
    to["high"] = bin.high;
    to["rows"] = bin.rows;
    to["confidence"] = bin.rows > 0 ? nb::cast(bin.confidence) : nb::none();
    to["accuracy"] = bin.rows > 0 ? nb::cast(bin.accuracy) : nb::none();
    all.append(to);
  }
  return all;
}

nb::object dict_of(const LeftOut& out) {
  nb::dict labels, to;
  for (const auto& [name, rows] : out.labels) labels[name.c_str()] = rows;
  to["rows"] = out.rows();
  to["missing"] = out.missing;
  to["unknown"] = out.unknown;
  to["labels"] = labels;
  return to;
}

void add_classes(nb::dict& to, const Evaluation& evaluation) {
  const Index classes = std::ssize(evaluation.classes());
  nb::list confusion, weights, per_class;
  for (Index k = 0; k < classes; ++k) {
    nb::list row, weighted;
    for (Index l = 0; l < classes; ++l) {
      row.append(evaluation.confusion(k, l));
      weighted.append(evaluation.confusion_weight(k, l));
    }
    confusion.append(row);
    weights.append(weighted);
    const Evaluation::ClassScores scores = evaluation.scores(k);
    nb::dict one;
    one["precision"] = scores.precision;
    one["recall"] = scores.recall;
    one["f1"] = scores.f1;
    one["support"] = scores.support;
    if (evaluation.weighted()) one["weight"] = scores.weight;
    per_class.append(one);
  }
  to["classes"] = python::list_of(evaluation.classes());
  to["confusion"] = confusion;
  to["per_class"] = per_class;
  if (!evaluation.weighted()) return;
  to["weight"] = evaluation.weight();
  to["confusion_weights"] = weights;
}

/// How far chance and the shares of the classes explain the accuracy.
void add_comparisons(nb::dict& to, const Evaluation& evaluation) {
  constexpr double level = 0.95;
  const Interval interval = evaluation.accuracy_interval(level);
  const Evaluation::Baseline baseline = evaluation.baseline();
  nb::dict around, guess;
  around["low"] = interval.low;
  around["high"] = interval.high;
  around["level"] = level;
  around["method"] = "wilson";
  guess["class"] = evaluation.classes()[static_cast<std::size_t>(baseline.prediction)];
  guess["accuracy"] = baseline.accuracy;
  to["accuracy_interval"] = around;
  to["balanced_accuracy"] = evaluation.balanced_accuracy();
  to["baseline"] = guess;
}

/// `positive`: negative if there are not two classes.
nb::dict facts_of(const Evaluation& evaluation, Index positive) {
  nb::dict to;
  to["rows"] = evaluation.rows();
  to["accuracy"] = evaluation.accuracy();
  to["error_rate"] = evaluation.error_rate();
  to["errors"] = evaluation.errors();
  to["log_loss"] = evaluation.log_loss();
  to["brier"] = evaluation.brier();
  to["log_likelihood"] = evaluation.log_likelihood();
  const std::optional<Costs>& costs = evaluation.rule().costs;
  if (costs) to["risk"] = evaluation.risk();
  if (evaluation.rule().reject || (costs && costs->offers_review())) {
    to["rejected"] = evaluation.rejected();
    to["coverage"] = evaluation.coverage();
    to["selective_risk"] = optional_of(evaluation.selective_risk());
  }
  to["left_out"] = dict_of(evaluation.left_out());
  add_classes(to, evaluation);
  add_comparisons(to, evaluation);
  to["reliability"] = list_of(evaluation.reliability());
  to["ece"] = evaluation.expected_calibration_error();
  if (positive >= 0) {
    to["auc"] = optional_of(evaluation.area_under_roc(positive));
    to["average_precision"] = optional_of(evaluation.average_precision(positive));
  }
  to["impossible"] = evaluation.impossible();
  to["unseen"] = evaluation.unseen();
  return to;
}

/// `costs`: K rows of K numbers in the order of the classes, or None; `review`: K prices, or none.
DecisionRule rule_of(const nb::dict& how, const std::vector<std::string>& classes) {
  DecisionRule rule;
  rule.reject = nb::cast<std::optional<double>>(how["reject"]);
  const auto costs = nb::cast<std::optional<std::vector<Vector>>>(how["costs"]);
  if (!costs) return rule;
  Vector values;
  for (const Vector& row : *costs) values.insert(values.end(), row.begin(), row.end());
  const auto k = static_cast<Index>(classes.size());
  rule.costs = Costs(classes, Matrix(k, k, values), nb::cast<Vector>(how["review"]));
  return rule;
}

Evaluation evaluate_data(const FittedModel& fitted, const Data& data, const nb::dict& how,
                         nb::handle threads, const nb::object& tell) {
  const ClassifierRef model = fitted.model();
  const DecisionRule rule = rule_of(how, model.classes());
  const OtherLabels others =
      nb::cast<bool>(how["strict"]) ? OtherLabels::refuse : OtherLabels::leave_out;
  const Rows rows = data.view();
  return run(work_of(data.cells()), threads_of(threads), tell,
             [&](const Control& control) { return evaluate(model, rows, rule, control, others); });
}

nb::tuple estimated_priors(const FittedModel& fitted, const Data& data, nb::handle threads) {
  const Model& model = fitted.density();
  const Rows rows = data.view();
  const PriorEstimate found =
      run(work_of(data.cells()), threads_of(threads), nb::none(),
          [&](const Control& control) { return estimate_priors(model, rows, control); });
  return nb::make_tuple(array_of(found.prior.probabilities()), found.iterations, found.converged);
}

}  // namespace

void bind_evaluation(nb::module_& module) {
  nb::class_<Evaluation>(module, "Evaluation", "How good a model is on labelled rows.")
      .def("facts", &facts_of, nb::arg("positive"));
  module.def("evaluate", &evaluate_data, nb::arg("model"), nb::arg("data"), nb::arg("how"),
             nb::arg("threads") = nb::none(), nb::arg("tell") = nb::none());
  module.def("estimate_priors", &estimated_priors, nb::arg("model"), nb::arg("data"),
             nb::arg("threads") = nb::none(),
             "The class proportions that make the rows likeliest, after how many iterations, and "
             "whether they no longer changed.");
}

}  // namespace genera::python
