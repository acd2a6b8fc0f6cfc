#pragma once

#include <vector>

#include <Eigen/Core>

#include <genera/diagnosis.hpp>
#include <genera/rows.hpp>

#include "diagnose/class_scatters.hpp"

/// Tests that need the rows.
namespace genera::diagnose_detail {

/// The rows of a class minus its mean, in within-class standard deviations.
struct ClassRows {
  std::vector<Index> rows;  ///< of the data
  Eigen::MatrixXd points;   ///< d x n: each column is a row
  Eigen::VectorXd weights;  ///< n
};

/// Mardia's skewness and kurtosis of a class whose scatter is regular.
[[nodiscard]] Finding<MardiaTest> test_normality(const ClassRows& of,
                                                 const Eigen::MatrixXd& scatter);

/// Rows that are unusual for their class. `classes` are in the order of `scatters`.
[[nodiscard]] Finding<Outliers> find_outliers(const Rows& rows,
                                              const std::vector<ClassRows>& classes,
                                              const ClassScatters& scatters,
                                              const DiagnosisOptions& options,
                                              const Control& control);

}  // namespace genera::diagnose_detail
