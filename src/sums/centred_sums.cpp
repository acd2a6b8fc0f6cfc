#include "sums/centred_sums.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/double_double.hpp"
#include "kernel/infinity.hpp"
#include "kernel/mirror.hpp"
#include "sums/min_scatter.hpp"

namespace genera::sums {
namespace {

/// Sums of products of deviations lose accuracy if the centre is far from the mean. This is the
/// largest fraction of a sum of squares that the correction for the difference may remove.
constexpr double far_centre = 1.0 / 3;

double number_of(const kernel::RowsInMemory& rows, std::size_t row, Index j) {
  const char* const at = rows.rows[row];
  return rows.floats ? static_cast<double>(reinterpret_cast<const float*>(at)[j])
                     : reinterpret_cast<const double*>(at)[j];
}

}  // namespace

void CentredSums::find_centre(const kernel::RowsInMemory& rows, const double* weights) const {
  if (rows.rows.empty()) return;
  const Index stride = kernel::panel_stride(columns);
  double total = 0;
  for (std::size_t r = 0; r < rows.rows.size(); ++r) total += weights ? weights[r] : 1;
  for (Index j = 0; j < columns; ++j) centre[j] = number_of(rows, 0, j);
  std::fill_n(sums, stride, 0.0);
  std::fill_n(largest, stride, 0.0);
  /// the squares are a by-product that is not used
  kernel::add_deviations(rows, {centre, weights}, sums, largest);
  if (!(total > 0)) return;
  for (Index j = 0; j < columns; ++j) centre[j] += sums[j] / total;
}

void CentredSums::add(const kernel::RowsInMemory& rows, const double* weights, double* panel,
                      const kernel::RowsInMemory& ahead) const {
  if (kind != Scatter::full) {
    kernel::add_deviations(rows, {centre, weights}, sums, scatter, ahead);
    return;
  }
  const kernel::RowPanel to{panel, std::ssize(rows.rows), columns, kernel::panel_stride(columns)};
  kernel::centre_rows(rows, {centre, weights}, sums, to);
  kernel::add_products(to, scatter, ahead);
}

double CentredSums::squares(Index j) const {
  return scatter[kind == Scatter::full ? j * kernel::panel_stride(columns) + j : j];
}

bool CentredSums::is_far_from_mean() const {
  for (Index j = 0; j < columns; ++j) {
    if (sums[j] * (sums[j] / weight) > far_centre * squares(j)) return true;
  }
  return false;
}

bool CentredSums::some_squares_vanish() const {
  for (Index j = 0; j < columns; ++j) {
    if (squares(j) == 0) return true;
  }
  return false;
}

/// 0 if and only if the column is constant; infinity if its squares overflow.
double CentredSums::diagonal(Index j, double around_mean) const {
  if (!std::isfinite(squares(j))) return kernel::infinity;
  const bool varies = squares(j) > 0 || is_notable_deviation(largest[j], centre[j]);
  return std::max(varies ? min_scatter : 0, around_mean);
}

Moments CentredSums::moments(Moments m) const {
  const Index rows = kind == Scatter::full ? columns : 1;
  if (m.scatter.rows() != rows || m.scatter.columns() != columns)
    m.scatter = Matrix::for_overwrite(rows, columns);
  m.weight = weight;
  m.mean.assign(static_cast<std::size_t>(columns), 0);
  m.mean_low.assign(static_cast<std::size_t>(columns), 0);
  Vector shift(static_cast<std::size_t>(columns));
  for (std::size_t j = 0; j < shift.size(); ++j) {
    if (weight > 0) shift[j] = sums[j] / weight;
    const kernel::HighLow mean = kernel::two_sum(centre[j], shift[j]);
    m.mean[j] = mean.high;
    m.mean_low[j] = mean.low;
  }
  const auto around_mean = [&](double product, Index i, Index j) {
    return product - shift[static_cast<std::size_t>(i)] * sums[j];
  };
  if (kind != Scatter::full) {
    for (Index j = 0; j < columns; ++j)
      m.scatter(0, j) = diagonal(j, around_mean(squares(j), j, j));
    return m;
  }
  const Index stride = kernel::panel_stride(columns);
  for (Index i = 0; i < columns; ++i) {
    const double* products = scatter + i * stride;
    double* row = m.scatter.row(i).data();
    for (Index j = 0; j <= i; ++j) row[j] = around_mean(products[j], i, j);
    row[i] = diagonal(i, row[i]);
  }
  kernel::mirror_lower(m.scatter.data(), columns);
  return m;
}

}  // namespace genera::sums
