#include "fit/mixture/k_means.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "data/columns.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "kernel/nearest.hpp"
#include "kernel/parallel.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;
using kernel::panel_rows;

constexpr int most_rounds = 50;
constexpr Index rows_of_a_part = 4096;  // a multiple of panel_rows

/// A place with probability proportional to `mass`; the last that has any if rounding says so.
Index draw(std::span<const double> mass, Rng& rng) {
  double left = rng.uniform() * std::accumulate(mass.begin(), mass.end(), 0.0);
  Index last = 0;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    if (!(mass[i] > 0)) continue;
    last = static_cast<Index>(i);
    if (left < mass[i]) break;
    left -= mass[i];
  }
  return last;
}

Index parts_of(Index rows) { return (rows + rows_of_a_part - 1) / rows_of_a_part; }

void add(std::span<double> to, double weight, std::span<const double> row) {
  for (std::size_t j = 0; j < row.size(); ++j) to[j] += weight * row[j];
}

}  // namespace

/// What rows that went from one group to another change.
struct KMeans::Change {
  Change(Index groups, Index columns) : sums(groups, columns), mass(at(groups)), rows(at(groups)) {}

  void add_row(Index group, double sign, double weight, std::span<const double> row) {
    add(sums.row(group), sign * weight, row);
    mass[at(group)] += sign * weight;
    rows[at(group)] += sign > 0 ? 1 : -1;
  }
  void add_change(const Change& other) {
    for (Index g = 0; g < sums.rows(); ++g) {
      add(sums.row(g), 1, other.sums.row(g));
      mass[at(g)] += other.mass[at(g)];
      rows[at(g)] += other.rows[at(g)];
    }
    moved += other.moved;
  }

  Matrix sums;
  Vector mass;
  std::vector<Index> rows;  // those that have a weight
  Index moved = 0;
};

KMeans::KMeans(Matrix rows, Vector weights) : rows_(std::move(rows)), weights_(std::move(weights)) {
  const Index n = rows_.rows(), d = rows_.columns();
  const data::NumberColumns columns{MatrixView(rows_)};
  panels_.resize(at((n + panel_rows - 1) / panel_rows * panel_rows * d));
  for (Index first = 0; first < n; first += panel_rows)
    columns.gather_panel(first, std::min(panel_rows, n - first), panels_.data() + first * d);
}

Matrix KMeans::seeds(Index count, Rng& rng, int threads) const {
  const Index n = rows_.rows(), d = rows_.columns();
  Matrix centres(count, d);
  kernel::AlignedVector nearest(panels_.size() / at(d), kernel::infinity);
  Vector mass = weights_;
  for (Index g = 0; g < count; ++g) {
    const auto chosen = rows_.row(draw(mass, rng));
    std::copy(chosen.begin(), chosen.end(), centres.row(g).begin());
    kernel::parallel_for(parts_of(n), threads, [&](Index part) {
      alignas(64) double place[panel_rows] = {};
      const Index last = std::min(n, (part + 1) * rows_of_a_part);
      for (Index i = part * rows_of_a_part; i < last; i += panel_rows)
        kernel::find_nearest({centres.row(g).data(), 1, d}, panels_.data() + i * d,
                             nearest.data() + i, place);
      for (Index i = part * rows_of_a_part; i < last; ++i)
        mass[at(i)] = weights_[at(i)] * nearest[at(i)];
    });
    if (std::ranges::none_of(mass, [](double m) { return m > 0; }))
      mass = weights_;  // fewer different rows than groups
  }
  return centres;
}

KMeans::Change KMeans::assign(const Matrix& centres, Index first, Index last,
                              std::vector<std::int32_t>& groups) const {
  const Index d = rows_.columns();
  Change change(centres.rows(), d);
  for (Index panel = first; panel < last; panel += panel_rows) {
    alignas(64) double squares[panel_rows], place[panel_rows] = {};
    std::ranges::fill(squares, kernel::infinity);
    kernel::find_nearest({centres.data(), centres.rows(), d}, panels_.data() + panel * d, squares,
                         place);
    for (Index i = panel; i < std::min(last, panel + panel_rows); ++i) {
      const auto best = static_cast<std::int32_t>(place[i - panel]);
      const std::int32_t before = std::exchange(groups[at(i)], best);
      if (before == best) continue;
      ++change.moved;
      if (!(weights_[at(i)] > 0)) continue;
      change.add_row(best, 1, weights_[at(i)], rows_.row(i));
      if (before >= 0) change.add_row(before, -1, weights_[at(i)], rows_.row(i));
    }
  }
  return change;
}

std::vector<std::int32_t> KMeans::groups(Index count, Rng rng, int threads) const {
  const Index n = rows_.rows(), d = rows_.columns();
  const Index few = n / 1000;  // EM moves them better
  Matrix centres = seeds(count, rng, threads);
  std::vector<std::int32_t> result(at(n), -1);
  Change total(count, d);
  for (int round = 0; round < most_rounds; ++round) {
    std::vector<Change> changes(at(parts_of(n)), Change(0, d));
    kernel::parallel_for(std::ssize(changes), threads, [&](Index part) {
      changes[at(part)] =
          assign(centres, part * rows_of_a_part, std::min(n, (part + 1) * rows_of_a_part), result);
    });
    total.moved = 0;
    for (const Change& change : changes) total.add_change(change);
    if (total.moved <= few) break;
    for (Index g = 0; g < count; ++g) {
      for (Index j = 0; total.rows[at(g)] > 0 && j < d; ++j)
        centres(g, j) = total.sums(g, j) / total.mass[at(g)];
    }
  }
  return result;
}

}  // namespace genera::fit_detail
