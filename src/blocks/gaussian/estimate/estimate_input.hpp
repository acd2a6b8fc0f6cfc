#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <genera/recipe.hpp>
#include <genera/report.hpp>

#include "blocks/gaussian/estimate/sums.hpp"
#include "sums/classes.hpp"

namespace genera::blocks {

/// The part of a Gaussian block that does not change while it is learned.
struct GaussianFrame {
  std::vector<std::string> classes;
  std::vector<Index> rows;  ///< K, for messages
  std::vector<std::string> columns;
  std::vector<Index> source_columns;         ///< indices of `columns` in the statistics
  std::vector<Index> constant_within;        ///< columns constant within every class
  Scatter scatter = Scatter::full;           ///< the second moments that are kept
  std::shared_ptr<const ColumnUnits> units;  ///< means and deviations over all rows
  Vector variances;                          ///< d, pooled, for weak priors

  [[nodiscard]] Index dimension() const { return static_cast<Index>(columns.size()); }
};

/// Leaves out columns that are constant in all data (possibly all columns) and reports them. Throws
/// Error (bad_model) if a column is constant within every class but not between classes, unless the
/// options ask for shrinking; then reports it.
[[nodiscard]] GaussianFrame gaussian_frame(const Statistics& statistics,
                                           const sums::ClassList& classes,
                                           const GaussianOptions& options, Report& report);

/// The moments of each class over the columns of the frame.
[[nodiscard]] std::vector<Moments> moments_of(const GaussianFrame& frame,
                                              const sums::ClassList& classes);

/// The scatter of a class: owned, or a reference to moments that outlive it.
class ClassScatter {
 public:
  ClassScatter(Matrix own) : own_(std::move(own)) {}  // NOLINT(google-explicit-constructor)
  explicit ClassScatter(const Matrix* pooled) : pool_(pooled) {}

  [[nodiscard]] const Matrix& get() const { return pool_ != nullptr ? *pool_ : own_; }
  operator const Matrix&() const { return get(); }  // NOLINT(google-explicit-constructor)
  /// Owned, for changes.
  [[nodiscard]] Matrix& own() {
    if (pool_ != nullptr) own_ = *std::exchange(pool_, nullptr);
    return own_;
  }

 private:
  Matrix own_{};
  const Matrix* pool_ = nullptr;
};

/// The sums of a block in the form that the estimate uses.
struct GaussianInput {
  std::vector<std::string> classes;
  std::vector<std::string> columns;
  std::vector<Index> rows;  ///< K
  Vector counts;            ///< K weights
  Matrix means;             ///< K x d
  Matrix means_low;         ///< K x d: low parts of `means`
  std::vector<ClassScatter>
      scatter;             ///< K: d x d or 1 x d; exactly 0 for columns constant in the class
  Vector pooled_variance;  ///< d, with the requested divisor
  Vector total_variance;   ///< d, around the grand mean
  Vector min_variance;     ///< d, the floor of diagonal entries
  std::vector<Index> constant_within;  ///< columns constant within every class
  bool sparse = false;                 ///< the columns are those of a sparse matrix

  [[nodiscard]] Index dimension() const { return static_cast<Index>(columns.size()); }
  [[nodiscard]] double total_count() const;
};

/// The same sums without some columns.
[[nodiscard]] GaussianInput without_columns(const GaussianInput& input,
                                            const std::set<Index>& dropped);

[[nodiscard]] GaussianInput gaussian_input(const GaussianFrame& frame, std::vector<Moments> moments,
                                           const GaussianOptions& options);
/// The same without copying the moments, which must outlive it.
[[nodiscard]] GaussianInput pooled_gaussian_input(const GaussianFrame& frame,
                                                  const std::vector<Moments>& moments,
                                                  const GaussianOptions& options);

/// The minimum of a variance, given the pooled variance of its column.
[[nodiscard]] inline double min_variance_of(double pooled, const GaussianOptions& options) {
  return options.variance_floor * pooled;
}

/// The divisor of the scatter matrix of class k, or of the pooled one; 0 if it cannot be divided.
[[nodiscard]] double own_divisor(const GaussianInput& input, std::size_t k, Divisor divisor);
[[nodiscard]] double pooled_divisor(const Vector& counts, Divisor divisor);

}  // namespace genera::blocks
