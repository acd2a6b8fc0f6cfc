#pragma once

#include <vector>

#include "query/rows.hpp"

namespace genera::query {

/// The log probabilities of the discrete blocks of a model, row by row. Nothing is allocated after
/// birth.
class DiscreteScores {
 public:
  DiscreteScores(const Model& model, const Rows& rows);

  [[nodiscard]] bool empty() const { return blocks_.empty(); }

  /// Adds log p(x | k) of all discrete blocks to the K scores, but for multinomial coefficients,
  /// which all classes share. False if a count is missing or infinite.
  bool add(const MatrixView& numbers, Index row, double* scores);
  /// log of the multinomial coefficients of the row.
  [[nodiscard]] double log_coefficient(const MatrixView& numbers, Index row) const;

  /// Categories so far that the model has never seen.
  [[nodiscard]] Index unseen() const { return unseen_; }

 private:
  struct Bound {
    const Block* block;
    const BoundBlock* columns;
  };

  [[nodiscard]] std::int32_t level(const BoundBlock& columns, const MatrixView& numbers, Index row,
                                   std::size_t j, Index levels);
  void add(const CategoricalBlock& block, const BoundBlock& columns, const MatrixView& numbers,
           Index row, double* scores);
  void add(const JointBlock& block, const BoundBlock& columns, const MatrixView& numbers, Index row,
           double* scores);
  bool add(const CountBlock& block, const BoundBlock& columns, const MatrixView& numbers, Index row,
           double* scores);
  struct CountedRow {
    const MatrixView& numbers;
    Index row;
    double total;  // of the counts that are there
  };
  void leave_out_missing(const CountBlock& block, const BoundBlock& columns,
                         const CountedRow& counted, double* scores);
  void ask_for_weights(const BoundBlock& columns, const detail::TermWeights& density,
                       Index row) const;
  /// Calls visit(term, count) for the terms of the row that the model knows.
  template <class Visit>
  void each_term(const BoundBlock& columns, const MatrixView& numbers, Index row,
                 Visit visit) const;

  const Table* table_;
  Index classes_;
  std::vector<Bound> blocks_;
  std::vector<std::int32_t> cells_;  // of a joint block
  std::vector<Index> hits_;          // K
  Vector missing_shares_;            // K
  Index unseen_ = 0;
};

}  // namespace genera::query
