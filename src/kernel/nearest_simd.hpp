#include "kernel/nearest.hpp"

#include "kernel/gather.hpp"

HWY_BEFORE_NAMESPACE();
namespace genera::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// A few points at a time, and two vectors of rows.
template <int count>
HWY_INLINE void nearest_of(const Points& points, Index first, const double* x, double* squares,
                           double* place) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  const double* point = points.data + first * points.columns;
  V a[count], b[count];
  for (int p = 0; p < count; ++p) a[p] = b[p] = hn::Zero(tag);
  for (Index j = 0; j < points.columns; ++j, x += panel_rows) {
    const V x0 = hn::Load(tag, x), x1 = hn::Load(tag, x + n);
    for (int p = 0; p < count; ++p) {
      const V value = hn::Set(tag, point[p * points.columns + j]);
      const V u = hn::Sub(x0, value), v = hn::Sub(x1, value);
      a[p] = hn::MulAdd(u, u, a[p]);
      b[p] = hn::MulAdd(v, v, b[p]);
    }
  }
  const auto keep = [&](const V* found, Index at) HWY_ATTR {
    V min = hn::Load(tag, squares + at), whose = hn::Load(tag, place + at);
    for (int p = 0; p < count; ++p) {
      const auto nearer = hn::Lt(found[p], min);
      min = hn::IfThenElse(nearer, found[p], min);
      whose = hn::IfThenElse(nearer, hn::Set(tag, static_cast<double>(first + p)), whose);
    }
    hn::Store(min, tag, squares + at);
    hn::Store(whose, tag, place + at);
  };
  keep(a, 0);
  keep(b, n);
}

void FindNearest(const Points& points, const double* panel, double* squares, double* place) {
  const Index n = static_cast<Index>(hn::Lanes(Doubles()));
  for (Index at = 0; at < panel_rows; at += 2 * n) {
    Index p = 0;
    for (; p + 4 <= points.count; p += 4)
      nearest_of<4>(points, p, panel + at, squares + at, place + at);
    for (; p < points.count; ++p) nearest_of<1>(points, p, panel + at, squares + at, place + at);
  }
}

}  // namespace genera::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace genera::kernel {
namespace {
GENERA_EXPORT(FindNearest);
}  // namespace

void find_nearest(const Points& points, const double* panel, double* squares, double* place) {
  GENERA_DISPATCH(FindNearest)(points, panel, squares, place);
}

}  // namespace genera::kernel
#endif
