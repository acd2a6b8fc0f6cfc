#include "blocks/gaussian/estimate/precision.hpp"

#include <cmath>
#include <utility>

#include "kernel/aligned.hpp"
#include "kernel/dot.hpp"
#include "kernel/index.hpp"
#include "kernel/scatter.hpp"

namespace genera::detail {
namespace {

using kernel::at;

/// A'A, with columns in the order of the block.
Matrix square_of(const kernel::PackedMatrix& a, std::span<const Index> order) {
  const Index d = a.rows(), stride = kernel::panel_stride(d);
  kernel::AlignedVector rows(at(d * stride)), squares(at(stride * stride));
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j <= i; ++j) rows[at(i * stride + j)] = a.entry(i, j);
  }
  kernel::add_products({rows.data(), d, d, stride}, squares.data());
  Matrix square(d, d);
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j <= i; ++j)
      square(order[at(i)], order[at(j)]) = square(order[at(j)], order[at(i)]) =
          squares[at(i * stride + j)];
  }
  return square;
}

bool is_inflated(const Matrix& covariance, const Matrix& precision) {
  for (Index j = 0; j < covariance.rows(); ++j) {
    if (!(covariance(j, j) * precision(j, j) <= max_inflation)) return true;
  }
  return false;
}

}  // namespace

const Precision* Precisions::of(std::size_t f, const Matrix& covariance,
                                const kernel::PackedMatrix& whitening,
                                std::span<const Index> order) const {
  const Precision* precision = nullptr;
  memory_->one_at_a_time.run([&] {
    if (memory_->found.size() <= f) memory_->found.resize(f + 1);
    Found& found = memory_->found[f];
    if (!found.known) {
      Matrix inverse = square_of(whitening, order);
      if (!is_inflated(covariance, inverse))
        found.precision = Precision{std::move(inverse), kernel::PackedColumns(whitening)};
      found.known = true;
    }
    if (found.precision) precision = &*found.precision;
  });
  return precision;
}

/// P_mm = G G' with G upper triangular, from the last column to the first; L_mm = G'^-1, row by
/// row. Entries of G above the diagonal are stored where L_mm is zero.
double factor_of_rest(const Matrix& precision, std::span<const Index> columns, double* to,
                      std::size_t stride) {
  const std::size_t m = columns.size();
  double log_det = 0;
  for (std::size_t j = m; j-- > 0;) {
    double* own = to + j * stride;
    const auto rest = [&](std::size_t i) {
      return precision(columns[i], columns[j]) -
             kernel::dot(to + i * stride + j + 1, own + j + 1, m - j - 1);
    };
    own[j] = 1 / std::sqrt(rest(j));
    log_det += std::log(own[j]);
    for (std::size_t i = 0; i < j; ++i) to[i * stride + j] = rest(i) * own[j];
  }
  for (std::size_t j = 0; j < m; ++j) {
    double* own = to + j * stride;
    for (std::size_t i = j; i-- > 0;) {
      const double* g = to + i * stride;
      own[i] = -kernel::dot(g + i + 1, own + i + 1, j - i) * g[i];
    }
  }
  return log_det;
}

}  // namespace genera::detail
