#pragma once

#include <map>
#include <string>

#include <genera/stats.hpp>

namespace genera {

/// Weight, mean and scatter of each numeric column by itself, over the rows that have a value in
/// it. The empty one is the identity of `merge`.
struct ColumnMoments {
  Vector weight{};    ///< d: of the rows that have a value
  Vector mean{};      ///< d
  Vector mean_low{};  ///< d; mean + mean_low has about 32 digits, see Moments
  Vector scatter{};   ///< d: sum of w (x - mean)^2

  void merge(const ColumnMoments& other);
  friend bool operator==(const ColumnMoments&, const ColumnMoments&) = default;
};

/// Sums of what rows have, class by class, whatever else they lack.
struct AvailableCases {
  /// Rows, weights, levels, counts and terms of each class. It holds no moments: these are in
  /// `numbers`.
  Statistics counted{};
  std::map<std::string, ColumnMoments> numbers{};  ///< by class; columns as in counted.columns()

  void merge(const AvailableCases& other);
  friend bool operator==(const AvailableCases&, const AvailableCases&) = default;
};

/// Additive statistics of rows with missing cells or labels: where EM starts. `merge` is
/// associative (to rounding) with the empty one as identity; classes, columns, levels and terms are
/// matched by name.
struct ObservedStatistics {
  AvailableCases labelled{};
  AvailableCases unlabelled{};    ///< of rows without a label: one class, whose name is empty
  Index unlabelled_left_out = 0;  ///< rows without a label that have no weight in the fit
  /// By column: missing cells of labelled rows in columns that are not numbers.
  std::map<std::string, Index> missing_cells{};

  void merge(const ObservedStatistics& other);
  friend bool operator==(const ObservedStatistics&, const ObservedStatistics&) = default;
};

}  // namespace genera
