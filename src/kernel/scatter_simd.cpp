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

/// Sums over the rows of three vectors of columns, even and odd rows apart: six independent chains
/// hide the latency of an addition. `term` maps a vector, its offset and its weight to a summand.
template <class Term>
HWY_INLINE void sum_rows(const RowPanel& panel, const double* weights, double* sums, Term term) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  for (Index j = 0; j < panel.columns; j += 3 * n) {
    V a0 = hn::Load(tag, sums + j), a1 = hn::Load(tag, sums + j + n),
      a2 = hn::Load(tag, sums + j + 2 * n);
    V b0 = hn::Zero(tag), b1 = b0, b2 = b0;
    double* x = panel.data + j;
    Index r = 0;
    for (; r + 1 < panel.rows; r += 2, x += 2 * panel.stride) {
      const V u = weight_of(weights, r), v = weight_of(weights, r + 1);
      a0 = term(x, j, u, a0);
      a1 = term(x + n, j + n, u, a1);
      a2 = term(x + 2 * n, j + 2 * n, u, a2);
      b0 = term(x + panel.stride, j, v, b0);
      b1 = term(x + panel.stride + n, j + n, v, b1);
      b2 = term(x + panel.stride + 2 * n, j + 2 * n, v, b2);
    }
    if (r < panel.rows) {
      const V u = weight_of(weights, r);
      a0 = term(x, j, u, a0);
      a1 = term(x + n, j + n, u, a1);
      a2 = term(x + 2 * n, j + 2 * n, u, a2);
    }
    hn::Store(hn::Add(a0, b0), tag, sums + j);
    hn::Store(hn::Add(a1, b1), tag, sums + j + n);
    hn::Store(hn::Add(a2, b2), tag, sums + j + 2 * n);
  }
}

void AddSums(const RowPanel& panel, const double* weights, double* sums) {
  const Doubles tag;
  sum_rows(panel, weights, sums, [&](const double* x, Index, V w, V sum) HWY_ATTR {
    return hn::MulAdd(w, hn::Load(tag, x), sum);
  });
}

void CentreRows(const RowPanel& panel, const double* mean, const double* weights,
                double* residuals) {
  const Doubles tag;
  sum_rows(panel, weights, residuals, [&](double* x, Index j, V w, V sum) HWY_ATTR {
    const V z = hn::Sub(hn::Load(tag, x), hn::Load(tag, mean + j));
    hn::Store(z, tag, x);
    return hn::MulAdd(w, z, sum);
  });
}

void AddCentredSquares(const RowPanel& panel, const double* mean, const double* weights,
                       double* squares) {
  const Doubles tag;
  sum_rows(panel, weights, squares, [&](const double* x, Index j, V w, V sum) HWY_ATTR {
    const V z = hn::Sub(hn::Load(tag, x), hn::Load(tag, mean + j));
    return hn::MulAdd(hn::Mul(w, z), z, sum);
  });
}

void AddCentred(const RowPanel& panel, const double* mean, const double* weights, double* sums) {
  const Doubles tag;
  sum_rows(panel, weights, sums, [&](const double* x, Index j, V w, V sum) HWY_ATTR {
    return hn::MulAdd(w, hn::Sub(hn::Load(tag, x), hn::Load(tag, mean + j)), sum);
  });
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

HWY_EXPORT(AddSums);
HWY_EXPORT(CentreRows);
HWY_EXPORT(AddCentred);
HWY_EXPORT(AddCentredSquares);
HWY_EXPORT(AddProducts);

void add_sums(const RowPanel& panel, const double* weights, double* sums) {
  HWY_DYNAMIC_DISPATCH(AddSums)(panel, weights, sums);
}

void centre_rows(const RowPanel& panel, const double* mean, const double* weights,
                 double* residuals) {
  HWY_DYNAMIC_DISPATCH(CentreRows)(panel, mean, weights, residuals);
}

void add_centred(const RowPanel& panel, const double* mean, const double* weights, double* sums) {
  HWY_DYNAMIC_DISPATCH(AddCentred)(panel, mean, weights, sums);
}

void add_centred_squares(const RowPanel& panel, const double* mean, const double* weights,
                         double* squares) {
  HWY_DYNAMIC_DISPATCH(AddCentredSquares)(panel, mean, weights, squares);
}

void add_products(const RowPanel& panel, double* scatter) {
  HWY_DYNAMIC_DISPATCH(AddProducts)(panel, scatter);
}

}  // namespace genera::kernel
#endif
