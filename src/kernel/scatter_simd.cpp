#include "kernel/scatter.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/scatter_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace genera::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, 8>;
using V = hn::Vec<Doubles>;

HWY_INLINE V weight_of(const double* weights, Index r) {
  return hn::Set(Doubles(), weights ? weights[r] : 1.0);
}

void ColumnSums(const RowPanel& panel, const double* weights, double* sums) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  for (Index j = 0; j < panel.columns; j += n) {
    V sum = hn::Zero(tag);
    const double* x = panel.data + j;
    for (Index r = 0; r < panel.rows; ++r, x += panel.stride)
      sum = hn::MulAdd(weight_of(weights, r), hn::Load(tag, x), sum);
    hn::Store(sum, tag, sums + j);
  }
}

void CentreRows(const RowPanel& panel, const double* mean, const double* weights,
                double* residuals) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  for (Index j = 0; j < panel.columns; j += n) {
    const V m = hn::Load(tag, mean + j);
    V sum = hn::Zero(tag);
    double* x = panel.data + j;
    for (Index r = 0; r < panel.rows; ++r, x += panel.stride) {
      const V z = hn::Sub(hn::Load(tag, x), m);
      hn::Store(z, tag, x);
      sum = hn::MulAdd(weight_of(weights, r), z, sum);
    }
    hn::Store(sum, tag, residuals + j);
  }
}

void AddSquares(const RowPanel& panel, const double* weights, double* squares) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  for (Index j = 0; j < panel.columns; j += n) {
    V sum = hn::Load(tag, squares + j);
    const double* x = panel.data + j;
    for (Index r = 0; r < panel.rows; ++r, x += panel.stride) {
      const V z = hn::Load(tag, x);
      sum = hn::MulAdd(hn::Mul(weight_of(weights, r), z), z, sum);
    }
    hn::Store(sum, tag, squares + j);
  }
}

/// Four rows and three vectors of columns of the scatter, over all rows of the panel.
HWY_INLINE void add_tile(const RowPanel& panel, Index i, Index j, double* scatter) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  const V zero = hn::Zero(tag);
  V a0 = zero, a1 = zero, a2 = zero, b0 = zero, b1 = zero, b2 = zero;
  V c0 = zero, c1 = zero, c2 = zero, d0 = zero, d1 = zero, d2 = zero;
  const double* left = panel.data + i;
  const double* right = panel.data + j;
  for (Index r = 0; r < panel.rows; ++r, left += panel.stride, right += panel.stride) {
    const V x0 = hn::Load(tag, right);
    const V x1 = hn::Load(tag, right + n);
    const V x2 = hn::Load(tag, right + 2 * n);
    const V a = hn::Set(tag, left[0]);
    a0 = hn::MulAdd(a, x0, a0);
    a1 = hn::MulAdd(a, x1, a1);
    a2 = hn::MulAdd(a, x2, a2);
    const V b = hn::Set(tag, left[1]);
    b0 = hn::MulAdd(b, x0, b0);
    b1 = hn::MulAdd(b, x1, b1);
    b2 = hn::MulAdd(b, x2, b2);
    const V c = hn::Set(tag, left[2]);
    c0 = hn::MulAdd(c, x0, c0);
    c1 = hn::MulAdd(c, x1, c1);
    c2 = hn::MulAdd(c, x2, c2);
    const V d = hn::Set(tag, left[3]);
    d0 = hn::MulAdd(d, x0, d0);
    d1 = hn::MulAdd(d, x1, d1);
    d2 = hn::MulAdd(d, x2, d2);
  }
  const auto add = [&](Index row, Index column, V value) HWY_ATTR {
    double* at = scatter + row * panel.stride + column;
    hn::Store(hn::Add(hn::Load(tag, at), value), tag, at);
  };
  add(i, j, a0), add(i, j + n, a1), add(i, j + 2 * n, a2);
  add(i + 1, j, b0), add(i + 1, j + n, b1), add(i + 1, j + 2 * n, b2);
  add(i + 2, j, c0), add(i + 2, j + n, c1), add(i + 2, j + 2 * n, c2);
  add(i + 3, j, d0), add(i + 3, j + n, d1), add(i + 3, j + 2 * n, d2);
}

void AddProducts(const RowPanel& panel, double* scatter) {
  const Index d = panel.columns;
  const Index n = static_cast<Index>(hn::Lanes(Doubles()));
  const Index width = 3 * n;
  for (Index j = 0; j < d; j += width) {  // the strip of columns stays in the first-level cache
    for (Index i = j / 4 * 4; i < d; i += 4) add_tile(panel, i, j, scatter);
  }
}

}  // namespace genera::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace genera::kernel {

HWY_EXPORT(ColumnSums);
HWY_EXPORT(CentreRows);
HWY_EXPORT(AddSquares);
HWY_EXPORT(AddProducts);

void column_sums(const RowPanel& panel, const double* weights, double* sums) {
  HWY_DYNAMIC_DISPATCH(ColumnSums)(panel, weights, sums);
}

void centre_rows(const RowPanel& panel, const double* mean, const double* weights,
                 double* residuals) {
  HWY_DYNAMIC_DISPATCH(CentreRows)(panel, mean, weights, residuals);
}

void add_squares(const RowPanel& panel, const double* weights, double* squares) {
  HWY_DYNAMIC_DISPATCH(AddSquares)(panel, weights, squares);
}

void add_products(const RowPanel& panel, double* scatter) {
  HWY_DYNAMIC_DISPATCH(AddProducts)(panel, scatter);
}

}  // namespace genera::kernel
#endif
