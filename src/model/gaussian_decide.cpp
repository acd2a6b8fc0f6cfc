// The hard decision of quadratic classes. Sums of squares only grow (and rounding is monotone), so
// a class that is already beaten in every lane of a panel need not be finished: the labels are
// those of the full computation, exactly.
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "model/gaussian_density.hpp"

namespace genera::detail {
namespace {

using kernel::panel_rows;

constexpr double infinity = std::numeric_limits<double>::infinity();
// The first look takes this part of the tiles, which is the square of it in work.
constexpr Index probe_share = 4;
// Then a class is given up or not after each such part.
constexpr Index step_share = 12;

struct Best {
  std::array<double, panel_rows> score;
  std::array<std::int32_t, panel_rows> label;
};

double score(double offset, double squares) {
  return squares < infinity ? offset - 0.5 * squares : -infinity;  // NaN is infinitely far, too
}

/// Whether the class may still win (or tie) in some lane.
bool alive(const Best& best, double offset, const double* squares, Index lanes) {
  for (Index lane = 0; lane < lanes; ++lane) {
    if (score(offset, squares[lane]) >= best.score[static_cast<std::size_t>(lane)]) return true;
  }
  return false;
}

void compete(Best& best, std::int32_t k, double offset, const double* squares) {
  for (std::size_t lane = 0; lane < panel_rows; ++lane) {
    const double s = score(offset, squares[lane]);
    if (s == -infinity || s < best.score[lane]) continue;
    if (s > best.score[lane] || k < best.label[lane]) {
      best.score[lane] = s;
      best.label[lane] = k;
    }
  }
}

/// How many lanes a class leads in; among those that lead nowhere, the nearest on the whole first.
void count_votes(const Vector& offsets, const double* squares, Index lanes,
                 std::span<double> votes) {
  for (std::size_t k = 0; k < votes.size(); ++k) {
    const double* of_class = squares + static_cast<Index>(k) * panel_rows;
    votes[k] = -std::accumulate(of_class, of_class + lanes, 0.0);
    if (!(votes[k] > -infinity)) votes[k] = -std::numeric_limits<double>::max();
  }
  for (Index lane = 0; lane < lanes; ++lane) {
    const auto ahead = [&](std::size_t k) {
      return score(offsets[k], squares[static_cast<Index>(k) * panel_rows + lane]);
    };
    std::size_t leader = 0;
    for (std::size_t k = 1; k < votes.size(); ++k) leader = ahead(k) > ahead(leader) ? k : leader;
    votes[leader] = std::max(votes[leader], 0.0) + 1;
  }
}

}  // namespace

Index GaussianDensity::probe_tiles() const {
  const Index tiles = factors_.front().tiles();
  return std::min(tiles, std::max<Index>(2, tiles / probe_share));
}

Index GaussianDensity::probe_columns() const { return factors_.front().length(probe_tiles() - 1); }

void GaussianDensity::probe(const double* panel, Index lanes, double* scratch,
                            double* squares) const {
  std::fill_n(squares, classes_ * panel_rows, 0.0);
  for (Index k = 0; k < classes_; ++k) {
    kernel::centre(panel, means_.row(k).data(), {0, probe_columns()}, scratch);
    kernel::add_squared_products(factors_[static_cast<std::size_t>(k)], {0, probe_tiles()}, scratch,
                                 lanes, squares + k * panel_rows);
  }
}

void GaussianDensity::finish(const double* panel, Index lanes, const Vector& offsets,
                             double* scratch, double* squares, std::int32_t* labels) const {
  double* votes = scratch + scratch_size() - result_size();  // K
  count_votes(offsets, squares, lanes, {votes, static_cast<std::size_t>(classes_)});
  const Index tiles = factors_.front().tiles();
  const Index step = std::max<Index>(1, tiles / step_share);
  Best best;
  best.score.fill(-infinity);
  best.label.fill(-1);
  for (Index done = 0; done < classes_; ++done) {
    const Index k = std::max_element(votes, votes + classes_) - votes;
    votes[k] = -infinity;
    const double offset = offsets[static_cast<std::size_t>(k)];
    const kernel::PackedMatrix& factor = factors_[static_cast<std::size_t>(k)];
    Index t = probe_tiles();
    Index centred = 0;
    while (t < tiles && alive(best, offset, squares + k * panel_rows, lanes)) {
      const kernel::TileRange range{t, done == 0 ? tiles : std::min(tiles, t + step)};
      const Index length = factor.length(range.end - 1);
      kernel::centre(panel, means_.row(k).data(), {centred, length}, scratch);
      kernel::add_squared_products(factor, range, scratch, lanes, squares + k * panel_rows);
      centred = length;
      t = range.end;
    }
    if (t == tiles) compete(best, static_cast<std::int32_t>(k), offset, squares + k * panel_rows);
  }
  std::copy_n(best.label.begin(), lanes, labels);
}

}  // namespace genera::detail
