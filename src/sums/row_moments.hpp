#pragma once

#include <memory>
#include <span>

#include <genera/stats.hpp>

#include "data/columns.hpp"

namespace genera::sums {

/// Weight, mean and scatter of selected rows, around a centre near their mean (see
/// centred_sums.hpp). Memory is reused from class to class.
class RowMoments {
 public:
  /// `weights` of all rows; empty: all are 1.
  RowMoments(data::NumberColumns numbers, std::span<const double> weights, Scatter kind);
  RowMoments(RowMoments&&) noexcept;
  RowMoments& operator=(RowMoments&&) noexcept;
  ~RowMoments();

  /// `next`: rows of the following call, which are prefetched; `memory`: moments whose storage may
  /// be reused.
  [[nodiscard]] Moments of(std::span<const Index> rows, std::span<const Index> next = {},
                           Moments memory = {});
  /// The same with a weight for each of these rows.
  [[nodiscard]] Moments of(std::span<const Index> rows, std::span<const double> weights);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genera::sums
