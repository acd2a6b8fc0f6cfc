#include "kernel/linear_rows.hpp"

#include <algorithm>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace genera::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// One column of as many rows as a vector has lanes.
template <class T>
HWY_INLINE V read_column(const T* const* rows, Index j) {
  HWY_ALIGN double column[8];
  for (std::size_t lane = 0; lane < hn::Lanes(Doubles()); ++lane)
    column[lane] = static_cast<double>(rows[lane][j]);
  return hn::Load(Doubles(), column);
}

inline constexpr Index columns_between_steps = 32;

/// As many rows as a vector has lanes, in place; unused lanes repeat the last row.
template <class T>
struct RowsOfVector {
  HWY_INLINE RowsOfVector(const RowsInMemory& from, Index first) : columns(from.columns) {
    const Index last = std::ssize(from.rows) - 1;
    each_lane([&](Index lane) {
      return from.rows[static_cast<std::size_t>(std::min(first + lane, last))];
    });
  }
  HWY_INLINE RowsOfVector(const StridedRows& from, Index first) : columns(from.columns) {
    const char* at = from.first + first * from.stride;
    const Index last = from.count - 1 - first;
    if (last + 1 >= static_cast<Index>(hn::Lanes(Doubles())))
      each_lane([&](Index lane) { return at + lane * from.stride; });
    else
      each_lane([&](Index lane) { return at + std::min(lane, last) * from.stride; });
  }
  template <class Address>
  HWY_INLINE void each_lane(Address address) {
    for (std::size_t lane = 0; lane < hn::Lanes(Doubles()); ++lane)
      rows[lane] = reinterpret_cast<const T*>(address(static_cast<Index>(lane)));
  }
  const T* rows[hn::MaxLanes(Doubles())];
  Index columns;
};

HWY_INLINE Index count_of(const RowsInMemory& rows) { return std::ssize(rows.rows); }
HWY_INLINE Index count_of(const StridedRows& rows) { return rows.count; }

/// One product per row of a matrix of one or two tiles; products beyond `count` are zero.
template <int count>
struct ProductsOfRows {
  template <class T>
  HWY_INLINE ProductsOfRows(const AffineMap& map, const RowsOfVector<T>& of, Asking& asking) {
    constexpr int tile = PackedMatrix::tile_rows, width = columns_at_once<T>;
    const double* entries[2] = {map.matrix.tile(0), map.matrix.tile(count > tile ? 1 : 0)};
    const Centred centred{map.centre};
    for (V& sum : sums) sum = hn::Zero(Doubles());
    const auto add = [&](V x, Index j) HWY_ATTR {
      const V z = centred(x, j);
      for (int i = 0; i < count; ++i) {
        const V entry = hn::Set(Doubles(), entries[i / tile][j * tile + i % tile]);
        sums[i] = hn::MulAdd(entry, z, sums[i]);
      }
    };
    const Index whole = width > 0 ? of.columns / width * width : 0;
    for (Index j = 0; j < whole;) {
      asking.step();  // only occasionally: row addresses leave no registers for it
      for (const Index end = std::min(whole, j + columns_between_steps); j < end; j += width) {
        V x[width + 1];
        read_columns(of.rows, j, x);
        for (int c = 0; c < width; ++c) add(x[c], j + c);
      }
    }
    for (Index j = whole; j < of.columns; ++j) add(read_column(of.rows, j), j);
    for (int i = 0; i < count; ++i) sums[i] = with_constant(map, sums[i], i);
  }
  V sums[count];
};

/// Calls `visit` with the products of as many rows as a vector has lanes, and the index of the
/// first row, until all rows are done.
template <int count, class T, class SomeRows, class Visit>
HWY_INLINE void each_products_of_rows(const AffineMap& map, const SomeRows& rows, Ahead ahead,
                                      Visit visit) {
  const Index n = static_cast<Index>(hn::Lanes(Doubles())), all = count_of(rows);
  const Index steps = (rows.columns + columns_between_steps - 1) / columns_between_steps;
  Asking asking(ahead, (all + n - 1) / n * steps);
  for (Index first = 0; first < all; first += n)
    visit(ProductsOfRows<count>(map, RowsOfVector<T>(rows, first), asking), first);
}

/// Calls `work` with a number of the element type of the rows and the number of products, rounded
/// up to a supported one.
template <class Work>
HWY_INLINE void by_kind_and_products(bool floats, Index products, Work work) {
  const auto with_count = [&](auto count) HWY_ATTR {
    if (floats)
      work(0.0F, count);
    else
      work(0.0, count);
  };
  if (products <= 2)
    with_count(std::integral_constant<int, 2>());
  else if (products == 3)
    with_count(std::integral_constant<int, 3>());
  else if (products == 4)
    with_count(std::integral_constant<int, 4>());
  else if (products == 5)
    with_count(std::integral_constant<int, 5>());
  else if (products == 6)
    with_count(std::integral_constant<int, 6>());
  else
    with_count(std::integral_constant<int, 2 * PackedMatrix::tile_rows>());
}

void AffineProductsOfRows(const AffineMap& map, const RowsInMemory& rows, double* out,
                          Ahead ahead) {
  by_kind_and_products(rows.floats, map.matrix.rows(), [&](auto number, auto count) HWY_ATTR {
    each_products_of_rows<count, decltype(number)>(
        map, rows, ahead, [&](const ProductsOfRows<count>& of, Index first) HWY_ATTR {
          for (int i = 0; i < count; ++i)
            hn::Store(of.sums[i], Doubles(), out + i * panel_rows + first);
        });
  });
}

bool BestProductsOfRows(const LinearChoice& choice, const StridedRows& rows, std::int32_t* best,
                        Ahead ahead) {
  const Doubles tag;
  const hn::Rebind<std::int32_t, Doubles> integers;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  const Index products = choice.map.matrix.rows();
  V squares = hn::Zero(tag);  // sum of squares of the compared values
  by_kind_and_products(rows.floats, products, [&](auto number, auto count) HWY_ATTR {
    each_products_of_rows<count, decltype(number)>(
        choice.map, rows, ahead, [&](const ProductsOfRows<count>& of, Index first) HWY_ATTR {
          const auto score = [&](int i) HWY_ATTR {
            squares = hn::MulAdd(of.sums[i], of.sums[i], squares);
            return hn::Add(hn::Set(tag, choice.offsets[i]), of.sums[i]);
          };
          V top = score(0), place = hn::Zero(tag);
          for (int i = 1; i < count && i < products; ++i) {
            const V other = score(i);
            const auto better = hn::Gt(other, top);
            top = hn::IfThenElse(better, other, top);
            place = hn::IfThenElse(better, hn::Set(tag, static_cast<double>(i)), place);
          }
          const auto places = hn::DemoteTo(integers, place);
          if (first + n <= rows.count) {
            hn::StoreU(places, integers, best + first);
            return;
          }
          HWY_ALIGN std::int32_t last[8];
          hn::Store(places, integers, last);
          std::copy_n(last, rows.count - first, best + first);
        });
  });
  return hn::AllTrue(tag, hn::Lt(squares, hn::Set(tag, choice.limit * choice.limit)));
}

/// Limited by the number of registers for the sums.
Index MaxProductsOfRows() {
  if (columns_at_once<double> == 0) return 0;
  return (hn::MaxLanes(Doubles()) == 8 ? 2 : 1) * PackedMatrix::tile_rows;
}

}  // namespace genera::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace genera::kernel {

GENERA_EXPORT(AffineProductsOfRows);
GENERA_EXPORT(BestProductsOfRows);
GENERA_EXPORT(MaxProductsOfRows);

void affine_products(const AffineMap& map, const RowsInMemory& rows, double* out, Ahead ahead) {
  GENERA_DISPATCH(AffineProductsOfRows)(map, rows, out, ahead);
}

bool best_products(const LinearChoice& choice, const StridedRows& rows, std::int32_t* best,
                   Ahead ahead) {
  return GENERA_DISPATCH(BestProductsOfRows)(choice, rows, best, ahead);
}

Index max_products_of_rows() { return GENERA_DISPATCH(MaxProductsOfRows)(); }

}  // namespace genera::kernel
#endif
