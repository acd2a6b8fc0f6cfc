#include "kernel/substitution.hpp"

#include "kernel/gather.hpp"

HWY_BEFORE_NAMESPACE();
namespace genera::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Independent sums of a few rows at a time.
template <int rows>
HWY_INLINE void substitute_rows(const double* lower, Index stride, Index first, double* panel) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  V low[rows], high[rows];
  double* const to = panel + first * panel_rows;
  for (int r = 0; r < rows; ++r) {
    low[r] = hn::Load(tag, to + r * panel_rows);
    high[r] = hn::Load(tag, to + r * panel_rows + n);
  }
  const double* z = panel;
  for (Index t = 0; t < first; ++t, z += panel_rows) {
    const V z_low = hn::Load(tag, z), z_high = hn::Load(tag, z + n);
    for (int r = 0; r < rows; ++r) {
      const V entry = hn::Set(tag, lower[(first + r) * stride + t]);
      low[r] = hn::Add(low[r], hn::Mul(entry, z_low));
      high[r] = hn::Add(high[r], hn::Mul(entry, z_high));
    }
  }
  for (int r = 0; r < rows; ++r) {
    const double* row = lower + (first + r) * stride + first;
    for (int t = 0; t < r; ++t) {  // solved in this tile
      const V entry = hn::Set(tag, row[t]);
      low[r] = hn::Add(low[r], hn::Mul(entry, low[t]));
      high[r] = hn::Add(high[r], hn::Mul(entry, high[t]));
    }
    const V scale = hn::Set(tag, -1 / row[r]);
    low[r] = hn::Mul(low[r], scale);
    high[r] = hn::Mul(high[r], scale);
    hn::Store(low[r], tag, to + r * panel_rows);
    hn::Store(high[r], tag, to + r * panel_rows + n);
  }
}

void Substitute(const double* lower, Index stride, Index count, double* panel) {
  constexpr Index step = 4;
  const Index n = static_cast<Index>(hn::Lanes(Doubles()));
  for (Index at = 0; at < panel_rows; at += 2 * n) {
    Index i = 0;
    for (; i + step <= count; i += step) substitute_rows<step>(lower, stride, i, panel + at);
    for (; i < count; ++i) substitute_rows<1>(lower, stride, i, panel + at);
  }
}

}  // namespace genera::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace genera::kernel {

GENERA_EXPORT(Substitute);

void substitute(const double* lower, Index stride, Index count, double* panel) {
  GENERA_DISPATCH(Substitute)(lower, stride, count, panel);
}

}  // namespace genera::kernel
#endif
