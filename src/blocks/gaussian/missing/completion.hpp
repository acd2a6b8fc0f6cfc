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

/// Gaussian densities of the classes: that of class k is the sum of the components
/// [first[k], first[k + 1]), each with its weight. A Gaussian block has one for each class.
struct ClassComponents {
  const GaussianParameters* parameters = nullptr;
  std::vector<Index> first{};
  Vector weights{};
  const detail::GaussianDensity* density = nullptr;  ///< of the parameters, if there is one

  [[nodiscard]] Index classes() const { return std::ssize(first) - 1; }
  [[nodiscard]] Index dimension() const { return parameters->means.columns(); }
};
/// The block must outlive them.
[[nodiscard]] ClassComponents components_of(const GaussianBlock& block);
[[nodiscard]] ClassComponents components_of(const MixtureBlock& block);

/// Normals -> rows: mean_c + (factor of covariance_c) z. Panels are d x 16.
class CorrelatedNormals {
 public:
  explicit CorrelatedNormals(const GaussianParameters& parameters);
  /// `out` has room for whole tiles.
  void apply(Index c, const double* z, Index lanes, double* out) const;

 private:
  const GaussianParameters& parameters_;
  std::vector<kernel::PackedMatrix> factors_;
};

/// What the missing columns of rows are, given their observed ones. One per thread; rows come in
/// panels, d x 16, and never mix.
class GaussianCompletion {
 public:
  /// Both must outlive it; without a normals there are expectations only.
  GaussianCompletion(const ClassComponents& components, const CorrelatedNormals* normals);

  /// Which columns are observed, ascending: of all panels from now on.
  void observe(std::span<const Index> columns);

  /// Writes sum_k weights_k E(x_m | x_o, k) into the missing columns; `weights` are K x 16, and
  /// those of a row sum to one.
  void expect(const double* weights, double* panel);

  /// Writes a draw from p(x_m | x_o, k) into the missing columns; each row has its stream.
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
  std::optional<detail::GaussianConditional> conditional_;  // once something is observed
  kernel::AlignedVector one_, sum_, scores_, shares_;
};

/// The numbers of rows of class k, n x d, with the expectation of what is missing of them.
[[nodiscard]] Matrix completed_rows(const GaussianParameters& parameters, Index k,
                                    const data::NumberColumns& columns,
                                    std::span<const Index> rows);

}  // namespace genera::blocks
