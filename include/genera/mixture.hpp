#pragma once

#include <string>
#include <vector>

#include <genera/facts.hpp>
#include <genera/fit.hpp>

/// Groups of rows without labels: mixtures of Gaussians, chosen by BIC. (Mixtures within classes
/// are a recipe: mda().)
namespace genera {

struct ClusterOptions {
  MixtureOptions mixture{.components = {1, 9}};
  /// The structures that compete.
  std::vector<Covariance> covariances{Covariance::full, Covariance::tied, Covariance::diag,
                                      Covariance::spherical};
  double variance_floor = 1e-4;  ///< least spread of a component, as a part of that of all rows
  bool raw_units = false;        ///< spherical, centroid: the columns share a unit
  /// If the covariance of all rows is singular: leave full structures out, or move it.
  OnSingular on_singular = OnSingular::error;
  Missing missing = Missing::em;  ///< missing numbers are marginalised
};
/// Throws Error (bad_argument) on a value out of range.
void validate(const ClusterOptions& options);

struct ClusterCandidate {
  Index components = 0;
  Covariance covariance = Covariance::full;
  double log_likelihood = 0;
  Index parameters = 0;  ///< free ones
  double bic = 0;        ///< -2 log_likelihood + parameters log n: lower is better
  bool converged = false;
  /// Every start ended with a component that had to be kept from collapsing.
  bool on_floor = false;
  /// Not followed to the end, because it could not become the best: of large tables alone.
  bool given_up = false;
};

struct Clustering {
  std::vector<ClusterCandidate> candidates;  ///< by structure, then by number of components
  std::size_t best = 0;  ///< least BIC among those not on the floor (among all, if all are)
  Model model;           ///< its classes "1", "2", ... are the components, the heaviest first
  Report report{};       ///< of the best
};

/// Mixtures of the numeric columns of the rows; labels and other columns are not used. Throws Error
/// (bad_data) if there are fewer rows than components, no numeric column that varies, or missing
/// values that are refused.
[[nodiscard]] Clustering cluster(const Rows& rows, const ClusterOptions& options = {},
                                 const Control& control = {});

[[nodiscard]] Facts facts(const ClusterCandidate& candidate);
/// `best` (a candidate) and `candidates`.
[[nodiscard]] Facts facts(const Clustering& clustering);

}  // namespace genera
