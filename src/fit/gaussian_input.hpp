#pragma once

#include <string>
#include <vector>

#include <genera/fit.hpp>

namespace genera::fit_detail {

/// The statistics of the columns that can be used, classes in the order of the model.
struct GaussianInput {
  std::vector<std::string> classes;
  std::vector<std::string> columns;
  std::vector<Index> source_columns;  ///< places of `columns` in the statistics
  std::vector<Index> rows;            ///< K
  Vector counts;                      ///< K weights
  Matrix means;                       ///< K x d
  std::vector<Matrix> scatter;        ///< K: d x d or 1 x d; exactly 0 for what is constant there
  Vector pooled_variance;             ///< d, by the divisor
  Vector total_variance;              ///< d, around the grand mean
  Vector least_variance;              ///< d, the floor of diagonal entries
  std::vector<Index> tied;            ///< columns constant within every class

  [[nodiscard]] Index dimension() const { return static_cast<Index>(columns.size()); }
  [[nodiscard]] double total_count() const;
};

/// Leaves out (and reports) columns that are constant in the whole data (perhaps all of them);
/// throws Error (bad_model) on a column that is constant within every class but not between them,
/// unless told to shrink.
[[nodiscard]] GaussianInput gaussian_input(const Statistics& statistics,
                                           const GaussianOptions& options, Report& report);

/// What a scatter matrix of class k, or the pooled one, is divided by. Zero: it cannot be divided.
[[nodiscard]] double own_divisor(const GaussianInput& input, std::size_t k, Divisor divisor);
[[nodiscard]] double pooled_divisor(const GaussianInput& input, Divisor divisor);

}  // namespace genera::fit_detail
