#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <genera/control.hpp>
#include <genera/rows.hpp>

#include "kernel/aligned.hpp"
#include "score/answer_writer.hpp"
#include "score/bound_model.hpp"

namespace genera::score {

/// Scores rows; one object per thread. Allocates only on construction.
class Scorer {
 public:
  /// `bound` must outlive it. Without missing values it needs less memory, and `run` takes no
  /// pattern.
  Scorer(const BoundModel& bound, blocks::MissingMode missing);

  /// Scores the rows at positions [begin, end). Returns false, with undefined answers, if a number
  /// of the pattern columns is missing or a value is invalid.
  bool run(Index begin, Index end, const Wanted& wanted) noexcept;
  /// The same for a list of positions.
  bool run(std::span<const Index> positions, const Wanted& wanted) noexcept;
  /// All rows have exactly the pattern columns `observed` (ascending indices among them).
  bool run(std::span<const Index> positions, std::span<const Index> observed,
           const Wanted& wanted) noexcept;
  /// For any rows of the same data, which must lack the same pattern columns; answers are written
  /// at their positions in `rows`.
  bool run(const Rows& rows, std::span<const Index> observed, const Wanted& wanted) noexcept;
  /// For one row with any missing cells.
  bool run_one(Index position, const Wanted& wanted) noexcept;

  /// The worker of a block of a joint distribution, set to the pattern of the last scored rows.
  [[nodiscard]] blocks::BlockWorker& block_worker(std::size_t b) {
    return static_cast<blocks::BlockWorker&>(*parts_[b].worker);
  }

  /// Number of rows with density zero so far.
  [[nodiscard]] Index impossible() const { return writer_.impossible(); }
  /// Number of cells with unseen categories so far.
  [[nodiscard]] Index unseen() const;

 private:
  struct Group {
    const Rows& rows;
    Index begin, end;                  // positions of the rows
    std::span<const Index> positions;  // positions of their answers; empty: [begin, end)
  };
  void observe(std::span<const Index> observed);
  bool answer(const Group& group, const Wanted& wanted);
  bool score_rows(blocks::Mode mode, Index rows, bool common);
  bool score_panels(blocks::Mode mode, const Vector& start, bool squares);
  void assemble(Index rows);
  [[nodiscard]] PanelScores panel(const Group& group, Index p);
  void write(const Group& group, const Wanted& wanted, bool exact, bool relative);
  bool decide(Index begin, Index end, std::int32_t* labels);

  struct Part {
    std::unique_ptr<blocks::ScoreWorker> worker;
    bool on_panels;
    Index first, last;  // range of its pattern columns
  };

  const BoundModel& bound_;
  AnswerWriter writer_;
  Index classes_;
  Vector start_;           // initial scores
  Vector relative_start_;  // the same for compared scores
  std::vector<Part> parts_;
  std::unique_ptr<blocks::Decision> decision_;  // prunes classes when only labels are needed
  bool relative_differs_ = false;
  bool rows_differ_ = false;  // the same for row-wise blocks
  bool any_rows_ = false, any_panels_ = false;
  Index counted_twice_ = 0;  // unseen categories of rows that were scored in both modes
  Index group_rows_ = 0;
  Index stride_ = 0;
  Vector constants_;                       // K
  Vector by_row_;                          // rows x K
  Vector common_;                          // rows
  kernel::AlignedVector lanes_, squares_;  // per panel: K x 16; lanes become scores
  std::vector<Index> rows_, observed_, one_observed_;
};

/// Counts collected while scoring.
struct Tally {
  Index impossible = 0;           ///< rows with density zero
  Index unseen = 0;               ///< cells with unseen categories
  std::vector<Index> suspects{};  ///< positions of rows that may have missing pattern columns
};

/// Scores all rows on several threads. Throws Error (bad_data) for an infinite number or an invalid
/// count.
Tally run_all(const BoundModel& bound, const Wanted& wanted, const Control& control);

/// Properties that rows must share to be compared with the same draws: the missing cells, as
/// indices into a table with the features of the model in order (unseen categories count as
/// missing), and the lengths, for densities that are conditional on them.
struct RowShape {
  std::vector<Index> numbers, codes, texts;
  std::vector<Index> lengths;  ///< of each block; -1: none. Empty: no block has one
  [[nodiscard]] bool lacks_nothing() const {
    return numbers.empty() && codes.empty() && texts.empty();
  }
  friend auto operator<=>(const RowShape&, const RowShape&) = default;
};
struct RowsOfShape {
  RowShape shape;
  std::vector<Index> rows;  ///< positions
};
/// Leaves out complete rows without a length.
[[nodiscard]] std::vector<RowsOfShape> rows_by_shape(const Model& model, const Rows& rows);

/// The labels of all rows.
[[nodiscard]] std::vector<std::int32_t> run_labels(const BoundModel& bound, const Control& control);

/// Missing cells of the scored rows in columns that the model reads.
[[nodiscard]] MissingCells missing_cells(const BoundModel& bound, const Tally& tally);

}  // namespace genera::score
