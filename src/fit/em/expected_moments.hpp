#pragma once

#include <optional>
#include <span>
#include <vector>

#include <genera/model.hpp>
#include <genera/stats.hpp>

#include "kernel/patterns.hpp"

namespace genera::fit_detail {

/// Numbers some of which are missing (NaN), and how much is kept of their second moments.
struct Incomplete {
  const Matrix& numbers;             ///< n x d, the columns of the statistics
  std::vector<std::string> columns;  ///< d names
  Scatter scatter;
  int threads = 1;
};

/// The E-step of a Gaussian block: moments of rows of class k, where each missing cell counts with
/// its expectation given the observed ones and what it varies around that. Rows are grouped by
/// pattern, so that a pattern costs one factorisation. Same bits for any number of threads.
class ExpectedMoments {
 public:
  /// `block` may lack columns of the data that are constant; null if it lacks all. Both must
  /// outlive it.
  ExpectedMoments(const Incomplete& data, const GaussianBlock* block);

  struct Expected {
    Moments moments;
    double log_likelihood = 0;  ///< of what is observed of the block's columns, given class k
  };
  /// `weights` of all rows, or empty: each counts once.
  [[nodiscard]] Expected of(Index k, const std::vector<kernel::Pattern>& rows,
                            std::span<const double> weights) const;

 private:
  class Task;

  const Incomplete& data_;
  const GaussianBlock* block_;
  std::vector<Index> model_columns_;  ///< of each column of the block: its place in the data
  std::vector<Index> constants_;      ///< columns that the block lacks
  Vector constant_values_;
};

}  // namespace genera::fit_detail
