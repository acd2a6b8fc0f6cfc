#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include <genera/rows.hpp>
#include <genera/stats.hpp>

#include "data/columns.hpp"

namespace genera::sums {

/// Weight, mean and scatter of several classes in one pass over the rows, at memory speed: a batch
/// of rows of all classes is prefetched while the previous one is summed class by class.
class ClassMoments {
 public:
  /// True if rows can be read in place and a batch contains enough rows of all classes.
  [[nodiscard]] static bool suit(const data::NumberColumns& numbers, Scatter kind, Index classes);

  ClassMoments(data::NumberColumns numbers, Scatter kind, Index classes);
  ClassMoments(ClassMoments&&) noexcept;
  ClassMoments& operator=(ClassMoments&&) noexcept;
  ~ClassMoments();

  /// Sums the rows, except those of class -1. Discards earlier sums.
  void sum_up(const Rows& rows, std::span<const std::int32_t> classes);
  [[nodiscard]] std::span<const Index> counts() const;  ///< number of rows by class
  /// Moments of class k; empty if its first rows are far from the others, so that it must be summed
  /// separately. `memory`: moments whose storage may be reused.
  [[nodiscard]] std::optional<Moments> of_class(Index k, Moments memory);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genera::sums
