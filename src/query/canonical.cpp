#include <genera/canonical.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include <genera/description.hpp>
#include <genera/error.hpp>
#include <genera/impute.hpp>

#include "data/columns.hpp"
#include "kernel/dense.hpp"
#include "kernel/directions.hpp"
#include "kernel/index.hpp"
#include "score/bound_model.hpp"

namespace genera {
namespace {

using kernel::at;

Vector deviations_of(const Matrix& covariance) {
  Vector deviations;
  for (Index j = 0; j < covariance.rows(); ++j) deviations.push_back(std::sqrt(covariance(j, j)));
  return deviations;
}

kernel::Directions directions_of(const Model& model, const MarginalMoments& moments,
                                 const Vector& deviations) {
  const Index d = std::ssize(moments.columns), classes = moments.means.rows();
  Eigen::MatrixXd within(d, d), means(d, classes);  // in standard deviations
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j < d; ++j)
      within(i, j) = moments.within(i, j) / deviations[at(i)] / deviations[at(j)];
    for (Index k = 0; k < classes; ++k)
      means(i, k) = std::sqrt(model.prior().probabilities()[at(k)]) *
                    ((moments.means(k, i) - moments.mean[at(i)]) / deviations[at(i)]);
  }
  if (!kernel::lower_of(within))
    throw Error(Errc::bad_model, "the covariance within the classes is singular to rounding",
                {"learn the model with {}", {{"shrinkage", {"oas"}}}});
  return kernel::directions(within, means, std::min(d, classes - 1));
}

/// Columns by position for an array whose columns are the features of the model, otherwise by name.
data::NumberColumns columns_of(const Model& model, const DataView& data,
                               const std::vector<std::string>& names) {
  if (!data.by_position) return {data, data::number_places(data, names)};
  score::check_positions(model, data);
  std::vector<Index> places;
  const std::vector<Column> features = model.features();
  for (const std::string& name : names)
    places.push_back(std::ranges::find(features, name, &Column::name) - features.begin());
  return {data, places};
}

/// Writes a'(x - centre). Returns false if a number is missing.
bool project(const CanonicalAxes& axes, std::span<const double> x, std::span<double> to) {
  if (std::ranges::any_of(x, [](double value) { return std::isnan(value); })) return false;
  for (Index a = 0; a < axes.coefficients.rows(); ++a) {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j)
      sum += axes.coefficients.row(a)[j] * (x[j] - axes.centre[j]);
    to[at(a)] = sum;
  }
  return true;
}

/// Only infinite numbers give infinite or NaN variates.
void refuse_infinite(const Rows& rows, const Matrix& variates) {
  for (Index i = 0; i < variates.rows(); ++i) {
    if (!std::ranges::all_of(variates.row(i), [](double v) { return std::isfinite(v); }))
      throw Error(Errc::bad_data,
                  fmt::format("{}: a number is infinite, or too large", rows.place(rows.row(i))),
                  "replace the value");
  }
}

/// Fills the rows of `to` at `positions` with expected variates given the observed cells.
void project_incomplete(const Model& model, const Rows& rows, const CanonicalAxes& axes,
                        const std::vector<Index>& positions, Matrix& to, const Control& control) {
  DataView view = rows.data();
  view.labels = {};
  view.target.clear();
  std::vector<Index> places;
  for (const Index i : positions) places.push_back(rows.row(i));
  const Table filled = impute(model, Rows(std::move(view)).only(places), {}, control).table;
  const Rows complete(filled);
  const data::NumberColumns columns = columns_of(model, complete.data(), axes.columns);
  Vector x(axes.columns.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto row = static_cast<Index>(i);
    columns.gather_rows({&row, 1}, std::ssize(x), x.data());
    project(axes, x, to.row(positions[i]));
  }
}

}  // namespace

CanonicalAxes canonical_axes(const Model& model) {
  const std::optional<MarginalMoments> moments = marginal_moments(model);
  if (!moments)
    throw Error(Errc::bad_model, "the model has no columns of numbers, of which variates are made",
                "use a model of numbers");
  if (model.classes().size() < 2)
    throw Error(Errc::bad_model, "there is only one class, and variates tell classes apart",
                "learn from rows of two classes or more");
  const Vector deviations = deviations_of(moments->within);
  const kernel::Directions found = directions_of(model, *moments, deviations);
  CanonicalAxes axes{.columns = moments->columns, .centre = moments->mean};
  axes.coefficients = Matrix(found.values.size(), std::ssize(deviations));
  const double sum = found.values.sum();
  for (Index a = 0; a < found.values.size(); ++a) {
    axes.proportions.push_back(sum > 0 ? found.values(a) / sum : 0);
    for (Index j = 0; j < std::ssize(deviations); ++j)
      axes.coefficients(a, j) = found.vectors(j, a) / deviations[at(j)];
  }
  return axes;
}

Matrix canonical_variates(const Model& model, const Rows& rows, const Control& control) {
  const CanonicalAxes axes = canonical_axes(model);
  const data::NumberColumns columns = columns_of(model, rows.data(), axes.columns);
  Matrix variates(rows.count(), axes.coefficients.rows());
  std::vector<Index> incomplete;
  Vector x(axes.columns.size());
  for (Index i = 0; i < rows.count(); ++i) {
    const Index row = rows.row(i);
    columns.gather_rows({&row, 1}, std::ssize(x), x.data());
    if (!project(axes, x, variates.row(i))) incomplete.push_back(i);
  }
  refuse_infinite(rows, variates);
  if (!incomplete.empty()) project_incomplete(model, rows, axes, incomplete, variates, control);
  return variates;
}

}  // namespace genera
