#pragma once

#include <memory>
#include <span>

#include <genera/random.hpp>
#include <genera/types.hpp>

namespace genera::blocks {

/// Rows drawn as long as they are asked for, from a block whose density is that of rows of a given
/// length (the sum of their counts). The scratch of one thread.
class LengthDraws {
 public:
  LengthDraws() = default;
  LengthDraws(const LengthDraws&) = delete;
  LengthDraws& operator=(const LengthDraws&) = delete;
  virtual ~LengthDraws() = default;

  /// For another thread: it draws the same rows.
  [[nodiscard]] virtual std::unique_ptr<LengthDraws> another() const = 0;

  /// About how many random numbers a row of this length takes; longer ones take no fewer.
  [[nodiscard]] virtual double cost(Index length) const = 0;

  /// Draws a row of class k of each of these lengths, which ascend, and writes log p(row | c,
  /// length) of all classes: lengths x K. A short row is the beginning of a longer one, so that
  /// all together cost as much as the longest; what is drawn for a length depends on the stream
  /// alone.
  virtual void draw(Index k, const Rng& stream, std::span<const Index> lengths, double* scores) = 0;
};

}  // namespace genera::blocks
