#pragma once

#include <span>
#include <vector>

#include <genera/blocks.hpp>

#include "kernel/aligned.hpp"

namespace genera::detail {

/// The densities of a Gaussian block when only some of its columns are observed: the marginal
/// density of these, and the law of the rest given them. Both come from one Cholesky factor of each
/// covariance with the observed columns first, S = L L':
///
///   z = L_oo^-1 (x_o - mean_o),  |z|^2 the squared distance,
///   E(x_m | x_o) = mean_m + L_mo z,  Cov(x_m | x_o) = L_mm L_mm'.
///
/// Rows come in panels, d x 16, columns in the order of the block: lanes are rows and never mix.
/// Nothing is allocated after construction.
class GaussianConditional {
 public:
  /// The parameters must outlive it.
  explicit GaussianConditional(const GaussianParameters& parameters);

  /// How much of the factors is needed.
  enum class Need { marginal, rest };
  /// Which columns are observed, ascending. Factors are made anew only if these are others than
  /// before, and only those of the classes that are asked about.
  void observe(std::span<const Index> columns, Need need) noexcept;

  [[nodiscard]] std::span<const Index> observed() const { return {order_.data(), observed_}; }
  [[nodiscard]] std::span<const Index> missing() const {
    return std::span(order_).subspan(observed_);
  }

  /// -(d_o log 2 pi + log |S_oo|) / 2 of class k.
  [[nodiscard]] double log_constant(Index k) noexcept {
    prepare(k);
    return log_constants_[static_cast<std::size_t>(k)];
  }
  /// Squared distances to class k, 16 of them. Only observed columns of the panel are read.
  void distances(Index k, const double* panel, double* squares) noexcept;
  /// Those to all classes, K x 16; a shared covariance whitens the rows once for all of them.
  void all_distances(const double* panel, double* squares) noexcept;

  /// Of a covariance that all classes share: log densities up to a number that all classes of a row
  /// share, K x 16; -inf where all distances overflow.
  void linear_scores(const double* panel, double* scores) noexcept;

  // Of the rest; they need Need::rest.

  /// Writes E(x_m | x_o, k) into the missing columns of the panel; `squares` as in distances().
  void fill(Index k, double* panel, double* squares) noexcept;
  /// The same plus L_mm times what stands in the missing columns (independent normals).
  void draw(Index k, double* panel) noexcept;
  /// Adds `weight` times Cov(x_m | x_o, k) to a scatter matrix: d x d, or 1 x d for variances only.
  void add_covariance(Index k, double weight, Matrix& scatter) noexcept;

 private:
  [[nodiscard]] bool diagonal() const { return parameters_.covariances.empty(); }
  [[nodiscard]] bool shared() const {
    return (diagonal() ? parameters_.variances.rows() : std::ssize(parameters_.covariances)) == 1;
  }
  [[nodiscard]] double variance(Index k, Index column) const;
  [[nodiscard]] const double* factor(Index k) const;
  void order_columns(std::span<const Index> columns);
  /// Makes what is needed of class k, unless it is there.
  void prepare(Index k) noexcept;
  /// The first `rows` rows of the factor; returns log |S| of the observed columns.
  double factorise(const Matrix& covariance, std::size_t rows, double* to) const;
  void whiten_means();
  /// z of the observed columns, in `z_`.
  void whiten(Index k, const double* panel);
  /// to += sum_t row[t] by[t], lane by lane.
  void add_product(const double* row, std::size_t count, const double* by, double* to) const;

  const GaussianParameters& parameters_;
  std::vector<Index> order_;  ///< observed columns, then the others
  std::vector<char> is_observed_;
  std::size_t observed_ = 0;
  Need need_ = Need::marginal;
  bool ready_ = false;
  std::vector<kernel::AlignedVector> factors_;  ///< one per covariance: d x d, row-major
  enum class Made : char { nothing, marginal, rest };
  std::vector<Made> made_;  ///< of each covariance, for the columns observed now
  Vector log_constants_;
  kernel::AlignedVector z_;  ///< d x 16
  Matrix whitened_;          ///< if all classes share it, K x d: L_oo^-1 (mean_k - mean_0)
};

}  // namespace genera::detail
