#include "blocks/gaussian/missing/marginal.hpp"

#include <algorithm>

namespace genera::detail {
namespace {

Matrix columns_of(const Matrix& from, std::span<const Index> columns) {
  Matrix part(from.rows(), std::ssize(columns));
  for (Index i = 0; i < part.rows(); ++i) {
    for (Index j = 0; j < part.columns(); ++j)
      part(i, j) = from(i, columns[static_cast<std::size_t>(j)]);
  }
  return part;
}

Matrix row_of(const Matrix& from, Index i) {
  Matrix row(1, from.columns());
  std::ranges::copy(from.row(i), row.data());
  return row;
}

Matrix block_of(const Matrix& from, std::span<const Index> columns) {
  Matrix part(std::ssize(columns), std::ssize(columns));
  for (Index i = 0; i < part.rows(); ++i) {
    for (Index j = 0; j < part.columns(); ++j)
      part(i, j) = from(columns[static_cast<std::size_t>(i)], columns[static_cast<std::size_t>(j)]);
  }
  return part;
}

}  // namespace

GaussianParameters marginal(const GaussianParameters& whole, std::span<const Index> columns) {
  GaussianParameters part = whole;
  part.columns.clear();
  for (const Index j : columns) part.columns.push_back(whole.columns[static_cast<std::size_t>(j)]);
  part.means = columns_of(whole.means, columns);
  if (!whole.means_low.empty()) part.means_low = columns_of(whole.means_low, columns);
  for (Matrix& covariance : part.covariances) covariance = block_of(covariance, columns);
  if (!whole.variances.empty()) part.variances = columns_of(whole.variances, columns);
  return part;
}

GaussianParameters marginal_of_class(const GaussianParameters& whole,
                                     std::span<const Index> columns, Index k) {
  GaussianParameters part{.structure = whole.structure};
  for (const Index j : columns) part.columns.push_back(whole.columns[static_cast<std::size_t>(j)]);
  part.means = columns_of(row_of(whole.means, k), columns);
  if (!whole.means_low.empty()) part.means_low = columns_of(row_of(whole.means_low, k), columns);
  if (!whole.covariances.empty()) {
    const std::size_t own = whole.covariances.size() == 1 ? 0 : static_cast<std::size_t>(k);
    part.covariances = {block_of(whole.covariances[own], columns)};
  }
  if (!whole.variances.empty())
    part.variances =
        columns_of(row_of(whole.variances, whole.variances.rows() == 1 ? 0 : k), columns);
  return part;
}

}  // namespace genera::detail
