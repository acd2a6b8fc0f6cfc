#pragma once

#include <cstdint>
#include <vector>

#include "data/columns.hpp"
#include "kernel/aligned.hpp"
#include "blocks/gaussian/density/density.hpp"
#include "blocks/worker.hpp"

namespace genera::blocks {

/// Labels from one quadratic block without the full distances to all classes. Partial sums of
/// squares only grow (and rounding is monotone), so a class is dropped once a finished class beats
/// its partial sum: the labels are exactly those of the full computation.
///
/// Works on batches of rows, in rounds. A probe of the leading columns guesses the class of each
/// row, and this class is finished. Then each other class is continued, round by round, for the
/// rows in which it may still win. Rows with the same task share panels; lanes never mix, so other
/// rows change no bit. If classes overlap and few can be dropped, the following batches are
/// computed without rounds. Does not allocate after construction.
class PrunedDecision : public Decision {
 public:
  /// `columns` form panels in the order of the density; the score of class k is offsets[k] minus
  /// half its squared distance.
  PrunedDecision(const detail::GaussianDensity& density, data::NumberColumns columns,
                 Vector offsets);

  /// argmax_k offset_k - D^2_k / 2 for these rows of the data; ties go to the first class; -1 if
  /// all are -inf. Returns false, with undefined labels, if a number is missing or infinite.
  bool run(Index first, Index count, std::int32_t* labels) noexcept override;

 private:
  struct RowRange {
    Index begin, end;
  };
  static constexpr Index batch_rows = 1024;

  /// All classes of all rows.
  bool finish_all(RowRange batch);
  bool probe(RowRange batch);
  void finish_leaders(RowRange batch);
  /// Returns the work for the batch, relative to all tiles of all classes.
  double finish_challengers(RowRange batch);
  /// Adds the squares of tiles to class k for the rows of `task_` (positions in the batch).
  void advance(Index first, Index k, kernel::TileRange tiles);
  void compete(Index k);
  void forget_labels();
  [[nodiscard]] bool may_win(Index k, Index place) const;
  [[nodiscard]] double score(Index k, Index place) const;
  [[nodiscard]] double* squares(Index k) { return squares_.data() + k * batch_rows; }

  const detail::GaussianDensity* density_;
  data::NumberColumns columns_;
  Vector offsets_;
  Vector probe_offsets_;  // offsets of the marginal density of the leading columns
  Index probe_tiles_;
  kernel::AlignedVector panels_, scratch_, sums_;
  kernel::AlignedVector squares_;      // K x batch
  std::vector<std::int32_t> leaders_;  // of the batch, as all members below
  Vector best_;
  std::vector<std::int32_t> labels_;
  std::vector<Index> task_;  // the first task_size_ positions
  Index task_size_ = 0;
  bool in_rounds_ = true;
};

/// Labels from one block with linear scores, without storing the scores. Does not allocate after
/// construction.
class LinearDecision : public Decision {
 public:
  /// `columns` are in memory in the order of the density, which must take rows.
  LinearDecision(const detail::GaussianDensity& density, data::NumberColumns columns,
                 Vector offsets);

  /// Also returns false if a row is so far out that its density may be zero.
  bool run(Index first, Index count, std::int32_t* labels) noexcept override;

 private:
  static constexpr Index batch_rows = 256;

  const detail::GaussianDensity* density_;
  data::NumberColumns columns_;
  Vector offsets_;
};

}  // namespace genera::blocks
