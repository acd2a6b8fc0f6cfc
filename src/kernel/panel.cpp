#include "kernel/panel.hpp"

#include <algorithm>

namespace genera::kernel {
namespace {

/// The rows of a panel, by the address of their first number.
template <class T>
struct RowPointers {
  const T* rows[panel_rows];
  Index lanes;
};

template <class T>
void gather(const RowPointers<T>& from, const PanelSource& source, double* panel) {
  const Index stride = source.rows.strides().column;
  const Index d = static_cast<Index>(source.columns.size());
  for (Index j = 0; j < d; ++j) {
    const Index at = source.columns[static_cast<std::size_t>(j)] * stride;
    double* out = panel + j * panel_rows;
    if (from.lanes == panel_rows) {  // the number of lanes known: no loop left
      for (Index lane = 0; lane < panel_rows; ++lane)
        out[lane] = static_cast<double>(from.rows[lane][at]);
      continue;
    }
    for (Index lane = 0; lane < from.lanes; ++lane)
      out[lane] = static_cast<double>(from.rows[lane][at]);
    std::fill(out + from.lanes, out + panel_rows, 0.0);
  }
}

/// The rows of the next panel: sixteen streams are more than the memory expects by itself.
template <class T>
void prefetch_rows(const T* data, const MatrixView& view, Index first) {
  constexpr Index per_line = 64 / static_cast<Index>(sizeof(T));
  if (view.strides().column != 1) return;
  for (Index i = first; i < std::min(view.rows(), first + panel_rows); ++i) {
    const T* row = data + i * view.strides().row;
    for (Index j = 0; j < view.columns(); j += per_line) __builtin_prefetch(row + j);
  }
}

}  // namespace

void gather_panel(const PanelSource& source, Index first, Index lanes, double* panel) {
  source.rows.visit([&]<class T>(const T* data) {
    RowPointers<T> from{{}, lanes};
    for (Index lane = 0; lane < lanes; ++lane)
      from.rows[lane] = data + (first + lane) * source.rows.strides().row;
    prefetch_rows(data, source.rows, first + lanes);
    gather(from, source, panel);
  });
}

void gather_panel(const PanelSource& source, std::span<const Index> rows, double* panel) {
  source.rows.visit([&]<class T>(const T* data) {
    RowPointers<T> from{{}, static_cast<Index>(rows.size())};
    for (std::size_t lane = 0; lane < rows.size(); ++lane)
      from.rows[lane] = data + rows[lane] * source.rows.strides().row;
    gather(from, source, panel);
  });
}

void PackedMatrix::pack_tile(const Matrix& matrix, Index t, Index length, bool lower) {
  offsets_.push_back(static_cast<Index>(values_.size()));
  lengths_.push_back(length);
  for (Index j = 0; j < length; ++j) {
    for (Index i = t * tile_rows; i < (t + 1) * tile_rows; ++i)
      values_.push_back(i < matrix.rows() && (!lower || j <= i) ? matrix(i, j) : 0.0);
  }
}

PackedMatrix PackedMatrix::dense(const Matrix& matrix) {
  PackedMatrix packed;
  packed.rows_ = matrix.rows();
  for (Index t = 0; t * tile_rows < matrix.rows(); ++t)
    packed.pack_tile(matrix, t, matrix.columns(), false);
  return packed;
}

PackedMatrix PackedMatrix::lower(const Matrix& matrix) {
  PackedMatrix packed;
  packed.rows_ = matrix.rows();
  for (Index t = 0; t * tile_rows < matrix.rows(); ++t)
    packed.pack_tile(matrix, t, std::min(matrix.columns(), (t + 1) * tile_rows), true);
  return packed;
}

PackedDiagonals::PackedDiagonals(const Matrix& means, const Matrix& inverse_sds)
    : classes_(means.rows()), dimension_(means.columns()) {
  values_.reserve(static_cast<std::size_t>(2 * round_up(classes_, tile_classes) * dimension_));
  for (Index first = 0; first < classes_; first += tile_classes) {
    for (Index j = 0; j < dimension_; ++j) {
      for (Index k = first; k < first + tile_classes; ++k) {
        values_.push_back(k < classes_ ? means(k, j) : 0.0);
        values_.push_back(k < classes_ ? inverse_sds(k, j) : 0.0);
      }
    }
  }
}

}  // namespace genera::kernel
