#include <algorithm>
#include <type_traits>

#include "kernel/bytes.hpp"
#include "kernel/panel.hpp"

HWY_BEFORE_NAMESPACE();
namespace genera::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Prefetches one line of `ahead` at a time.
class Asking {
 public:
  /// Distributes the prefetches over `steps` steps.
  HWY_INLINE Asking(Ahead ahead, Index steps)
      : next_(ahead.begin),
        end_(ahead.end),
        lines_((ahead.end - ahead.begin + steps * line - 1) / (steps * line)) {}
  HWY_INLINE void step() {
    for (Index i = 0; i < lines_ && next_ < end_; ++i, next_ += line) prefetch_later(next_);
  }

 private:
  static constexpr Index line = 64;
  const char* next_;
  const char* end_;
  Index lines_;  // per step
};

struct Nothing {
  HWY_INLINE void step() const {}
};

struct Tile {  // six outputs of two vectors of rows
  V a0, a1, b0, b1, c0, c1, d0, d1, e0, e1, f0, f1;
};

/// Numbers without a centre.
struct AsItIs {
  HWY_INLINE V operator()(V x, Index) const { return x; }
};
struct Centred {
  HWY_INLINE V operator()(V x, Index j) const { return hn::Sub(x, hn::Set(Doubles(), centre[j])); }
  const double* centre;
};

/// `asking` makes a step with each product.
template <class Asks, class Numbers = AsItIs>
HWY_INLINE Tile multiply_tile(const double* HWY_RESTRICT entries, Index length,
                              const double* HWY_RESTRICT panel, Asks& asking,
                              Numbers numbers = {}) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  const V zero = hn::Zero(tag);
  Tile t{zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero};
  for (Index j = 0; j < length; ++j, entries += PackedMatrix::tile_rows, panel += panel_rows) {
    const V x0 = numbers(hn::Load(tag, panel), j);
    const V x1 = numbers(hn::Load(tag, panel + n), j);
    asking.step();
    const V a = hn::Set(tag, entries[0]);
    t.a0 = hn::MulAdd(a, x0, t.a0);
    t.a1 = hn::MulAdd(a, x1, t.a1);
    const V b = hn::Set(tag, entries[1]);
    t.b0 = hn::MulAdd(b, x0, t.b0);
    t.b1 = hn::MulAdd(b, x1, t.b1);
    const V c = hn::Set(tag, entries[2]);
    t.c0 = hn::MulAdd(c, x0, t.c0);
    t.c1 = hn::MulAdd(c, x1, t.c1);
    const V d = hn::Set(tag, entries[3]);
    t.d0 = hn::MulAdd(d, x0, t.d0);
    t.d1 = hn::MulAdd(d, x1, t.d1);
    const V e = hn::Set(tag, entries[4]);
    t.e0 = hn::MulAdd(e, x0, t.e0);
    t.e1 = hn::MulAdd(e, x1, t.e1);
    const V f = hn::Set(tag, entries[5]);
    t.f0 = hn::MulAdd(f, x0, t.f0);
    t.f1 = hn::MulAdd(f, x1, t.f1);
  }
  return t;
}

void AddSquaredProducts(const PackedMatrix& a, TileRange tiles, const double* panel, Index lanes,
                        double* squares) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  Nothing asking;
  for (Index at = 0; at < lanes; at += 2 * n) {
    V q0 = hn::Load(tag, squares + at);
    V q1 = hn::Load(tag, squares + at + n);
    for (Index tile = tiles.begin; tile < tiles.end; ++tile) {
      const Tile t = multiply_tile(a.tile(tile), a.length(tile), panel + at, asking);
      q0 = hn::MulAdd(t.a0, t.a0, q0);
      q1 = hn::MulAdd(t.a1, t.a1, q1);
      q0 = hn::MulAdd(t.b0, t.b0, q0);
      q1 = hn::MulAdd(t.b1, t.b1, q1);
      q0 = hn::MulAdd(t.c0, t.c0, q0);
      q1 = hn::MulAdd(t.c1, t.c1, q1);
      q0 = hn::MulAdd(t.d0, t.d0, q0);
      q1 = hn::MulAdd(t.d1, t.d1, q1);
      q0 = hn::MulAdd(t.e0, t.e0, q0);
      q1 = hn::MulAdd(t.e1, t.e1, q1);
      q0 = hn::MulAdd(t.f0, t.f0, q0);
      q1 = hn::MulAdd(t.f1, t.f1, q1);
    }
    hn::Store(q0, tag, squares + at);
    hn::Store(q1, tag, squares + at + n);
  }
}

/// `finished` receives each vector of the product for row i of the matrix before it is stored.
template <class Numbers, class Finish>
HWY_INLINE void products_of(const PackedMatrix& a, const double* panel, Index lanes, double* out,
                            Ahead ahead, Numbers numbers, Finish finished) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  Asking asking(ahead, a.tiles() * a.length(0));
  for (Index tile = 0; tile < a.tiles(); ++tile) {
    for (Index at = 0; at < lanes; at += 2 * n) {
      const Tile t = multiply_tile(a.tile(tile), a.length(tile), panel + at, asking, numbers);
      const Index first = tile * PackedMatrix::tile_rows;
      const auto store = [&](Index i, V low, V high) HWY_ATTR {
        double* row = out + (first + i) * panel_rows + at;
        hn::Store(finished(low, first + i), tag, row);
        hn::Store(finished(high, first + i), tag, row + n);
      };
      store(0, t.a0, t.a1);
      store(1, t.b0, t.b1);
      store(2, t.c0, t.c1);
      store(3, t.d0, t.d1);
      store(4, t.e0, t.e1);
      store(5, t.f0, t.f1);
    }
  }
}

void Products(const PackedMatrix& a, const double* panel, Index lanes, double* out, Ahead ahead) {
  products_of(a, panel, lanes, out, ahead, AsItIs(), [](V value, Index) HWY_ATTR { return value; });
}

HWY_INLINE V with_constant(const AffineMap& map, V value, Index i) {
  return i < map.matrix.rows() ? hn::Add(hn::Set(Doubles(), map.constants[i]), value) : value;
}

void AffineProducts(const AffineMap& map, const double* panel, Index lanes, double* out,
                    Ahead ahead) {
  products_of(map.matrix, panel, lanes, out, ahead, Centred{map.centre},
              [&](V value, Index i) HWY_ATTR { return with_constant(map, value, i); });
}

HWY_INLINE double total(const double* sums) {
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

/// Each entry of the product is summed in the order of the columns, four entries at a time; the
/// squares are summed in eight accumulators for every vector width.
double SquaredProduct(const PackedColumns& a, const double* x, double* product) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  const Index stride = a.stride();
  for (Index i = 0; i < stride; i += n) hn::Store(hn::Zero(tag), tag, product + i);
  Index j = 0;
  for (; j + 4 <= a.size(); j += 4) {
    const double* columns[4] = {a.column(j), a.column(j + 1), a.column(j + 2), a.column(j + 3)};
    const V x0 = hn::Set(tag, x[j]), x1 = hn::Set(tag, x[j + 1]);
    const V x2 = hn::Set(tag, x[j + 2]), x3 = hn::Set(tag, x[j + 3]);
    for (Index i = a.skipped(j); i < stride; i += n) {
      V sum = hn::Load(tag, product + i);
      sum = hn::MulAdd(x0, hn::Load(tag, columns[0] + i), sum);
      sum = hn::MulAdd(x1, hn::Load(tag, columns[1] + i), sum);
      sum = hn::MulAdd(x2, hn::Load(tag, columns[2] + i), sum);
      sum = hn::MulAdd(x3, hn::Load(tag, columns[3] + i), sum);
      hn::Store(sum, tag, product + i);
    }
  }
  for (; j < a.size(); ++j) {
    for (Index i = a.skipped(j); i < stride; i += n)
      hn::Store(hn::MulAdd(hn::Set(tag, x[j]), hn::Load(tag, a.column(j) + i),
                           hn::Load(tag, product + i)),
                tag, product + i);
  }
  alignas(64) double sums[8] = {};
  for (Index i = 0; i < stride; i += 8) {
    for (Index part = 0; part < 8; part += n) {
      const V z = hn::Load(tag, product + i + part);
      hn::Store(hn::MulAdd(z, z, hn::Load(tag, sums + part)), tag, sums + part);
    }
  }
  return total(sums);
}

/// A few rows at a time, each in eight accumulators for every vector width.
template <int count>
HWY_INLINE void few_row_products(const Matrix& matrix, const Index* rows, const double* x,
                                 double* out) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag)), length = matrix.columns();
  alignas(64) double sums[count][8] = {};
  const Index whole = length / 8 * 8;
  for (Index part = 0; part < 8; part += n) {
    V sum[count];
    for (int r = 0; r < count; ++r) sum[r] = hn::Zero(tag);
    for (Index j = part; j < whole; j += 8) {
      const V value = hn::LoadU(tag, x + j);
      for (int r = 0; r < count; ++r)
        sum[r] = hn::MulAdd(value, hn::LoadU(tag, matrix.row(rows[r]).data() + j), sum[r]);
    }
    for (int r = 0; r < count; ++r) hn::Store(sum[r], tag, sums[r] + part);
  }
  for (int r = 0; r < count; ++r) {
    out[r] = total(sums[r]);
    for (Index j = whole; j < length; ++j) out[r] += matrix(rows[r], j) * x[j];
  }
}

void RowProducts(const Matrix& matrix, std::span<const Index> rows, const double* x, double* out) {
  std::size_t i = 0;
  for (; i + 4 <= rows.size(); i += 4) few_row_products<4>(matrix, rows.data() + i, x, out + i);
  for (; i < rows.size(); ++i) few_row_products<1>(matrix, rows.data() + i, x, out + i);
}

/// The deviation of a value from the mean in standard deviations.
template <PackedDiagonals::Form form>
HWY_INLINE V standardised(V value, const double* of) {
  using Form = PackedDiagonals::Form;
  const Doubles tag;
  if constexpr (form == Form::near)
    return hn::MulAdd(value, hn::Set(tag, of[0]), hn::Set(tag, of[1]));
  const V z = hn::Mul(hn::Sub(value, hn::Set(tag, of[0])), hn::Set(tag, of[1]));
  if constexpr (form == Form::far_with_low) return hn::Sub(z, hn::Set(tag, of[2]));
  return z;
}

/// A few classes and two vectors of rows, with prefetches in between.
template <int width, PackedDiagonals::Form form>
HWY_INLINE void diagonal_tile(const PackedDiagonals& classes, Index t, const double* panel,
                              double* out, Asking& asking) {
  using Form = PackedDiagonals::Form;
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  constexpr Index numbers = form == Form::far_with_low ? 3 : 2;
  const double* entry = classes.tile(t);
  V low[width], high[width];
  for (int k = 0; k < width; ++k) low[k] = high[k] = hn::Zero(tag);
  for (Index j = 0; j < classes.dimension(); ++j, entry += numbers * width, panel += panel_rows) {
    asking.step();
    V x0 = hn::Load(tag, panel), x1 = hn::Load(tag, panel + n);
    if constexpr (form == Form::near) {
      const V centre = hn::Set(tag, classes.centre()[j]);
      x0 = hn::Sub(x0, centre);
      x1 = hn::Sub(x1, centre);
    }
    for (int k = 0; k < width; ++k) {
      const V z0 = standardised<form>(x0, entry + k * numbers);
      const V z1 = standardised<form>(x1, entry + k * numbers);
      low[k] = hn::MulAdd(z0, z0, low[k]);
      high[k] = hn::MulAdd(z1, z1, high[k]);
    }
  }
  const V infinite = hn::Set(tag, std::numeric_limits<double>::infinity());
  for (int k = 0; k < width; ++k) {
    hn::Store(hn::IfThenElse(hn::IsNaN(low[k]), infinite, low[k]), tag, out + k * panel_rows);
    hn::Store(hn::IfThenElse(hn::IsNaN(high[k]), infinite, high[k]), tag, out + k * panel_rows + n);
  }
}

template <PackedDiagonals::Form form>
HWY_INLINE void diagonal_tiles(const PackedDiagonals& classes, const double* panel, Index lanes,
                               double* out, Ahead ahead) {
  const Index n = static_cast<Index>(hn::Lanes(Doubles()));
  Asking asking(ahead, classes.tiles() * classes.dimension());
  for (Index t = 0; t < classes.tiles(); ++t) {
    const TileRange own = classes.classes_of(t);
    for (Index at = 0; at < lanes; at += 2 * n) {
      double* to = out + own.begin * panel_rows + at;
      switch (own.end - own.begin) {
        case 5:
          diagonal_tile<5, form>(classes, t, panel + at, to, asking);
          break;
        case 4:
          diagonal_tile<4, form>(classes, t, panel + at, to, asking);
          break;
        case 3:
          diagonal_tile<3, form>(classes, t, panel + at, to, asking);
          break;
        case 2:
          diagonal_tile<2, form>(classes, t, panel + at, to, asking);
          break;
        default:
          diagonal_tile<1, form>(classes, t, panel + at, to, asking);
      }
    }
  }
}

void DiagonalDistances(const PackedDiagonals& classes, const double* panel, Index lanes,
                       double* out, Ahead ahead) {
  using Form = PackedDiagonals::Form;
  switch (classes.form()) {
    case Form::near:
      return diagonal_tiles<Form::near>(classes, panel, lanes, out, ahead);
    case Form::far:
      return diagonal_tiles<Form::far>(classes, panel, lanes, out, ahead);
    case Form::far_with_low:
      return diagonal_tiles<Form::far_with_low>(classes, panel, lanes, out, ahead);
  }
}

void CentrePanel(const double* panel, const double* mean, TileRange columns, double* out) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  for (Index j = columns.begin; j < columns.end; ++j) {
    const V m = hn::Set(tag, mean[j]);
    for (Index at = j * panel_rows; at < (j + 1) * panel_rows; at += n)
      hn::Store(hn::Sub(hn::Load(tag, panel + at), m), tag, out + at);
  }
}

void AddConstants(const double* constants, const ScorePanels& scores) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  for (Index p = 0; p < scores.panels; ++p) {
    double* at = scores.of(p);
    for (Index k = 0; k < scores.classes; ++k) {
      const V constant = hn::Set(tag, constants[k]);
      for (const double* end = at + panel_rows; at < end; at += n)
        hn::Store(hn::Add(constant, hn::Load(tag, at)), tag, at);
    }
  }
}

void AddMultiple(const double* terms, Index count, double factor, bool fresh, double* sums) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  const V by = hn::Set(tag, factor);
  for (Index at = 0; at < count; at += n) {
    const V before = fresh ? hn::Zero(tag) : hn::Load(tag, sums + at);
    hn::Store(hn::MulAdd(by, hn::Load(tag, terms + at), before), tag, sums + at);
  }
}

bool AreWithin(const ScorePanels& scores, double limit) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  const V max = hn::Set(tag, limit);
  auto within = hn::Lt(hn::Zero(tag), max);
  for (Index p = 0; p < scores.panels; ++p) {
    const double* first = scores.of(p);
    for (Index at = 0; at < scores.classes * panel_rows; at += n)
      within = hn::And(within, hn::Lt(hn::Abs(hn::Load(tag, first + at)), max));
  }
  return hn::AllTrue(tag, within);
}

void Softmax(const double* scores, Index classes, double* log_sums, double* probabilities) {
  const Doubles tag;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  const V lowest = hn::Set(tag, -std::numeric_limits<double>::infinity());
  for (Index at = 0; at < panel_rows; at += n) {
    V top = lowest;
    for (Index k = 0; k < classes; ++k)
      top = hn::Max(top, hn::Load(tag, scores + k * panel_rows + at));
    const V shift = hn::IfThenElse(hn::Eq(top, lowest), hn::Zero(tag), top);
    V sum = hn::Zero(tag);
    for (Index k = 0; k < classes; ++k) {
      const V score = hn::Load(tag, scores + k * panel_rows + at);
      const V e =
          hn::IfThenElse(hn::Eq(score, lowest), hn::Zero(tag), hn::Exp(tag, hn::Sub(score, shift)));
      sum = hn::Add(sum, e);
      if (probabilities) hn::Store(e, tag, probabilities + k * panel_rows + at);
    }
    const auto impossible = hn::Eq(top, lowest);
    const V safe_sum = hn::IfThenElse(impossible, hn::Set(tag, 1.0), sum);
    hn::Store(hn::IfThenElse(impossible, lowest, hn::Add(shift, hn::Log(tag, safe_sum))), tag,
              log_sums + at);
    if (!probabilities) continue;
    for (Index k = 0; k < classes; ++k) {
      double* p = probabilities + k * panel_rows + at;
      hn::Store(hn::Div(hn::Load(tag, p), safe_sum), tag, p);
    }
  }
}

bool BestClasses(const double* scores, Index classes, double* best, std::int32_t* labels) {
  const Doubles tag;
  const hn::Rebind<std::int32_t, Doubles> integers;
  const Index n = static_cast<Index>(hn::Lanes(tag));
  V lowest = hn::Load(tag, scores);
  for (Index at = 0; at < panel_rows; at += n) {
    V top = hn::Load(tag, scores + at);
    V label = hn::Zero(tag);
    for (Index k = 1; k < classes; ++k) {
      const V score = hn::Load(tag, scores + k * panel_rows + at);
      const auto better = hn::Gt(score, top);
      top = hn::IfThenElse(better, score, top);
      label = hn::IfThenElse(better, hn::Set(tag, static_cast<double>(k)), label);
    }
    lowest = at == 0 ? top : hn::Min(lowest, top);
    hn::Store(top, tag, best + at);
    hn::StoreU(hn::DemoteTo(integers, label), integers, labels + at);
  }
  const V none = hn::Set(tag, -std::numeric_limits<double>::infinity());
  return hn::AllTrue(tag, hn::Gt(lowest, none));
}

const char* InstructionSet() { return hwy::TargetName(HWY_TARGET); }

}  // namespace genera::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace genera::kernel {

GENERA_EXPORT(AddSquaredProducts);
GENERA_EXPORT(Products);
GENERA_EXPORT(AffineProducts);
GENERA_EXPORT(SquaredProduct);
GENERA_EXPORT(RowProducts);
GENERA_EXPORT(DiagonalDistances);
GENERA_EXPORT(CentrePanel);
GENERA_EXPORT(AddConstants);
GENERA_EXPORT(AddMultiple);
GENERA_EXPORT(AreWithin);
GENERA_EXPORT(Softmax);
GENERA_EXPORT(BestClasses);
GENERA_EXPORT(InstructionSet);

void add_squared_products(const PackedMatrix& a, TileRange tiles, const double* panel, Index lanes,
                          double* squares) {
  GENERA_DISPATCH(AddSquaredProducts)(a, tiles, panel, lanes, squares);
}

void products(const PackedMatrix& a, const double* panel, Index lanes, double* out, Ahead ahead) {
  GENERA_DISPATCH(Products)(a, panel, lanes, out, ahead);
}

void affine_products(const AffineMap& map, const double* panel, Index lanes, double* out,
                     Ahead ahead) {
  GENERA_DISPATCH(AffineProducts)(map, panel, lanes, out, ahead);
}

double squared_product(const PackedColumns& a, const double* x, double* product) {
  return GENERA_DISPATCH(SquaredProduct)(a, x, product);
}

void row_products(const Matrix& matrix, std::span<const Index> rows, const double* x, double* out) {
  GENERA_DISPATCH(RowProducts)(matrix, rows, x, out);
}

void diagonal_distances(const PackedDiagonals& classes, const double* panel, Index lanes,
                        double* out, Ahead ahead) {
  GENERA_DISPATCH(DiagonalDistances)(classes, panel, lanes, out, ahead);
}

void centre(const double* panel, const double* mean, TileRange columns, double* out) {
  GENERA_DISPATCH(CentrePanel)(panel, mean, columns, out);
}

void add_constants(const double* constants, const ScorePanels& scores) {
  GENERA_DISPATCH(AddConstants)(constants, scores);
}

void add_multiple(const double* terms, Index count, double factor, bool fresh, double* sums) {
  GENERA_DISPATCH(AddMultiple)(terms, count, factor, fresh, sums);
}

bool are_within(const ScorePanels& scores, double limit) {
  return GENERA_DISPATCH(AreWithin)(scores, limit);
}

void softmax(const double* scores, Index classes, double* log_sums, double* probabilities) {
  GENERA_DISPATCH(Softmax)(scores, classes, log_sums, probabilities);
}

bool best_classes(const double* scores, Index classes, double* best, std::int32_t* labels) {
  return GENERA_DISPATCH(BestClasses)(scores, classes, best, labels);
}

const char* instruction_set() { return GENERA_DISPATCH(InstructionSet)(); }

}  // namespace genera::kernel
#endif
