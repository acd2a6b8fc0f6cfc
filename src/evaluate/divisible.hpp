#pragma once

#include <vector>

#include <genera/curves.hpp>

#include "evaluate/training_samples.hpp"

namespace genera::curves_detail {

[[nodiscard]] inline bool is_linear(const Candidate& candidate) {
  return std::holds_alternative<LinearRecipe>(candidate.recipe);
}

/// Rows that can be split into training and test rows, in the column types of each candidate: those
/// with a label and a weight; with Missing::drop only complete ones.
class Divisible {
 public:
  Divisible(const Rows& rows, const std::vector<Candidate>& candidates, Missing missing);
  Divisible(const Divisible&) = delete;
  Divisible& operator=(const Divisible&) = delete;

  [[nodiscard]] const Population& population() const { return population_; }
  /// The distinct ways of reading the columns; the first is that of the given rows.
  [[nodiscard]] const std::vector<Rows>& sources() const { return sources_; }
  [[nodiscard]] std::size_t source_of(std::size_t candidate) const { return source_of_[candidate]; }
  [[nodiscard]] const Rows& rows_of(std::size_t candidate) const {
    return sources_[source_of_[candidate]];
  }
  [[nodiscard]] bool numbers_are_missing() const;
  /// Notes on rows that are left out.
  [[nodiscard]] std::vector<Note> notes() const;

 private:
  std::size_t add(const Rows& rows);
  std::vector<Index> positions(Missing missing);
  void list_classes();

  std::vector<Rows> sources_;
  std::vector<std::vector<Index>> lists_;
  std::vector<std::size_t> source_of_;
  Population population_;
  Index without_label_ = 0, without_weight_ = 0, incomplete_ = 0;
};

/// Throws Error (bad_data) if there are fewer than two classes, or a class has a single row.
void check_classes(const Population& population);
/// See automatic_sizes.
[[nodiscard]] std::vector<Index> sizes_of(const Population& population);
/// Sorted and distinct sizes; automatic ones if `sizes` is empty. Throws Error (bad_argument) if a
/// size is too small or too large.
[[nodiscard]] std::vector<Index> checked_sizes(std::vector<Index> sizes,
                                               const Population& population);
/// Throws Error (bad_data) if a linear model would have to learn from missing values.
void refuse_missing(const std::vector<Candidate>& candidates, const Divisible& divisible);
/// Throws Error (bad_data) if the rows have no cells that could be removed.
void refuse_sparse(const Divisible& divisible);

}  // namespace genera::curves_detail
