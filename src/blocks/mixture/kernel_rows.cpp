#include "blocks/mixture/kernel_rows.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/cholesky.hpp"
#include "kernel/index.hpp"
#include "kernel/normal.hpp"

namespace genera::blocks {
namespace {

using kernel::at;
using kernel::panel_rows;

Matrix submatrix(const Matrix& whole, const std::vector<Index>& columns) {
  const Index d = std::ssize(columns);
  Matrix some(d, d);
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j < d; ++j) some(i, j) = whole(columns[at(i)], columns[at(j)]);
  }
  return some;
}

}  // namespace

WhitenedRows::WhitenedRows(const GaussianParameters& kernels, std::vector<Index> columns)
    : columns_(std::move(columns)),
      centre_(columns_.size()),
      zeros_(at(kernel::round_up(std::ssize(columns_), kernel::PackedMatrix::tile_rows))),
      points_(kernels.means.rows(), std::ssize(columns_)),
      log_constant_(0) {
  const Index n = points_.rows(), d = dimension();
  if (d == 0) return;
  const kernel::Factor factor =
      kernel::factorise(submatrix(kernels.covariances.front(), columns_)).value();
  log_constant_ = -(static_cast<double>(d) * kernel::log_two_pi + factor.log_det) / 2;
  whitening_ = kernel::PackedMatrix::lower(factor.inverse);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < d; ++j)
      centre_[at(j)] += kernels.means(i, columns_[at(j)]) / static_cast<double>(n);
  }
  kernel::AlignedVector panel(at(d * panel_rows)), out(panel_size());
  for (Index first = 0; first < n; first += panel_rows) {
    const Index lanes = std::min(panel_rows, n - first);
    for (Index lane = 0; lane < lanes; ++lane) {
      for (Index j = 0; j < d; ++j)
        panel[at(j * panel_rows + lane)] = kernels.means(first + lane, columns_[at(j)]);
    }
    kernel::affine_products({whitening_, centre_.data(), zeros_.data()}, panel.data(), lanes,
                            out.data());
    for (Index lane = 0; lane < lanes; ++lane) {
      for (Index j = 0; j < d; ++j) points_(first + lane, j) = out[at(j * panel_rows + lane)];
    }
  }
}

std::size_t WhitenedRows::panel_size() const {
  return at(kernel::round_up(dimension(), kernel::PackedMatrix::tile_rows) * panel_rows);
}

void WhitenedRows::whiten(const double* panel, Index lanes, double* taken, double* out) const {
  const Index d = dimension();
  if (d == 0) return;
  for (Index j = 0; j < d; ++j)
    std::copy_n(panel + columns_[at(j)] * panel_rows, panel_rows, taken + j * panel_rows);
  kernel::affine_products({whitening_, centre_.data(), zeros_.data()}, taken, lanes, out);
}

KernelScores::KernelScores(const MixtureBlock& block, const WhitenedRows& whole)
    : block_(block),
      whole_(whole),
      rows_(&whole),
      taken_(whole.panel_size()),
      whitened_(whole.panel_size()) {
  for (const double weight : block.parameters().weights) log_weights_.push_back(std::log(weight));
}

void KernelScores::observe(std::span<const Index> columns) {
  if (some_.empty() || !std::ranges::equal(some_.front().columns(), columns)) {
    some_.clear();
    some_.emplace_back(block_.parameters().components,
                       std::vector<Index>(columns.begin(), columns.end()));
  }
  rows_ = &some_.front();
}

kernel::KernelPoints KernelScores::kernels_of(Index k) const {
  const Index first = block_.first(k), d = rows_->dimension();
  return {{rows_->points().data() + first * d, block_.first(k + 1) - first, d},
          log_weights_.data() + first};
}

void KernelScores::score(const double* panel, Index lanes, double* log_sums, double* nearest) {
  rows_->whiten(panel, lanes, taken_.data(), whitened_.data());
  for (Index k = 0; k < block_.classes(); ++k)
    kernel::add_up_kernels(kernels_of(k), whitened_.data(), nullptr, log_sums + k * panel_rows,
                           nearest + k * panel_rows);
}

void KernelScores::score_relative(const double* panel, Index lanes, double* log_sums) {
  rows_->whiten(panel, lanes, taken_.data(), whitened_.data());
  for (Index k = 0; k < block_.classes(); ++k)
    kernel::add_up_relative(kernels_of(k), whitened_.data(), log_sums + k * panel_rows);
}

}  // namespace genera::blocks
