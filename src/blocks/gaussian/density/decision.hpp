#pragma once

#include <cstdint>
#include <vector>

#include "data/columns.hpp"
#include "kernel/aligned.hpp"
#include "blocks/gaussian/density/density.hpp"
#include "blocks/worker.hpp"

namespace genera::blocks {

/// The hard decision of one quadratic block, which need not finish every class. Sums of squares
/// only grow (and rounding is monotone), so a class that is already beaten by a finished one can be
/// given up: the labels are those of the full computation, exactly.
///
/// A batch of rows goes through rounds. First a look at the leading columns names the likely class
/// of each row; that class is finished. Then each class is carried on, round by round, for the rows
/// in which it may still win. Rows with the same task share panels; lanes never mix, so company
/// changes no bit. Where little can be given up, as classes overlap, the batches that follow go
/// without rounds. Nothing is allocated after construction.
class PrunedDecision : public Decision {
 public:
  /// `columns` make panels in the order of the density; the score of class k is offsets[k] less
  /// half its squared distance.
  PrunedDecision(const detail::GaussianDensity& density, data::NumberColumns columns,
                 Vector offsets);

  /// argmax_k offset_k - D^2_k / 2 of these rows of the data, ties to the first; -1 where all are
  /// -inf. False (and no promise about the labels) if a number is missing or infinite.
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
  /// Returns how much was done for the batch, as a part of all tiles of all classes.
  double finish_challengers(RowRange batch);
  /// Adds the squares of tiles for the rows of `task_` (places in the batch) to those of class k.
  void advance(Index first, Index k, kernel::TileRange tiles);
  void compete(Index k);
  void forget_labels();
  [[nodiscard]] bool may_win(Index k, Index place) const;
  [[nodiscard]] double score(Index k, Index place) const;
  [[nodiscard]] double* squares(Index k) { return squares_.data() + k * batch_rows; }

  const detail::GaussianDensity* density_;
  data::NumberColumns columns_;
  Vector offsets_;
  Vector first_look_;  // offsets of the marginal density of the leading columns
  Index probe_tiles_;
  kernel::AlignedVector panels_, scratch_, sums_;
  kernel::AlignedVector squares_;      // K x batch
  std::vector<std::int32_t> leaders_;  // of the batch, as all below
  Vector best_;
  std::vector<std::int32_t> labels_;
  std::vector<Index> task_;  // the first task_size_ places
  Index task_size_ = 0;
  bool in_rounds_ = true;
};

/// The hard decision of one block whose scores are linear, without writing them down. Nothing is
/// allocated after construction.
class LinearDecision : public Decision {
 public:
  /// `columns` lie in memory, in the order of the density, which takes rows.
  LinearDecision(const detail::GaussianDensity& density, data::NumberColumns columns,
                 Vector offsets);

  /// False also if a row is so far out that its density may be zero.
  bool run(Index first, Index count, std::int32_t* labels) noexcept override;

 private:
  static constexpr Index batch_rows = 256;

  const detail::GaussianDensity* density_;
  data::NumberColumns columns_;
  Vector offsets_;
};

}  // namespace genera::blocks
