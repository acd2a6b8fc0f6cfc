#pragma once

#include <functional>
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
  std::function<void()> after_iteration{};  ///< may throw, which ends it
};

struct EmResult {
  GaussianParameters gaussian;  ///< C components; counts are the rows' expected weights
  Vector weights;               ///< C: share of each component among all rows; 0: it was emptied
  Vector log_likelihood;        ///< after each iteration
  bool converged = false;
  bool on_floor = false;  ///< a component had to be kept from collapsing, or was emptied
};

/// How it ended. A component on the floor also means that the likelihood has no maximum nearby.
[[nodiscard]] Outcome outcome_of(const EmResult& em);
/// Adds how it went to what is reported of other parts: the worst outcome, the longest run and the
/// sum of the log-likelihoods.
void add_outcome(const EmResult& em, Report& report);

/// Maximum likelihood by EM over the numeric columns of `table`, all of which vary and have no
/// missing value. `start`: n x C responsibilities (rows of a labelled table: zero outside the
/// class). Never throws for a component that collapses. Same bits for any number of threads.
[[nodiscard]] EmResult run_em(const Table& table, const GaussianOptions& options,
                              const Components& components, const Matrix& start,
                              const EmOptions& em);

}  // namespace genera::fit_detail
