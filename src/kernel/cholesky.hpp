#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <genera/types.hpp>

/// Factorisations of symmetric matrices on the correlation scale: S = D R D, R = L L'. Results do
/// not depend on the units of the columns.
namespace genera::kernel {

struct Factor {
  Matrix inverse;      ///< A = L^-1 D^-1, lower triangular: |A x|^2 = x' S^-1 x
  double log_det = 0;  ///< log |S|
};

/// Factor of S with rows and columns in the given order; empty if S is not numerically positive
/// definite.
[[nodiscard]] std::optional<Factor> factorise(const Matrix& s, std::span<const Index> order);
/// The same in the given order of columns.
[[nodiscard]] std::optional<Factor> factorise(const Matrix& s);

/// L D, the lower triangular factor with S = (D L)(D L)', which turns independent normals into rows
/// with covariance S. S must be positive definite.
[[nodiscard]] Matrix lower_factor(const Matrix& s);

/// Pivots below this on the correlation scale count as zero. Measured: exact dependence leaves at
/// most 5e-13; the smallest pivot of a regular data set is 2.9e-4 (breast_cancer, qda).
inline constexpr double singular_pivot = 1e-10;

/// Result of a diagonally pivoted factorisation.
struct Rank {
  std::vector<Index> constant;     ///< columns whose variance is zero
  std::vector<Index> independent;  ///< pivots in order; their number is the rank
  std::vector<Index> dependent;    ///< the other columns
  /// One row per dependent column: its coefficients on the independent columns, in the units of the
  /// data.
  Matrix relations;
  [[nodiscard]] bool full() const { return constant.empty() && dependent.empty(); }
};
[[nodiscard]] Rank rank_of(const Matrix& s);

/// True if rank_of(s) is full; cheap for well-conditioned matrices.
[[nodiscard]] bool is_regular(const Matrix& s);

/// Smallest eigenvalue of T^-1 S (0 if negative) if it is below `min`, otherwise empty. T must be
/// positive definite. Independent of units and of the correlations of the columns.
[[nodiscard]] std::optional<double> smallest_relative_eigenvalue(const Matrix& s, const Matrix& t,
                                                                 double min);

/// Replaces the lower triangle by L with S = L L'; false if S is not numerically positive definite.
[[nodiscard]] bool factorise_in_place(Matrix& s);

/// |S|, 0 if S is not numerically positive definite. Reads the lower triangle and overwrites it.
[[nodiscard]] double determinant_in_place(Matrix& s);

/// Solves S x = b for several b with one factor of a positive definite S.
class Solver {
 public:
  /// Reads the lower triangle of s; empty if it is not numerically positive definite.
  [[nodiscard]] static std::optional<Solver> of(Matrix s);
  /// Replaces b by x.
  void solve(std::span<double> b) const;

 private:
  explicit Solver(Matrix factor) : factor_(std::move(factor)) {}
  Matrix factor_;  // lower triangular
};

}  // namespace genera::kernel
