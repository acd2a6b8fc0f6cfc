#include "kernel/bytes.hpp"
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

#if HWY_TARGET == HWY_SCALAR
template <class T>
HWY_INLINE Index gather_fours(const RowPointers<T>&, std::span<const Move>, double*, double&) {
  return 0;
}
#else
using Four = hn::CappedTag<double, 4>;
using FourDoubles = hn::Vec<Four>;

HWY_INLINE FourDoubles load_four(const double* from) { return hn::LoadU(Four(), from); }
HWY_INLINE FourDoubles load_four(const float* from) {
  const hn::Rebind<float, Four> floats;
  return hn::PromoteTo(Four(), hn::LoadU(floats, from));
}

HWY_INLINE FourDoubles odd_ones(FourDoubles x) { return hn::Sub(x, x); }

/// As many groups of four columns as lie side by side in the view, four rows at a time. Returns the
/// number of columns done.
template <class T>
HWY_INLINE Index gather_fours(const RowPointers<T>& from, std::span<const Move> moves,
                              double* panel, double& odd) {
  const Four tag;
  if (hn::Lanes(tag) != 4) return 0;
  FourDoubles sum = hn::Zero(tag);
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
      sum = hn::Add(sum,
                    hn::Add(hn::Add(odd_ones(a), odd_ones(b)), hn::Add(odd_ones(c), odd_ones(d))));
      double* out = panel + lane;
      hn::Store(hn::ConcatLowerLower(tag, cd_even, ab_even), tag, out + moves[j].to * panel_rows);
      hn::Store(hn::ConcatLowerLower(tag, cd_odd, ab_odd), tag, out + moves[j + 1].to * panel_rows);
      hn::Store(hn::ConcatUpperUpper(tag, cd_even, ab_even), tag,
                out + moves[j + 2].to * panel_rows);
      hn::Store(hn::ConcatUpperUpper(tag, cd_odd, ab_odd), tag, out + moves[j + 3].to * panel_rows);
    }
  }
  odd += hn::GetLane(hn::SumOfLanes(tag, sum));
  return static_cast<Index>(j);
}
#endif

template <class T>
bool Gather(const RowPointers<T>& from, std::span<const Move> moves, Index stride, double* panel) {
  double odd = 0;
  while (!moves.empty()) {
    const Index done = stride == 1 ? gather_fours(from, moves, panel, odd) : 0;
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

/// The rows of the next panel: sixteen streams are more than the memory expects by itself.
template <class T>
void prefetch_rows(const T* data, const MatrixView& view, Index first) {
  constexpr Index per_line = 64 / static_cast<Index>(sizeof(T));
  if (view.strides().column != 1) return;
  for (Index i = first; i < std::min(view.rows(), first + panel_rows); ++i) {
    const T* row = data + i * view.strides().row;
    for (Index j = 0; j < view.columns(); j += per_line) prefetch(row + j);
  }
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
  view.visit([&](const auto* data) { prefetch_rows(data, view, first + lanes); });
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
