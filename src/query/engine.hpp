#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <genera/model.hpp>
#include <genera/query.hpp>

#include "kernel/aligned.hpp"
#include "model/gaussian_density.hpp"
#include "query/answer_writer.hpp"
#include "query/discrete_scores.hpp"
#include "query/mixture_scores.hpp"
#include "query/pruned.hpp"
#include "query/rows.hpp"

namespace genera::query {

/// A model with the memory that asking it takes; one per thread. Nothing is allocated after birth.
class Engine {
 public:
  /// `rows` say where the columns are and must outlive it.
  Engine(const Model& model, const Rows& rows);

  /// Answers for some rows; false (and no promise about the answers) if a number is missing or
  /// infinite. Adds the rows of density zero to `impossible`.
  bool run(const MatrixView& numbers, RowRange range, const Wanted& wanted) noexcept;
  /// The same for any rows.
  bool run(const MatrixView& numbers, std::span<const Index> rows, const Wanted& wanted) noexcept;

  [[nodiscard]] Index impossible() const { return writer_.impossible(); }
  /// Categories that the model has never seen.
  [[nodiscard]] Index unseen() const { return discrete_.unseen(); }

 private:
  struct Part {  // a Gaussian block and its columns in the view, in the order of its panels
    const detail::GaussianDensity* density;
    kernel::PanelLayout layout;
    kernel::AlignedVector panels;
  };

  struct SparsePart {  // a diagonal Gaussian block whose columns are sparse in the table
    const detail::GaussianDensity* density;
    const BoundBlock* columns;
    Vector far_values;  // of the density's far columns, in a row
  };
  void add_entries(SparsePart& part, Index row);

  bool gather(const MatrixView& numbers, RowRange group);
  [[nodiscard]] detail::Panels panels(const Part& part, RowRange group) const;
  bool answer(const MatrixView& numbers, RowRange group, const Wanted& wanted);
  bool score_discrete(const MatrixView& numbers, RowRange group);
  bool score_others(const MatrixView& numbers, RowRange group);
  void add_others(RowRange group);
  void add_sparse_distances(RowRange group);
  void find_coefficients(const MatrixView& numbers, RowRange group);
  void sum_distances(RowRange group);
  void exact_scores(RowRange group);
  void relative_scores(RowRange group);
  void write_exact(RowRange group, const Wanted& wanted);
  void write_relative(RowRange group, const Wanted& wanted);
  /// Groups and panels count positions; this is the row at one of them.
  [[nodiscard]] Index row_at(Index position) const { return list_ ? list_[position] : position; }
  [[nodiscard]] std::span<const Index> rows_of_panel(RowRange group, Index p);
  bool decide(const MatrixView& numbers, RowRange range, std::int32_t* labels);
  [[nodiscard]] Index size() const { return result_size_; }

  AnswerWriter writer_;
  Vector log_prior_;
  Index classes_;
  Vector offsets_;  // log prior + log constants of all blocks
  std::vector<Part> parts_;
  std::vector<SparsePart> sparse_parts_;
  const Table* table_;
  DiscreteScores discrete_;
  MixtureScores mixtures_;
  Vector row_scores_;    // K
  Vector coefficients_;  // of the rows of a group
  bool linear_ = false;  // posteriors by linear scores
  Index group_rows_;
  Index result_size_;
  kernel::AlignedVector scratch_, distances_, scores_, one_;
  kernel::AlignedVector other_sums_;  // log densities of blocks that are no single Gaussian
  const Index* list_ = nullptr;       // null: all rows, in order
  std::array<Index, kernel::panel_rows> panel_list_{};
  std::optional<PrunedDecision> pruned_;  // where labels need not take all distances
};

/// The whole view on several threads. Throws Error (bad_data) on a number that is infinite or no
/// count.
struct Tally {
  Index impossible = 0;  // rows of density zero
  Index unseen = 0;      // categories that the model has never seen
  MissingCells missing{};
};
Tally run_all(const Model& model, const Rows& rows, const Wanted& wanted, int threads);

}  // namespace genera::query
