#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <genera/decisions.hpp>
#include <genera/evaluate.hpp>
#include <genera/query.hpp>

#include "classifier.hpp"
#include "facts.hpp"
#include "laboratory.hpp"
#include "run.hpp"

namespace genera::python {
namespace {

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

/// Of posteriors, whoever gave them; the data have labels and weights.
Evaluation evaluate_posterior(const std::vector<std::string>& classes, nb::handle posterior,
                              const Data& data, const nb::dict& how) {
  const OtherLabels others =
      nb::cast<bool>(how["strict"]) ? OtherLabels::refuse : OtherLabels::leave_out;
  Evaluation found(classes, rule_of(how, classes), others);
  found.add(matrix_of(posterior, "posteriors"), data.view());
  return found;
}

/// Places of classes; -1: undecided, or an outlier of which the tail is below `outlier`.
nb::object decisions_of(const FittedModel& fitted, nb::handle rows, const nb::dict& how,
                        nb::handle threads) {
  const ClassifierRef model = fitted.model();
  const DecisionRule rule = rule_of(how, model.classes());
  const auto outlier = nb::cast<std::optional<double>>(how["outlier"]);
  const Model* density = outlier ? &fitted.density() : nullptr;
  validate(rule, model.classes());
  const Data data = fitted.data_of(rows);
  const Rows view = data.view();
  const WantedAnswers wanted{.distances = outlier.has_value(),
                             .log_density = outlier.has_value(),
                             .posterior = true,
                             .labels = true};
  return array_of(
      run(work_of(data.cells()), threads_of(threads), nb::none(), [&](const Control& control) {
        const Answers found = answers(model, view, wanted, control);
        std::vector<std::int32_t> decided = decide(found, rule);
        if (!density) return decided;
        const Vector tails = OutlierTail(*density, 1, control)(view, found);
        for (std::size_t i = 0; i < decided.size(); ++i)
          if (tails[i] < *outlier) decided[i] = -1;
        return decided;
      }));
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
      .def(
          "facts",
          [](const Evaluation& found, Index positive) { return object_of(facts(found, positive)); },
          nb::arg("positive"));
  module.def("evaluate", &evaluate_data, nb::arg("model"), nb::arg("data"), nb::arg("how"),
             nb::arg("threads") = nb::none(), nb::arg("tell") = nb::none());
  module.def("evaluate_posterior", &evaluate_posterior, nb::arg("classes"), nb::arg("posterior"),
             nb::arg("data"), nb::arg("how"));
  module.def("decide", &decisions_of, nb::arg("model"), nb::arg("rows"), nb::arg("how"),
             nb::arg("threads") = nb::none());
  module.def("estimate_priors", &estimated_priors, nb::arg("model"), nb::arg("data"),
             nb::arg("threads") = nb::none(),
             "The class proportions that make the rows likeliest, after how many iterations, and "
             "whether they no longer changed.");
}

}  // namespace genera::python
