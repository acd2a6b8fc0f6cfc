#pragma once

#include <span>

#include <genera/types.hpp>

namespace genera::blocks {

/// Complete rows, and their densities without some of the columns, for many choices of these.
/// Immutable: shared by threads.
class MarginalDraws {
 public:
  MarginalDraws() = default;
  MarginalDraws(const MarginalDraws&) = delete;
  MarginalDraws& operator=(const MarginalDraws&) = delete;
  virtual ~MarginalDraws() = default;

  /// Whether leaving out so many columns is less work this way than from the other columns alone.
  [[nodiscard]] virtual bool pays(Index columns) const = 0;
  /// log p(row without these columns), whatever its class; columns ascend.
  [[nodiscard]] virtual Vector log_densities(std::span<const Index> without, int threads) const = 0;
};

}  // namespace genera::blocks
