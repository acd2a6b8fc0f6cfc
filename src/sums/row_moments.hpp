#pragma once

#include <memory>
#include <span>

#include <genera/stats.hpp>

#include "data/columns.hpp"

namespace genera::sums {

/// Weight, mean and scatter of selected rows, around a centre near their mean (see
/// centred_sums.hpp). The memory for it is kept from one class to the next.
class RowMoments {
 public:
  /// `weights` of all rows, or empty: every row counts once.
  RowMoments(data::NumberColumns numbers, std::span<const double> weights, Scatter kind);
  RowMoments(RowMoments&&) noexcept;
  RowMoments& operator=(RowMoments&&) noexcept;
  ~RowMoments();

  /// `next`: the rows that are asked for afterwards, so that they can be on their way; `memory`:
  /// moments that nobody needs any more, to be written over.
  [[nodiscard]] Moments of(std::span<const Index> rows, std::span<const Index> next = {},
                           Moments memory = {});
  /// The same with a weight for each of these rows.
  [[nodiscard]] Moments of(std::span<const Index> rows, std::span<const double> weights);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genera::sums
