#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include <genera/diagnosis.hpp>
#include <genera/stats.hpp>

namespace genera::diagnose_detail {

/// Means and scatters of the classes over the columns that tests can be made of, divided by the
/// deviations within classes: units are gone from here on.
struct ClassScatters {
  std::vector<std::string> classes;
  Vector counts;            ///< K weights
  std::vector<Index> rows;  ///< K
  std::vector<std::string> columns;
  std::vector<Index> places;  ///< of the columns among the numeric ones of the statistics
  Vector deviations;          ///< d, within classes (divisor n - K)
  Matrix means, means_low;    ///< K x d, in the units of the data
  Eigen::MatrixXd offsets;    ///< K x d: mean of the class less the grand mean
  std::vector<Eigen::MatrixXd> scatters;  ///< K, d x d; none if only variances were kept
  Eigen::MatrixXd correlations;           ///< d x d, within classes; empty as well
  std::string singular{};                 ///< why no full covariance can be used; empty: it can

  [[nodiscard]] Index dimension() const { return static_cast<Index>(columns.size()); }
  [[nodiscard]] Index size() const { return static_cast<Index>(classes.size()); }
  [[nodiscard]] double total() const;
  [[nodiscard]] double within_df() const { return total() - static_cast<double>(size()); }
  /// Whether the class's own scatter has an inverse; otherwise why not.
  [[nodiscard]] std::string singular_class(Index k) const;
};

/// Leaves out columns that do not vary, or that others determine, and says so in `to`. Throws Error
/// (bad_data) on values too large to be squared.
[[nodiscard]] ClassScatters class_scatters(const Statistics& statistics, Diagnosis& to);

}  // namespace genera::diagnose_detail
