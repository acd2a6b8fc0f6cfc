#pragma once

#include "blocks/gaussian/estimate/estimate_input.hpp"

/// The inverse-Wishart prior of bqda. Given a covariance S_k, the rows of class k are normal with a
/// flat prior of the mean, and S_k ~ IW(nu P0, nu + d): in every subset of the columns, nu and P0
/// are the same. With n rows and scatter W the posterior is IW(nu P0 + W, nu + d + n - 1), and a
/// new row has the t density with nu + n degrees of freedom and the scale matrix (nu P0 + W) / (nu
/// + n) (1 + 1/n) (Gelman et al., Bayesian Data Analysis, 3.6).
namespace genera::blocks {

struct CovariancePrior {
  double rows = 0;  ///< nu
  double gamma = 0;
  Matrix covariance;  ///< P0 = (1 - gamma) P + gamma diag P

  [[nodiscard]] BayesianOptions options() const { return {rows, gamma}; }
  /// (nu P0 + W) / (nu + n)
  [[nodiscard]] Matrix posterior_centre(const Matrix& scatter, double n) const;
};

/// The number of priors that are compared.
[[nodiscard]] Index prior_choices(const BayesianOptions& options);

/// The prior with the given options; what is not given maximises the marginal likelihood
/// prod_k p(rows of class k | nu, P0).
[[nodiscard]] CovariancePrior chosen_prior(const GaussianInput& input,
                                           const BayesianOptions& options);

}  // namespace genera::blocks
