#pragma once

#include <span>

#include <genera/types.hpp>

namespace genera::blocks {

/// Drawn rows and their marginal densities without some of the columns, for many sets of columns.
/// Immutable, shared by threads.
class MarginalDraws {
 public:
  MarginalDraws() = default;
  MarginalDraws(const MarginalDraws&) = delete;
  MarginalDraws& operator=(const MarginalDraws&) = delete;
  virtual ~MarginalDraws() = default;

  /// True if omitting this number of columns is cheaper in this way than scoring the others.
  [[nodiscard]] virtual bool pays(Index columns) const = 0;
  /// log p(row without these columns), over all classes; columns are in ascending order.
  [[nodiscard]] virtual Vector log_densities(std::span<const Index> without, int threads) const = 0;
};

}  // namespace genera::blocks
