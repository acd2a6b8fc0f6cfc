#pragma once

#include <string>
#include <vector>

#include <genera/control.hpp>
#include <genera/model.hpp>
#include <genera/rows.hpp>

/// Rows in the few directions in which the classes of a model lie apart.
namespace genera {

/// The eigenvectors a of W^-1 B, where W is the mean of the covariances of the classes and B the
/// covariance of their means, both weighted by the prior. A linear model of equal covariances sees
/// nothing else of a row.
struct CanonicalAxes {
  std::vector<std::string> columns{};  ///< d
  Vector centre{};                     ///< d: the mean of p(x)
  /// min(d, K - 1) x d, in the units of the columns: a'Wa = 1, and the largest entry of each, in
  /// deviations within classes, is positive.
  Matrix coefficients{};
  Vector proportions{};  ///< of B that they hold, the largest first; they sum to one
};

/// Over the columns of numbers and of independent counts. Throws Error (bad_model) if there are
/// none, if there is only one class, or if W is singular to rounding.
[[nodiscard]] CanonicalAxes canonical_axes(const Model& model);

/// a'(x - centre) of each row, n x min(d, K - 1): what is to be expected of it given the cells that
/// are there, if some are missing. Labels of the rows play no part. Throws Error: bad_argument if
/// columns without names are not as many as the features, bad_data if a number is infinite.
[[nodiscard]] Matrix canonical_variates(const Model& model, const Rows& rows,
                                        const Control& control = {});

}  // namespace genera
