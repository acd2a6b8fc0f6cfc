#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <genera/control.hpp>
#include <genera/model.hpp>
#include <genera/random.hpp>

#include "blocks/marginal_draws.hpp"
#include "kernel/exclusive.hpp"
#include "query/rows_of_lengths.hpp"
#include "score/scorer.hpp"

namespace genera::query {

/// Log densities of rows drawn from a model, for tails without a closed form.
class TailDraws {
 public:
  /// The model must outlive it.
  TailDraws(const Model& model, std::uint64_t seed, const Control& control);

  using Densities = std::shared_ptr<const Vector>;
  /// Sorted densities of complete rows; null if rows have a length.
  [[nodiscard]] const Vector* complete() const { return lengths_.empty() ? &complete_ : nullptr; }
  /// Densities of draws for each of these shapes (missing cells and lengths). Draws depend only on
  /// the shape and are kept for later calls.
  [[nodiscard]] std::vector<Densities> of(const std::vector<score::RowsOfShape>& shapes) const;

  [[nodiscard]] double resolution() const;
  [[nodiscard]] double resolution_with_missing() const;
  /// Over all shapes so far.
  [[nodiscard]] double resolution_so_far() const;

 private:
  using Shapes = std::vector<const score::RowShape*>;

  void find_lengths();
  void draw_rows_for_shapes() const;
  [[nodiscard]] std::vector<Densities> find_or_draw(
      const std::vector<score::RowsOfShape>& shapes) const;
  [[nodiscard]] std::vector<Densities> draw(const Shapes& alike) const;
  [[nodiscard]] std::vector<Densities> draw_lengths(const Shapes& alike) const;
  [[nodiscard]] Vector densities_without(const score::RowShape& shape) const;

  const Model& model_;
  int threads_;
  Rng stream_, lengths_stream_;
  Vector complete_;
  std::vector<LengthBlock> lengths_;
  kernel::Exclusive exclusive_;  // waiting threads find the draws of others
  mutable Table rows_;           // drawn when first needed, for shapes; labelled with their classes
  /// likewise; null: score the rows
  mutable std::unique_ptr<const blocks::MarginalDraws> marginals_;
  mutable std::map<score::RowShape, Densities> kept_;
  mutable std::size_t kept_numbers_ = 0;
  mutable std::optional<std::size_t> fewest_;  // smallest number of draws of a shape
};

}  // namespace genera::query
