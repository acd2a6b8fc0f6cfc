#include "kernel/lattice_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace genera::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Horner's rule; coefficients start with the highest power.
template <std::size_t n>
HWY_INLINE V Polynomial(V x, const std::array<double, n>& coefficients) {
  const Doubles tag;
  V sum = hn::Set(tag, coefficients[0]);
  for (std::size_t i = 1; i < n; ++i) sum = hn::MulAdd(sum, x, hn::Set(tag, coefficients[i]));
  return sum;
}

/// The standard normal density.
HWY_INLINE V NormalDensity(V x) {
  const Doubles tag;
  constexpr double scale = 0.3989422804014326779;  // 1 / sqrt(2 pi)
  return hn::Mul(hn::Set(tag, scale), hn::Exp(tag, hn::Mul(hn::Set(tag, -0.5), hn::Mul(x, x))));
}

/// P(X > x) for 0 <= x, to 1.4e-12 of itself up to 8.5, and about 1e-17 beyond: the density times
/// Mills' ratio, whose quotient by t = 1 / (1 + x / 4) is interpolated at Chebyshev's nodes in t.
HWY_INLINE V NormalAbove(V x) {
  const Doubles tag;
  constexpr std::array coefficients{0.02332597734367499, -0.18946058862395743, 0.6547002302922582,
                                    -1.2351326654338883, 1.4000828506177916,   -1.1051711488495155,
                                    0.7024847582702214,  -0.16043700052756407, 0.24055283846619685,
                                    0.18569429564707882, 0.23688377973646244,  0.24978218586735584,
                                    0.2500086245108295};
  const V bounded = hn::Min(x, hn::Set(tag, 8.5)), one = hn::Set(tag, 1.0);
  const V t = hn::Div(one, hn::MulAdd(bounded, hn::Set(tag, 0.25), one));
  return hn::Mul(hn::Mul(NormalDensity(bounded), t), Polynomial(t, coefficients));
}

/// The normal quantile of p in [1e-16, 1 - 1e-16] by Wichura's algorithm AS 241 (1988).
HWY_INLINE V NormalQuantile(V p) {
  const Doubles tag;
  constexpr std::array<double, 8> a{2.5090809287301226727e+3, 3.3430575583588128105e+4,
                                    6.7265770927008700853e+4, 4.5921953931549871457e+4,
                                    1.3731693765509461125e+4, 1.9715909503065514427e+3,
                                    1.3314166789178437745e+2, 3.3871328727963666080e+0};
  constexpr std::array<double, 8> b{5.2264952788528545610e+3, 2.8729085735721942674e+4,
                                    3.9307895800092710610e+4, 2.1213794301586595867e+4,
                                    5.3941960214247511077e+3, 6.8718700749205790830e+2,
                                    4.2313330701600911252e+1, 1.0};
  constexpr std::array<double, 8> c{7.74545014278341407640e-4, 2.27238449892691845833e-2,
                                    2.41780725177450611770e-1, 1.27045825245236838258e+0,
                                    3.64784832476320460504e+0, 5.76949722146069140550e+0,
                                    4.63033784615654529590e+0, 1.42343711074968357734e+0};
  constexpr std::array<double, 8> e{1.05075007164441684324e-9, 5.47593808499534494600e-4,
                                    1.51986665636164571966e-2, 1.48103976427480074590e-1,
                                    6.89767334985100004550e-1, 1.67638483018380384940e+0,
                                    2.05319162663775882187e+0, 1.0};
  const V q = hn::Sub(p, hn::Set(tag, 0.5));
  const V r = hn::NegMulAdd(q, q, hn::Set(tag, 0.180625));
  const V centre = hn::Mul(q, hn::Div(Polynomial(r, a), Polynomial(r, b)));
  const auto outside = hn::Gt(hn::Abs(q), hn::Set(tag, 0.425));
  if (hn::AllFalse(tag, outside)) return centre;
  const V tail = hn::Min(p, hn::Sub(hn::Set(tag, 1.0), p));
  const V s = hn::Sub(hn::Sqrt(hn::Neg(hn::Log(tag, tail))), hn::Set(tag, 1.6));
  const V x = hn::CopySign(hn::Div(Polynomial(s, c), Polynomial(s, e)), q);
  return hn::IfThenElse(outside, x, centre);
}

/// One variable on its interval. exp(log) * factor is the probability of the interval, or an
/// integrand over u whose integral it is; x is the position of the variable.
struct Coordinate {
  V log, factor, x;
};

/// Between low and high, high >= -3, not narrow: by the distribution function and its inverse.
HWY_INLINE Coordinate WideCoordinate(V low, V high, V u) {
  const Doubles tag;
  const V below = NormalAbove(hn::Neg(low)), beyond = NormalAbove(hn::Abs(high));
  const auto positive = hn::Gt(high, hn::Zero(tag));
  const V mass =
      hn::Sub(hn::IfThenElse(positive, hn::Sub(hn::Set(tag, 1.0), beyond), beyond), below);
  constexpr double smallest = 1e-16;
  const V p =
      hn::Clamp(hn::MulAdd(u, mass, below), hn::Set(tag, smallest), hn::Set(tag, 1 - smallest));
  return {hn::Zero(tag), mass, NormalQuantile(p)};
}

/// Below high < -3: x is drawn from the exponential law that touches the density at `high`, and
/// the factor is what the density has more or less than that law.
HWY_INLINE Coordinate FarCoordinate(V low, V high, V u) {
  const Doubles tag;
  const V one = hn::Set(tag, 1.0), rate = hn::Neg(high), width = hn::Sub(high, low);
  const V reach = hn::Max(hn::Mul(high, width), hn::Set(tag, -700.0));  // exp(-700) = 1e-304
  const V part = hn::Expm1(tag, reach);
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const V share = hn::Max(hn::Mul(hn::Sub(one, u), part), hn::Set(tag, epsilon - 1));
  const V distance = hn::Min(hn::Neg(hn::Div(hn::Log1p(tag, share), rate)), width);
  const V factor = hn::Mul(hn::Neg(hn::Div(part, rate)), NormalDensity(distance));
  return {hn::Mul(hn::Set(tag, -0.5), hn::Mul(high, high)), factor, hn::Sub(high, distance)};
}

/// A variable between low and high; u, in [0, 1], chooses where.
HWY_INLINE Coordinate CoordinateOf(V low, V high, V u) {
  const Doubles tag;
  const auto flipped = hn::Gt(low, hn::Neg(high));  // to the half where probabilities are small
  const V a = hn::IfThenElse(flipped, hn::Neg(high), low);
  // A square of it is a double, and it has no probability.
  const V b = hn::Max(hn::IfThenElse(flipped, hn::Neg(low), high), hn::Set(tag, -1e100));
  const V v = hn::IfThenElse(flipped, hn::Sub(hn::Set(tag, 1.0), u), u);
  const V width = hn::Sub(b, a);
  // Interpolation loses no digit of a difference between distribution functions that matters.
  const auto narrow = hn::Lt(width, hn::Set(tag, 0.02));
  const auto far = hn::Lt(b, hn::Set(tag, -3.0));
  Coordinate found{hn::Zero(tag), hn::Zero(tag), hn::Zero(tag)};
  if (!hn::AllTrue(tag, hn::Or(narrow, far))) found = WideCoordinate(a, b, v);
  if (!hn::AllFalse(tag, narrow)) {  // the density where x is, drawn evenly
    const V x = hn::MulAdd(v, width, a);
    found.factor = hn::IfThenElse(narrow, hn::Mul(width, NormalDensity(x)), found.factor);
    found.x = hn::IfThenElse(narrow, x, found.x);
  }
  if (!hn::AllFalse(tag, far)) {
    const Coordinate out = FarCoordinate(a, b, v);
    found.log = hn::IfThenElseZero(far, out.log);
    found.factor = hn::IfThenElse(far, out.factor, found.factor);
    found.x = hn::IfThenElse(far, out.x, found.x);
  }
  found.x = hn::Min(hn::Max(found.x, a), b);
  found.x = hn::IfThenElse(flipped, hn::Neg(found.x), found.x);
  return found;
}

/// A product of which some factors are known by their logarithms.
struct LogProduct {
  V log, factor;

  HWY_INLINE void Multiply(const Coordinate& by) {
    const Doubles tag;
    log = hn::Add(log, by.log);
    factor = hn::Mul(factor, by.factor);
    constexpr double small = 1e-8;  // times the smallest width is a double
    if (!hn::AllFalse(tag, hn::Lt(factor, hn::Set(tag, small)))) Fold();
  }
  HWY_INLINE void Fold() {
    const Doubles tag;
    const V min = hn::Set(tag, std::numeric_limits<double>::min());
    const auto none = hn::Lt(factor, min);
    const V own = hn::Log(tag, hn::Max(factor, min));
    log = hn::Add(log, hn::IfThenElse(none, hn::Set(tag, LatticeSums::nothing), own));
    factor = hn::Set(tag, 1.0);
  }
};

/// Adds exp(log) to the sums of some lanes.
HWY_INLINE void AddExp(V log, double* largest, double* sum) {
  const Doubles tag;
  const V min = hn::Set(tag, -800.0);  // exp(-800) = 0
  const V old = hn::Load(tag, largest), now = hn::Max(old, log);
  V total = hn::Load(tag, sum);
  if (!hn::AllFalse(tag, hn::Gt(now, old))) {
    total = hn::Mul(total, hn::Exp(tag, hn::Max(hn::Sub(old, now), min)));
    hn::Store(now, tag, largest);
  }
  total = hn::Add(total, hn::Exp(tag, hn::Max(hn::Sub(log, now), min)));
  hn::Store(total, tag, sum);
}

/// The 16 shifts of a point in vectors.
constexpr Index vector_lanes = static_cast<Index>(hn::MaxLanes(Doubles()));
constexpr Index vectors_per_point = lattice_shifts / vector_lanes;

/// means += slopes y of n earlier variables. Two sums hide the latency of the products.
HWY_INLINE void AddSlopes(const double* slopes, const double* y, Index n, V* means) {
  const Doubles tag;
  V odd[vectors_per_point];
  for (V& sum : odd) sum = hn::Zero(tag);
  const auto add = [&](Index t, V* sums) HWY_ATTR {
    const V slope = hn::Set(tag, slopes[t]);
    for (Index v = 0; v < vectors_per_point; ++v)
      sums[v] =
          hn::MulAdd(slope, hn::Load(tag, y + t * lattice_shifts + v * vector_lanes), sums[v]);
  };
  Index t = 0;
  for (; t + 1 < n; t += 2) add(t, means), add(t + 1, odd);
  if (t < n) add(t, means);
  for (Index v = 0; v < vectors_per_point; ++v) means[v] = hn::Add(means[v], odd[v]);
}

void AddLatticePoints(const SeparatedBox& box, const ShiftedLattice& lattice, Index first,
                      Index end, LatticeSums& sums) {
  const Doubles tag;
  const Index d = static_cast<Index>(box.box.size());
  AlignedVector y(static_cast<std::size_t>(d * lattice_shifts));
  for (Index point = first; point < end; ++point) {
    const double place = lattice_position(point);
    LogProduct products[vectors_per_point];
    for (LogProduct& product : products) product = {hn::Zero(tag), hn::Set(tag, 1.0)};
    const double* slopes = box.slopes.data();
    for (Index i = 0; i < d; slopes += i, ++i) {
      const std::size_t at = static_cast<std::size_t>(i);
      const V tilt = hn::Set(tag, box.tilts[at]);
      V means[vectors_per_point];
      for (V& mean : means) mean = tilt;
      AddSlopes(slopes, y.data(), i, means);
      for (Index v = 0; v < vectors_per_point; ++v) {
        const Index lane = i * lattice_shifts + v * vector_lanes;
        const V shift = hn::Load(tag, lattice.shifts.data() + lane);
        const V z = hn::Add(hn::Set(tag, place * lattice.steps[at]), shift);
        const V u =
            hn::Abs(hn::MulSub(hn::Set(tag, 2.0), hn::Sub(z, hn::Floor(z)), hn::Set(tag, 1.0)));
        const Coordinate own = CoordinateOf(hn::Sub(hn::Set(tag, box.box[at].low), means[v]),
                                            hn::Sub(hn::Set(tag, box.box[at].high), means[v]), u);
        const V x = hn::Add(own.x, tilt);
        products[v].Multiply(own);
        // The density of x over that of its draws.
        products[v].log = hn::MulAdd(tilt, hn::MulSub(hn::Set(tag, 0.5), tilt, x), products[v].log);
        hn::Store(x, tag, y.data() + lane);
      }
    }
    for (Index v = 0; v < vectors_per_point; ++v) {
      products[v].Fold();
      AddExp(products[v].log, sums.largest + v * vector_lanes, sums.sum + v * vector_lanes);
    }
  }
}

template <Index count>
HWY_INLINE void SubtractRows(const Matrix& columns, Index first, Matrix& lower) {
  const Doubles tag;
  const Index n = vector_lanes, begin = first / n * n;
  const double* column[count];
  for (Index i = 0; i < count; ++i) column[i] = columns.row(i).data();
  for (Index j = first; j < lower.rows(); ++j) {
    V own[count];
    for (Index i = 0; i < count; ++i) own[i] = hn::Set(tag, column[i][j]);
    double* row = lower.row(j).data();
    for (Index t = begin; t <= j; t += n) {
      V rest = hn::LoadU(tag, row + t);
      for (Index i = 0; i < count; ++i)
        rest = hn::NegMulAdd(own[i], hn::LoadU(tag, column[i] + t), rest);
      hn::StoreU(rest, tag, row + t);
    }
  }
}

void SubtractOuters(const Matrix& columns, Index first, Matrix& lower) {
  columns.rows() == 1 ? SubtractRows<1>(columns, first, lower)
                      : SubtractRows<4>(columns, first, lower);
}

/// P(X > x) of any x.
HWY_INLINE V NormalBeyond(V x) {
  const Doubles tag;
  const V beyond = NormalAbove(hn::Abs(x));
  return hn::IfThenElse(hn::Lt(x, hn::Zero(tag)), hn::Sub(hn::Set(tag, 1.0), beyond), beyond);
}

ColumnBounds BoundsOfColumns(const double* low, const double* high, const double* variances,
                             Index count) {
  const Doubles tag;
  const V none = hn::Zero(tag), largest = hn::Set(tag, 1e100);  // whose square is a double
  V most = hn::Set(tag, 1.0), missed = none, nearest = none;
  for (Index i = 0; i < count; i += vector_lanes) {
    const V sd = hn::Sqrt(hn::Load(tag, variances + i));
    const V a = hn::Div(hn::Load(tag, low + i), sd), b = hn::Div(hn::Load(tag, high + i), sd);
    nearest = hn::Max(nearest, hn::Max(a, hn::Neg(b)));
    // From the half where probabilities are small.
    const auto flipped = hn::Gt(a, hn::Neg(b));
    const V c = hn::IfThenElse(flipped, hn::Neg(b), a), e = hn::IfThenElse(flipped, hn::Neg(a), b);
    const V inside = NormalBeyond(hn::Neg(e)), below = NormalBeyond(hn::Neg(c));
    missed = hn::Add(missed, hn::Add(below, NormalBeyond(e)));
    constexpr double slack = 1e-11;
    most = hn::Min(most, hn::MulAdd(inside, hn::Set(tag, slack), hn::Sub(inside, below)));
  }
  nearest = hn::Min(nearest, largest);
  const double z = hn::GetLane(hn::MaxOfLanes(tag, nearest));
  constexpr double rounding = 1e-11, tiny = 1e-16;  // of NormalAbove, relative and beyond 8.5
  const double p = hn::GetLane(hn::MinOfLanes(tag, most)) + tiny;
  // P(X > z) <= exp(-z^2 / 2) / 2
  const double tail = z > 0 ? -0.5 * z * z * (1 - rounding) - 0.69314718 : 0.0;
  const double sum = hn::GetLane(hn::SumOfLanes(tag, missed));
  return {std::min({std::log(p), tail, 0.0}),
          sum * (1 + rounding) + tiny * static_cast<double>(count)};
}

}  // namespace genera::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace genera::kernel {

GENERA_EXPORT(AddLatticePoints);
GENERA_EXPORT(SubtractOuters);
GENERA_EXPORT(BoundsOfColumns);

void add_lattice_points(const SeparatedBox& box, const ShiftedLattice& lattice, Index first,
                        Index end, LatticeSums& sums) {
  GENERA_DISPATCH(AddLatticePoints)(box, lattice, first, end, sums);
}

void subtract_outers(const Matrix& columns, Index first, Matrix& lower) {
  GENERA_DISPATCH(SubtractOuters)(columns, first, lower);
}

ColumnBounds column_bounds(const AlignedVector& low, const AlignedVector& high,
                           const AlignedVector& variances) {
  return GENERA_DISPATCH(BoundsOfColumns)(low.data(), high.data(), variances.data(),
                                          static_cast<Index>(low.size()));
}

}  // namespace genera::kernel
#endif
