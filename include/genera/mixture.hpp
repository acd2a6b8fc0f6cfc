#pragma once

#include <string>
#include <vector>

#include <genera/facts.hpp>
#include <genera/fit.hpp>

/// Clustering of unlabelled rows by Gaussian mixtures, chosen by BIC. Mixtures within classes are a
/// recipe, mda().
namespace genera {

struct ClusterOptions {
  MixtureOptions mixture{.components = {1, 9}};
  /// The structures to compare.
  std::vector<Covariance> covariances{Covariance::full, Covariance::tied, Covariance::diag,
                                      Covariance::spherical};
  double variance_floor = 1e-4;  ///< minimum variance of a component, relative to that of all rows
  bool raw_units = false;        ///< spherical, centroid: the columns share a unit
  /// If the covariance of all rows is singular: skip full structures, or shrink it.
  OnSingular on_singular = OnSingular::error;
  Missing missing = Missing::em;  ///< missing numbers are marginalised
};
/// Throws Error (bad_argument) on a value out of range.
void validate(const ClusterOptions& options);

struct ClusterCandidate {
  Index components = 0;
  Covariance covariance = Covariance::full;
  double log_likelihood = 0;
  Index parameters = 0;  ///< free parameters
  double bic = 0;        ///< -2 log_likelihood + parameters log n: lower is better
  bool converged = false;
  /// True if every start ended with a component on the variance floor.
  bool on_floor = false;
  /// True if EM was stopped early because the candidate could not become the best. Happens only
  /// with large tables.
  bool given_up = false;
};

struct Clustering {
  std::vector<ClusterCandidate> candidates;  ///< by structure, then by number of components
  std::size_t best = 0;  ///< lowest BIC among candidates not on the floor, or among all
  Model model;           ///< its classes "1", "2", ... are the components, by decreasing weight
  Report report{};       ///< of the best candidate
};

/// Fits mixtures to the numeric columns of the rows; ignores labels and other columns. Throws Error
/// (bad_data) if there are fewer rows than components, if no numeric column varies, or if values
/// are missing although the options refuse them.
[[nodiscard]] Clustering cluster(const Rows& rows, const ClusterOptions& options = {},
                                 const Control& control = {});

[[nodiscard]] Facts facts(const ClusterCandidate& candidate);
/// `best` (a candidate) and `candidates`.
[[nodiscard]] Facts facts(const Clustering& clustering);

}  // namespace genera
