#pragma once

#include <span>
#include <vector>

#include <genera/model.hpp>
#include <genera/query.hpp>

#include "kernel/aligned.hpp"
#include "kernel/gather.hpp"
#include "kernel/patterns.hpp"
#include "model/gaussian_conditional.hpp"
#include "query/answer_writer.hpp"
#include "query/discrete_scores.hpp"
#include "query/rows.hpp"

namespace genera::query {

/// The columns of the view that the Gaussian blocks and mixtures of a model read, one after the
/// other.
[[nodiscard]] std::vector<Index> gaussian_columns(const Model& model, const Rows& rows);

/// What is missing of what the model reads; only `suspects` can lack Gaussian numbers.
[[nodiscard]] MissingCells missing_cells(const Model& model, const Rows& rows,
                                         std::span<const Index> suspects);

/// Rows that lack the same cells, which are told by their place in a table whose columns are the
/// features of the model in order. A category never seen counts as missing.
struct Lacking {
  std::vector<Index> numbers, codes, texts;
  std::vector<Index> rows;
};
/// Rows that lack nothing are left out.
[[nodiscard]] std::vector<Lacking> lacking_rows(const Model& model, const Table& table);

/// Answers for rows of which numbers are missing: those of the model of the columns observed,
/// exactly. One per thread; nothing is allocated after birth.
class IncompleteRows {
 public:
  /// `rows` say where the columns are and must outlive it.
  IncompleteRows(const Model& model, const Rows& rows);

  /// Answers for rows that all have these of the gaussian_columns() observed, and no others; false
  /// if a number is infinite or no count.
  bool run(const MatrixView& numbers, std::span<const Index> observed, std::span<const Index> rows,
           const Wanted& wanted) noexcept;

  /// The same for one row, whichever columns it has.
  bool run_one(const MatrixView& numbers, Index row, const Wanted& wanted) noexcept;

  [[nodiscard]] Index impossible() const { return writer_.impossible(); }
  [[nodiscard]] Index unseen() const { return discrete_.unseen(); }

 private:
  struct Part {  // a Gaussian block, or a mixture of Gaussians
    detail::GaussianConditional density;
    const MixtureBlock* mixture;
    kernel::PanelLayout layout;
    Index first;  // of its columns among all
    Index columns;
    std::vector<Index> observed;
  };
  /// Which of the observed columns are those of a part.
  static std::span<const Index> own_columns(Part& part, std::span<const Index> observed);
  bool run_panel(const MatrixView& numbers, std::span<const Index> rows, const Wanted& wanted);
  void add_classes(const Part& part);
  void add_mixture(const Part& part);
  bool add_part(Part& part, const MatrixView& numbers, std::span<const Index> rows);

  AnswerWriter writer_;
  Vector offsets_;  // log prior
  Index classes_;
  std::vector<Part> parts_;
  DiscreteScores discrete_;
  std::vector<Index> columns_, observed_;
  Vector row_scores_;  // K
  kernel::AlignedVector panel_, scores_, distances_, squares_;
};

}  // namespace genera::query
