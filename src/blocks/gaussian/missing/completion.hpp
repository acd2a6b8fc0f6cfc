#pragma once

#include <optional>
#include <span>
#include <vector>

#include <genera/blocks.hpp>
#include <genera/random.hpp>

#include "kernel/aligned.hpp"
#include "kernel/panel.hpp"
#include "blocks/gaussian/missing/conditional.hpp"
#include "data/columns.hpp"

namespace genera::blocks {

/// Gaussian densities of the classes: that of class k is the weighted sum of the components
/// [first[k], first[k + 1]). A Gaussian block has one component per class.
struct ClassComponents {
  const GaussianParameters* parameters = nullptr;
  std::vector<Index> first{};
  Vector weights{};
  const detail::GaussianDensity* density = nullptr;  ///< of the parameters, if available

  [[nodiscard]] Index classes() const { return std::ssize(first) - 1; }
  [[nodiscard]] Index dimension() const { return parameters->means.columns(); }
};
/// The block must outlive the result.
[[nodiscard]] ClassComponents components_of(const GaussianBlock& block);
[[nodiscard]] ClassComponents components_of(const MixtureBlock& block);

/// Turns normals into rows: mean_c + (factor of covariance_c) z. Panels are d x 16.
class CorrelatedNormals {
 public:
  explicit CorrelatedNormals(const GaussianParameters& parameters);
  /// `out` must have room for whole tiles.
  void apply(Index c, const double* z, Index lanes, double* out) const;

 private:
  const GaussianParameters& parameters_;
  std::vector<kernel::PackedMatrix> factors_;
};

/// Missing columns of rows, given their observed ones. One object per thread; rows are in panels,
/// d x 16, and never mix.
class GaussianCompletion {
 public:
  /// Both must outlive it; if `normals` is null, only expectations are available.
  GaussianCompletion(const ClassComponents& components, const CorrelatedNormals* normals);

  /// Sets the observed columns, ascending, of all following panels.
  void observe(std::span<const Index> columns);

  /// Writes sum_k weights_k E(x_m | x_o, k) into the missing columns; `weights` are K x 16, and
  /// those of a row sum to one.
  void expect(const double* weights, double* panel);

  /// Writes a draw from p(x_m | x_o, k) into the missing columns; each row has its own stream.
  void draw(Index k, std::span<Rng> streams, double* panel);

 private:
  /// p(component | x_o, k) for the components of class k, in `shares_`.
  void find_shares(Index k, const double* panel);
  /// E(x_m | x_o, component c), in the missing columns of the panel.
  void fill(Index c, double* panel);

  const ClassComponents& components_;
  const CorrelatedNormals* normals_;
  std::vector<Index> missing_;
  bool any_observed_ = false;
  std::optional<detail::GaussianConditional> conditional_;  // empty while no column is observed
  kernel::AlignedVector one_, sum_, scores_, shares_;
};

/// The numbers of rows of class k, n x d, with expectations in place of missing values.
[[nodiscard]] Matrix completed_rows(const GaussianParameters& parameters, Index k,
                                    const data::NumberColumns& columns,
                                    std::span<const Index> rows);

}  // namespace genera::blocks
