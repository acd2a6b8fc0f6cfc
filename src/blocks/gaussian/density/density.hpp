#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <genera/blocks.hpp>
#include <genera/names.hpp>

#include "blocks/panels.hpp"
#include "kernel/linear_rows.hpp"
#include "blocks/gaussian/estimate/precision.hpp"

namespace genera::detail {

/// In the column order of a density.
using blocks::Panels;

/// Gaussian parameters prepared for the panel kernels: inverted and packed factors. Results are
/// K x 16 per panel, in `result_size()` doubles.
class GaussianDensity {
 public:
  explicit GaussianDensity(const GaussianParameters& parameters);

  [[nodiscard]] Index classes() const { return classes_; }
  [[nodiscard]] Index dimension() const { return dimension_; }
  /// Column c of a panel is column order()[c] of the block; for decisions that may stop early, the
  /// columns that separate the classes come first.
  [[nodiscard]] std::span<const Index> order() const { return order_; }
  /// -(d log 2 pi + log |covariance_k|) / 2.
  [[nodiscard]] const Vector& log_constants() const { return log_constants_; }

  [[nodiscard]] Index result_size() const;
  [[nodiscard]] Index scratch_size() const;
  /// Number of panels that share a factor while it is in cache.
  [[nodiscard]] Index panels_per_group() const;

  /// Squared Mahalanobis distances; +inf on overflow.
  void distances(const Panels& panels, double* scratch, double* out) const;

  /// The columns of the block by name.
  [[nodiscard]] const NameSet& names() const { return names_; }

  // For diagonal covariances and sparse rows.

  [[nodiscard]] bool is_diagonal() const { return structure_ == Structure::diagonal; }
  /// Squared distances of the row of zeros over the columns that are not far, K.
  [[nodiscard]] const Vector& distances_of_zero() const { return distances_of_zero_; }
  /// Corrects the K squares for x instead of 0 in a column that is not far.
  void replace_zero(Index column, double x, double* squares) const;
  /// Columns in which 0 is so far out that a correction would lose digits; add their squares
  /// instead.
  [[nodiscard]] std::span<const Index> far_columns() const { return far_columns_; }
  [[nodiscard]] bool is_far(Index column) const {
    return std::binary_search(far_columns_.begin(), far_columns_.end(), column);
  }
  /// Adds the square of one column of any kind.
  void add_square(Index column, double x, double* squares) const;

  /// Whether log p(x | k) is linear in x, up to a term shared by all classes of a row, with
  /// coefficients that are accurate enough for posteriors.
  [[nodiscard]] bool is_linear() const { return linear_is_exact_; }
  /// This linear function; -inf for all classes of a row in which it overflows.
  void linear_scores(const Panels& panels, const kernel::ScorePanels& out) const;
  /// The same, with the same bits, directly from rows in memory, if there are few classes. Returns
  /// false, with undefined scores, if a number is not finite, or if a row is so far out that it
  /// needs panels.
  [[nodiscard]] bool takes_rows() const;
  [[nodiscard]] bool linear_scores(const kernel::RowsInMemory& rows, const kernel::Ahead& next,
                                   const kernel::ScorePanels& out) const;
  /// The class with the largest offset + score, from rows in memory; false as above.
  [[nodiscard]] bool linear_labels(const Vector& offsets, const kernel::StridedRows& rows,
                                   std::int32_t* labels, const kernel::Ahead& next) const;

  // For classes with their own covariances: partial sums of squares, for a decision that may stop
  // early (blocks/gaussian/density/decision.hpp).

  [[nodiscard]] bool has_parts() const { return structure_ == Structure::own; }
  [[nodiscard]] Index tiles() const { return factors_.front().tiles(); }
  /// Number of leading columns of a panel that these tiles read.
  [[nodiscard]] Index columns_of(kernel::TileRange tiles) const;
  /// Adds the part of the squared distance to class k in these tiles, 16 sums per panel.
  void add_squares(Index k, kernel::TileRange tiles, const Panels& panels, double* scratch,
                   double* squares) const;
  /// The log constants of the marginal density of the columns in the first tiles.
  [[nodiscard]] Vector marginal_log_constants(Index tiles) const;

  // For full covariances: rows with a few missing columns
  // (blocks/gaussian/missing/conditional.hpp).

  /// The inverse of the covariance S of class k; null if inverting it would lose digits
  /// (`max_inflation`). Computed on the first call; thread-safe.
  [[nodiscard]] const Precision* precision(const GaussianParameters& parameters, Index k) const;
  /// A with |A x|^2 = x' S^-1 x, x in `order()`.
  [[nodiscard]] const kernel::PackedMatrix& whitening(Index k) const {
    return factors_[factors_.size() == 1 ? 0 : static_cast<std::size_t>(k)];
  }

  /// Coefficients of a shared covariance relative to the origin, without the prior.
  [[nodiscard]] GaussianBlock::Linear linear(const GaussianParameters& parameters) const;

 private:
  enum class Structure { own, shared, diagonal };

  void prepare_own(const GaussianParameters& parameters);
  void prepare_shared(const GaussianParameters& parameters);
  void prepare_diagonal(const GaussianParameters& parameters);
  void prepare_shared_variances(const Matrix& inverse_sds);
  void prepare_zeros(const Matrix& inverse_sds);
  void find_centre();
  /// A mean relative to the centre.
  [[nodiscard]] double from_centre(Index k, Index j) const;
  /// Prepares linear scores from the means relative to the centre, whitened and as coefficients.
  void prepare_linear(const Matrix& whitened, const Matrix& coefficients);
  void own_distances(const Panels& panels, double* scratch, double* out) const;
  void shared_distances(const Panels& panels, Index p, double* scratch, double* out) const;
  [[nodiscard]] kernel::AffineMap linear_map() const {
    return {coefficients_, centre_.data(), intercepts_.data()};
  }
  void mark_overflow(Index lanes, double* out) const;

  Structure structure_;
  NameSet names_;
  Index classes_;
  Index dimension_;
  std::vector<Index> order_;
  Vector log_constants_;
  Matrix means_;      // K x d, in `order_`
  Matrix means_low_;  // their low parts; empty: none

  std::vector<kernel::PackedMatrix> factors_;  // own: one per class; shared: one
  Precisions precisions_;                      // inverses of covariances
  kernel::PackedDiagonals diagonals_;          // shared: for rows whitened by the factor

  std::vector<Index> far_columns_;  // diagonal
  Vector distances_of_zero_;        // diagonal
  Vector centre_;                   // linear scores are relative to it
  kernel::PackedMatrix coefficients_;
  Vector intercepts_;
  bool linear_is_exact_ = false;
};

}  // namespace genera::detail
