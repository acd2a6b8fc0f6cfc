#pragma once

#include <vector>

#include "blocks/plan.hpp"

namespace genera::blocks {

/// Sums of what is counted: tables of K rows, and the weight of the rows behind them.
class TableSums : public BlockSums {
 public:
  /// A table for each number of columns.
  TableSums(Index classes, const std::vector<Index>& columns);

  [[nodiscard]] std::unique_ptr<BlockSums> clone() const override;
  void add(const BlockSums& other) override;
  void write(Vector& coordinates) const override;
  [[nodiscard]] bool read(std::span<const double>& coordinates) override;
  [[nodiscard]] document::Value to_document() const override;
  void read_document(const document::Field& field) override;

  std::vector<Matrix> tables;
  Vector weights;       ///< K: of the rows that have anything
  double constant = 0;  ///< of the log-likelihood of these rows, whatever the parameters
};

/// sum of weight x log probability; what does not occur adds nothing.
[[nodiscard]] double log_likelihood(const Matrix& weights, const Matrix& probabilities);
/// sum of log probabilities, times the smoothing.
[[nodiscard]] double log_smoothing(double smoothing, const Matrix& probabilities);
/// (n_v + s) / (N + s V) in each row; nothing seen and nothing added says nothing: all the same.
[[nodiscard]] Matrix smoothed(const Matrix& weights, double smoothing, int threads = 1);

/// The mean sum of a row in each class. Throws Error (bad_data) if a sum is too large for a double.
[[nodiscard]] Vector mean_lengths(const Matrix& sums, const Vector& weights, int threads);

[[nodiscard]] double largest_difference(const Matrix& a, const Matrix& b);

}  // namespace genera::blocks
