#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <genera/model.hpp>

#include "kernel/aligned.hpp"
#include "model/gaussian_density.hpp"
#include "query/pruned.hpp"

namespace genera::query {

/// Where answers go: row i of a result belongs to row i of the input. Null: not wanted.
struct Wanted {
  double* log_joint = nullptr;     // n x K
  double* log_density = nullptr;   // n
  double* posterior = nullptr;     // n x K
  double* distances = nullptr;     // n x K
  std::int32_t* labels = nullptr;  // n
};

/// Numbers whose columns are found through `places`: feature f of the model is column places[f].
struct Rows {
  MatrixView numbers;
  std::vector<Index> places;
  const Table* table = nullptr;  // to say where a row is
};

/// A model with the memory that asking it takes; one per thread. Nothing is allocated after birth.
class Engine {
 public:
  Engine(const Model& model, const std::vector<Index>& places);

  /// Answers for some rows; false (and no promise about the answers) if a number is missing or
  /// infinite. Adds the rows of density zero to `impossible`.
  bool run(const MatrixView& numbers, RowRange range, const Wanted& wanted) noexcept;

  [[nodiscard]] Index impossible() const { return impossible_; }

 private:
  struct Part {  // a Gaussian block and its columns in the view, in the order of its panels
    const detail::GaussianDensity* density;
    kernel::PanelLayout layout;
    kernel::AlignedVector panels;
  };

  bool gather(const MatrixView& numbers, RowRange group);
  [[nodiscard]] detail::Panels panels(const Part& part, RowRange group) const;
  void answer(RowRange group, const Wanted& wanted);
  void sum_distances(RowRange group);
  void exact_scores(RowRange group);
  void relative_scores(RowRange group);
  void write_exact(RowRange group, const Wanted& wanted);
  void write_relative(RowRange group, const Wanted& wanted);
  bool decide(const MatrixView& numbers, RowRange range, std::int32_t* labels);
  [[nodiscard]] Index size() const { return result_size_; }

  Prior prior_;
  std::int32_t favourite_;  // argmax of the prior
  Index classes_;
  Vector offsets_;  // log prior + log constants of all blocks
  std::vector<Part> parts_;
  bool linear_ = false;  // posteriors by linear scores
  Index group_rows_;
  Index result_size_;
  kernel::AlignedVector scratch_, distances_, scores_, one_;
  Index impossible_ = 0;
  std::optional<PrunedDecision> pruned_;  // where labels need not take all distances
};

/// The whole view on several threads. Throws Error (bad_data) naming columns with missing numbers.
/// Returns the number of rows of density zero.
Index run_all(const Model& model, const Rows& rows, const Wanted& wanted, int threads);

/// Where the features of the model are in a table. Throws Error (bad_data) if one is not there.
[[nodiscard]] Rows rows_of(const Model& model, const Table& table);
/// The features in order. Throws Error (bad_argument) if the number of columns is another.
[[nodiscard]] Rows rows_of(const Model& model, const MatrixView& numbers);

}  // namespace genera::query
