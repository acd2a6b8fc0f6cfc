#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include <genera/rows.hpp>
#include <genera/stats.hpp>

#include "blocks/plan.hpp"

namespace genera::blocks {

/// Units in which the columns of a block are of order one.
struct ColumnUnits {
  Vector centre, scale;
};

/// Whether the low part of a mean changes a posterior by more than about 1e-14: true for means that
/// are some hundred deviations from zero, or more.
[[nodiscard]] inline bool low_part_shows(double low, double deviation) {
  constexpr double notable = 1e-14;
  return std::abs(low) > notable * deviation;
}

/// Smaller weights change no digit of a sum over rows [begin, end): 1e-16 rows, or 1e-16 of the
/// largest weight if all are below 1.
[[nodiscard]] double negligible_weight(const Rows& rows, Index begin, Index end);

/// Weight, mean and scatter of each component; a class of a Gaussian block is one component.
class ComponentSums : public BlockSums {
 public:
  /// The sums of no rows.
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
