#pragma once

#include <optional>
#include <span>
#include <vector>

#include <genera/model.hpp>
#include <genera/random.hpp>

#include "score/scorer.hpp"

namespace genera::query {

/// A block whose rows have a length, and the position of its columns in drawn rows.
struct LengthBlock {
  std::size_t block;
  Index first, numbers;  ///< columns of counts
  Index text;            ///< -1: no text
};

/// Rows with given lengths drawn from a model, by one thread.
class RowsOfLengths {
 public:
  /// The model must outlive it. `alike`: rows with the same missing cells; `draws`: maximum for
  /// each.
  RowsOfLengths(const Model& model, const std::vector<LengthBlock>& blocks,
                const std::vector<const score::RowShape*>& alike, Index draws);
  /// A copy for another thread, which draws the same rows.
  [[nodiscard]] RowsOfLengths another() const;
  RowsOfLengths(RowsOfLengths&&) noexcept;
  RowsOfLengths& operator=(RowsOfLengths&&) noexcept;
  ~RowsOfLengths();

  /// Draws row i of class k.
  void draw(Index i, Index k, const Rng& stream);
  /// Log density of the drawn row at the length of this shape. `others`: log joint of the blocks
  /// without a length, K. Empty if the row was not drawn with this length.
  [[nodiscard]] std::optional<double> density(const score::RowShape& shape,
                                              std::span<const double> others);

 private:
  RowsOfLengths() = default;
  class OfBlock;
  std::vector<OfBlock> blocks_;
  Vector scores_;  // K
};

}  // namespace genera::query
