#pragma once

#include <map>

#include <genera/classifier.hpp>
#include <genera/query.hpp>

#include "kernel/exclusive.hpp"
#include "score/scorer.hpp"

namespace genera::query {

/// Tail of the density of a committee: the share of rows drawn from it whose density is at most
/// that of the row, over the cells that the row has.
class CommitteeTail {
 public:
  /// The committee must outlive it. Throws Error (bad_model) for models of the length of rows.
  CommitteeTail(const Committee& committee, std::uint64_t seed, const Control& control);

  [[nodiscard]] Vector of_complete(const Vector& log_density) const;
  [[nodiscard]] Vector operator()(const Rows& rows, const Vector& log_density) const;
  [[nodiscard]] double resolution() const;
  [[nodiscard]] double resolution_with_missing() const;

 private:
  [[nodiscard]] const Vector& densities_without(const score::RowShape& shape) const;

  const Committee& committee_;
  Control control_;
  Table rows_;  ///< drawn
  Vector complete_;
  kernel::Exclusive exclusive_;
  mutable std::map<score::RowShape, Vector> kept_;
};

}  // namespace genera::query
