#include "kernel/gather.hpp"

#ifndef GENERA_KERNEL_GATHER_ONCE
#define GENERA_KERNEL_GATHER_ONCE
namespace genera::kernel {

/// The rows of a panel, by the address of their first number; all sixteen are readable.
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

/// One column; the result is 0, or NaN if a number is infinite or missing.
template <class T>
HWY_INLINE double gather_column(const RowPointers<T>& from, Index at, double* out) {
  double odd = 0;
  for (Index lane = 0; lane < panel_rows; ++lane) {
    out[lane] = static_cast<double>(from.rows[lane][at]);
    odd += out[lane] - out[lane];
  }
  return odd;
}

/// As many columns as lie side by side in the view, a few at a time. Returns how many were done.
#if HWY_TARGET == HWY_SCALAR
template <class T>
HWY_INLINE Index gather_some(const RowPointers<T>&, std::span<const Move>, double*, double&) {
  return 0;
}
#elif HWY_TARGET <= HWY_AVX3
HWY_INLINE V as_doubles(V numbers) { return numbers; }
HWY_INLINE V as_doubles(hn::Vec<hn::FixedTag<float, 8> > numbers) {
  return hn::PromoteTo(Doubles(), numbers);
}

/// Two columns of rows 0, 2, 4 and 6 from the first on.
template <class T>
HWY_INLINE V load_pairs(const T* const* rows, Index at) {
  const hn::FixedTag<T, 2> two;
  const hn::FixedTag<T, 4> four;
  const hn::FixedTag<T, 8> eight;
  const auto pair = [&](int row) HWY_ATTR { return hn::LoadU(two, rows[row] + at); };
  return as_doubles(
      hn::Combine(eight, hn::Combine(four, pair(6), pair(4)), hn::Combine(four, pair(2), pair(0))));
}

/// Two columns and eight rows at a time: most of what brings them into order is loading.
template <class T>
HWY_INLINE Index gather_some(const RowPointers<T>& from, std::span<const Move> moves, double* panel,
                             double& odd) {
  const Doubles tag;
  V first_sum = hn::Zero(tag), second_sum = hn::Zero(tag);
  std::size_t j = 0;
  for (; j + 2 <= moves.size() && moves[j + 1].from == moves[j].from + 1; j += 2) {
    double* first = panel + moves[j].to * panel_rows;
    double* second = panel + moves[j + 1].to * panel_rows;
    for (Index lane = 0; lane < panel_rows; lane += 8) {
      const V even = load_pairs(from.rows + lane, moves[j].from);
      const V uneven = load_pairs(from.rows + lane + 1, moves[j].from);
      first_sum = hn::MulAdd(even, hn::Zero(tag), first_sum);  // NaN if one is not finite
      second_sum = hn::MulAdd(uneven, hn::Zero(tag), second_sum);
      hn::Store(hn::InterleaveLower(tag, even, uneven), tag, first + lane);
      hn::Store(hn::InterleaveUpper(tag, even, uneven), tag, second + lane);
    }
  }
  odd += hn::GetLane(hn::SumOfLanes(tag, hn::Add(first_sum, second_sum)));
  return static_cast<Index>(j);
}
#else
using Four = hn::CappedTag<double, 4>;
using FourDoubles = hn::Vec<Four>;

HWY_INLINE FourDoubles load_four(const double* from) { return hn::LoadU(Four(), from); }
HWY_INLINE FourDoubles load_four(const float* from) {
  const hn::Rebind<float, Four> floats;
  return hn::PromoteTo(Four(), hn::LoadU(floats, from));
}

/// Adds 0 for numbers, and NaN for what is none.
HWY_INLINE FourDoubles add_odd(FourDoubles x, FourDoubles sum) {
  return hn::MulAdd(x, hn::Zero(Four()), sum);
}

/// Four columns and rows at a time.
template <class T>
HWY_INLINE Index gather_some(const RowPointers<T>& from, std::span<const Move> moves, double* panel,
                             double& odd) {
  const Four tag;
  if (hn::Lanes(tag) != 4) return 0;
  FourDoubles sums[4] = {hn::Zero(tag), hn::Zero(tag), hn::Zero(tag), hn::Zero(tag)};
  std::size_t j = 0;
  for (; j + 4 <= moves.size() && moves[j + 3].from == moves[j].from + 3; j += 4) {
    for (Index lane = 0; lane < panel_rows; lane += 4) {
      const T* const* rows = from.rows + lane;
      const Index at = moves[j].from;
      const FourDoubles a = load_four(rows[0] + at), b = load_four(rows[1] + at);
      const FourDoubles c = load_four(rows[2] + at), d = load_four(rows[3] + at);
      const FourDoubles ab_even = hn::InterleaveLower(tag, a, b),
                        ab_odd = hn::InterleaveUpper(tag, a, b);
      const FourDoubles cd_even = hn::InterleaveLower(tag, c, d),
                        cd_odd = hn::InterleaveUpper(tag, c, d);
      sums[0] = add_odd(a, sums[0]);
      sums[1] = add_odd(b, sums[1]);
      sums[2] = add_odd(c, sums[2]);
      sums[3] = add_odd(d, sums[3]);
      double* out = panel + lane;
      hn::Store(hn::ConcatLowerLower(tag, cd_even, ab_even), tag, out + moves[j].to * panel_rows);
      hn::Store(hn::ConcatLowerLower(tag, cd_odd, ab_odd), tag, out + moves[j + 1].to * panel_rows);
      hn::Store(hn::ConcatUpperUpper(tag, cd_even, ab_even), tag,
                out + moves[j + 2].to * panel_rows);
      hn::Store(hn::ConcatUpperUpper(tag, cd_odd, ab_odd), tag, out + moves[j + 3].to * panel_rows);
    }
  }
  odd += hn::GetLane(
      hn::SumOfLanes(tag, hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]))));
  return static_cast<Index>(j);
}
#endif

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
