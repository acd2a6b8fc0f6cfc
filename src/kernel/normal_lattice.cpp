// Boxes of many columns: Genz's separation of variables on randomly shifted lattices.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "kernel/normal.hpp"
#include "kernel/normal_box_parts.hpp"
#include "kernel/parallel.hpp"

namespace genera::kernel {
namespace {

/// In-place Cholesky factor in which the next variable is the one with the least probable interval,
/// given that the previous ones are at their means (Gibson, Glasbey and Elston 1994); after
/// max_comparisons, the one with the least probable interval by itself.
class Separation {
 public:
  explicit Separation(const StandardBox& all)
      : box_(all.box),
        factor_(all.correlation),
        means_(all.box.size()),
        column_(1, factor_.columns()),
        columns_(together, factor_.columns()) {
    const Index d = factor_.rows();
    Index i = 0;
    for (Index compared = 0; i + 1 < d && compared < max_comparisons; compared += d - i, ++i) {
      exchange(i, least_probable(i));
      eliminate(i);
    }
    for (; i < d; i += together) eliminate_next(i);
  }

  [[nodiscard]] SeparatedBox take() && {
    SeparatedBox found{std::move(box_), {}, {}};
    for (Index i = 0; i < factor_.rows(); ++i) {
      const double scale = 1 / factor_(i, i);
      found.box[at(i)].low *= scale;
      found.box[at(i)].high *= scale;
      for (Index t = 0; t < i; ++t) found.slopes.push_back(factor_(i, t) * scale);
    }
    found.tilts = saddle_point_tilts(found);
    return found;
  }

  /// More do not pay: with 30 and with 100 columns errors are the same with four times as many.
  static constexpr Index max_comparisons = 250;

 private:
  [[nodiscard]] double sd(Index j) const {
    return std::sqrt(std::max(factor_(j, j), std::numeric_limits<double>::epsilon()));
  }
  [[nodiscard]] Interval given_means(Index j) const {
    const double s = sd(j), mean = means_[at(j)];
    return {(box_[at(j)].low - mean) / s, (box_[at(j)].high - mean) / s};
  }

  [[nodiscard]] Index least_probable(Index i) const {
    Index best = i;
    double min = infinity;
    for (Index j = i; j < factor_.rows(); ++j) {
      const Interval z = given_means(j);
      if (const double log = log_normal_between(z.low, z.high); log < min) best = j, min = log;
    }
    return best;
  }

  /// Exchanges variables in the factor (columns before i) and in the lower triangle of the
  /// remaining matrix.
  void exchange(Index i, Index j) {
    if (i == j) return;
    std::swap(box_[at(i)], box_[at(j)]);
    std::swap(means_[at(i)], means_[at(j)]);
    std::swap(factor_(i, i), factor_(j, j));
    for (Index t = 0; t < i; ++t) std::swap(factor_(i, t), factor_(j, t));
    for (Index t = i + 1; t < j; ++t) std::swap(factor_(t, i), factor_(j, t));
    for (Index t = j + 1; t < factor_.rows(); ++t) std::swap(factor_(t, i), factor_(t, j));
  }

  void eliminate(Index i) {
    const Index d = factor_.rows();
    const Interval z = given_means(i);
    const bool possible = log_normal_between(z.low, z.high) > -infinity;
    const double y = possible ? normal_within(z.low, z.high, 0.5) : 0;
    factor_(i, i) = sd(i);
    const double scale = 1 / factor_(i, i);
    column_(0, i) = 0;
    for (Index j = i + 1; j < d; ++j) {
      column_(0, j) = factor_(j, i) *= scale;
      means_[at(j)] += column_(0, j) * y;
    }
    subtract_outers(column_, i + 1, factor_);
  }

  /// Several variables at once, in their order: the remaining matrix is passed through less often.
  void eliminate_next(Index i) {
    const Index d = factor_.rows(), end = std::min(i + together, d);
    std::array<double, together> scales{};
    for (Index j = i; j < d; ++j) {
      for (Index t = i; t < std::min(j + 1, end); ++t) {
        double rest = factor_(j, t);
        for (Index s = i; s < t; ++s) rest -= factor_(j, s) * factor_(t, s);
        factor_(j, t) = rest;
        if (t < j) columns_(t - i, j) = factor_(j, t) *= scales[at(t - i)];
      }
      if (j >= end) continue;
      factor_(j, j) = sd(j);
      scales[at(j - i)] = 1 / factor_(j, j);
    }
    for (Index t = i; t < end; ++t) std::fill_n(columns_.row(t - i).data() + i, end - i, 0.0);
    if (end < d) subtract_outers(columns_, end, factor_);
  }

  static constexpr Index together = 4;

  std::vector<Interval> box_;
  Matrix factor_;
  Vector means_;
  Matrix column_, columns_;  // of the factor, zero before the remaining rows
};

/// The work of a separation: its comparisons and tilts, each a probability of one column and more,
/// and the factor.
Index separation_evaluations(Index columns) {
  const Index scalar =
      std::min(Separation::max_comparisons, columns * columns / 2) + max_tilt_evaluations(columns);
  return 8 * scalar + columns * columns / 8 + columns * columns * columns / 800;
}

/// The work of a lattice over all shifts. A slope takes a sixtieth of the time of an evaluation.
Index lattice_evaluations(Index points, Index columns) {
  return points * lattice_shifts * (columns + columns * columns / 120);
}

/// For each shift, the logarithm of the mean over the points.
Vector log_means(const LatticeSums& sums, Index points) {
  Vector logs;
  for (Index i = 0; i < lattice_shifts; ++i)
    logs.push_back(sums.largest[i] + std::log(sums.sum[i] / static_cast<double>(points)));
  return logs;
}

/// An independent stream for each box; otherwise the errors of many boxes would be correlated.
Rng stream_of(const std::vector<Interval>& box, Rng rng) {
  for (const Interval& own : box)
    rng = rng.split(std::bit_cast<std::uint64_t>(own.low))
              .split(std::bit_cast<std::uint64_t>(own.high));
  return rng;
}

/// Korobov's lattice, extensible by powers of two (Hickernell, Hong, L'Ecuyer and Lemieux 2000).
/// The multiplier had the smallest errors of four candidates on random boxes of 3 to 100 columns.
ShiftedLattice shifted_lattice(const std::vector<Interval>& box, const Rng& rng) {
  const std::size_t columns = box.size();
  constexpr std::uint64_t multiplier = 12915;
  constexpr std::uint64_t modulus = std::uint64_t{1} << max_lattice_bits;
  ShiftedLattice lattice;
  for (std::uint64_t step = 1; lattice.steps.size() < columns; step = step * multiplier % modulus)
    lattice.steps.push_back(static_cast<double>(step));
  lattice.shifts.resize(columns * lattice_shifts);
  const Rng stream = stream_of(box, rng);
  for (std::size_t i = 0; i < lattice_shifts; ++i) {
    Rng own = stream.split(i);
    for (std::size_t j = 0; j < columns; ++j)
      lattice.shifts[j * lattice_shifts + i] = own.uniform();
  }
  return lattice;
}

}  // namespace

/// The bits of n in reverse, behind the point.
double lattice_position(Index n) {
  double position = 0;
  for (double bit = 0.5; n > 0; n >>= 1, bit *= 0.5) {
    if (n % 2 == 1) position += bit;
  }
  return position;
}

LatticeSums::LatticeSums() {
  std::fill_n(largest, lattice_shifts, nothing);
  std::fill_n(sum, lattice_shifts, 0.0);
}

void LatticeSums::add(const LatticeSums& other) {
  for (Index i = 0; i < lattice_shifts; ++i) {
    const double now = std::max(largest[i], other.largest[i]);
    sum[i] = sum[i] * std::exp(largest[i] - now) + other.sum[i] * std::exp(other.largest[i] - now);
    largest[i] = now;
  }
}

BoxLattice::BoxLattice(const StandardBox& all, const Rng& rng)
    : problem_(Separation(all).take()), lattice_(shifted_lattice(all.box, rng)) {
  constexpr double steepest = 5;  // a correlation of 0.98
  for (std::size_t i = 1, first = 0; i < all.box.size(); first += i++) {
    double squares = 0;
    for (std::size_t t = 0; t < i; ++t) squares += std::pow(problem_.slopes[first + t], 2);
    steep_ = steep_ || squares > steepest * steepest;
  }
}

Index first_evaluations(Index columns) {
  constexpr Index quadrature = 1000;  // of two columns
  if (columns == 2) return quadrature;
  return separation_evaluations(columns) + lattice_evaluations(1, columns);
}

Index BoxLattice::evaluations() const {
  const Index d = std::ssize(problem_.box);
  return separation_evaluations(d) + lattice_evaluations(points_, d);
}

Index BoxLattice::next_evaluations() const {
  return lattice_evaluations(std::max<Index>(points_, 1), std::ssize(problem_.box));
}

void BoxLattice::refine(int threads) {
  const Index end = std::max<Index>(2 * points_, 1);
  constexpr Index together = 1024;
  std::vector<LatticeSums> parts(at((end - points_ + together - 1) / together));
  parallel_for(std::ssize(parts), threads, [&](Index i) {
    const Index first = points_ + i * together;
    add_lattice_points(problem_, lattice_, first, std::min(end, first + together), parts[at(i)]);
  });
  for (const LatticeSums& part : parts) sums_.add(part);
  points_ = end;
}

LogProbability BoxLattice::estimate() const {
  const Vector logs = log_means(sums_, points_);
  const double largest = std::ranges::max(logs);
  if (largest <= LatticeSums::nothing) return {-infinity, 0, 0, evaluations()};
  constexpr auto count = static_cast<double>(lattice_shifts);
  double sum = 0, squares = 0;
  for (const double log : logs) sum += std::exp(log - largest);
  const double mean = sum / count;
  for (const double log : logs) squares += std::pow(std::exp(log - largest) / mean - 1, 2);
  const double log = largest + std::log(mean);
  // The means of 16 shifts are skewed: five standard errors cover 99.7 % of random boxes.
  constexpr double sure = 5;
  // Interpolated distribution functions, and the last digits of logarithms.
  const double rounding = 1e-11 + 16 * std::numeric_limits<double>::epsilon() * std::abs(log);
  // What n random points may miss with a probability of exp(-3).
  const double unseen = steep_ ? 3 / (count * static_cast<double>(points_)) : 0;
  // The scatter of fewer than 64 points says little, and the lattices that look precise by chance
  // would be those that are not refined.
  const double few = points_ < 4 ? 0.5 / static_cast<double>(points_) : 0;
  const double scatter = sure * std::sqrt(squares / (count * (count - 1)));
  return {log, std::max(few, scatter) + unseen + rounding, 0, evaluations()};
}

}  // namespace genera::kernel
