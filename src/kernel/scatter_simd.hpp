#include "kernel/scatter.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "kernel/bytes.hpp"

HWY_BEFORE_NAMESPACE();
namespace genera::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE V weight_of(const double* weights, std::size_t r) {
  return hn::Set(Doubles(), weights ? weights[r] : 1.0);
}

/// Asks for the rows that are read next, a line at a time, evenly over so many steps.
class AskingForRows {
 public:
  HWY_INLINE AskingForRows(const RowsInMemory& ahead, Index steps)
      : row_(ahead.rows.data()), end_(row_ + ahead.rows.size()), bytes_(ahead.bytes()) {
    const Index lines = static_cast<Index>(ahead.rows.size()) * ((bytes_ + line - 1) / line);
    if (lines == 0) return;
    every_ = std::max<Index>(1, (steps + lines / 2) / lines);
    lines_ = (lines + steps - 1) / steps;
  }
  HWY_INLINE void step() {
    if (--left_ > 0) return;
    left_ = every_;
    for (Index i = 0; i < lines_ && row_ != end_; ++i) {
      prefetch_later(*row_ + at_);
      at_ += line;
      if (at_ < bytes_) continue;
      at_ = 0;
      ++row_;
    }
  }

 private:
  static constexpr Index line = 64;
  const char* const* row_;
  const char* const* end_;
  Index bytes_;
  Index at_ = 0;
  Index every_ = std::numeric_limits<Index>::max(), left_ = 1;  // steps
  Index lines_ = 0;                                             // at once
};

HWY_INLINE V load_row(const double* from) { return hn::LoadU(Doubles(), from); }
HWY_INLINE V load_row(const float* from) {
  const hn::Rebind<float, Doubles> floats;
  return hn::PromoteTo(Doubles(), hn::LoadU(floats, from));
}

/// The last numbers of a row, and zeros: nothing behind the row is read.
template <class T>
HWY_INLINE V load_end(const T* from, Index count) {
  const hn::Rebind<T, Doubles> tag;
#if HWY_TARGET <= HWY_AVX2
  const auto numbers = hn::MaskedLoad(hn::FirstN(tag, static_cast<std::size_t>(count)), tag, from);
#else
  HWY_ALIGN T end[8] = {};  // Doubles has no more
  std::copy_n(from, count, end);
  const auto numbers = hn::Load(tag, end);
#endif
  if constexpr (std::is_same_v<T, double>)
    return numbers;
  else
    return hn::PromoteTo(Doubles(), numbers);
}

/// Calls `strip` with up to four vectors of columns at a time, their first column and how many
/// numbers there are in the last vector: enough independent sums to hide the latency of each.
template <class Strip>
HWY_INLINE void each_strip(Index columns, Strip strip) {
  const Index n = static_cast<Index>(hn::Lanes(Doubles()));
  for (Index j = 0; j < columns; j += 4 * n) {
    const Index vectors = std::min<Index>(4, (columns - j + n - 1) / n);
    const Index in_last = std::min(columns - j - (vectors - 1) * n, n);
    switch (vectors) {
      case 4:
        strip(std::integral_constant<int, 4>(), j, in_last);
        break;
      case 3:
        strip(std::integral_constant<int, 3>(), j, in_last);
        break;
      case 2:
        strip(std::integral_constant<int, 2>(), j, in_last);
        break;
      default:
        strip(std::integral_constant<int, 1>(), j, in_last);
    }
  }
}

/// What is left of some columns of a row when the centre is subtracted.
template <int vectors, class T>
struct DeviationsOfRow {
  HWY_INLINE DeviationsOfRow(const char* row, Index j, Index in_last, const V* centre) {
    const Index n = static_cast<Index>(hn::Lanes(Doubles()));
    const T* x = reinterpret_cast<const T*>(row) + j;
    for (int v = 0; v + 1 < vectors; ++v) z[v] = hn::Sub(load_row(x + v * n), centre[v]);
    const T* last = x + (vectors - 1) * n;
    z[vectors - 1] =
        hn::Sub(in_last == n ? load_row(last) : load_end(last, in_last), centre[vectors - 1]);
  }
  V z[vectors];
};

template <int vectors>
HWY_INLINE void load_strip(const double* from, V* to) {
  const Index n = static_cast<Index>(hn::Lanes(Doubles()));
  for (int v = 0; v < vectors; ++v) to[v] = hn::Load(Doubles(), from + v * n);
}

template <int vectors>
HWY_INLINE void add_strip(const V* values, double* to) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  for (int v = 0; v < vectors; ++v)
    hn::Store(hn::Add(hn::Load(tag, to + v * n), values[v]), tag, to + v * n);
}

template <class T>
HWY_INLINE void add_deviations_of(const RowsInMemory& rows, const Centring& by, double* sums,
                                  double* squares, const RowsInMemory& ahead) {
  const Index strip_columns = 4 * static_cast<Index>(hn::Lanes(Doubles()));
  const Index strips = (rows.columns + strip_columns - 1) / strip_columns;
  AskingForRows asking(ahead, strips * static_cast<Index>(rows.rows.size()));
  each_strip(rows.columns, [&](auto vectors, Index j, Index in_last) HWY_ATTR {
    V centre[vectors], sum[vectors], square[vectors];
    load_strip<vectors>(by.centre + j, centre);
    for (int v = 0; v < vectors; ++v) sum[v] = square[v] = hn::Zero(Doubles());
    for (std::size_t r = 0; r < rows.rows.size(); ++r) {
      asking.step();
      const V weight = weight_of(by.weights, r);
      const DeviationsOfRow<vectors, T> row(rows.rows[r], j, in_last, centre);
      for (int v = 0; v < vectors; ++v) {
        sum[v] = hn::MulAdd(weight, row.z[v], sum[v]);
        square[v] = hn::MulAdd(hn::Mul(weight, row.z[v]), row.z[v], square[v]);
      }
    }
    add_strip<vectors>(sum, sums + j);
    add_strip<vectors>(square, squares + j);
  });
}

void AddDeviations(const RowsInMemory& rows, const Centring& by, double* sums, double* squares,
                   const RowsInMemory& ahead) {
  if (rows.floats)
    add_deviations_of<float>(rows, by, sums, squares, ahead);
  else
    add_deviations_of<double>(rows, by, sums, squares, ahead);
}

template <class T>
HWY_INLINE void centre_rows_of(const RowsInMemory& rows, const Centring& by, double* sums,
                               const RowPanel& to) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  each_strip(rows.columns, [&](auto vectors, Index j, Index in_last) HWY_ATTR {
    V centre[vectors], sum[vectors];
    load_strip<vectors>(by.centre + j, centre);
    for (int v = 0; v < vectors; ++v) sum[v] = hn::Zero(tag);
    double* z = to.data + j;
    for (std::size_t r = 0; r < rows.rows.size(); ++r, z += to.stride) {
      const V weight = weight_of(by.weights, r), root = hn::Sqrt(weight);
      const DeviationsOfRow<vectors, T> row(rows.rows[r], j, in_last, centre);
      for (int v = 0; v < vectors; ++v) {
        sum[v] = hn::MulAdd(weight, row.z[v], sum[v]);
        hn::Store(hn::Mul(root, row.z[v]), tag, z + v * n);
      }
    }
    add_strip<vectors>(sum, sums + j);
  });
}

void CentreRows(const RowsInMemory& rows, const Centring& by, double* sums, const RowPanel& to) {
  if (rows.floats)
    centre_rows_of<float>(rows, by, sums, to);
  else
    centre_rows_of<double>(rows, by, sums, to);
}

template <class T>
HWY_INLINE void find_largest_of(const RowsInMemory& rows, const double* by, double* largest) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  each_strip(rows.columns, [&](auto vectors, Index j, Index in_last) HWY_ATTR {
    V centre[vectors], most[vectors];
    load_strip<vectors>(by + j, centre);
    load_strip<vectors>(largest + j, most);
    for (const char* at : rows.rows) {
      const DeviationsOfRow<vectors, T> row(at, j, in_last, centre);
      for (int v = 0; v < vectors; ++v) most[v] = hn::Max(most[v], hn::Abs(row.z[v]));
    }
    for (int v = 0; v < vectors; ++v) hn::Store(most[v], tag, largest + j + v * n);
  });
}

void FindLargest(const RowsInMemory& rows, const double* centre, double* largest) {
  if (rows.floats)
    find_largest_of<float>(rows, centre, largest);
  else
    find_largest_of<double>(rows, centre, largest);
}

/// Calls `visit` with each vector of a row without its centre, and its first column.
template <class T, class Visit>
HWY_INLINE void each_deviation(const char* row, Index columns, const double* centre, Visit visit) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  const T* x = reinterpret_cast<const T*>(row);
  Index j = 0;
  for (; j + n <= columns; j += n) visit(hn::Sub(load_row(x + j), hn::Load(tag, centre + j)), j);
  if (j < columns) visit(hn::Sub(load_end(x + j, columns - j), hn::Load(tag, centre + j)), j);
}

HWY_INLINE void add_product(V a, V b, double* to) {
  hn::Store(hn::MulAdd(a, b, hn::Load(Doubles(), to)), Doubles(), to);
}

HWY_INLINE void add(V value, double* to) {
  hn::Store(hn::Add(value, hn::Load(Doubles(), to)), Doubles(), to);
}

template <class T, bool weighted>
HWY_INLINE void add_class_deviations_of(const RowsInMemory& rows, const ByClass& by, double* sums,
                                        double* squares) {
  const Index stride = panel_stride(rows.columns);
  for (std::size_t r = 0; r < rows.rows.size(); ++r) {
    if (by.classes[r] < 0) continue;
    const Index first = by.classes[r] * stride;
    const V weight = weight_of(by.weights, r);
    each_deviation<T>(rows.rows[r], rows.columns, by.centres + first, [&](V z, Index j) HWY_ATTR {
      const V some = weighted ? hn::Mul(weight, z) : z;
      add(some, sums + first + j);
      add_product(some, z, squares + first + j);
    });
  }
}

void AddClassDeviations(const RowsInMemory& rows, const ByClass& by, double* sums,
                        double* squares) {
  if (rows.floats && by.weights)
    add_class_deviations_of<float, true>(rows, by, sums, squares);
  else if (rows.floats)
    add_class_deviations_of<float, false>(rows, by, sums, squares);
  else if (by.weights)
    add_class_deviations_of<double, true>(rows, by, sums, squares);
  else
    add_class_deviations_of<double, false>(rows, by, sums, squares);
}

template <class T>
HWY_INLINE Index distribute_rows_of(const RowsInMemory& rows, const ByClass& by, double* sums,
                                    const ClassPanels& to) {
  const Doubles tag;
  const Index stride = panel_stride(rows.columns);
  for (std::size_t r = 0; r < rows.rows.size(); ++r) {
    const Index k = by.classes[r];
    if (k < 0) continue;
    const V weight = weight_of(by.weights, r), root = hn::Sqrt(weight);
    double* panel = to.data + (k * to.rows + to.filled[k]) * stride;
    each_deviation<T>(rows.rows[r], rows.columns, by.centres + k * stride,
                      [&](V z, Index j) HWY_ATTR {
                        add_product(weight, z, sums + k * stride + j);
                        hn::Store(hn::Mul(root, z), tag, panel + j);
                      });
    if (++to.filled[k] == to.rows) return static_cast<Index>(r) + 1;
  }
  return static_cast<Index>(rows.rows.size());
}

Index DistributeRows(const RowsInMemory& rows, const ByClass& by, double* sums,
                     const ClassPanels& to) {
  return rows.floats ? distribute_rows_of<float>(rows, by, sums, to)
                     : distribute_rows_of<double>(rows, by, sums, to);
}

#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
inline constexpr int tile_height = 8;  // of 32 registers, 24 are sums
#else
inline constexpr int tile_height = 4;  // of 16 registers, 12 are sums
#endif

/// A few rows and vectors of columns of the scatter, over all rows of the panel.
template <int height, int vectors>
HWY_INLINE void add_tile(const RowPanel& panel, Index i, Index j, double* scatter,
                         AskingForRows& all_asking) {
  AskingForRows asking = all_asking;  // in registers
  const Doubles tag;
  V sums[height][vectors];
  for (int h = 0; h < height; ++h) {
    for (int v = 0; v < vectors; ++v) sums[h][v] = hn::Zero(tag);
  }
  const double* left = panel.data + i;
  const double* right = panel.data + j;
  for (Index r = 0; r < panel.rows; ++r, left += panel.stride, right += panel.stride) {
    asking.step();
    V x[vectors];
    load_strip<vectors>(right, x);
    for (int h = 0; h < height; ++h) {
      const V factor = hn::Set(tag, left[h]);
      for (int v = 0; v < vectors; ++v) sums[h][v] = hn::MulAdd(factor, x[v], sums[h][v]);
    }
  }
  for (int h = 0; h < height; ++h)
    add_strip<vectors>(sums[h], scatter + (i + h) * panel.stride + j);
  all_asking = asking;
}

/// Calls `tile` with the height, the vectors, the first row i and the first column j of each tile
/// of the lower triangle.
template <class Tile>
HWY_INLINE void each_tile(const RowPanel& panel, Tile tile) {
  const Index n = static_cast<Index>(hn::Lanes(Doubles()));
  for (Index j = 0; j < panel.columns; j += 3 * n) {  // a strip of columns stays in cache
    const Index most = std::min<Index>(3, (panel.columns - j + n - 1) / n);
    for (Index i = j / 4 * 4; i < panel.columns;) {  // tiles end within the stride
      const Index left = panel.columns - i;
      const Index height = left >= tile_height - 1 ? tile_height : left > 2 ? 4 : 2;
      tile(height, std::min(most, (i + height - 1 - j) / n + 1), i, j);
      i += height;
    }
  }
}

template <int height>
HWY_INLINE void add_tile(const RowPanel& panel, Index vectors, Index i, Index j, double* scatter,
                         AskingForRows& asking) {
  if (vectors == 3)
    add_tile<height, 3>(panel, i, j, scatter, asking);
  else if (vectors == 2)
    add_tile<height, 2>(panel, i, j, scatter, asking);
  else
    add_tile<height, 1>(panel, i, j, scatter, asking);
}

void AddProducts(const RowPanel& panel, double* scatter, const RowsInMemory& ahead) {
  Index tiles = 0;
  each_tile(panel, [&](Index, Index, Index, Index) { ++tiles; });
  AskingForRows asking(ahead, tiles * panel.rows);
  each_tile(panel, [&](Index height, Index vectors, Index i, Index j) HWY_ATTR {
    if (height == tile_height)
      add_tile<tile_height>(panel, vectors, i, j, scatter, asking);
    else if (height == 4)
      add_tile<4>(panel, vectors, i, j, scatter, asking);
    else
      add_tile<2>(panel, vectors, i, j, scatter, asking);
  });
}

}  // namespace genera::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace genera::kernel {

GENERA_EXPORT(AddDeviations);
GENERA_EXPORT(CentreRows);
GENERA_EXPORT(AddClassDeviations);
GENERA_EXPORT(DistributeRows);
GENERA_EXPORT(FindLargest);
GENERA_EXPORT(AddProducts);

void add_deviations(const RowsInMemory& rows, const Centring& by, double* sums, double* squares,
                    const RowsInMemory& ahead) {
  GENERA_DISPATCH(AddDeviations)(rows, by, sums, squares, ahead);
}

void centre_rows(const RowsInMemory& rows, const Centring& by, double* sums, const RowPanel& to) {
  GENERA_DISPATCH(CentreRows)(rows, by, sums, to);
}

void add_deviations(const RowsInMemory& rows, const ByClass& by, double* sums, double* squares) {
  GENERA_DISPATCH(AddClassDeviations)(rows, by, sums, squares);
}

Index distribute_rows(const RowsInMemory& rows, const ByClass& by, double* sums,
                      const ClassPanels& to) {
  return GENERA_DISPATCH(DistributeRows)(rows, by, sums, to);
}

void find_largest(const RowsInMemory& rows, const double* centre, double* largest) {
  GENERA_DISPATCH(FindLargest)(rows, centre, largest);
}

void add_products(const RowPanel& panel, double* scatter, const RowsInMemory& ahead) {
  GENERA_DISPATCH(AddProducts)(panel, scatter, ahead);
}

}  // namespace genera::kernel
#endif
