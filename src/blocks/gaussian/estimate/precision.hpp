#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>

#include <genera/types.hpp>

#include "kernel/exclusive.hpp"
#include "kernel/panel.hpp"

namespace genera::detail {

/// A covariance S is inverted only if the variance inflation max_j S_jj (S^-1)_jj of its columns,
/// as in regression, is at most this. It does not depend on units. Measured: results then agree
/// with those from S itself to 1e-12 (tests/blocks/gaussian/missing/conditional_test.cpp).
inline constexpr double max_inflation = 1e3;

/// The inverse of a covariance S.
struct Precision {
  Matrix inverse;                   ///< S^-1, columns in the order of the block
  kernel::PackedColumns whitening;  ///< A with |A x|^2 = x' S^-1 x, x in the order of the density
};

/// The inverses of covariances, each computed when first needed.
class Precisions {
 public:
  /// The inverse of covariance number f, which A whitens: |A x|^2 = x' S^-1 x, x in the given
  /// order. Null if S should not be inverted. Thread-safe.
  [[nodiscard]] const Precision* of(std::size_t f, const Matrix& covariance,
                                    const kernel::PackedMatrix& whitening,
                                    std::span<const Index> order) const;

 private:
  struct Found {
    bool known = false;
    std::optional<Precision> precision;
  };
  struct Memory {
    kernel::Exclusive one_at_a_time;
    std::deque<Found> found;  // one per covariance
  };
  std::unique_ptr<Memory> memory_ = std::make_unique<Memory>();
};

/// With P the precision and m some columns: the lower triangular L_mm with L_mm L_mm' = P_mm^-1,
/// which is their covariance given all other columns. Row i begins at to + i * stride. Returns
/// log |L_mm|.
double factor_of_rest(const Matrix& precision, std::span<const Index> columns, double* to,
                      std::size_t stride);

}  // namespace genera::detail
