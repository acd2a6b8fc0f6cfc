#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <genera/random.hpp>
#include <genera/types.hpp>

/// Training rows of each repeat.
namespace genera::curves_detail {

/// Classes of the rows that are split into training and test rows.
struct Population {
  std::vector<std::string> classes{};  ///< in the order of models
  std::vector<std::int32_t> truths{};  ///< of each row
  std::vector<Index> counts{};         ///< of each class
  [[nodiscard]] Index rows() const { return static_cast<Index>(truths.size()); }
};

/// Rows in random order: the first m are a training sample, the others its test rows.
using Order = std::vector<Index>;

/// Training samples of one repeat, one for each size.
class TrainingSamples {
 public:
  /// Each sample contains every class; given this, all samples of its size are equally likely.
  /// Throws Error (bad_data) if none of `max_draws` samples of a size contains every class.
  TrainingSamples(const Population& population, std::span<const Index> sizes, const Rng& rng,
                  Index max_draws);

  /// Sizes from this index on share one order, so each sample contains the smaller ones.
  [[nodiscard]] std::size_t first_nested() const { return own_.size(); }
  [[nodiscard]] const Order& order(std::size_t size) const {
    return size < own_.size() ? own_[size] : nested_;
  }
  [[nodiscard]] Index redrawn(std::size_t size) const { return redrawn_[size]; }

 private:
  Order nested_;
  std::vector<Order> own_;  // for sizes whose sample from the common order lacks a class
  std::vector<Index> redrawn_;
};

}  // namespace genera::curves_detail
