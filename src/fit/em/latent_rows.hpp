#pragma once

#include <memory>
#include <vector>

#include "fit/em/expected.hpp"
#include "kernel/patterns.hpp"
#include "score/bound_model.hpp"

namespace genera::fit_detail {

/// The rows that EM learns from, and the sums of some of them.
class LearnedRows {
 public:
  LearnedRows(const Rows& rows) : all_(rows) {}  // NOLINT(google-explicit-constructor)
  /// `summary`: of all rows, with Missing::em; must outlive this object.
  LearnedRows(const Rows& rows, const Statistics& summary);

  [[nodiscard]] const Rows& all() const { return all_; }
  /// The statistics of the rows without latent values; null if there are none.
  [[nodiscard]] const Statistics* summed() const { return summed_; }
  /// The row at a position of `all`.
  [[nodiscard]] bool is_summed(Index i) const {
    return summed_ != nullptr && !left_out_[static_cast<std::size_t>(i)];
  }
  /// The available cases of all rows.
  [[nodiscard]] ObservedStatistics observe(const Recipe& recipe, int threads) const;

 private:
  Rows all_;
  const Statistics* summed_ = nullptr;
  std::vector<bool> left_out_;
};

/// Prepares the rows once: finds their columns, groups rows by missing cells, and sums up the rows
/// in which a block has no latent value.
class LatentRows {
 public:
  /// `like`: a model with the features of all later models. All arguments must outlive this object.
  /// Unlabelled rows count `unlabelled_weight` times.
  LatentRows(const LearnedRows& rows, const Plan& plan, const Model& like, double unlabelled_weight,
             int threads);

  /// The E-step. Tasks do not depend on the number of threads and are added in order, so the result
  /// has the same bits for any number of threads.
  [[nodiscard]] Expected expect(const Model& model, int threads) const;

  /// The information of the rows about each class under the last model, for each block, by observed
  /// pattern columns.
  [[nodiscard]] PatternMaps pattern_weights(const Model& model) const;

  /// The sums of the rows without latent values, and the totals of all rows.
  [[nodiscard]] const Expected& complete() const { return complete_; }

 private:
  struct Task {
    std::size_t block;  // for labelled rows; unlabelled rows use all blocks
    Index label;        // -1: none
    std::vector<kernel::PatternPart> parts;
  };
  struct Part;

  [[nodiscard]] PlanSums sums_of(const Statistics* summed) const;
  void sort_rows(const LearnedRows& learned);
  void add_tasks(std::vector<kernel::Pattern> patterns, std::size_t block, Index label,
                 std::vector<Task>& to);
  [[nodiscard]] std::vector<kernel::Pattern> patterns_of(std::span<const Index> columns,
                                                         std::span<const Index> rows) const;
  void run(const std::vector<Task>& tasks, const score::BoundModel& bound, int threads,
           Expected& to) const;
  void run_labelled(const Task& task, const score::BoundModel& bound, Part& to) const;
  void run_unlabelled(const Task& task, const score::BoundModel& bound, Part& to) const;
  void weigh_unlabelled(const Task& task, const score::BoundModel& bound, PatternMaps& to) const;

  const Plan& plan_;
  std::unique_ptr<const score::BoundModel> bound_;  // locates the columns
  double unlabelled_weight_;
  std::vector<std::unique_ptr<const std::vector<kernel::Pattern>>> patterns_;  // of the tasks
  std::vector<Task> complete_tasks_, tasks_;
  Expected complete_;
  Vector labelled_weights_;  // K
};

}  // namespace genera::fit_detail
