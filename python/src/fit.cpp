#include "fit.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <genera/fit.hpp>
#include <genera/fit_auto.hpp>
#include <genera/mixture.hpp>

#include "classifier.hpp"
#include "facts.hpp"
#include "plan.hpp"
#include "run.hpp"

namespace genera::python {
namespace {

struct Learned {
  FittedStatistics found;
  AutoChoice choice{};
};

/// Rows without a label count with the weight that held-out rows prefer, unless it is given.
FittedStatistics weighing_unlabelled(const Rows& rows, Plan& plan, const Control& control) {
  FittedStatistics found = fit_with_statistics(rows, plan.recipe, plan.fit, control);
  if (plan.fit.unlabelled_weight || found.fitted.report.unlabelled_left_out == 0) return found;
  Fitted<Classifier> weighed =
      fit_weighing_unlabelled(rows, plan.recipe, plan.select_options(), control);
  const std::optional<double> weight = weighed.report.unlabelled_weight;
  if (weight.value_or(0) > 0) {
    plan.fit.unlabelled_weight = weight;
    found.statistics.reset();
  }
  found.fitted = std::move(weighed);
  return found;
}

Learned learn(const Rows& rows, Plan plan, const Control& control) {
  if (plan.automatic) {
    AutoFit found = fit_auto(rows, plan.auto_options(), control);
    return {{std::move(found.fitted), {}}, std::move(found.choice)};
  }
  FittedStatistics found = weighing_unlabelled(rows, plan, control);
  if (plan.calibrate) {
    found.fitted =
        calibrate(std::move(found.fitted), rows, plan.recipe, plan.select_options(), control);
    found.statistics.reset();  // they do not tell the temperature
  }
  return {std::move(found), {}};
}

/// The columns of the rows, with the types that auto has chosen for them.
std::vector<Column> inputs_of(const Data& data, const AutoChoice& choice) {
  std::vector<Column> inputs = data.inputs();
  for (Column& column : inputs)
    for (const auto& [name, type] : choice.types)
      if (name == column.name) column.type = type;
  return inputs;
}

/// Its name, and the columns of numbers that became categories.
nb::tuple choice_of(const AutoChoice& choice) {
  nb::list coded;
  for (const auto& [name, type] : choice.types) coded.append(name);
  return nb::make_tuple(choice.name, coded);
}

nb::tuple fit_data(const Data& data, const nb::dict& options, nb::handle threads,
                   const nb::object& tell) {
  const Plan plan = plan_of(options);
  const Rows rows = data.view();
  refuse_unfit_types(plan.model, rows.data().columns);
  Learned learned =
      run(plan.iterates() ? Work::lasting : work_of(data.cells()), threads_of(threads), tell,
          [&](const Control& control) { return learn(rows, plan, control); });
  nb::object statistics = nb::none();
  if (learned.found.statistics)
    statistics = nb::cast(std::make_unique<Statistics>(std::move(*learned.found.statistics)));
  return nb::make_tuple(
      FittedModel(std::move(learned.found.fitted.model), inputs_of(data, learned.choice)),
      statistics, object_of(facts(learned.found.fitted.report)), choice_of(learned.choice));
}

nb::tuple cluster_data(const Data& data, const nb::dict& options, nb::handle threads,
                       const nb::object& tell) {
  const ClusterOptions how = cluster_options_of(options);
  const Rows rows = data.view();
  Clustering found = run(Work::lasting, threads_of(threads), tell,
                         [&](const Control& control) { return cluster(rows, how, control); });
  const nb::object all = object_of(facts(found));
  return nb::make_tuple(FittedModel(std::move(found.model), data.inputs()), all,
                        object_of(facts(found.report)));
}

}  // namespace

void bind_fit(nb::module_& module) {
  module.def("fit", &fit_data, nb::arg("data"), nb::arg("options"), nb::arg("threads") = nb::none(),
             nb::arg("tell") = nb::none(),
             "A model, its statistics (or None), its report, and what auto has chosen: a name, and "
             "the columns of numbers that became categories.");
  module.def("cluster", &cluster_data, nb::arg("data"), nb::arg("options"),
             nb::arg("threads") = nb::none(), nb::arg("tell") = nb::none(),
             "A mixture, its candidates with the best of them, and its report.");
}

}  // namespace genera::python
