#pragma once

#include <memory>
#include <span>
#include <vector>

#include <genera/blocks.hpp>

#include "kernel/aligned.hpp"
#include "blocks/gaussian/density/density.hpp"

namespace genera::detail {

/// The densities of a Gaussian block when only some of its columns are observed: the marginal
/// density of these, and the law of the rest given them. Both come from one Cholesky factor of each
/// covariance with the observed columns first, S = L L':
///
///   z = L_oo^-1 (x_o - mean_o),  |z|^2 the squared distance,
///   E(x_m | x_o) = mean_m + L_mo z,  Cov(x_m | x_o) = L_mm L_mm';
///
/// or, if there are many columns and no more are missing than observed, from the inverse P of S,
/// which all patterns share, and its block of the missing columns, P_mm = (L_mm L_mm')^-1:
///
///   E(x_m | x_o) = mean_m - P_mm^-1 P_mo (x_o - mean_o),  log |S_oo| = log |S| + log |P_mm|,
///
/// and the squared distance is that of the row completed by this expectation.
///
/// Rows come in panels, d x 16, columns in the order of the block: lanes are rows and never mix;
/// only the first `lanes` of them are looked at. Nothing is allocated after construction.
class GaussianConditional {
 public:
  /// What is given must outlive it. Without the density of the block, S is never inverted.
  explicit GaussianConditional(const GaussianParameters& parameters,
                               const GaussianDensity* density = nullptr);

  /// How much of the factors is needed.
  enum class Need { marginal, rest };
  /// Which columns are observed, ascending. Factors are made again only if these are others than
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
  void distances(Index k, const double* panel, double* squares,
                 Index lanes = kernel::panel_rows) noexcept;
  /// Those to all classes, K x 16; a shared covariance whitens the rows once for all of them.
  void all_distances(const double* panel, double* squares,
                     Index lanes = kernel::panel_rows) noexcept;

  /// Of a covariance that all classes share: log densities up to a number that all classes of a row
  /// share, K x 16; -inf where all distances overflow.
  void linear_scores(const double* panel, double* scores,
                     Index lanes = kernel::panel_rows) noexcept;

  // Of the rest; they need Need::rest.

  /// Writes E(x_m | x_o, k) into the missing columns of the panel; `squares` as in distances().
  void fill(Index k, double* panel, double* squares, Index lanes = kernel::panel_rows) noexcept;
  /// The same plus L_mm times what stands in the missing columns (independent normals).
  void draw(Index k, double* panel, Index lanes = kernel::panel_rows) noexcept;
  /// Adds `weight` times Cov(x_m | x_o, k) to a scatter matrix: d x d, or 1 x d for variances only.
  void add_covariance(Index k, double weight, Matrix& scatter) noexcept;

 private:
  [[nodiscard]] bool diagonal() const { return parameters_.covariances.empty(); }
  [[nodiscard]] bool shared() const {
    return (diagonal() ? parameters_.variances.rows() : std::ssize(parameters_.covariances)) == 1;
  }
  [[nodiscard]] double variance(Index k, Index column) const;
  [[nodiscard]] std::size_t covariance_of(Index k) const {
    return shared() ? 0 : static_cast<std::size_t>(k);
  }
  [[nodiscard]] const double* factor(Index k) const { return factors_[covariance_of(k)].get(); }
  /// The inverse of the covariance of class k, if it is to be used for the columns observed now.
  [[nodiscard]] const Precision* precision(Index k) const {
    return by_rest_ ? precisions_[covariance_of(k)] : nullptr;
  }
  void order_columns(std::span<const Index> columns);
  /// Makes what is needed of class k, unless it is there.
  void prepare(Index k) noexcept;
  /// The first `rows` rows of the factor; returns log |S| of the observed columns.
  double factorise(const Matrix& covariance, std::size_t rows, double* to) const;
  /// Of a shared covariance: z of the means, unless it is there.
  void whiten_means();
  /// z in `z_`, as long as z_length(k).
  void whiten(Index k, const double* panel, Index lanes);
  void whiten_observed(Index k, const double* panel);
  /// A row less its mean with the expectation of what is missing, in `row_`.
  void complete(Index k, const double* panel, Index lane);
  void complete_row(Index k);
  /// x_m of a lane becomes E(x_m | x_o, k), of the row that was completed.
  void write_rest(Index k, Index lane, double* panel) const;
  [[nodiscard]] std::size_t z_length(Index k) const {
    return precision(k) ? order_.size() : observed_;
  }
  /// x_m becomes E(x_m | x_o, k), of rows that were whitened by their observed columns.
  void expect_rest(Index k, double* panel) const;
  /// to += sum_t row[t] by[t], lane by lane.
  void add_product(const double* row, std::size_t count, const double* by, double* to) const;

  const GaussianParameters& parameters_;
  const GaussianDensity* density_;
  std::vector<const Precision*> precisions_;  ///< one per covariance; null: not to be inverted
  std::vector<Index> order_;                  ///< observed columns, then the others
  std::vector<char> is_observed_;
  std::size_t observed_ = 0;
  bool by_rest_ = false;  ///< the inverses are to be used for the columns observed now
  Need need_ = Need::marginal;
  bool ready_ = false;
  std::vector<std::unique_ptr<double[]>> factors_;  ///< one per covariance: d x d, row-major
  enum class Made : char { nothing, marginal, rest };
  std::vector<Made> made_;  ///< of each covariance, for the columns observed now
  Vector log_constants_;
  kernel::AlignedVector z_;          ///< d x 16, and room for whole tiles
  kernel::AlignedVector completed_;  ///< d x 16, in the order of the density
  Vector row_, ordered_, rest_;      ///< a row less its mean; in that order; P_mo (x_o - mean_o)
  bool means_whitened_ = false;      ///< for the columns observed now
  Matrix whitened_;  ///< if all classes share a covariance, K x d: z of mean_k - mean_0
};

}  // namespace genera::detail
