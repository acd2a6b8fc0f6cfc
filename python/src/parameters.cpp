// Models of parameters that somebody else has estimated.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "classifier.hpp"

namespace genera::python {
namespace {

Matrix matrix_of(nb::handle object, const char* what) {
  const Array array = Array::require(object, 2, what);
  const NumbersView view = array.numbers();
  Matrix matrix(array.size(0), array.size(1));
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < matrix.columns(); ++j) matrix(i, j) = view(i, j);
  }
  return matrix;
}

std::vector<Column> numbered(Index count) {
  std::vector<Column> columns;
  for (Index j = 0; j < count; ++j)
    columns.push_back({"x" + std::to_string(j), ColumnType::numeric});
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
                           const nb::object& variances) {
  GaussianParameters parameters;
  parameters.means = matrix_of(means, "means");
  const std::vector<Column> columns = numbered(parameters.means.columns());
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
             nb::arg("variances") = nb::none(),
             "A model of given Gaussians; columns are x0, x1...");
  module.def("linear_model", &linear_model, nb::arg("classes"), nb::arg("intercepts"),
             nb::arg("coefficients"), "A scorer of given coefficients; columns are x0, x1...");
}

}  // namespace genera::python
