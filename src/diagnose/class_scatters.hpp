#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include <genera/diagnosis.hpp>
#include <genera/stats.hpp>

namespace genera::diagnose_detail {

/// Means and scatters of the classes over the columns that can be tested, in within-class standard
/// deviations. Later steps are independent of units.
struct ClassScatters {
  std::vector<std::string> classes;
  Vector counts;            ///< K weights
  std::vector<Index> rows;  ///< K
  std::vector<std::string> columns;
  /// indices of the columns among the numeric columns of the statistics
  std::vector<Index> places;
  Vector deviations;                      ///< d, within classes (divisor n - K)
  Matrix means, means_low;                ///< K x d, in the units of the data
  Eigen::MatrixXd offsets;                ///< K x d: class mean minus grand mean
  std::vector<Eigen::MatrixXd> scatters;  ///< K, d x d; empty if only variances were kept
  Eigen::MatrixXd correlations;           ///< d x d, within classes; empty likewise
  std::string singular{};  ///< reason why full covariances cannot be used; empty: they can

  [[nodiscard]] Index dimension() const { return static_cast<Index>(columns.size()); }
  [[nodiscard]] Index size() const { return static_cast<Index>(classes.size()); }
  [[nodiscard]] double total() const;
  [[nodiscard]] double within_df() const { return total() - static_cast<double>(size()); }
  /// Reason why the scatter of the class is singular; empty if it is not.
  [[nodiscard]] std::string singular_class(Index k) const;
};

/// Leaves out columns that do not vary or are determined by others, and reports them in `to`.
/// Throws Error (bad_data) for values whose squares overflow.
[[nodiscard]] ClassScatters class_scatters(const Statistics& statistics, Diagnosis& to);

}  // namespace genera::diagnose_detail
