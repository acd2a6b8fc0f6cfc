#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include <genera/rows.hpp>
#include <genera/stats.hpp>

#include "blocks/plan.hpp"

namespace genera::blocks {

/// Units in which the columns of a block are neither large nor small.
struct ColumnUnits {
  Vector centre, scale;
};

/// Whether the low part of a mean changes a posterior by more than about 1e-14: where the mean is
/// some hundred deviations from zero, or more.
[[nodiscard]] inline bool low_part_shows(double low, double deviation) {
  constexpr double notable = 1e-14;
  return std::abs(low) > notable * deviation;
}

/// What is lighter moves no digit of a sum over rows [begin, end): less than 1e-16 of a row, or of
/// the heaviest of them if all are lighter than a row without a weight.
[[nodiscard]] double negligible_weight(const Rows& rows, Index begin, Index end);

/// Weight, mean and scatter of each component; a class of a Gaussian block is one.
class ComponentSums : public BlockSums {
 public:
  /// Of no row.
  ComponentSums(Index components, Scatter kind, std::shared_ptr<const ColumnUnits> units);
  ComponentSums(std::vector<Moments> moments, Scatter kind,
                std::shared_ptr<const ColumnUnits> units);

  [[nodiscard]] std::unique_ptr<BlockSums> clone() const override;
  void add(const BlockSums& other) override;
  void write(Vector& coordinates) const override;
  [[nodiscard]] bool read(std::span<const double>& coordinates) override;
  [[nodiscard]] document::Value to_document() const override;
  void read_document(const document::Field& field) override;

  [[nodiscard]] Scatter kind() const { return kind_; }
  [[nodiscard]] Index components() const { return std::ssize(moments); }

  std::vector<Moments> moments;

 private:
  Scatter kind_;
  std::shared_ptr<const ColumnUnits> units_;
};

}  // namespace genera::blocks
