#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <genera/rows.hpp>
#include <genera/stats.hpp>

#include "data/columns.hpp"

namespace genera::sums {

struct ClassesOfRows {
  std::vector<std::int32_t> classes;  ///< -1: left out
  std::vector<Index> counts;          ///< of rows, by class
};

/// Weight, mean and scatter of several classes, whose rows are read once, in the order of memory:
/// as fast as it comes, where the sums of all classes stay in cache.
class ClassMoments {
 public:
  /// Whether rows can be read where they lie, and sums are few enough.
  [[nodiscard]] static bool suit(const data::NumberColumns& numbers, Scatter kind, Index classes);

  ClassMoments(data::NumberColumns numbers, Scatter kind, Index classes);
  ClassMoments(ClassMoments&&) noexcept;
  ClassMoments& operator=(ClassMoments&&) noexcept;
  ~ClassMoments();

  /// Forgets what was there before.
  void sum_up(const Rows& rows, const ClassesOfRows& of);
  /// Nothing if its first rows are far from the others: then it has to be read again by itself.
  /// `memory`: moments that nobody needs any more, to be written over.
  [[nodiscard]] std::optional<Moments> of_class(Index k, Moments memory);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genera::sums
