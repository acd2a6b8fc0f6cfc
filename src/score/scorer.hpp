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

/// Asks a model about rows; one per thread. Nothing is allocated after construction.
class Scorer {
 public:
  /// `bound` must outlive it. Without holes it takes less memory, and `run` has no pattern.
  Scorer(const BoundModel& bound, blocks::MissingMode missing);

  /// Answers for the rows at the positions [begin, end); false (and no promise about the answers)
  /// if a number of the pattern columns is missing, or a value cannot be used.
  bool run(Index begin, Index end, const Wanted& wanted) noexcept;
  /// The same for a list of positions.
  bool run(std::span<const Index> positions, const Wanted& wanted) noexcept;
  /// Of these all have the pattern columns `observed` (places among them, ascending) and no others.
  bool run(std::span<const Index> positions, std::span<const Index> observed,
           const Wanted& wanted) noexcept;
  /// Of any rows of the same data; answers stand at their positions among these. All lack the same
  /// pattern columns.
  bool run(const Rows& rows, std::span<const Index> observed, const Wanted& wanted) noexcept;
  /// For one row, whatever it lacks.
  bool run_one(Index position, const Wanted& wanted) noexcept;

  /// The worker of a block of a joint distribution, told what is missing of the rows that were run
  /// last.
  [[nodiscard]] blocks::BlockWorker& block_worker(std::size_t b) {
    return static_cast<blocks::BlockWorker&>(*parts_[b].worker);
  }

  /// Rows of density zero so far.
  [[nodiscard]] Index impossible() const { return writer_.impossible(); }
  /// Categories so far that the model has never seen.
  [[nodiscard]] Index unseen() const;

 private:
  struct Group {
    const Rows& rows;
    Index begin, end;                  // positions of these rows
    std::span<const Index> positions;  // where their answers go; empty: [begin, end)
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
    Index first, last;  // of its pattern columns
  };

  const BoundModel& bound_;
  AnswerWriter writer_;
  Index classes_;
  Vector start_;           // what scores begin with
  Vector relative_start_;  // the same, of scores that are compared
  std::vector<Part> parts_;
  std::unique_ptr<blocks::Decision> decision_;  // where labels need not take all scores
  bool relative_differs_ = false;
  bool rows_differ_ = false;  // the same of blocks that work row by row
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

/// What was noticed while asking.
struct Tally {
  Index impossible = 0;           ///< rows of density zero
  Index unseen = 0;               ///< categories that the model has never seen
  std::vector<Index> suspects{};  ///< positions of the rows that may lack pattern columns
};

/// All rows on several threads. Throws Error (bad_data) on a number that is infinite or not a
/// count.
Tally run_all(const BoundModel& bound, const Wanted& wanted, const Control& control);

/// What rows must have in common to be compared with the same draws: the cells that they lack, told
/// by their place in a table whose columns are the features of the model in order (a category never
/// seen counts as missing), and how long they are where densities are those of a given length.
struct RowShape {
  std::vector<Index> numbers, codes, texts;
  std::vector<Index> lengths;  ///< of each block; -1: none is given. Empty: in no block
  [[nodiscard]] bool lacks_nothing() const {
    return numbers.empty() && codes.empty() && texts.empty();
  }
  friend auto operator<=>(const RowShape&, const RowShape&) = default;
};
struct RowsOfShape {
  RowShape shape;
  std::vector<Index> rows;  ///< positions
};
/// Rows that lack nothing and have no length are left out.
[[nodiscard]] std::vector<RowsOfShape> rows_by_shape(const Model& model, const Rows& rows);

/// The labels of all rows.
[[nodiscard]] std::vector<std::int32_t> run_labels(const BoundModel& bound, const Control& control);

/// What is missing of what the model reads, of rows that were answered.
[[nodiscard]] MissingCells missing_cells(const BoundModel& bound, const Tally& tally);

}  // namespace genera::score
