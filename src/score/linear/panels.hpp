#pragma once

#include <utility>
#include <vector>

#include <genera/linear.hpp>

#include "blocks/panels.hpp"
#include "blocks/worker.hpp"

namespace genera::score {

/// Numeric features of a linear model, or their squares and products, with their coefficients,
/// prepared for panels of rows: the sum of x_j coefficient_jk is a product of a matrix and a panel.
class LinearPanels {
 public:
  /// Model and columns must outlive it.
  LinearPanels(const LinearModel& model, std::size_t part, const data::NumberColumns& columns);

  [[nodiscard]] Index panels_per_group() const;
  /// Number of doubles for the scores of a panel.
  [[nodiscard]] Index result_size() const;

 private:
  friend class PanelWorker;

  const data::NumberColumns& columns_;
  bool counts_ = false;
  Vector centres_, scales_;                       // of the columns; empty: 0 and 1
  std::vector<std::pair<Index, Index>> factors_;  // of products; empty: plain columns
  kernel::PackedMatrix coefficients_;
};

/// Scratch memory of one thread.
class PanelWorker {
 public:
  explicit PanelWorker(const LinearPanels& panels);

  /// As in blocks::ScoreWorker.
  bool begin(const Rows& rows, Index begin, Index end) noexcept;
  bool score(const blocks::Scores& to) noexcept;

 private:
  [[nodiscard]] bool are_counts() const;
  const double* features_of(const double* panel);
  [[nodiscard]] bool are_finite(double* scores, Index lanes) const;

  const LinearPanels& of_;
  Index dimension_;
  Index count_ = 0;     // rows in the group
  kernel::Ahead next_;  // the next rows in memory
  kernel::AlignedVector panels_, standardised_, features_;
  kernel::AlignedVector scores_;  // of a panel, before they are added to others
};

}  // namespace genera::score
