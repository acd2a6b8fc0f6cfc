#pragma once

#include <optional>
#include <string>
#include <vector>

#include <genera/fit.hpp>

#include "fit/classes.hpp"

/// Statistics -> blocks of what is counted. What was left out is added to `report`.
namespace genera::fit_detail {

struct DiscreteInput {
  const Statistics& statistics;
  const ClassList& classes;
  const DiscreteOptions& options;
  int threads = 1;
};

/// The sum of a name that may have come after the sums ended.
[[nodiscard]] inline double sum_at(const Vector& sums, std::size_t i) {
  return i < sums.size() ? sums[i] : 0;
}

/// The weight of each level in each class, levels in the order of the model. Only those that occur
/// in any class: a level whose rows were all forgotten was never seen.
struct LevelWeights {
  std::vector<std::string> levels;
  Matrix weights;  // K x levels
};
[[nodiscard]] LevelWeights weights_of(const DiscreteInput& input, std::size_t coded);

/// (n_v + s) / (N + s V) in each row; nothing seen and nothing added says nothing: all the same.
[[nodiscard]] Matrix smoothed(Matrix weights, double smoothing, int threads = 1);

/// Naive blocks: one for all binary columns, one for all categorical ones.
[[nodiscard]] std::vector<Block> naive_blocks(const DiscreteInput& input, Report& report);

/// One table for all of them. Throws Error (bad_model) with the number of cells if there are too
/// many.
[[nodiscard]] std::optional<Block> joint_block(const DiscreteInput& input, Report& report);

/// Sums of each term in each class, before smoothing.
struct TermTable {
  std::vector<std::string> terms;
  Matrix sums;     // K x V: occurrences, or rows that have it
  Vector weights;  // K: of the rows
};
/// Of the count columns, if there are any.
[[nodiscard]] std::optional<TermTable> counted_columns(const DiscreteInput& input);
/// Of a text column or an svmlight file, if the options leave a term.
[[nodiscard]] std::optional<TermTable> counted_terms(const DiscreteInput& input, std::size_t sparse,
                                                     Report& report);
/// The mean sum of a row in each class.
[[nodiscard]] Vector mean_lengths(const TermTable& table, int threads);

/// The count columns, if there are any.
[[nodiscard]] std::optional<Block> count_block(const DiscreteInput& input, Report& report);

/// The terms of a text column, or the columns of an svmlight file.
[[nodiscard]] std::optional<Block> term_block(const DiscreteInput& input, std::size_t sparse,
                                              Report& report);

/// The columns of an svmlight file that occur in any class, in the order of the model.
[[nodiscard]] std::vector<std::string> columns_seen(const Statistics& statistics);

/// What is needed for diagonal Gaussians of the columns of an svmlight file: the zeros that are not
/// written count.
[[nodiscard]] Statistics moments_of_svmlight(const Statistics& statistics);

}  // namespace genera::fit_detail
