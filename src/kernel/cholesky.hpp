#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <genera/types.hpp>

/// Factorisations of symmetric matrices, on the scale of correlations: S = D R D, R = L L'. Units
/// of the columns never matter.
namespace genera::kernel {

struct Factor {
  Matrix inverse;      ///< A = L^-1 D^-1, lower triangular: |A x|^2 = x' S^-1 x
  double log_det = 0;  ///< log |S|
};

/// Of S with rows and columns in the given order; empty if S is not numerically positive definite.
[[nodiscard]] std::optional<Factor> factorise(const Matrix& s, std::span<const Index> order);
/// In the order they have.
[[nodiscard]] std::optional<Factor> factorise(const Matrix& s);

/// L D, lower triangular with S = (D L)(D L)': turns independent normals into rows. S must be
/// positive definite.
[[nodiscard]] Matrix lower_factor(const Matrix& s);

/// A pivot on the correlation scale below this is zero. Measured: exact dependence leaves at most
/// 5e-13, the worst honest data at hand (breast_cancer, qda) 2.9e-4.
inline constexpr double singular_pivot = 1e-10;

/// What a diagonally pivoted factorisation says about a matrix.
struct Rank {
  std::vector<Index> constant;     ///< columns whose variance is zero
  std::vector<Index> independent;  ///< pivots, in order; as many as the rank
  std::vector<Index> dependent;    ///< the other columns
  /// One row per dependent column: its coefficients on the independent ones, in the units of the
  /// data.
  Matrix relations;
  [[nodiscard]] bool full() const { return constant.empty() && dependent.empty(); }
};
[[nodiscard]] Rank rank_of(const Matrix& s);

/// Whether rank_of(s) is full; cheap when it plainly is.
[[nodiscard]] bool is_regular(const Matrix& s);

/// The smallest eigenvalue of T^-1 S if it is below `min`, nothing if not; 0 if it is negative. T
/// is positive definite. It depends neither on units nor on how the columns are correlated.
[[nodiscard]] std::optional<double> smallest_relative_eigenvalue(const Matrix& s, const Matrix& t,
                                                                 double min);

/// The lower triangle becomes L with S = L L'; false if S is not numerically positive definite.
[[nodiscard]] bool factorise_in_place(Matrix& s);

/// |S|, 0 if S is not numerically positive definite. Reads the lower triangle and overwrites it.
[[nodiscard]] double determinant_in_place(Matrix& s);

/// Solves S x = b for any number of b, by one factor of a positive definite S.
class Solver {
 public:
  /// Reads the lower triangle of s; nothing if it is not numerically positive definite.
  [[nodiscard]] static std::optional<Solver> of(Matrix s);
  /// b becomes x.
  void solve(std::span<double> b) const;

 private:
  explicit Solver(Matrix factor) : factor_(std::move(factor)) {}
  Matrix factor_;  // lower triangular
};

}  // namespace genera::kernel
