#pragma once

#include <memory>
#include <vector>

#include <genera/stats.hpp>

#include "blocks/plan.hpp"

namespace genera::blocks {

/// Units in which the columns of a block are neither large nor small.
struct ColumnUnits {
  Vector centre, scale;
};

/// Weight, mean and scatter of each component; a class of a Gaussian block is one.
class ComponentSums : public BlockSums {
 public:
  ComponentSums(Index components, Scatter kind, std::shared_ptr<const ColumnUnits> units);

  [[nodiscard]] std::unique_ptr<BlockSums> clone() const override;
  void add(const BlockSums& other) override;
  void write(Vector& coordinates) const override;
  [[nodiscard]] bool read(std::span<const double>& coordinates) override;

  [[nodiscard]] Scatter kind() const { return kind_; }
  [[nodiscard]] Index components() const { return std::ssize(moments); }

  std::vector<Moments> moments;

 private:
  Scatter kind_;
  std::shared_ptr<const ColumnUnits> units_;
};

}  // namespace genera::blocks
