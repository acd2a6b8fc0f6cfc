// Evaluation of GaussianDensity on panels of rows.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernel/infinity.hpp"

#include "blocks/gaussian/density/density.hpp"

namespace genera::detail {
namespace {

using kernel::PackedMatrix;
using kernel::panel_rows;
using kernel::round_up;

using kernel::infinity;

constexpr Index factor_bytes =
    24 << 10;  // part of a factor, next to a panel, in the first-level cache
constexpr Index panels_bytes = 384 << 10;  // panels in the second-level cache
constexpr Index results_bytes = 4 << 20;   // results in the last-level cache
constexpr Index max_panels = 16;
constexpr Index few_columns = 16;  // factors of so few columns fit next to the results

/// Infinity minus infinity after an overflow is an infinite distance.
void not_negative(double* squares, Index count) {
  for (Index i = 0; i < count; ++i)  // branch-free: only NaN differs from itself
    squares[i] = squares[i] == squares[i] ? squares[i] : infinity;
}

/// The tiles from `begin` on whose entries fit into the first-level cache.
kernel::TileRange cached_tiles(const PackedMatrix& a, Index begin) {
  Index end = begin;
  Index bytes = 0;
  while (end < a.tiles() && (end == begin || bytes < factor_bytes)) {
    bytes += a.length(end) * PackedMatrix::tile_rows * static_cast<Index>(sizeof(double));
    ++end;
  }
  return {begin, end};
}

}  // namespace

Index GaussianDensity::result_size() const {
  return round_up(classes_, PackedMatrix::tile_rows) * panel_rows;
}

Index GaussianDensity::panels_per_group() const {
  const Index panel_bytes = dimension_ * panel_rows * static_cast<Index>(sizeof(double));
  const Index min = dimension_ <= few_columns ? 1 : 4;
  const Index of_results = results_bytes / (result_size() * static_cast<Index>(sizeof(double)));
  return std::clamp(std::min(panels_bytes / panel_bytes, of_results), min, max_panels);
}

Index GaussianDensity::scratch_size() const {
  const Index panel = round_up(dimension_, PackedMatrix::tile_rows) * panel_rows;
  return panel * std::max<Index>(panels_per_group(), 2) + 2 * result_size();
}

Index GaussianDensity::columns_of(kernel::TileRange tiles) const {
  return factors_.front().length(tiles.end - 1);
}

void GaussianDensity::add_squares(Index k, kernel::TileRange tiles, const Panels& panels,
                                  double* scratch, double* squares) const {
  const Index size = dimension_ * panel_rows;
  const PackedMatrix& factor = factors_[static_cast<std::size_t>(k)];
  const kernel::TileRange columns{0, columns_of(tiles)};
  for (Index p = 0; p < panels.count; ++p) {
    double* centred = scratch + p * size;
    kernel::centre(panels.data + p * size, means_.row(k).data(), columns, centred);
    if (!means_low_.empty()) kernel::centre(centred, means_low_.row(k).data(), columns, centred);
  }
  for (Index t = tiles.begin; t < tiles.end;) {
    const Index end = std::min(tiles.end, cached_tiles(factor, t).end);
    for (Index p = 0; p < panels.count; ++p)
      kernel::add_squared_products(factor, {t, end}, scratch + p * size, panels.lanes(p),
                                   squares + p * panel_rows);
    t = end;
  }
}

void GaussianDensity::own_distances(const Panels& panels, double* scratch, double* out) const {
  alignas(64) double squares[max_panels * panel_rows];
  for (Index k = 0; k < classes_; ++k) {
    std::fill_n(squares, panels.count * panel_rows, 0.0);
    add_squares(k, {0, tiles()}, panels, scratch, squares);
    for (Index p = 0; p < panels.count; ++p)
      std::copy_n(squares + p * panel_rows, panel_rows, out + p * result_size() + k * panel_rows);
  }
}

void GaussianDensity::shared_distances(const Panels& panels, Index p, double* scratch,
                                       double* out) const {
  const Index lanes = panels.lanes(p);
  double* whitened = scratch + dimension_ * panel_rows;
  kernel::centre(panels.data + p * dimension_ * panel_rows, centre_.data(), {0, dimension_},
                 scratch);
  kernel::products(factors_.front(), scratch, lanes, whitened, panels.ahead(p));
  kernel::diagonal_distances(diagonals_, whitened, lanes, out);
}

void GaussianDensity::distances(const Panels& panels, double* scratch, double* out) const {
  if (structure_ == Structure::own) own_distances(panels, scratch, out);
  for (Index p = 0; p < panels.count; ++p) {
    const double* panel = panels.data + p * dimension_ * panel_rows;
    double* result = out + p * result_size();
    if (structure_ == Structure::diagonal)
      kernel::diagonal_distances(diagonals_, panel, panels.lanes(p), result, panels.ahead(p));
    if (structure_ == Structure::shared) shared_distances(panels, p, scratch, result);
    if (structure_ == Structure::own) not_negative(result, classes_ * panel_rows);
  }
}

void GaussianDensity::replace_zero(Index column, double x, double* squares) const {
  for (Index k = 0; k < classes_; ++k) {
    const double z = diagonals_.standardised(k, column, x);
    const double z0 = diagonals_.standardised(k, column, 0);
    squares[k] += z * z - z0 * z0;
  }
}

void GaussianDensity::add_square(Index column, double x, double* squares) const {
  for (Index k = 0; k < classes_; ++k) {
    const double z = diagonals_.standardised(k, column, x);
    squares[k] += z * z;
  }
}

void GaussianDensity::linear_scores(const Panels& panels, const kernel::ScorePanels& out) const {
  for (Index p = 0; p < panels.count; ++p) {
    const double* panel = panels.data + p * dimension_ * panel_rows;
    kernel::affine_products(linear_map(), panel, panels.lanes(p), out.of(p), panels.ahead(p));
    if (!kernel::are_within({out.of(p), out.stride, 1, classes_}, infinity))
      mark_overflow(panels.lanes(p), out.of(p));
  }
}

bool GaussianDensity::takes_rows() const {
  return linear_is_exact_ && classes_ <= kernel::max_products_of_rows();
}

bool GaussianDensity::linear_scores(const kernel::RowsInMemory& rows, const kernel::Ahead& next,
                                    const kernel::ScorePanels& out) const {
  const Index count = std::ssize(rows.rows);
  for (Index p = 0; p < out.panels; ++p) {
    const auto some = rows.rows.subspan(static_cast<std::size_t>(p * panel_rows),
                                        static_cast<std::size_t>(blocks::lanes_of(count, p)));
    kernel::affine_products(linear_map(), {some, rows.columns, rows.floats}, out.of(p),
                            blocks::part_of(next, p, out.panels));
  }
  return kernel::are_within(out, infinity);
}

bool GaussianDensity::linear_labels(const Vector& offsets, const kernel::StridedRows& rows,
                                    std::int32_t* labels, const kernel::Ahead& next) const {
  return kernel::best_products({linear_map(), offsets.data(), infinity}, rows, labels, next);
}

void GaussianDensity::mark_overflow(Index lanes, double* out) const {
  for (Index lane = 0; lane < lanes; ++lane) {  // lane by lane, so that other rows change no bit
    bool finite = true;
    for (Index k = 0; k < classes_; ++k)
      finite = finite && std::isfinite(out[k * panel_rows + lane]);
    for (Index k = 0; k < classes_ && !finite; ++k) out[k * panel_rows + lane] = -infinity;
  }
}

}  // namespace genera::detail
