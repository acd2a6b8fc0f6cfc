#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <genera/rows.hpp>
#include <genera/softmax.hpp>

#include "kernel/aligned.hpp"
#include "kernel/gather.hpp"

namespace genera::fit_detail {

/// A sparse matrix, by rows and by columns. Its columns are centred: `centres` are subtracted from
/// every row, without a trace in what is stored.
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

/// The design matrix of softmax regression: a constant 1 and the features, scaled and centred.
/// Dense columns are kept in panels (lanes are rows), the others as a sparse matrix.
struct Design {
  Index rows = 0, classes = 0;
  Index dense = 1;                     ///< columns of the panels, the constant first
  Index numbers = 0;                   ///< see number_columns
  Index stride = 0;                    ///< the same with the zeros that fill whole tiles
  kernel::AlignedVector panels{};      ///< per panel: stride x 16; beyond the last row all is 0
  kernel::AlignedVector weights{};     ///< a lane for each row, and zeros
  std::vector<std::int32_t> labels{};  ///< the same
  SparseDesign sparse{};
  Vector class_weights{};  ///< K
  Vector means{};          ///< of the features, subtracted from their columns

  [[nodiscard]] Index panel_count() const {
    return (rows + kernel::panel_rows - 1) / kernel::panel_rows;
  }
  /// With the constant, which is the first.
  [[nodiscard]] Index columns() const { return dense + sparse.columns(); }
  [[nodiscard]] const double* panel(Index p) const {
    return panels.data() + p * stride * kernel::panel_rows;
  }
  [[nodiscard]] double weight() const;
};

/// Whether the features of this part are columns of the panels.
[[nodiscard]] bool is_dense(const SoftmaxPart& part, const SoftmaxLayout& layout);

/// How many columns after the constant have a start from LDA: those of the panels, or all of a
/// sparse matrix of numbers.
[[nodiscard]] Index number_columns(const SoftmaxLayout& layout);

/// The design of the `usable` rows of the data, not centred yet: `means` are 0. Throws Error
/// (bad_data) if a label is not one of the classes.
[[nodiscard]] Design make_design(const Rows& rows, std::span<const Index> usable,
                                 const SoftmaxLayout& layout, int threads);

/// Sum of w x, for each column. Same bits for any number of threads.
[[nodiscard]] Vector column_sums(const Design& design, int threads);

/// Subtracts `means`, one for each feature, from the columns of a design that is not centred.
void centre(Design& design, Vector means, int threads);
/// The same with the means of its rows.
void centre(Design& design, int threads);

}  // namespace genera::fit_detail
