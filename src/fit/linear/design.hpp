#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <genera/rows.hpp>
#include <genera/softmax.hpp>

#include "kernel/aligned.hpp"
#include "kernel/gather.hpp"

namespace genera::fit_detail {

/// A sparse matrix, by rows and by columns. Columns are centred implicitly: `centres` are
/// subtracted from every row, and stored entries do not change.
struct SparseDesign {
  std::vector<Index> begins{0};  ///< of each row
  std::vector<std::int32_t> places{};
  Vector values{};
  std::vector<Index> column_begins{};  ///< of each column
  std::vector<std::int32_t> column_rows{};
  Vector column_values{};
  Vector centres{};

  [[nodiscard]] Index columns() const { return std::ssize(centres); }
};

/// The design matrix of softmax regression: a constant 1 and the scaled, centred features. Dense
/// columns are in panels (lanes are rows), the others in a sparse matrix.
struct Design {
  Index rows = 0, classes = 0;
  Index dense = 1;                     ///< columns of the panels, the constant first
  Index numbers = 0;                   ///< see number_columns
  Index stride = 0;                    ///< `dense`, padded with zeros to whole tiles
  kernel::AlignedVector panels{};      ///< per panel: stride x 16; 0 beyond the last row
  kernel::AlignedVector weights{};     ///< one lane per row, padded with zeros
  std::vector<std::int32_t> labels{};  ///< one lane per row
  SparseDesign sparse{};
  Vector class_weights{};  ///< K
  Vector means{};          ///< of the features; subtracted from the columns

  [[nodiscard]] Index panel_count() const {
    return (rows + kernel::panel_rows - 1) / kernel::panel_rows;
  }
  /// Includes the constant, which comes first.
  [[nodiscard]] Index columns() const { return dense + sparse.columns(); }
  [[nodiscard]] const double* panel(Index p) const {
    return panels.data() + p * stride * kernel::panel_rows;
  }
  [[nodiscard]] double weight() const;
};

/// Whether the features of this part are columns of the panels.
[[nodiscard]] bool is_dense(const SoftmaxPart& part, const SoftmaxLayout& layout);

/// The number of columns after the constant for which LDA gives a start: those of the panels, or
/// all columns of a sparse matrix of numbers.
[[nodiscard]] Index number_columns(const SoftmaxLayout& layout);

/// The design of the `usable` rows of the data, not yet centred: `means` are 0. Throws Error
/// (bad_data) if a label is not one of the classes.
[[nodiscard]] Design make_design(const Rows& rows, std::span<const Index> usable,
                                 const SoftmaxLayout& layout, int threads);

/// Sum of w x for each column. Same bits for any number of threads.
[[nodiscard]] Vector column_sums(const Design& design, int threads);

/// Subtracts `means`, one per feature, from the columns of a design that is not centred.
void centre(Design& design, Vector means, int threads);
/// The same with the means of the rows of the design.
void centre(Design& design, int threads);

}  // namespace genera::fit_detail
