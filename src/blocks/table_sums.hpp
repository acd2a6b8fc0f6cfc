#pragma once

#include <vector>

#include "blocks/plan.hpp"

namespace genera::blocks {

/// Sums of discrete columns: tables of K rows, and the weight of the rows.
class TableSums : public BlockSums {
 public:
  /// One table for each element of `columns`, with that number of columns.
  TableSums(Index classes, const std::vector<Index>& columns);

  [[nodiscard]] std::unique_ptr<BlockSums> clone() const override;
  void add(const BlockSums& other) override;
  void write(Vector& coordinates) const override;
  [[nodiscard]] bool read(std::span<const double>& coordinates) override;
  [[nodiscard]] document::Value to_document() const override;
  void read_document(const document::Field& field) override;

  std::vector<Matrix> tables;
  Vector weights;       ///< K: of the rows with a value
  double constant = 0;  ///< part of the log-likelihood that does not depend on parameters
};

/// sum of weight x log probability; zero weights contribute 0.
[[nodiscard]] double log_likelihood(const Matrix& weights, const Matrix& probabilities);
/// Smoothing times the sum of log probabilities.
[[nodiscard]] double log_smoothing(double smoothing, const Matrix& probabilities);
/// (n_v + s) / (N + s V) in each row; uniform if N and s are 0.
[[nodiscard]] Matrix smoothed(const Matrix& weights, double smoothing, int threads = 1);

/// Mean total of a row in each class. Throws Error (bad_data) if a sum overflows.
[[nodiscard]] Vector mean_lengths(const Matrix& sums, const Vector& weights, int threads);

[[nodiscard]] double largest_difference(const Matrix& a, const Matrix& b);

}  // namespace genera::blocks
