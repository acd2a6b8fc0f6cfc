#include <algorithm>
#include <cmath>

#include "kernel/kernel_sums.hpp"

#include "kernel/gather.hpp"

HWY_BEFORE_NAMESPACE();
namespace genera::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr Index points_of_a_block = 64;

/// The squared distances of `count` points, for two vectors of rows: written to
/// distances[p * 16 + ...]. If `relative`, less the square of the row.
template <int count, bool relative>
HWY_INLINE void distances_of(const Points& points, Index first, const double* x,
                             double* HWY_RESTRICT distances) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  const double* point = points.data + first * points.columns;
  V a[count], b[count];
  for (int p = 0; p < count; ++p) a[p] = b[p] = hn::Zero(tag);
  for (Index j = 0; j < points.columns; ++j, x += panel_rows) {
    const V x0 = hn::Load(tag, x), x1 = hn::Load(tag, x + n);
    for (int p = 0; p < count; ++p) {
      const V value = hn::Set(tag, point[p * points.columns + j]);
      if constexpr (relative) {
        const V minus_two = hn::Set(tag, -2);
        a[p] = hn::MulAdd(value, hn::MulAdd(minus_two, x0, value), a[p]);
        b[p] = hn::MulAdd(value, hn::MulAdd(minus_two, x1, value), b[p]);
      } else {
        const V u = hn::Sub(x0, value), v = hn::Sub(x1, value);
        a[p] = hn::MulAdd(u, u, a[p]);
        b[p] = hn::MulAdd(v, v, b[p]);
      }
    }
  }
  for (int p = 0; p < count; ++p) {
    hn::Store(a[p], tag, distances + p * panel_rows);
    hn::Store(b[p], tag, distances + p * panel_rows + n);
  }
}

HWY_INLINE V exp_below(V x) {
  const Doubles tag;
  constexpr double lowest = -700;
  return hn::Exp(tag, hn::Max(x, hn::Set(tag, lowest)));
}

/// Adds the terms of a block for one vector of rows; `scores` become log weight - D^2 / 2.
HWY_INLINE void add_block(const KernelPoints& all, Index first, Index count,
                          const ReplacedWeights* replaced, Index lane, double* HWY_RESTRICT scores,
                          double* largest, double* sums, double* nearest) {
  const Doubles tag;
  constexpr double negligible = -40;
  V top = hn::Load(tag, largest + lane), near = hn::Load(tag, nearest + lane);
  const V before = top, half = hn::Set(tag, -0.5);
  for (Index p = 0; p < count; ++p) {
    double* at = scores + p * panel_rows + lane;
    const V square = hn::Load(tag, at);
    V weight = hn::Set(tag, all.log_weights[first + p]);
    if (replaced)
      weight = hn::IfThenElse(hn::Eq(hn::LoadU(tag, replaced->point + lane),
                                     hn::Set(tag, static_cast<double>(first + p))),
                              hn::LoadU(tag, replaced->log_weight + lane), weight);
    near = hn::Min(near, square);
    const V score = hn::MulAdd(half, square, weight);
    top = hn::Max(top, score);
    hn::Store(score, tag, at);
  }
  V sum = hn::Mul(hn::Load(tag, sums + lane), exp_below(hn::Sub(before, top)));
  for (Index p = 0; p < count; ++p) {
    const V below = hn::Sub(hn::Load(tag, scores + p * panel_rows + lane), top);
    const auto counts = hn::Gt(below, hn::Set(tag, negligible));
    if (hn::AllFalse(tag, counts)) continue;
    sum = hn::Add(sum, hn::IfThenElseZero(counts, exp_below(below)));
  }
  hn::Store(top, tag, largest + lane);
  hn::Store(near, tag, nearest + lane);
  hn::Store(sum, tag, sums + lane);
}

template <bool relative>
HWY_INLINE void add_up(const KernelPoints& all, const double* panel,
                       const ReplacedWeights* replaced, double* log_sums, double* nearest) {
  const Index n = static_cast<Index>(hn::Lanes(Doubles()));
  alignas(64) double scores[points_of_a_block * panel_rows], sums[panel_rows] = {};
  constexpr double none = -1e308;
  std::fill_n(log_sums, panel_rows, none);
  std::fill_n(nearest, panel_rows, HUGE_VAL);
  for (Index first = 0; first < all.points.count; first += points_of_a_block) {
    const Index count = std::min(points_of_a_block, all.points.count - first);
    for (Index at = 0; at < panel_rows; at += 2 * n) {
      Index p = 0;
      for (; p + 4 <= count; p += 4)
        distances_of<4, relative>(all.points, first + p, panel + at, scores + p * panel_rows + at);
      for (; p < count; ++p)
        distances_of<1, relative>(all.points, first + p, panel + at, scores + p * panel_rows + at);
    }
    for (Index lane = 0; lane < panel_rows; lane += n)
      add_block(all, first, count, replaced, lane, scores, log_sums, sums, nearest);
  }
  for (Index lane = 0; lane < panel_rows; ++lane) log_sums[lane] += std::log(sums[lane]);
}

void AddUpKernels(const KernelPoints& all, const double* panel, const ReplacedWeights* replaced,
                  double* log_sums, double* nearest) {
  add_up<false>(all, panel, replaced, log_sums, nearest);
}
void AddUpRelative(const KernelPoints& all, const double* panel, double* log_sums,
                   double* differences) {
  add_up<true>(all, panel, nullptr, log_sums, differences);
}

}  // namespace genera::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace genera::kernel {
namespace {
GENERA_EXPORT(AddUpKernels);
GENERA_EXPORT(AddUpRelative);
}  // namespace

void add_up_kernels(const KernelPoints& points, const double* panel,
                    const ReplacedWeights* replaced, double* log_sums, double* nearest) {
  GENERA_DISPATCH(AddUpKernels)(points, panel, replaced, log_sums, nearest);
}

void add_up_relative(const KernelPoints& points, const double* panel, double* log_sums) {
  alignas(64) double differences[panel_rows];
  GENERA_DISPATCH(AddUpRelative)(points, panel, log_sums, differences);
}

}  // namespace genera::kernel
#endif
