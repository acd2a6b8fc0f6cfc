#include "fit/mixture/k_means.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "data/columns.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "kernel/nearest.hpp"
#include "kernel/parallel.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;
using kernel::panel_rows;

constexpr int max_rounds = 50;
constexpr Index rows_of_a_part = 4096;  // a multiple of panel_rows

Index parts_of(Index rows) { return (rows + rows_of_a_part - 1) / rows_of_a_part; }

void add_row(std::span<double> to, double weight, std::span<const double> row) {
  for (std::size_t j = 0; j < row.size(); ++j) to[j] += weight * row[j];
}

/// The position with this part of the mass, and the rest of the part there. If rounding exceeds the
/// total, the last position with any mass.
struct Drawn {
  std::size_t place = 0;
  double left = 0;
};

template <class Masses>
Drawn place_of(const Masses& masses, double left) {
  Drawn drawn{0, left};
  std::size_t i = 0;
  for (const double mass : masses) {
    const std::size_t place = i++;
    if (!(mass > 0)) continue;
    drawn = {place, left};
    if (left < mass) break;
    left -= mass;
  }
  return drawn;
}

/// Draws a row from any part with probability proportional to its mass.
std::span<const double> drawn_row(std::span<const KMeansPart> parts, Rng& rng) {
  Vector masses;
  for (const KMeansPart& part : parts) masses.push_back(part.mass());
  const double total = std::accumulate(masses.begin(), masses.end(), 0.0);
  const Drawn drawn = place_of(masses, rng.uniform() * total);
  return parts[drawn.place].row_at(drawn.left);
}

Matrix seeds(std::span<KMeansPart> parts, Index count, Rng& rng, int threads) {
  Matrix centres(count, parts.front().columns());
  for (Index g = 0; g < count; ++g) {
    std::ranges::copy(drawn_row(parts, rng), centres.row(g).begin());
    for (KMeansPart& part : parts) part.see_centre(centres.row(g), threads);
    const bool no_mass =
        std::ranges::none_of(parts, [](const KMeansPart& part) { return part.mass() > 0; });
    for (KMeansPart& part : parts)
      if (no_mass) part.forget_distances();  // fewer distinct rows than groups
  }
  return centres;
}

}  // namespace

CentreSums::CentreSums(Index centres, Index columns)
    : sums(centres, columns), weights(at(centres)), rows(at(centres)) {}

void CentreSums::add(const CentreSums& other) {
  for (Index g = 0; g < sums.rows(); ++g) {
    add_row(sums.row(g), 1, other.sums.row(g));
    weights[at(g)] += other.weights[at(g)];
    rows[at(g)] += other.rows[at(g)];
  }
  moved += other.moved;
}

KMeans::KMeans(Matrix rows, Vector weights) : rows_(std::move(rows)), weights_(std::move(weights)) {
  const Index n = rows_.rows(), d = rows_.columns();
  const data::NumberColumns columns{MatrixView(rows_)};
  panels_.resize(at((n + panel_rows - 1) / panel_rows * panel_rows * d));
  for (Index first = 0; first < n; first += panel_rows)
    columns.gather_panel(first, std::min(panel_rows, n - first), panels_.data() + first * d);
}

std::vector<std::int32_t> KMeans::groups(Index count, Rng rng, int threads) const {
  KMeansPart all(*this);
  k_means({&all, 1}, count, rng, threads);
  return all.groups();
}

KMeansPart::KMeansPart(const KMeans& rows)
    : all_(&rows),
      nearest_(rows.panels_.size() / at(rows.rows_.columns()), kernel::infinity),
      mass_(rows.weights_),
      groups_(rows.weights_.size(), -1) {}

double KMeansPart::mass() const { return std::accumulate(mass_.begin(), mass_.end(), 0.0); }

std::span<const double> KMeansPart::row_at(double mass) const {
  return all_->rows_.row(static_cast<Index>(place_of(mass_, mass).place));
}

void KMeansPart::see_centre(std::span<const double> centre, int threads) {
  const Index n = rows(), d = columns();
  kernel::parallel_for(parts_of(n), threads, [&](Index part) {
    alignas(64) double place[panel_rows] = {};
    const Index last = std::min(n, (part + 1) * rows_of_a_part);
    for (Index i = part * rows_of_a_part; i < last; i += panel_rows)
      kernel::find_nearest({centre.data(), 1, d}, all_->panels_.data() + i * d, nearest_.data() + i,
                           place);
    for (Index i = part * rows_of_a_part; i < last; ++i)
      mass_[at(i)] = all_->weights_[at(i)] * nearest_[at(i)];
  });
}

void KMeansPart::forget_distances() { mass_ = all_->weights_; }

/// The changes due to rows that moved from one centre to another.
CentreSums KMeansPart::changes(const Matrix& centres, Index first, Index last) {
  const Index d = columns();
  CentreSums change(centres.rows(), d);
  const auto move = [&](Index g, double sign, Index i) {
    const double weight = sign * all_->weights_[at(i)];
    add_row(change.sums.row(g), weight, all_->rows_.row(i));
    change.weights[at(g)] += weight;
    change.rows[at(g)] += sign > 0 ? 1 : -1;
  };
  for (Index panel = first; panel < last; panel += panel_rows) {
    alignas(64) double squares[panel_rows], place[panel_rows] = {};
    std::ranges::fill(squares, kernel::infinity);
    kernel::find_nearest({centres.data(), centres.rows(), d}, all_->panels_.data() + panel * d,
                         squares, place);
    for (Index i = panel; i < std::min(last, panel + panel_rows); ++i) {
      const auto best = static_cast<std::int32_t>(place[i - panel]);
      const std::int32_t before = std::exchange(groups_[at(i)], best);
      if (before == best) continue;
      ++change.moved;
      if (!(all_->weights_[at(i)] > 0)) continue;
      move(best, 1, i);
      if (before >= 0) move(before, -1, i);
    }
  }
  return change;
}

const CentreSums& KMeansPart::assign(const Matrix& centres, int threads) {
  const Index n = rows();
  if (total_.sums.rows() == 0) total_ = CentreSums(centres.rows(), columns());
  std::vector<CentreSums> found(at(parts_of(n)), CentreSums(0, columns()));
  kernel::parallel_for(std::ssize(found), threads, [&](Index part) {
    found[at(part)] =
        changes(centres, part * rows_of_a_part, std::min(n, (part + 1) * rows_of_a_part));
  });
  total_.moved = 0;
  for (const CentreSums& change : found) total_.add(change);
  return total_;
}

void k_means(std::span<KMeansPart> parts, Index count, Rng rng, int threads) {
  Index rows = 0;
  for (const KMeansPart& part : parts) rows += part.rows();
  const Index few = rows / 1000;  // EM assigns these better
  Matrix centres = seeds(parts, count, rng, threads);
  for (int round = 0; round < max_rounds; ++round) {
    CentreSums total(count, centres.columns());
    for (KMeansPart& part : parts) total.add(part.assign(centres, threads));
    if (total.moved <= few) break;
    for (Index g = 0; g < count; ++g) {
      for (Index j = 0; total.rows[at(g)] > 0 && j < centres.columns(); ++j)
        centres(g, j) = total.sums(g, j) / total.weights[at(g)];
    }
  }
}

}  // namespace genera::fit_detail
