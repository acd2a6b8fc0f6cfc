#pragma once

#include <optional>
#include <string>
#include <vector>

#include <genera/fit.hpp>

namespace genera::fit_detail {

/// Which covariances the components have: full ones, and one for all of them.
[[nodiscard]] constexpr bool is_full(Family family) {
  return family == Family::qda || family == Family::lda;
}
[[nodiscard]] constexpr bool is_shared(Family family) {
  return family == Family::lda || family == Family::dlda || family == Family::centroid;
}

/// Component c is a kind of row of class owner[c]; without mixtures every class is one component.
struct Components {
  std::vector<std::string> classes;
  std::vector<Index> owner;
};

/// What keeps components regular: none spreads less, in any direction, than a small part of this.
struct EmScale {
  Matrix reference;  ///< d x d, positive definite
  Vector unit;       ///< d: the variance that counts as one for spherical and centroid
};

struct EmOptions {
  int most_iterations = 1000;
  double tolerance = 1e-8;  ///< gain of log-likelihood per unit of weight
  double unlabelled_weight = 1;
  int threads = 1;
  std::optional<EmScale> scale{};  ///< empty: that of the rows, around the means of their classes
};

struct EmResult {
  GaussianParameters gaussian;  ///< C components; counts are the rows' expected weights
  Vector weights;               ///< C: share of each component among all rows; 0: it was emptied
  Vector log_likelihood;        ///< after each iteration
  bool converged = false;
  bool on_floor = false;  ///< a component had to be kept from collapsing, or was emptied
};

/// Maximum likelihood by EM over the numeric columns of `table`, all of which vary and have no
/// missing value. `start`: n x C responsibilities (rows of a labelled table: zero outside the
/// class). Never throws for a component that collapses. Same bits for any number of threads.
[[nodiscard]] EmResult run_em(const Table& table, const GaussianOptions& options,
                              const Components& components, const Matrix& start,
                              const EmOptions& em);

}  // namespace genera::fit_detail
