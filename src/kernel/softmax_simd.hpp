#include "kernel/softmax.hpp"

#include "kernel/gather.hpp"

HWY_BEFORE_NAMESPACE();
namespace genera::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void Weigh(const double* probabilities, Index classes, const double* weights, double* out) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  for (Index at = 0; at < panel_rows; at += n) {
    const V w = hn::Load(tag, weights + at);
    for (Index i = at; i < classes * panel_rows; i += panel_rows)
      hn::Store(hn::Mul(w, hn::Load(tag, probabilities + i)), tag, out + i);
  }
}

void WeighAlong(const double* probabilities, const double* along, Index classes,
                const double* weights, double* out) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  for (Index at = 0; at < panel_rows; at += n) {
    V mean = hn::Zero(tag);
    for (Index i = at; i < classes * panel_rows; i += panel_rows)
      mean = hn::MulAdd(hn::Load(tag, probabilities + i), hn::Load(tag, along + i), mean);
    const V w = hn::Load(tag, weights + at);
    for (Index i = at; i < classes * panel_rows; i += panel_rows) {
      const V off = hn::Sub(hn::Load(tag, along + i), mean);
      hn::Store(hn::Mul(hn::Mul(w, hn::Load(tag, probabilities + i)), off), tag, out + i);
    }
  }
}

/// Three rows of left times four rows of right, over all panels.
HWY_INLINE void outer_tile(const PanelSpan& left, const PanelSpan& right, Index panels, Index i,
                           Index j, double* sums) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  const V zero = hn::Zero(tag);
  V a0 = zero, a1 = zero, a2 = zero, a3 = zero, b0 = zero, b1 = zero, b2 = zero, b3 = zero;
  V c0 = zero, c1 = zero, c2 = zero, c3 = zero;
  const double* x = left.data + i * panel_rows;
  const double* y = right.data + j * panel_rows;
  for (Index p = 0; p < panels; ++p, x += left.rows * panel_rows, y += right.rows * panel_rows) {
    for (Index at = 0; at < panel_rows; at += n) {
      const V x0 = hn::Load(tag, x + at);
      const V x1 = hn::Load(tag, x + panel_rows + at);
      const V x2 = hn::Load(tag, x + 2 * panel_rows + at);
      const V y0 = hn::Load(tag, y + at);
      a0 = hn::MulAdd(x0, y0, a0);
      b0 = hn::MulAdd(x1, y0, b0);
      c0 = hn::MulAdd(x2, y0, c0);
      const V y1 = hn::Load(tag, y + panel_rows + at);
      a1 = hn::MulAdd(x0, y1, a1);
      b1 = hn::MulAdd(x1, y1, b1);
      c1 = hn::MulAdd(x2, y1, c1);
      const V y2 = hn::Load(tag, y + 2 * panel_rows + at);
      a2 = hn::MulAdd(x0, y2, a2);
      b2 = hn::MulAdd(x1, y2, b2);
      c2 = hn::MulAdd(x2, y2, c2);
      const V y3 = hn::Load(tag, y + 3 * panel_rows + at);
      a3 = hn::MulAdd(x0, y3, a3);
      b3 = hn::MulAdd(x1, y3, b3);
      c3 = hn::MulAdd(x2, y3, c3);
    }
  }
  const auto add = [&](Index row, Index column, V value) HWY_ATTR {
    double* at = sums + ((i + row) * right.rows + j + column) * sum_lanes;
    hn::Store(hn::Add(hn::Load(tag, at), value), tag, at);
  };
  add(0, 0, a0), add(0, 1, a1), add(0, 2, a2), add(0, 3, a3);
  add(1, 0, b0), add(1, 1, b1), add(1, 2, b2), add(1, 3, b3);
  add(2, 0, c0), add(2, 1, c1), add(2, 2, c2), add(2, 3, c3);
}

void AddOuterProducts(const PanelSpan& left, const PanelSpan& right, Index panels, double* sums) {
  for (Index j = 0; j < right.rows; j += right_tile) {  // its strip stays in the nearest cache
    for (Index i = 0; i < left.rows; i += left_tile) outer_tile(left, right, panels, i, j, sums);
  }
}

}  // namespace genera::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace genera::kernel {

GENERA_EXPORT(Weigh);
GENERA_EXPORT(WeighAlong);
GENERA_EXPORT(AddOuterProducts);

void weigh(const double* probabilities, Index classes, const double* weights, double* out) {
  GENERA_DISPATCH(Weigh)(probabilities, classes, weights, out);
}

void weigh_along(const double* probabilities, const double* along, Index classes,
                 const double* weights, double* out) {
  GENERA_DISPATCH(WeighAlong)(probabilities, along, classes, weights, out);
}

void add_outer_products(const PanelSpan& left, const PanelSpan& right, Index panels, double* sums) {
  GENERA_DISPATCH(AddOuterProducts)(left, right, panels, sums);
}

}  // namespace genera::kernel
#endif
