#include "kernel/panel.hpp"

#include <algorithm>

namespace genera::kernel {

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

PackedColumns::PackedColumns(const PackedMatrix& lower)
    : size_(lower.rows()), values_(static_cast<std::size_t>(size_ * stride())) {
  for (Index j = 0; j < size_; ++j) {
    for (Index i = j; i < size_; ++i)
      values_[static_cast<std::size_t>(j * stride() + i)] = lower.entry(i, j);
  }
}

PackedDiagonals::PackedDiagonals(const Matrix& means, const Matrix& inverse_sds,
                                 const Matrix& means_low)
    : classes_(means.rows()), dimension_(means.columns()), numbers_(means_low.empty() ? 2 : 3) {
  values_.reserve(
      static_cast<std::size_t>(numbers_ * round_up(classes_, tile_classes) * dimension_));
  for (Index first = 0; first < classes_; first += tile_classes) {
    for (Index j = 0; j < dimension_; ++j) {
      for (Index k = first; k < first + tile_classes; ++k) {
        values_.push_back(k < classes_ ? means(k, j) : 0.0);
        values_.push_back(k < classes_ ? inverse_sds(k, j) : 0.0);
        if (has_low()) values_.push_back(k < classes_ ? means_low(k, j) * inverse_sds(k, j) : 0.0);
      }
    }
  }
}

}  // namespace genera::kernel
