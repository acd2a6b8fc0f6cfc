#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>

#include <genera/types.hpp>

#include "kernel/exclusive.hpp"
#include "kernel/panel.hpp"

namespace genera::detail {

/// A covariance S is inverted only if no column's variance given all others is less than this part
/// of its variance, 1 / max_j S_jj (S^-1)_jj: the variance inflation of regressions. It does not
/// depend on units. Measured: answers then agree with those of S itself to 1e-12
/// (tests/blocks/gaussian/missing/conditional_test.cpp).
inline constexpr double max_inflation = 1e3;

/// A covariance S, inverted.
struct Precision {
  Matrix inverse;                   ///< S^-1, columns in the order of the block
  kernel::PackedColumns whitening;  ///< A with |A x|^2 = x' S^-1 x, x in the order of the density
};

/// The inverses of covariances, each found when it is first asked for.
class Precisions {
 public:
  /// Of covariance number f, which A whitens: |A x|^2 = x' S^-1 x, x in the given order. Null if S
  /// should not be inverted. Threads may ask at the same time.
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
    std::deque<Found> found;  // of each covariance
  };
  std::unique_ptr<Memory> memory_ = std::make_unique<Memory>();
};

/// With P the precision and m some columns: the lower triangular L_mm with L_mm L_mm' = P_mm^-1,
/// which is their covariance given all other columns. Row i begins at to + i * stride. Returns
/// log |L_mm|.
double factor_of_rest(const Matrix& precision, std::span<const Index> columns, double* to,
                      std::size_t stride);

}  // namespace genera::detail
