#include "kernel/scatter.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "kernel/bytes.hpp"

HWY_BEFORE_NAMESPACE();
namespace genera::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE V weight_of(const double* weights, Index r) {
  return hn::Set(Doubles(), weights ? weights[r] : 1.0);
}

/// Asks for the rows that are read next, a line at a time, evenly over so many steps.
class AskingForRows {
 public:
  HWY_INLINE AskingForRows(const RowsAhead& ahead, Index steps)
      : row_(ahead.rows.data()), end_(row_ + ahead.rows.size()), bytes_(ahead.bytes) {
    const Index lines = static_cast<Index>(ahead.rows.size()) * ((bytes_ + line - 1) / line);
    if (lines == 0) return;
    every_ = std::max<Index>(1, steps / lines);
    lines_ = (lines + steps - 1) / steps;
  }
  HWY_INLINE void step() {
    if (--left_ > 0) return;
    left_ = every_;
    for (Index i = 0; i < lines_ && row_ != end_; ++i) {
      prefetch(*row_ + at_);
      at_ += line;
      if (at_ < bytes_) continue;
      at_ = 0;
      ++row_;
    }
  }

 private:
  static constexpr Index line = 64;
  const char* const* row_;
  const char* const* end_;
  Index bytes_;
  Index at_ = 0;
  Index every_ = std::numeric_limits<Index>::max(), left_ = 1;  // steps
  Index lines_ = 0;                                             // at once
};

/// Sums over the rows of a few vectors of columns, from column j on; even and odd rows apart, so
/// that independent chains hide the latency of an addition.
template <int vectors>
HWY_INLINE void sum_strip(const RowPanel& panel, const double* weights, Index j, double* sums) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  V even[vectors], odd[vectors];
  for (int v = 0; v < vectors; ++v) {
    even[v] = hn::Load(tag, sums + j + v * n);
    odd[v] = hn::Zero(tag);
  }
  const double* x = panel.data + j;
  Index r = 0;
  for (; r + 1 < panel.rows; r += 2, x += 2 * panel.stride) {
    const V u = weight_of(weights, r), w = weight_of(weights, r + 1);
    for (int v = 0; v < vectors; ++v) {
      even[v] = hn::MulAdd(u, hn::Load(tag, x + v * n), even[v]);
      odd[v] = hn::MulAdd(w, hn::Load(tag, x + panel.stride + v * n), odd[v]);
    }
  }
  if (r < panel.rows) {
    const V u = weight_of(weights, r);
    for (int v = 0; v < vectors; ++v) even[v] = hn::MulAdd(u, hn::Load(tag, x + v * n), even[v]);
  }
  for (int v = 0; v < vectors; ++v) hn::Store(hn::Add(even[v], odd[v]), tag, sums + j + v * n);
}

/// Sums of deviations and of their squares.
template <int vectors>
struct Deviations {
  V sums[vectors], squares[vectors];

  /// One row; `store` writes the deviations in place of the numbers.
  template <bool store>
  HWY_INLINE void add(double* x, const V* mean, V weight) {
    const Doubles tag;
    const Index n = static_cast<Index>(hn::Lanes(tag));
    for (int v = 0; v < vectors; ++v) {
      const V z = hn::Sub(hn::Load(tag, x + v * n), mean[v]);
      if constexpr (store) hn::Store(z, tag, x + v * n);
      sums[v] = hn::MulAdd(weight, z, sums[v]);
      squares[v] = hn::MulAdd(hn::Mul(weight, z), z, squares[v]);
    }
  }
};

template <int vectors, bool store>
HWY_INLINE void deviations_strip(const RowPanel& panel, const Centring& centring, Index j) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  V mean[vectors];
  Deviations<vectors> even, odd;
  for (int v = 0; v < vectors; ++v) {
    mean[v] = hn::Load(tag, centring.mean + j + v * n);
    even.sums[v] = hn::Load(tag, centring.residuals + j + v * n);
    even.squares[v] = hn::Load(tag, centring.squares + j + v * n);
    odd.sums[v] = odd.squares[v] = hn::Zero(tag);
  }
  double* x = panel.data + j;
  Index r = 0;
  for (; r + 1 < panel.rows; r += 2, x += 2 * panel.stride) {
    even.template add<store>(x, mean, weight_of(centring.weights, r));
    odd.template add<store>(x + panel.stride, mean, weight_of(centring.weights, r + 1));
  }
  if (r < panel.rows) even.template add<store>(x, mean, weight_of(centring.weights, r));
  for (int v = 0; v < vectors; ++v) {
    hn::Store(hn::Add(even.sums[v], odd.sums[v]), tag, centring.residuals + j + v * n);
    hn::Store(hn::Add(even.squares[v], odd.squares[v]), tag, centring.squares + j + v * n);
  }
}

/// Calls `strip` with three vectors of columns at a time, then with the one or two that are left.
template <class Strip>
HWY_INLINE void each_strip(Index columns, Strip strip) {
  const Index n = static_cast<Index>(hn::Lanes(Doubles()));
  for (Index j = 0; j < columns; j += 3 * n) {
    if (columns - j > 2 * n)
      strip(std::integral_constant<int, 3>(), j);
    else if (columns - j > n)
      strip(std::integral_constant<int, 2>(), j);
    else
      strip(std::integral_constant<int, 1>(), j);
  }
}

void AddSums(const RowPanel& panel, const double* weights, double* sums) {
  each_strip(panel.columns,
             [&](auto vectors, Index j) HWY_ATTR { sum_strip<vectors>(panel, weights, j, sums); });
}

void AddDeviations(const RowPanel& panel, const Centring& centring) {
  each_strip(panel.columns, [&](auto vectors, Index j)
                                HWY_ATTR { deviations_strip<vectors, false>(panel, centring, j); });
}

void CentreRows(const RowPanel& panel, const Centring& centring) {
  each_strip(panel.columns, [&](auto vectors, Index j)
                                HWY_ATTR { deviations_strip<vectors, true>(panel, centring, j); });
}

/// Four rows and a few vectors of columns of the scatter, over all rows of the panel.
template <int vectors>
HWY_INLINE void add_tile(const RowPanel& panel, Index i, Index j, double* scatter,
                         AskingForRows& asking) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  V a[vectors], b[vectors], c[vectors], d[vectors];
  for (int v = 0; v < vectors; ++v) a[v] = b[v] = c[v] = d[v] = hn::Zero(tag);
  const double* left = panel.data + i;
  const double* right = panel.data + j;
  for (Index r = 0; r < panel.rows; ++r, left += panel.stride, right += panel.stride) {
    asking.step();
    for (int v = 0; v < vectors; ++v) {
      const V x = hn::Load(tag, right + v * n);
      a[v] = hn::MulAdd(hn::Set(tag, left[0]), x, a[v]);
      b[v] = hn::MulAdd(hn::Set(tag, left[1]), x, b[v]);
      c[v] = hn::MulAdd(hn::Set(tag, left[2]), x, c[v]);
      d[v] = hn::MulAdd(hn::Set(tag, left[3]), x, d[v]);
    }
  }
  const auto add = [&](Index row, Index column, V value) HWY_ATTR {
    double* at = scatter + row * panel.stride + column;
    hn::Store(hn::Add(hn::Load(tag, at), value), tag, at);
  };
  for (int v = 0; v < vectors; ++v) {
    add(i, j + v * n, a[v]);
    add(i + 1, j + v * n, b[v]);
    add(i + 2, j + v * n, c[v]);
    add(i + 3, j + v * n, d[v]);
  }
}

/// The first rows of the tiles in the strip of columns from j on: [j / 4 * 4, columns), by fours.
HWY_INLINE Index tiles_of_strip(Index columns, Index j) { return (columns - j / 4 * 4 + 3) / 4; }

void AddProducts(const RowPanel& panel, double* scatter, const RowsAhead& ahead) {
  const Index n = static_cast<Index>(hn::Lanes(Doubles()));
  Index tiles = 0;
  for (Index j = 0; j < panel.columns; j += 3 * n) tiles += tiles_of_strip(panel.columns, j);
  AskingForRows asking(ahead, tiles * panel.rows);
  for (Index j = 0; j < panel.columns; j += 3 * n) {  // a strip of columns stays in cache
    for (Index i = j / 4 * 4; i < panel.columns; i += 4) {
      if (i + 3 >= j + 2 * n)
        add_tile<3>(panel, i, j, scatter, asking);
      else if (i + 3 >= j + n)
        add_tile<2>(panel, i, j, scatter, asking);
      else
        add_tile<1>(panel, i, j, scatter, asking);
    }
  }
}

}  // namespace genera::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace genera::kernel {

GENERA_EXPORT(AddSums);
GENERA_EXPORT(AddDeviations);
GENERA_EXPORT(CentreRows);
GENERA_EXPORT(AddProducts);

void add_sums(const RowPanel& panel, const double* weights, double* sums) {
  GENERA_DISPATCH(AddSums)(panel, weights, sums);
}

void add_deviations(const RowPanel& panel, const Centring& centring) {
  GENERA_DISPATCH(AddDeviations)(panel, centring);
}

void centre_rows(const RowPanel& panel, const Centring& centring) {
  GENERA_DISPATCH(CentreRows)(panel, centring);
}

void add_products(const RowPanel& panel, double* scatter, const RowsAhead& ahead) {
  GENERA_DISPATCH(AddProducts)(panel, scatter, ahead);
}

}  // namespace genera::kernel
#endif
