#include "kernel/gather.hpp"

#include <type_traits>

#ifndef GENERA_KERNEL_GATHER_ONCE
#define GENERA_KERNEL_GATHER_ONCE
namespace genera::kernel {

/// The rows of a panel by the address of their first number; all sixteen must be readable.
template <class T>
struct RowPointers {
  const T* rows[panel_rows];
};

}  // namespace genera::kernel
#endif

HWY_BEFORE_NAMESPACE();
namespace genera::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Move = PanelLayout::Move;

/// Gathers one column; the result is 0, or NaN if a number is not finite.
template <class T>
HWY_INLINE double gather_column(const RowPointers<T>& from, Index at, double* out) {
  double odd = 0;
  for (Index lane = 0; lane < panel_rows; ++lane) {
    out[lane] = static_cast<double>(from.rows[lane][at]);
    odd += out[lane] - out[lane];
  }
  return odd;
}

// A few contiguous columns of as many rows as a vector has lanes: one vector per column. Their
// number is `columns_at_once`, or 0 if vectors are too short for it.
#if HWY_TARGET == HWY_SCALAR
template <class T>
inline constexpr int columns_at_once = 0;
template <class T>
HWY_INLINE void read_columns(const T* const*, Index, V*) {}
#elif HWY_TARGET <= HWY_AVX3
template <class T>
inline constexpr int columns_at_once = std::is_same_v<T, float> ? 4 : 2;

/// Two columns of rows 0, 2, 4 and 6, counted from the first.
HWY_INLINE V load_pairs(const double* const* rows, Index at) {
  const hn::FixedTag<double, 2> two;
  const hn::FixedTag<double, 4> four;
  const auto pair = [&](int row) HWY_ATTR { return hn::LoadU(two, rows[row] + at); };
  return hn::Combine(Doubles(), hn::Combine(four, pair(6), pair(4)),
                     hn::Combine(four, pair(2), pair(0)));
}

/// The loads do most of the transposition.
HWY_INLINE void read_columns(const double* const* rows, Index at, V* columns) {
  const V even = load_pairs(rows, at), uneven = load_pairs(rows + 1, at);
  columns[0] = hn::InterleaveLower(Doubles(), even, uneven);
  columns[1] = hn::InterleaveUpper(Doubles(), even, uneven);
}

HWY_INLINE void read_columns(const float* const* rows, Index at, V* columns) {
  const hn::FixedTag<float, 4> four;
  const hn::FixedTag<float, 8> eight;
  const auto two_rows = [&](int row) HWY_ATTR {
    return hn::Combine(eight, hn::LoadU(four, rows[row + 4] + at), hn::LoadU(four, rows[row] + at));
  };
  const auto a = two_rows(0), b = two_rows(1), c = two_rows(2), d = two_rows(3);
  const auto ac_low = hn::InterleaveLower(eight, a, c), ac_high = hn::InterleaveUpper(eight, a, c);
  const auto bd_low = hn::InterleaveLower(eight, b, d), bd_high = hn::InterleaveUpper(eight, b, d);
  columns[0] = hn::PromoteTo(Doubles(), hn::InterleaveLower(eight, ac_low, bd_low));
  columns[1] = hn::PromoteTo(Doubles(), hn::InterleaveUpper(eight, ac_low, bd_low));
  columns[2] = hn::PromoteTo(Doubles(), hn::InterleaveLower(eight, ac_high, bd_high));
  columns[3] = hn::PromoteTo(Doubles(), hn::InterleaveUpper(eight, ac_high, bd_high));
}
#else
template <class T>
inline constexpr int columns_at_once = hn::MaxLanes(Doubles()) == 4 ? 4 : 0;

HWY_INLINE V load_some(const double* from) { return hn::LoadU(Doubles(), from); }
HWY_INLINE V load_some(const float* from) {
  const hn::Rebind<float, Doubles> floats;
  return hn::PromoteTo(Doubles(), hn::LoadU(floats, from));
}

template <class T>
HWY_INLINE void read_columns(const T* const* rows, Index at, V* columns) {
  const Doubles tag;
  const V a = load_some(rows[0] + at), b = load_some(rows[1] + at);
  const V c = load_some(rows[2] + at), d = load_some(rows[3] + at);
  const V ab_even = hn::InterleaveLower(tag, a, b), ab_odd = hn::InterleaveUpper(tag, a, b);
  const V cd_even = hn::InterleaveLower(tag, c, d), cd_odd = hn::InterleaveUpper(tag, c, d);
  columns[0] = hn::ConcatLowerLower(tag, cd_even, ab_even);
  columns[1] = hn::ConcatLowerLower(tag, cd_odd, ab_odd);
  columns[2] = hn::ConcatUpperUpper(tag, cd_even, ab_even);
  columns[3] = hn::ConcatUpperUpper(tag, cd_odd, ab_odd);
}
#endif

/// Gathers columns that are contiguous in the view, a few at a time. Returns the number of columns
/// done.
template <class T>
HWY_INLINE Index gather_some(const RowPointers<T>& from, std::span<const Move> moves, double* panel,
                             double& odd) {
  constexpr std::size_t width = columns_at_once<T>;
  if constexpr (width == 0) return 0;
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  V columns[width + 1], sums[width + 1];
  for (std::size_t c = 0; c < width; ++c) sums[c] = hn::Zero(tag);
  std::size_t j = 0;
  for (; j + width <= moves.size() &&
         moves[j + width - 1].from == moves[j].from + static_cast<Index>(width) - 1;
       j += width) {
    for (Index lane = 0; lane < panel_rows; lane += n) {
      read_columns(from.rows + lane, moves[j].from, columns);
      for (std::size_t c = 0; c < width; ++c) {
        sums[c] = hn::MulAdd(columns[c], hn::Zero(tag), sums[c]);  // NaN if one is not finite
        hn::Store(columns[c], tag, panel + moves[j + c].to * panel_rows + lane);
      }
    }
  }
  for (std::size_t c = 0; c < width; ++c) odd += hn::GetLane(hn::SumOfLanes(tag, sums[c]));
  return static_cast<Index>(j);
}

template <class T>
bool Gather(const RowPointers<T>& from, std::span<const Move> moves, Index stride, double* panel) {
  double odd = 0;
  while (!moves.empty()) {
    const Index done = stride == 1 ? gather_some(from, moves, panel, odd) : 0;
    moves = moves.subspan(static_cast<std::size_t>(done));
    if (moves.empty()) break;
    odd += gather_column(from, moves.front().from * stride, panel + moves.front().to * panel_rows);
    moves = moves.subspan(1);
  }
  return odd == 0;
}

bool GatherDoubles(const RowPointers<double>& from, std::span<const Move> moves, Index stride,
                   double* panel) {
  return Gather(from, moves, stride, panel);
}

bool GatherFloats(const RowPointers<float>& from, std::span<const Move> moves, Index stride,
                  double* panel) {
  return Gather(from, moves, stride, panel);
}

}  // namespace genera::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>

namespace genera::kernel {
namespace {

GENERA_EXPORT(GatherDoubles);
GENERA_EXPORT(GatherFloats);

bool gather(const RowPointers<double>& from, std::span<const PanelLayout::Move> moves, Index stride,
            double* panel) {
  return GENERA_DISPATCH(GatherDoubles)(from, moves, stride, panel);
}

bool gather(const RowPointers<float>& from, std::span<const PanelLayout::Move> moves, Index stride,
            double* panel) {
  return GENERA_DISPATCH(GatherFloats)(from, moves, stride, panel);
}

void clear_unused(Index lanes, Index columns, double* panel) {
  for (Index j = 0; j < columns && lanes < panel_rows; ++j)
    std::fill(panel + j * panel_rows + lanes, panel + (j + 1) * panel_rows, 0.0);
}

}  // namespace

PanelLayout::PanelLayout(std::span<const Index> columns) {
  for (const Index from : columns) moves_.push_back({from, static_cast<Index>(moves_.size())});
  std::stable_sort(moves_.begin(), moves_.end(),
                   [](const Move& a, const Move& b) { return a.from < b.from; });
}

bool gather_panel(const MatrixView& view, const PanelLayout& layout, Index first, Index lanes,
                  double* panel) {
  Index rows[panel_rows];
  for (Index lane = 0; lane < lanes; ++lane) rows[lane] = first + lane;
  return gather_panel(view, layout, {rows, static_cast<std::size_t>(lanes)}, panel);
}

bool gather_panel(const MatrixView& view, const PanelLayout& layout, std::span<const Index> rows,
                  double* panel) {
  return view.visit([&]<class T>(const T* data) {
    RowPointers<T> from;
    for (std::size_t lane = 0; lane < panel_rows; ++lane)  // unused lanes repeat the last row
      from.rows[lane] = data + rows[std::min(lane, rows.size() - 1)] * view.strides().row;
    const bool finite = gather(from, layout.moves(), view.strides().column, panel);
    clear_unused(static_cast<Index>(rows.size()), layout.columns(), panel);
    return finite;
  });
}

}  // namespace genera::kernel
#endif
