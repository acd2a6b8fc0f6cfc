#pragma once

#include <string>
#include <vector>

#include <genera/recipe.hpp>

/// Second passes over the rows, after statistics are known.
namespace genera::blocks {

/// The second pass of Ledoit-Wolf: sums of w ||D^-1 (x - mean)||^4 for each class, over the rows
/// and columns of the statistics.
class FourthMomentPass {
 public:
  FourthMomentPass(const Statistics& statistics, const GaussianOptions& options, Missing missing);
  [[nodiscard]] Vector of(const Rows& rows) const;

 private:
  std::vector<std::string> classes_;
  std::vector<std::string> columns_;
  Missing missing_;
  Matrix means_, means_low_;  // K x d
  Vector scales_;             // d, 1 / D^2
};

/// Columns of a sparse matrix that occur in some class, in the order of the model; expanded for
/// full covariances.
[[nodiscard]] std::vector<std::string> columns_seen(const Statistics& statistics);

}  // namespace genera::blocks
