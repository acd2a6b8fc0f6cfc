#pragma once

#include <optional>
#include <span>
#include <vector>

#include <genera/model.hpp>
#include <genera/random.hpp>

#include "score/scorer.hpp"

namespace genera::query {

/// A block whose rows have a length, and where its columns are in drawn rows.
struct LengthBlock {
  std::size_t block;
  Index first, numbers;  ///< columns of counts
  Index text;            ///< -1: none
};

/// Rows drawn from a model with lengths of given ones, as one thread draws them.
class RowsOfLengths {
 public:
  /// The model must outlive it. `alike`: rows that lack the same cells; `draws` at most of each.
  RowsOfLengths(const Model& model, const std::vector<LengthBlock>& blocks,
                const std::vector<const score::RowShape*>& alike, Index draws);
  /// For another thread: it draws the same rows.
  [[nodiscard]] RowsOfLengths another() const;
  RowsOfLengths(RowsOfLengths&&) noexcept;
  RowsOfLengths& operator=(RowsOfLengths&&) noexcept;
  ~RowsOfLengths();

  /// Row i, of class k.
  void draw(Index i, Index k, const Rng& stream);
  /// The log density of the row that was drawn if it is as long as this one, `others`: the log
  /// joint of what has no length, K. None if it was not drawn so long.
  [[nodiscard]] std::optional<double> density(const score::RowShape& shape,
                                              std::span<const double> others);

 private:
  RowsOfLengths() = default;
  class OfBlock;
  std::vector<OfBlock> blocks_;
  Vector scores_;  // K
};

}  // namespace genera::query
