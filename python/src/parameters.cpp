// Models of parameters that somebody else has estimated.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <genera/error.hpp>
#include <genera/prior.hpp>
#include <genera/spec.hpp>

#include "classifier.hpp"

namespace genera::python {
namespace {

std::vector<Column> numbered(Index count) {
  std::vector<Column> columns;
  for (Index j = 0; j < count; ++j)
    columns.push_back({"x" + std::to_string(j), ColumnType::numeric});
  return columns;
}

std::vector<Column> named(const std::vector<std::string>& names, Index count) {
  if (std::ssize(names) != count)
    throw Error(Errc::bad_argument,
                counted(std::ssize(names), "column has a name", "columns have names") +
                    ", but the means have " + counted(count, "column"),
                "give a name for each column of the means");
  std::vector<Column> columns;
  for (const std::string& name : names) columns.push_back({name, ColumnType::numeric});
  return columns;
}

std::vector<std::string> names_of(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  return names;
}

/// `covariances`: one d x d for each class, one for all, or None; then `variances` are K x d.
FittedModel gaussian_model(const std::vector<std::string>& classes, const Vector& priors,
                           nb::handle means, const nb::object& covariances,
                           const nb::object& variances,
                           const std::optional<std::vector<std::string>>& names) {
  GaussianParameters parameters;
  parameters.means = matrix_of(means, "means");
  const Index count = parameters.means.columns();
  const std::vector<Column> columns = names ? named(*names, count) : numbered(count);
  parameters.columns = names_of(columns);
  if (covariances.is_none()) {
    parameters.variances = matrix_of(variances, "variances");
    parameters.structure = Covariance::diag;
  } else {
    for (const nb::handle one : nb::cast<nb::list>(covariances))
      parameters.covariances.push_back(matrix_of(one, "a covariance"));
    const bool shared = parameters.covariances.size() == 1 && classes.size() > 1;
    parameters.structure = shared ? Covariance::tied : Covariance::full;
  }
  return {Model(classes, Prior(priors), {GaussianBlock(std::move(parameters))}), columns};
}

/// Probabilities in the order of the classes.
nb::object given_priors(ClassProbabilities given, const std::vector<std::string>& classes) {
  const PriorChoice choice{.kind = PriorChoice::Kind::given, .given = std::move(given)};
  return array_of(resolve(choice, classes, Vector(classes.size(), 1.0)).probabilities());
}

FittedModel linear_model(const std::vector<std::string>& classes, const Vector& intercepts,
                         nb::handle coefficients) {
  LogisticParameters parameters;
  parameters.intercepts = intercepts;
  parameters.coefficients = matrix_of(coefficients, "coefficients");
  const std::vector<Column> columns = numbered(parameters.coefficients.columns());
  parameters.features = {NumberFeatures{.columns = names_of(columns)}};
  return {LinearModel(classes, Prior::uniform(static_cast<Index>(classes.size())),
                      std::move(parameters)),
          columns};
}

}  // namespace

void bind_parameters(nb::module_& module) {
  module.def("gaussian_model", &gaussian_model, nb::arg("classes"), nb::arg("priors"),
             nb::arg("means"), nb::arg("covariances") = nb::none(),
             nb::arg("variances") = nb::none(), nb::arg("columns") = nb::none(),
             "A model of given Gaussians; columns are x0, x1... unless they have names.");
  module.def("given_priors", &given_priors, nb::arg("given"), nb::arg("classes"),
             "Priors by class, in the order of the classes; they sum to one.");
  module.def("linear_model", &linear_model, nb::arg("classes"), nb::arg("intercepts"),
             nb::arg("coefficients"), "A scorer of given coefficients; columns are x0, x1...");
}

}  // namespace genera::python
