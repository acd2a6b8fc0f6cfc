#pragma once

#include <string>
#include <vector>

#include <genera/control.hpp>
#include <genera/model.hpp>
#include <genera/rows.hpp>

/// Canonical variates: the few directions that separate the classes of a model.
namespace genera {

/// Eigenvectors a of W^-1 B, where W is the mean of the class covariances and B the covariance of
/// the class means, both weighted by the prior. A linear model with equal covariances depends on a
/// row only through them.
struct CanonicalAxes {
  std::vector<std::string> columns{};  ///< d
  Vector centre{};                     ///< d: the mean of p(x)
  /// min(d, K - 1) x d, in the units of the columns. a'Wa = 1, and the entry that is largest in
  /// within-class standard deviations is positive.
  Matrix coefficients{};
  Vector proportions{};  ///< shares of the eigenvalues, in decreasing order; they sum to one
};

/// Over the numeric and independent count columns. Throws Error (bad_model) if there are none, if
/// there is only one class, or if W is numerically singular.
[[nodiscard]] CanonicalAxes canonical_axes(const Model& model);

/// a'(x - centre) of each row, n x min(d, K - 1); for rows with missing cells the expectation given
/// the others. Labels are ignored. Throws Error: bad_argument if columns without names differ in
/// number from the features, bad_data if a number is infinite.
[[nodiscard]] Matrix canonical_variates(const Model& model, const Rows& rows,
                                        const Control& control = {});

}  // namespace genera
