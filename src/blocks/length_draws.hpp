#pragma once

#include <memory>
#include <span>

#include <genera/random.hpp>
#include <genera/types.hpp>

namespace genera::blocks {

/// Draws rows of requested lengths from a block whose density is conditional on the length (the sum
/// of counts). Scratch memory of one thread.
class LengthDraws {
 public:
  LengthDraws() = default;
  LengthDraws(const LengthDraws&) = delete;
  LengthDraws& operator=(const LengthDraws&) = delete;
  virtual ~LengthDraws() = default;

  /// A copy for another thread, which draws the same rows.
  [[nodiscard]] virtual std::unique_ptr<LengthDraws> another() const = 0;

  /// Approximate number of random numbers for a row of this length; non-decreasing in the length.
  [[nodiscard]] virtual double cost(Index length) const = 0;

  /// Draws a row of class k for each of the ascending lengths, and writes log p(row | c, length)
  /// for all classes c: lengths x K. A shorter row is a prefix of a longer one, so all together
  /// cost as much as the longest; the row of a length depends only on the stream.
  virtual void draw(Index k, const Rng& stream, std::span<const Index> lengths, double* scores) = 0;
};

}  // namespace genera::blocks
