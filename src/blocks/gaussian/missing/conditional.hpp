#pragma once

#include <memory>
#include <span>
#include <vector>

#include <genera/blocks.hpp>

#include "kernel/aligned.hpp"
#include "blocks/gaussian/density/density.hpp"

namespace genera::detail {

/// The densities of a Gaussian block if only some of its columns are observed: their marginal
/// density, and the conditional distribution of the others. Both come from one Cholesky factor of
/// each covariance with the observed columns first, S = L L':
///
///   z = L_oo^-1 (x_o - mean_o),  |z|^2 the squared distance,
///   E(x_m | x_o) = mean_m + L_mo z,  Cov(x_m | x_o) = L_mm L_mm';
///
/// or, with many columns and at most as many missing as observed, from the inverse P of S, which
/// all patterns share, and its block of the missing columns, P_mm = (L_mm L_mm')^-1:
///
///   E(x_m | x_o) = mean_m - P_mm^-1 P_mo (x_o - mean_o),  log |S_oo| = log |S| + log |P_mm|,
///
/// and the squared distance is that of the row completed by this expectation.
///
/// Rows are in panels, d x 16, columns in the order of the block: lanes are rows and never mix;
/// only the first `lanes` of them are read. Does not allocate after construction.
class GaussianConditional {
 public:
  /// All arguments must outlive it. Without the density of the block, S is never inverted.
  explicit GaussianConditional(const GaussianParameters& parameters,
                               const GaussianDensity* density = nullptr);

  /// The required part of the factors.
  enum class Need { marginal, rest };
  /// Sets the observed columns, ascending. Factorises again only if they differ from those before,
  /// and only for classes that are used.
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
  /// Squared distances to class k, 16 of them. Reads only observed columns of the panel.
  void distances(Index k, const double* panel, double* squares,
                 Index lanes = kernel::panel_rows) noexcept;
  /// Squared distances to all classes, K x 16; a shared covariance whitens the rows only once.
  void all_distances(const double* panel, double* squares,
                     Index lanes = kernel::panel_rows) noexcept;

  /// For a covariance shared by all classes: log densities up to a term shared by all classes of a
  /// row, K x 16; -inf if all distances overflow.
  void linear_scores(const double* panel, double* scores,
                     Index lanes = kernel::panel_rows) noexcept;

  // Conditional distribution; requires Need::rest.

  /// Writes E(x_m | x_o, k) into the missing columns of the panel; `squares` as in distances().
  void fill(Index k, double* panel, double* squares, Index lanes = kernel::panel_rows) noexcept;
  /// The same plus L_mm times the contents of the missing columns (independent normals).
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
  /// The inverse of the covariance of class k, if it is used for the current observed columns.
  [[nodiscard]] const Precision* precision(Index k) const {
    return by_rest_ ? precisions_[covariance_of(k)] : nullptr;
  }
  void order_columns(std::span<const Index> columns);
  /// Prepares class k, unless done already.
  void prepare(Index k) noexcept;
  /// The first `rows` rows of the factor; returns log |S| of the observed columns.
  double factorise(const Matrix& covariance, std::size_t rows, double* to) const;
  /// For a shared covariance: z of the means, unless done already.
  void whiten_means();
  /// Writes z to `z_`, of length z_length(k).
  void whiten(Index k, const double* panel, Index lanes);
  void whiten_observed(Index k, const double* panel);
  /// Writes to `row_`: the row minus its mean, with expectations in place of missing values.
  void complete(Index k, const double* panel, Index lane);
  void complete_row(Index k);
  /// Writes E(x_m | x_o, k) of the completed row to x_m of a lane.
  void write_rest(Index k, Index lane, double* panel) const;
  [[nodiscard]] std::size_t z_length(Index k) const {
    return precision(k) ? order_.size() : observed_;
  }
  /// Writes E(x_m | x_o, k) to x_m, for rows whitened by their observed columns.
  void expect_rest(Index k, double* panel) const;
  /// to += sum_t row[t] by[t], lane by lane.
  void add_product(const double* row, std::size_t count, const double* by, double* to) const;

  const GaussianParameters& parameters_;
  const GaussianDensity* density_;
  std::vector<const Precision*> precisions_;  ///< one per covariance; null: not inverted
  std::vector<Index> order_;                  ///< observed columns, then the others
  std::vector<char> is_observed_;
  std::size_t observed_ = 0;
  bool by_rest_ = false;  ///< whether the inverses are used for the current observed columns
  Need need_ = Need::marginal;
  bool ready_ = false;
  std::vector<std::unique_ptr<double[]>> factors_;  ///< one per covariance: d x d, row-major
  enum class Made : char { nothing, marginal, rest };
  std::vector<Made> made_;  ///< one per covariance, for the current observed columns
  Vector log_constants_;
  kernel::AlignedVector z_;          ///< d x 16, padded to whole tiles
  kernel::AlignedVector completed_;  ///< d x 16, in the order of the density
  Vector row_, ordered_, rest_;      ///< a row minus its mean; reordered; P_mo (x_o - mean_o)
  bool means_whitened_ = false;      ///< for the current observed columns
  Matrix whitened_;                  ///< for a shared covariance, K x d: z of mean_k - mean_0
};

}  // namespace genera::detail
