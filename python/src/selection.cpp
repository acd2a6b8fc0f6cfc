#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <genera/select.hpp>

#include "data.hpp"
#include "facts.hpp"
#include "laboratory.hpp"
#include "plan.hpp"
#include "run.hpp"

namespace genera::python {
namespace {

/// What each candidate is: a list of (model, values of a grid).
std::vector<GridPoint> points_of(nb::handle given) {
  std::vector<GridPoint> points;
  for (auto& [model, values] :
       nb::cast<std::vector<std::pair<std::string, std::map<std::string, double>>>>(given))
    points.push_back({model, values});
  return points;
}

nb::object select_data(const nb::list& given, const Data& data, const nb::dict& how,
                       const nb::dict& choice, nb::handle threads, const nb::object& tell) {
  const std::vector<Candidate> candidates = candidates_of(given, {});
  SelectOptions options = plan_of(how).select_options();
  const bool loo = nb::cast<bool>(choice["loo"]);
  if (nb::cast<bool>(choice["full_priors"])) options.loo_priors = LooPriors::full;
  const Metric metric = nb::cast<bool>(choice["by_error"]) ? Metric::error : Metric::log_loss;
  const Rows rows = data.view();
  const auto judge = [&](const Control& control) {
    return loo ? leave_one_out(rows, candidates, options, control)
               : cross_validate(rows, candidates, options, control);
  };
  const Selection found = run(Work::lasting, threads_of(threads), tell, judge);
  require_usable(found, candidates);
  const std::vector<GridPoint> points = points_of(choice["points"]);
  Facts all = facts(found, points, metric);
  append(all, facts(all_notes(found, points)));
  return object_of(all);
}

}  // namespace

std::vector<Candidate> candidates_of(const nb::list& given, std::span<const Index> keep) {
  std::vector<Candidate> all;
  for (const nb::handle one : given) {
    const nb::tuple parts = nb::cast<nb::tuple>(one);
    const Plan plan = plan_of(nb::cast<nb::dict>(parts[1]));
    if (plan.automatic)
      throw Error(Errc::bad_argument, "auto chooses among models by itself",
                  "name the models, such as \"lda\"");
    Candidate candidate{nb::cast<std::string>(parts[0]), plan.recipe, std::nullopt};
    if (!parts[2].is_none()) {
      const Rows rows = nb::cast<const Data&>(parts[2]).view();
      candidate.rows = keep.empty() ? rows : rows.only(keep);
    }
    all.push_back(std::move(candidate));
  }
  return all;
}

void bind_selection(nb::module_& module) {
  module.def("select", &select_data, nb::arg("candidates"), nb::arg("data"), nb::arg("how"),
             nb::arg("choice"), nb::arg("threads") = nb::none(), nb::arg("tell") = nb::none(),
             "What became of all candidates, and their ranking.");
}

}  // namespace genera::python
