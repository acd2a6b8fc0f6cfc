#pragma once

#include <map>
#include <string>

#include <genera/stats.hpp>

namespace genera {

/// Weight, mean and scatter of each numeric column, each over the rows in which it has a value. A
/// default-constructed value is the identity of `merge`.
struct ColumnMoments {
  Vector weight{};    ///< d: of the rows with a value in the column
  Vector mean{};      ///< d
  Vector mean_low{};  ///< d; mean + mean_low has about 32 digits, see Moments
  Vector scatter{};   ///< d: sum of w (x - mean)^2

  void merge(const ColumnMoments& other);
  friend bool operator==(const ColumnMoments&, const ColumnMoments&) = default;
};

/// Available-case sums of each class: every column over the rows that have a value in it.
struct AvailableCases {
  /// Rows, weights, levels, counts and terms of each class. Moments are in `numbers`, not here.
  Statistics counted{};
  std::map<std::string, ColumnMoments> numbers{};  ///< by class; columns as in counted.columns()

  void merge(const AvailableCases& other);
  friend bool operator==(const AvailableCases&, const AvailableCases&) = default;
};

/// Additive statistics of rows with missing cells or labels, from which EM starts. `merge` is
/// associative (up to rounding), with the empty value as identity; classes, columns, levels and
/// terms are matched by name.
struct ObservedStatistics {
  AvailableCases labelled{};
  AvailableCases unlabelled{};    ///< of rows without a label: one class with an empty name
  Index unlabelled_left_out = 0;  ///< rows without a label whose weight in the fit is 0
  /// By column: missing cells of labelled rows in columns that are not numeric.
  std::map<std::string, Index> missing_cells{};

  void merge(const ObservedStatistics& other);
  friend bool operator==(const ObservedStatistics&, const ObservedStatistics&) = default;
};

}  // namespace genera
