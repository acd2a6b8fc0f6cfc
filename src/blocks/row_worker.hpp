#pragma once

#include <algorithm>

#include "blocks/worker.hpp"

namespace genera::blocks {

/// The rows of a group, for workers that work row by row.
class RowWorker : public BlockWorker {
 public:
  explicit RowWorker(Index classes) : classes_(classes) {}

  bool begin(const Rows& rows, Index begin, Index end) noexcept override {
    rows_ = rows;
    begin_ = begin;
    count_ = end - begin;
    return true;
  }

  /// Uses its scores, which cost the same for all classes as for one.
  double expect_likelihood(const Rows& rows, Index begin, Index end, const double* weights,
                           BlockSums& sums) override {
    expect(rows, begin, end, weights, sums);
    const Index n = end - begin;
    double total = 0;
    for (Index first = 0; first < n; first += rows_at_once) {
      const Index some = std::min(rows_at_once, n - first);
      scores_.assign(static_cast<std::size_t>(some * classes_), 0.0);
      common_.assign(static_cast<std::size_t>(some), 0.0);
      Scores to;
      to.by_row = scores_.data();
      to.common = common_.data();
      this->begin(rows, begin + first, begin + first + some);
      (void)score(Mode::exact, to);
      for (Index k = 0; k < classes_; ++k) {
        for (Index i = 0; i < some; ++i) {
          const double weight = weights[k * n + first + i];
          if (weight > 0)
            total += weight * (scores_[static_cast<std::size_t>(i * classes_ + k)] +
                               common_[static_cast<std::size_t>(i)]);
        }
      }
    }
    return total;
  }

 protected:
  [[nodiscard]] Index classes() const { return classes_; }
  [[nodiscard]] Index count() const { return count_; }
  /// Index in the data of a row of the group.
  [[nodiscard]] Index row(Index i) const { return rows_.row(begin_ + i); }

 private:
  static constexpr Index rows_at_once = 256;

  Index classes_;
  Rows rows_;
  Index begin_ = 0, count_ = 0;
  Vector scores_, common_;
};

}  // namespace genera::blocks
