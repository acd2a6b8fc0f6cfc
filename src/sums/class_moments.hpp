#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include <genera/rows.hpp>
#include <genera/stats.hpp>

#include "data/columns.hpp"

namespace genera::sums {

/// Weight, mean and scatter of several classes, whose rows are read once, as fast as memory gives
/// them: a batch of rows of all classes comes into the cache while the one before is summed up,
/// class by class.
class ClassMoments {
 public:
  /// Whether rows can be read where they lie, and those of a batch are enough for all classes.
  [[nodiscard]] static bool suit(const data::NumberColumns& numbers, Scatter kind, Index classes);

  ClassMoments(data::NumberColumns numbers, Scatter kind, Index classes);
  ClassMoments(ClassMoments&&) noexcept;
  ClassMoments& operator=(ClassMoments&&) noexcept;
  ~ClassMoments();

  /// Rows of class -1 are left out. Forgets what was there before.
  void sum_up(const Rows& rows, std::span<const std::int32_t> classes);
  [[nodiscard]] std::span<const Index> counts() const;  ///< of rows, by class
  /// Nothing if its first rows are far from the others: then it has to be read again by itself.
  /// `memory`: moments that nobody needs any more, to be written over.
  [[nodiscard]] std::optional<Moments> of_class(Index k, Moments memory);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genera::sums
