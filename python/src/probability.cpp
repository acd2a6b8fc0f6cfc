// Probabilities of boxes, and how well a model fits.
#include <cmath>
#include <limits>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <genera/description.hpp>
#include <genera/probability.hpp>

#include "classifier.hpp"
#include "facts.hpp"
#include "run.hpp"

namespace genera::python {
namespace {

/// An interval by column; None is an open end.
std::vector<Between> intervals_of(const nb::dict& between) {
  std::vector<Between> intervals;
  for (const auto& [column, ends] : between) {
    const auto [low, high] =
        nb::cast<std::pair<std::optional<double>, std::optional<double>>>(ends);
    Between one{.column = nb::cast<std::string>(column)};
    one.low = low.value_or(one.low);
    one.high = high.value_or(one.high);
    intervals.push_back(std::move(one));
  }
  return intervals;
}

nb::object probability_of(const FittedModel& fitted, const nb::dict& between, const nb::dict& equal,
                          const nb::dict& given, std::optional<std::string> of_class,
                          std::optional<double> precision, std::uint64_t seed, nb::handle threads) {
  const Model& model = fitted.density();
  const ProbabilityQuestion question{.between = intervals_of(between),
                                     .equal = given_cells(equal),
                                     .given = given_cells(given),
                                     .of_class = std::move(of_class),
                                     .precision = precision};
  const Probability found =
      run(precision ? Work::lasting : Work::brief, threads_of(threads), nb::none(),
          [&](const Control& control) { return probability(model, question, Rng(seed), control); });
  return object_of(facts(found, question, model.classes()));
}

nb::tuple criteria_of(double log_likelihood, Index parameters, double rows) {
  const TrainingFit fit{.log_likelihood = log_likelihood, .parameters = parameters, .rows = rows};
  return nb::make_tuple(fit.aic(), fit.bic());
}

}  // namespace

void bind_probability(nb::module_& module) {
  module.def("probability", &probability_of, nb::arg("model"), nb::arg("between"), nb::arg("equal"),
             nb::arg("given"), nb::arg("of_class") = nb::none(), nb::arg("precision") = nb::none(),
             nb::arg("seed") = 1, nb::arg("threads") = nb::none(),
             "The probability that columns lie in intervals or have levels, in all and by class.");
  module.def("criteria", &criteria_of, nb::arg("log_likelihood"), nb::arg("parameters"),
             nb::arg("rows"), "AIC and BIC.");
}

}  // namespace genera::python
