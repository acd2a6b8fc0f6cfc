#pragma once

#include <memory>
#include <span>
#include <vector>

#include <genera/blocks.hpp>
#include <genera/report.hpp>

#include "blocks/places.hpp"

/// The score of a row under the model fitted to all other rows.
namespace genera::blocks {

class BlockSums;

/// The row that is left out.
struct OneRow {
  Index row;  ///< index in the data
  Index of_class;
  double weight;
};

/// Scratch memory of one thread.
class LeaveOneOutWorker {
 public:
  LeaveOneOutWorker() = default;
  LeaveOneOutWorker(const LeaveOneOutWorker&) = delete;
  LeaveOneOutWorker& operator=(const LeaveOneOutWorker&) = delete;
  virtual ~LeaveOneOutWorker() = default;

  /// Adds log p(x | k) of each class, up to a constant shared by all classes. Returns false, with
  /// undefined scores, if an exact answer needs a new fit to the other rows.
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
  /// Rough cost for one row.
  [[nodiscard]] virtual double operations() const = 0;
  /// Notes if the result differs from a fit to the other rows.
  [[nodiscard]] virtual std::vector<Note> notes() const { return {}; }
};

/// A block, the sums it was estimated from, and its columns in the rows of these sums; all must
/// outlive the result.
struct LeaveOneOutInput {
  const Block& block;
  const BlockSums& sums;
  const BoundRows& rows;
  const Places& places;
};

/// If a smaller fraction of a sum remains, too many digits are lost, and a new fit is used.
inline constexpr double min_remaining_share = 1e-3;
/// True if only rounding errors of a sum remain.
[[nodiscard]] inline bool vanishes(double left, double before) { return left <= 1e-12 * before; }

}  // namespace genera::blocks
