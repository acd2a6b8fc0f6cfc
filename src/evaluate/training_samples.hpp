#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <genera/random.hpp>
#include <genera/types.hpp>

/// Which rows a repeat learns from.
namespace genera::curves_detail {

/// The classes of the rows that are divided into training and test rows.
struct Population {
  std::vector<std::string> classes{};  ///< in the order of models
  std::vector<std::int32_t> truths{};  ///< of each row
  std::vector<Index> counts{};         ///< of each class
  [[nodiscard]] Index rows() const { return static_cast<Index>(truths.size()); }
};

/// The rows in random order: a sample of m rows are the first m, and the others test it.
using Order = std::vector<Index>;

/// The samples of one repeat, one of each size.
class TrainingSamples {
 public:
  /// Each sample has a row of every class; given that, all samples of its size are equally likely.
  /// Throws Error (bad_data) if none of `max_draws` samples of a size has.
  TrainingSamples(const Population& population, std::span<const Index> sizes, const Rng& rng,
                  Index max_draws);

  /// Sizes from this one on are parts of one order: each sample contains those before.
  [[nodiscard]] std::size_t first_nested() const { return own_.size(); }
  [[nodiscard]] const Order& order(std::size_t size) const {
    return size < own_.size() ? own_[size] : nested_;
  }
  [[nodiscard]] Index redrawn(std::size_t size) const { return redrawn_[size]; }

 private:
  Order nested_;
  std::vector<Order> own_;  // of sizes for which the first order lacks a class
  std::vector<Index> redrawn_;
};

}  // namespace genera::curves_detail
