#include "kernel/shared_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "kernel/gather.hpp"
#include "kernel/softmax.hpp"

#ifndef GENERA_KERNEL_SHARED_ROWS_ONCE
#define GENERA_KERNEL_SHARED_ROWS_ONCE
namespace genera::kernel {

/// A tile is the product of three columns with three columns.
inline constexpr Index tile_columns = 3;
inline constexpr Index tile_size = tile_columns * tile_columns * sum_lanes;

/// Centred rows with a weight, times the square root of it, by column.
struct TakenRows {
  double* data;
  Index room;  // length of a column
  Index count;
};

}  // namespace genera::kernel
#endif

HWY_BEFORE_NAMESPACE();
namespace genera::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <bool low>
HWY_INLINE V centred(const double* x, const Centre& centre, Index j) {
  const Doubles tag;
  const V z = hn::Sub(hn::Load(tag, x), hn::Set(tag, centre.high[j]));
  return low ? hn::Sub(z, hn::Set(tag, centre.low[j])) : z;
}

/// Adds the rows of a panel.
template <bool low>
HWY_INLINE void take_rows(const WeightedPanels& rows, Index panel, const Centre& centre,
                          TakenRows& to) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  for (Index at = 0; at < panel_rows; at += n) {
    const double* weights = rows.weights + panel * panel_rows + at;
    alignas(64) std::int64_t which[sum_lanes] = {};  // lanes with a weight
    Index count = 0;
    for (Index lane = 0; lane < n; ++lane) {
      which[count] = lane;
      count += weights[lane] > rows.negligible ? 1 : 0;
    }
    if (count == 0) continue;
    const double* x = rows.panels + panel * rows.columns * panel_rows + at;
    double* out = to.data + to.count;
    const auto counting = hn::SetTableIndices(tag, which);
    const V root = hn::Sqrt(hn::TableLookupLanes(hn::LoadU(tag, weights), counting));
    hn::StoreU(root, tag, out);
    for (Index j = 0; j < rows.columns; ++j, x += panel_rows) {
      out += to.room;
      const V z = hn::TableLookupLanes(centred<low>(x, centre, j), counting);
      hn::StoreU(hn::Mul(root, z), tag, out);
    }
    to.count += count;
  }
}

void TakeRows(const WeightedPanels& rows, Index panel, const Centre& centre, TakenRows& to) {
  if (centre.low)
    take_rows<true>(rows, panel, centre, to);
  else
    take_rows<false>(rows, panel, centre, to);
}

/// Products of three columns from i on with three columns from j on.
HWY_INLINE void product_tile(const TakenRows& rows, Index i, Index j, double* sums) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  const double* left = rows.data + i * rows.room;
  const double* right = rows.data + j * rows.room;
  for (Index at = 0; at < sum_lanes; at += n) {
    const V zero = hn::Zero(tag);
    V a0 = zero, a1 = zero, a2 = zero, b0 = zero, b1 = zero, b2 = zero;
    V c0 = zero, c1 = zero, c2 = zero;
    for (Index r = at; r < rows.count; r += sum_lanes) {
      const V x0 = hn::Load(tag, left + r);
      const V x1 = hn::Load(tag, left + rows.room + r);
      const V x2 = hn::Load(tag, left + 2 * rows.room + r);
      const V y0 = hn::Load(tag, right + r);
      a0 = hn::MulAdd(x0, y0, a0);
      b0 = hn::MulAdd(x1, y0, b0);
      c0 = hn::MulAdd(x2, y0, c0);
      const V y1 = hn::Load(tag, right + rows.room + r);
      a1 = hn::MulAdd(x0, y1, a1);
      b1 = hn::MulAdd(x1, y1, b1);
      c1 = hn::MulAdd(x2, y1, c1);
      const V y2 = hn::Load(tag, right + 2 * rows.room + r);
      a2 = hn::MulAdd(x0, y2, a2);
      b2 = hn::MulAdd(x1, y2, b2);
      c2 = hn::MulAdd(x2, y2, c2);
    }
    const auto add = [&](Index place, V value) HWY_ATTR {
      double* to = sums + place * sum_lanes + at;
      hn::Store(hn::Add(hn::Load(tag, to), value), tag, to);
    };
    add(0, a0), add(1, a1), add(2, a2);
    add(3, b0), add(4, b1), add(5, b2);
    add(6, c0), add(7, c1), add(8, c2);
  }
}

void AddTriangle(const TakenRows& rows, Index columns, double* sums) {
  for (Index i = 0; i < columns; i += tile_columns) {
    for (Index j = 0; j <= i; j += tile_columns, sums += tile_size) product_tile(rows, i, j, sums);
  }
}

/// A few columns from j on, over all panels.
template <int count, bool low>
HWY_INLINE void add_squares(const WeightedPanels& rows, const Centre& centre, Index j,
                            double* sums) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  for (Index lane = 0; lane < sum_lanes; lane += n) {
    V first[count], second[count];
    for (int c = 0; c < count; ++c) first[c] = second[c] = hn::Zero(tag);
    for (Index p = 0; p < rows.count; ++p) {
      const double* x = rows.panels + (p * rows.columns + j) * panel_rows;
      for (Index at = lane; at < panel_rows; at += sum_lanes) {
        const V given = hn::LoadU(tag, rows.weights + p * panel_rows + at);
        const V w = hn::IfThenElseZero(hn::Gt(given, hn::Set(tag, rows.negligible)), given);
        for (int c = 0; c < count; ++c) {
          const V z = centred<low>(x + c * panel_rows + at, centre, j + c);
          const V wz = hn::Mul(w, z);
          first[c] = hn::Add(first[c], wz);
          second[c] = hn::MulAdd(wz, z, second[c]);
        }
      }
    }
    for (int c = 0; c < count; ++c) {
      double* to = sums + (j + c) * sum_lanes + lane;
      hn::Store(hn::Add(hn::Load(tag, to), first[c]), tag, to);
      to += (rows.columns + 1) * sum_lanes;
      hn::Store(hn::Add(hn::Load(tag, to), second[c]), tag, to);
    }
  }
}

void AddSquareSums(const WeightedPanels& rows, const Centre& centre, double* sums) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  Index j = 0;
  const auto add = [&](auto count) HWY_ATTR {
    if (centre.low)
      add_squares<count, true>(rows, centre, j, sums);
    else
      add_squares<count, false>(rows, centre, j, sums);
    j += count;
  };
  while (j + 4 <= rows.columns) add(std::integral_constant<int, 4>());
  while (j < rows.columns) add(std::integral_constant<int, 1>());
  for (Index lane = 0; lane < sum_lanes; lane += n) {
    double* to = sums + rows.columns * sum_lanes + lane;
    V sum = hn::Load(tag, to);
    for (Index at = lane; at < rows.count * panel_rows; at += sum_lanes) {
      const V w = hn::LoadU(tag, rows.weights + at);
      sum = hn::Add(sum, hn::IfThenElseZero(hn::Gt(w, hn::Set(tag, rows.negligible)), w));
    }
    hn::Store(sum, tag, to);
  }
}

}  // namespace genera::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace genera::kernel {
namespace {

GENERA_EXPORT(TakeRows);
GENERA_EXPORT(AddTriangle);
GENERA_EXPORT(AddSquareSums);

/// Number of columns with those of ones and zeros.
constexpr Index padded(Index columns) {
  return (columns + tile_columns) / tile_columns * tile_columns;
}

/// Number of rows that fit into the nearest cache.
constexpr Index room_for(Index columns) {
  constexpr Index numbers = 4096;
  return std::clamp<Index>(numbers / columns / panel_rows, 4, 16) * panel_rows;
}

}  // namespace

ProductSums::ProductSums(Index components, Index columns)
    : columns_(padded(columns)),
      room_(room_for(columns_)),
      taken_(static_cast<std::size_t>(columns_ * room_)),
      size_(columns_ / tile_columns * (columns_ / tile_columns + 1) / 2 * tile_size),
      sums_(static_cast<std::size_t>(components * size_)) {}

void ProductSums::add(Index component, const WeightedPanels& rows, const Centre& centre) {
  TakenRows taken{taken_.data(), room_, 0};
  for (Index p = 0; p < rows.count; ++p) {
    GENERA_DISPATCH(TakeRows)(rows, p, centre, taken);
    if (p + 1 < rows.count && taken.count + panel_rows <= room_) continue;
    for (; taken.count % sum_lanes != 0; ++taken.count) {  // pads to whole vectors
      for (Index j = 0; j <= rows.columns; ++j) taken.data[j * room_ + taken.count] = 0;
    }
    if (taken.count > 0)
      GENERA_DISPATCH(AddTriangle)(taken, columns_, sums_.data() + component * size_);
    taken.count = 0;
  }
}

double ProductSums::sum(Index c, Index i, Index j) const {
  const Index row = i / tile_columns, tile = row * (row + 1) / 2 + j / tile_columns;
  const Index place = i % tile_columns * tile_columns + j % tile_columns;
  return added_up(sums_.data() + c * size_ + tile * tile_size + place * sum_lanes);
}

SquareSums::SquareSums(Index components, Index columns)
    : columns_(columns),
      size_((2 * columns + 1) * sum_lanes),
      sums_(static_cast<std::size_t>(components * size_)) {}

void SquareSums::add(Index component, const WeightedPanels& rows, const Centre& centre) {
  GENERA_DISPATCH(AddSquareSums)(rows, centre, sums_.data() + component * size_);
}

double SquareSums::sum(Index c, Index place) const {
  return added_up(sums_.data() + c * size_ + place * sum_lanes);
}

}  // namespace genera::kernel
#endif
