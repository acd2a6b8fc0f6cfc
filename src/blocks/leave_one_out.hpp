#pragma once

#include <memory>
#include <span>
#include <vector>

#include <genera/blocks.hpp>
#include <genera/report.hpp>

#include "blocks/places.hpp"

/// What a block would say of a row if it had been learned from all other rows.
namespace genera::blocks {

class BlockSums;

/// A row that is left out.
struct OneRow {
  Index row;  ///< of the data
  Index of_class;
  double weight;
};

/// The scratch of one thread.
class LeaveOneOutWorker {
 public:
  LeaveOneOutWorker() = default;
  LeaveOneOutWorker(const LeaveOneOutWorker&) = delete;
  LeaveOneOutWorker& operator=(const LeaveOneOutWorker&) = delete;
  virtual ~LeaveOneOutWorker() = default;

  /// Adds log p(x | k) of each class, up to a number that all classes share. False (and no promise
  /// about the scores) if only learning from the other rows again can tell, or tell exactly.
  virtual bool add(const OneRow& one, std::span<double> scores) = 0;
};

/// Immutable, shared by threads.
class LeaveOneOut {
 public:
  LeaveOneOut() = default;
  LeaveOneOut(const LeaveOneOut&) = delete;
  LeaveOneOut& operator=(const LeaveOneOut&) = delete;
  virtual ~LeaveOneOut() = default;

  [[nodiscard]] virtual std::unique_ptr<LeaveOneOutWorker> worker() const = 0;
  /// Roughly, of one row.
  [[nodiscard]] virtual double operations() const = 0;
  /// Where it is not quite what a fit to the other rows would be.
  [[nodiscard]] virtual std::vector<Note> notes() const { return {}; }
};

/// A block, the sums it was estimated from, and its columns in the rows of these sums. All of it
/// must outlive what is made of it.
struct LeaveOneOutInput {
  const Block& block;
  const BlockSums& sums;
  const BoundRows& rows;
  const Places& places;
};

/// Shares of a sum below this are left to a new fit: what remains of it has lost digits.
inline constexpr double min_remaining_share = 1e-3;
/// Whether nothing but rounding is left of a sum.
[[nodiscard]] inline bool vanishes(double left, double before) { return left <= 1e-12 * before; }

}  // namespace genera::blocks
