#pragma once

#include <memory>
#include <optional>

#include <genera/types.hpp>

namespace genera::kernel {

/// Covariances measured by another one: the eigenvalues of T^-1 S do not depend on units, nor on
/// how the columns hang together.
class Yardstick {
 public:
  /// `reference` is positive definite.
  explicit Yardstick(const Matrix& reference);
  ~Yardstick();
  Yardstick(Yardstick&&) noexcept;
  Yardstick& operator=(Yardstick&&) noexcept;

  /// The smallest eigenvalue of T^-1 S if it is below `least`, nothing if not.
  [[nodiscard]] std::optional<double> shortfall(const Matrix& s, double least) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace genera::kernel
