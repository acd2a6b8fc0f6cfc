#include "kernel/panel.hpp"

#include <algorithm>
#include <cmath>

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

namespace {

/// Deviations of a mean from the centre, above which its rounding would show.
constexpr double near_deviations = 4;

double low_of(const Matrix& means_low, Index k, Index j) {
  return means_low.empty() ? 0 : means_low(k, j);
}

}  // namespace

void PackedDiagonals::find_centre(const Matrix& means) {
  centre_.assign(static_cast<std::size_t>(dimension_), 0);
  for (Index k = 0; k < classes_; ++k) {
    for (Index j = 0; j < dimension_; ++j)
      centre_[static_cast<std::size_t>(j)] += means(k, j) / static_cast<double>(classes_);
  }
}

bool PackedDiagonals::are_near(const Matrix& means, const Matrix& inverse_sds,
                               const Matrix& means_low) const {
  for (Index k = 0; k < classes_; ++k) {
    for (Index j = 0; j < dimension_; ++j) {
      const double away =
          (means(k, j) - centre_[static_cast<std::size_t>(j)]) + low_of(means_low, k, j);
      if (!(std::abs(away * inverse_sds(k, j)) <= near_deviations)) return false;
    }
  }
  return true;
}

PackedDiagonals::PackedDiagonals(const Matrix& means, const Matrix& inverse_sds,
                                 const Matrix& means_low)
    : classes_(means.rows()), dimension_(means.columns()) {
  find_centre(means);
  if (!are_near(means, inverse_sds, means_low))
    form_ = means_low.empty() ? Form::far : Form::far_with_low;
  values_.reserve(static_cast<std::size_t>(numbers() * classes_ * dimension_));
  for (Index t = 0; t < tiles(); ++t) {
    for (Index j = 0; j < dimension_; ++j) {
      for (Index k = classes_of(t).begin; k < classes_of(t).end; ++k) {
        const double inverse_sd = inverse_sds(k, j), low = low_of(means_low, k, j);
        if (form_ == Form::near) {
          values_.push_back(inverse_sd);
          const double centre = centre_[static_cast<std::size_t>(j)];
          values_.push_back(-((means(k, j) - centre) + low) * inverse_sd);
          continue;
        }
        values_.push_back(means(k, j));
        values_.push_back(inverse_sd);
        if (form_ == Form::far_with_low) values_.push_back(low * inverse_sd);
      }
    }
  }
}

double PackedDiagonals::standardised(Index k, Index j, double x) const {
  const Index t = ((k + 1) * tiles() - 1) / classes_;
  const TileRange own = classes_of(t);
  const double* entry = tile(t) + (j * (own.end - own.begin) + k - own.begin) * numbers();
  if (form_ == Form::near) return (x - centre_[static_cast<std::size_t>(j)]) * entry[0] + entry[1];
  const double z = (x - entry[0]) * entry[1];
  return form_ == Form::far_with_low ? z - entry[2] : z;
}

}  // namespace genera::kernel
