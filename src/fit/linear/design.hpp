#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <genera/linear.hpp>
#include <genera/rows.hpp>

#include "kernel/aligned.hpp"
#include "kernel/gather.hpp"

namespace genera::fit_detail {

/// A matrix of which few entries are not zero, by rows and by columns. Its columns are centred:
/// `centres` are subtracted from every row, without a trace in what is stored.
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

/// Rows as softmax regression sees them: a constant 1 and the features, each centred, numbers
/// divided by their spread. What is dense stands in panels (lanes are rows), the rest is sparse.
struct Design {
  Index rows = 0, classes = 0;
  Index dense = 1;                     ///< columns of the panels, the constant first
  Index stride = 0;                    ///< the same with the zeros that fill whole tiles
  kernel::AlignedVector panels{};      ///< per panel: stride x 16; beyond the last row all is 0
  kernel::AlignedVector weights{};     ///< a lane for each row, and zeros
  std::vector<std::int32_t> labels{};  ///< the same
  SparseDesign sparse{};
  Vector class_weights{};  ///< K
  Vector means{};          ///< of the features as they are used, before they are centred
  Vector scales{};         ///< what the features are divided by

  [[nodiscard]] Index panel_count() const {
    return (rows + kernel::panel_rows - 1) / kernel::panel_rows;
  }
  /// The constant is the first of them.
  [[nodiscard]] Index features() const { return dense + sparse.columns(); }
  [[nodiscard]] const double* panel(Index p) const {
    return panels.data() + p * stride * kernel::panel_rows;
  }
  [[nodiscard]] double weight() const;
};

/// What the features of a model to be are divided by, part by part; empty: by 1.
struct PlannedPart {
  LinearFeatures features;
  Vector scales{};
};

/// Dense parts (numbers, products) stand before sparse ones (levels, terms, sparse matrices).
/// `usable` are rows of the data, `label_of` their classes.
[[nodiscard]] Design make_design(const Rows& rows, std::span<const Index> usable,
                                 const std::vector<PlannedPart>& parts,
                                 const std::vector<std::string>& classes, int threads);

}  // namespace genera::fit_detail
