#include "kernel/scatter.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "kernel/bytes.hpp"

HWY_BEFORE_NAMESPACE();
namespace genera::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Prefetches the next rows line by line, evenly distributed over a number of steps.
class AskingForRows {
 public:
  HWY_INLINE AskingForRows(const RowsInMemory& ahead, Index steps)
      : row_(ahead.rows.data()),
        end_(row_ + ahead.rows.size()),
        bytes_(ahead.bytes()),
        lines_(static_cast<Index>(ahead.rows.size()) * ((bytes_ + line - 1) / line)),
        steps_(steps) {}
  HWY_INLINE void step() {
    due_ += lines_;
    for (; due_ >= steps_ && row_ != end_; due_ -= steps_) {
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
  Index lines_, steps_;  // in total
  Index at_ = 0;         // within the row
  Index due_ = 0;        // lines times steps_
};

HWY_INLINE V load_row(const double* from) { return hn::LoadU(Doubles(), from); }
HWY_INLINE V load_row(const float* from) {
  const hn::Rebind<float, Doubles> floats;
  return hn::PromoteTo(Doubles(), hn::LoadU(floats, from));
}

/// Loads the last numbers of a row, padded with zeros; reads nothing after the row.
template <class T>
HWY_INLINE V load_end(const T* from, Index count) {
  const hn::Rebind<T, Doubles> tag;
#if HWY_TARGET <= HWY_AVX2
  const auto numbers = hn::MaskedLoad(hn::FirstN(tag, static_cast<std::size_t>(count)), tag, from);
#else
  HWY_ALIGN T end[8] = {};  // the maximum size of Doubles
  std::copy_n(from, count, end);
  const auto numbers = hn::Load(tag, end);
#endif
  if constexpr (std::is_same_v<T, double>)
    return numbers;
  else
    return hn::PromoteTo(Doubles(), numbers);
}

/// Calls `strip` with up to four vectors of columns at a time, their first column, and the number
/// of values in the last vector: enough independent sums to hide latency.
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

/// Calls `work` with a number of the element type of the rows, and whether they have weights.
template <class Work>
HWY_INLINE void by_kind(const RowsInMemory& rows, const double* weights, Work work) {
  if (rows.floats && weights)
    work(0.0F, std::true_type());
  else if (rows.floats)
    work(0.0F, std::false_type());
  else if (weights)
    work(0.0, std::true_type());
  else
    work(0.0, std::false_type());
}

/// Columns of a row minus the centre.
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
HWY_INLINE void store_strip(const V* values, double* to) {
  const Index n = static_cast<Index>(hn::Lanes(Doubles()));
  for (int v = 0; v < vectors; ++v) hn::Store(values[v], Doubles(), to + v * n);
}

template <class T, bool weighted>
HWY_INLINE void add_deviations_of(const RowsInMemory& rows, const Centring& by, double* sums,
                                  double* squares, const RowsInMemory& ahead) {
  const Index strip_columns = 4 * static_cast<Index>(hn::Lanes(Doubles()));
  const Index strips = (rows.columns + strip_columns - 1) / strip_columns;
  AskingForRows asking(ahead, strips * static_cast<Index>(rows.rows.size()));
  each_strip(rows.columns, [&](auto vectors, Index j, Index in_last) HWY_ATTR {
    V centre[vectors], sum[vectors], square[vectors];
    load_strip<vectors>(by.centre + j, centre);
    load_strip<vectors>(sums + j, sum);
    load_strip<vectors>(squares + j, square);
    for (std::size_t r = 0; r < rows.rows.size(); ++r) {
      asking.step();
      const DeviationsOfRow<vectors, T> row(rows.rows[r], j, in_last, centre);
      for (int v = 0; v < vectors; ++v) {
        V some = row.z[v];
        if constexpr (weighted) some = hn::Mul(hn::Set(Doubles(), by.weights[r]), some);
        sum[v] = hn::Add(some, sum[v]);
        square[v] = hn::MulAdd(some, row.z[v], square[v]);
      }
    }
    store_strip<vectors>(sum, sums + j);
    store_strip<vectors>(square, squares + j);
  });
}

void AddDeviations(const RowsInMemory& rows, const Centring& by, double* sums, double* squares,
                   const RowsInMemory& ahead) {
  by_kind(rows, by.weights, [&](auto number, auto weighted) HWY_ATTR {
    add_deviations_of<decltype(number), weighted>(rows, by, sums, squares, ahead);
  });
}

template <class T, bool weighted>
HWY_INLINE void centre_rows_of(const RowsInMemory& rows, const Centring& by, double* sums,
                               const RowPanel& to) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  each_strip(rows.columns, [&](auto vectors, Index j, Index in_last) HWY_ATTR {
    V centre[vectors], sum[vectors];
    load_strip<vectors>(by.centre + j, centre);
    load_strip<vectors>(sums + j, sum);
    double* z = to.data + j;
    for (std::size_t r = 0; r < rows.rows.size(); ++r, z += to.stride) {
      const DeviationsOfRow<vectors, T> row(rows.rows[r], j, in_last, centre);
      for (int v = 0; v < vectors; ++v) {
        V entered = row.z[v], stored = row.z[v];
        if constexpr (weighted) {
          const V weight = hn::Set(tag, by.weights[r]);
          entered = hn::Mul(weight, entered);
          stored = hn::Mul(hn::Sqrt(weight), stored);
        }
        sum[v] = hn::Add(entered, sum[v]);
        hn::Store(stored, tag, z + v * n);
      }
    }
    store_strip<vectors>(sum, sums + j);
  });
}

void CentreRows(const RowsInMemory& rows, const Centring& by, double* sums, const RowPanel& to) {
  by_kind(rows, by.weights, [&](auto number, auto weighted) HWY_ATTR {
    centre_rows_of<decltype(number), weighted>(rows, by, sums, to);
  });
}

template <class T>
HWY_INLINE void find_largest_of(const RowsInMemory& rows, const double* by, double* largest) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  each_strip(rows.columns, [&](auto vectors, Index j, Index in_last) HWY_ATTR {
    V centre[vectors], max[vectors];
    load_strip<vectors>(by + j, centre);
    load_strip<vectors>(largest + j, max);
    for (const char* at : rows.rows) {
      const DeviationsOfRow<vectors, T> row(at, j, in_last, centre);
      for (int v = 0; v < vectors; ++v) max[v] = hn::Max(max[v], hn::Abs(row.z[v]));
    }
    for (int v = 0; v < vectors; ++v) hn::Store(max[v], tag, largest + j + v * n);
  });
}

void FindLargest(const RowsInMemory& rows, const double* centre, double* largest) {
  if (rows.floats)
    find_largest_of<float>(rows, centre, largest);
  else
    find_largest_of<double>(rows, centre, largest);
}

#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
inline constexpr int tile_height = 8;  // of 32 registers, 24 hold sums
#else
inline constexpr int tile_height = 4;  // of 16 registers, 12 hold sums
#endif

/// If the triangle ends inside the last vector of a tile, its upper rows need only half of that
/// vector, which saves time for vectors of eight.
using HalfDoubles = hn::Half<Doubles>;
inline constexpr int half_rows = hn::MaxLanes(Doubles()) == 8 ? 4 : 0;

/// A few rows and vectors of columns of the scatter, over all rows of the panel. `diagonal`: the
/// last vector begins in the column of the first row.
template <int height, int vectors, bool diagonal>
HWY_INLINE void add_tile(const RowPanel& panel, Index i, Index j, double* scatter,
                         AskingForRows& all_asking) {
  constexpr int halves = diagonal ? std::min(height, half_rows) : 0;
  AskingForRows asking = all_asking;  // a copy in registers
  const Doubles tag;
  const HalfDoubles half;
  V sums[height][vectors];
  hn::Vec<HalfDoubles> half_sums[std::max(halves, 1)];
  const Index last = (vectors - 1) * static_cast<Index>(hn::Lanes(tag));
  const auto row = [&](int h) HWY_ATTR { return scatter + (i + h) * panel.stride + j; };
  for (int h = 0; h < halves; ++h) half_sums[h] = hn::Load(half, row(h) + last);
  for (int h = 0; h < height; ++h) load_strip<vectors>(row(h), sums[h]);
  const double* left = panel.data + i;
  const double* right = panel.data + j;
  for (Index r = 0; r < panel.rows; ++r, left += panel.stride, right += panel.stride) {
    asking.step();
    V x[vectors];
    load_strip<vectors>(right, x);
    for (int h = 0; h < height; ++h) {
      const V factor = hn::Set(tag, left[h]);
      for (int v = 0; v < vectors; ++v) {
        if (h < halves && v == vectors - 1)
          half_sums[h] = hn::MulAdd(hn::LowerHalf(factor), hn::LowerHalf(x[v]), half_sums[h]);
        else
          sums[h][v] = hn::MulAdd(factor, x[v], sums[h][v]);
      }
    }
  }
  for (int h = 0; h < height; ++h) store_strip<vectors>(sums[h], row(h));
  for (int h = 0; h < halves; ++h) hn::Store(half_sums[h], half, row(h) + last);
  all_asking = asking;
}

/// Calls `tile` with the height, number of vectors, first row i and first column j of each tile of
/// the lower triangle.
template <class Tile>
HWY_INLINE void each_tile(const RowPanel& panel, Tile tile) {
  const Index n = static_cast<Index>(hn::Lanes(Doubles()));
  for (Index j = 0; j < panel.columns; j += 3 * n) {  // a strip of columns stays in cache
    const Index max = std::min<Index>(3, (panel.columns - j + n - 1) / n);
    for (Index i = j / 4 * 4; i < panel.columns;) {  // tiles end within the stride
      const Index left = panel.columns - i;
      const Index height = left >= tile_height - 1 ? tile_height : left > 2 ? 4 : 2;
      tile(height, std::min(max, (i + height - 1 - j) / n + 1), i, j);
      i += height;
    }
  }
}

template <int height, int vectors>
HWY_INLINE void add_tile(const RowPanel& panel, Index i, Index j, double* scatter,
                         AskingForRows& asking) {
  const Index n = static_cast<Index>(hn::Lanes(Doubles()));
  if (i == j + (vectors - 1) * n)
    add_tile<height, vectors, true>(panel, i, j, scatter, asking);
  else
    add_tile<height, vectors, false>(panel, i, j, scatter, asking);
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
GENERA_EXPORT(FindLargest);
GENERA_EXPORT(AddProducts);

void add_deviations(const RowsInMemory& rows, const Centring& by, double* sums, double* squares,
                    const RowsInMemory& ahead) {
  GENERA_DISPATCH(AddDeviations)(rows, by, sums, squares, ahead);
}

void centre_rows(const RowsInMemory& rows, const Centring& by, double* sums, const RowPanel& to) {
  GENERA_DISPATCH(CentreRows)(rows, by, sums, to);
}

void find_largest(const RowsInMemory& rows, const double* centre, double* largest) {
  GENERA_DISPATCH(FindLargest)(rows, centre, largest);
}

void add_products(const RowPanel& panel, double* scatter, const RowsInMemory& ahead) {
  GENERA_DISPATCH(AddProducts)(panel, scatter, ahead);
}

}  // namespace genera::kernel
#endif
