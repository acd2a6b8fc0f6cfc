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

/// The log densities of rows drawn from a model: what rows are compared with whose tail has no
/// closed form.
class TailDraws {
 public:
  /// The model must outlive it.
  TailDraws(const Model& model, std::uint64_t seed, const Control& control);

  using Densities = std::shared_ptr<const Vector>;
  /// Of complete rows, sorted; null if rows have a length.
  [[nodiscard]] const Vector* complete() const { return lengths_.empty() ? &complete_ : nullptr; }
  /// Of draws that lack the same cells and have the same lengths, for each of these shapes. What is
  /// drawn for a shape depends on the shape alone, and is kept for those who ask again.
  [[nodiscard]] std::vector<Densities> of(const std::vector<score::RowsOfShape>& shapes) const;

  [[nodiscard]] double resolution() const;
  [[nodiscard]] double resolution_with_missing() const;
  /// Of the shapes asked for so far.
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
  kernel::Exclusive exclusive_;  // who waits finds what others have drawn
  mutable Table rows_;  // of draws, for shapes, once asked for; labelled with their classes
  mutable std::unique_ptr<const blocks::MarginalDraws> marginals_;  // the same; null: score them
  mutable std::map<score::RowShape, Densities> kept_;
  mutable std::size_t kept_numbers_ = 0;
  mutable std::optional<std::size_t> fewest_;  // draws of a shape
};

}  // namespace genera::query
