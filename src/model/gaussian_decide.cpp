// The hard decision of quadratic classes. Sums of squares only grow (and rounding is monotone), so
// a class that is already beaten in every lane of a panel need not be finished: the labels are
// those of the full computation, exactly.
#include <algorithm>
#include <array>
#include <numeric>

#include "model/gaussian_density.hpp"

namespace genera::detail {
namespace {

using kernel::panel_rows;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Index probe_share = 16;  // the first look takes this part of the tiles

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

}  // namespace

void GaussianDensity::decide(const double* panel, Index lanes, const Vector& offsets,
                             double* scratch, std::int32_t* labels) const {
  double* squares = scratch + scratch_size() - result_size();  // K x 16
  double* votes = squares - result_size();                     // K
  const Index tiles = factors_.front().tiles();
  const Index probe = std::max<Index>(1, tiles / probe_share);
  const auto advance = [&](Index k, kernel::TileRange range, Index centred) {
    const kernel::PackedMatrix& factor = factors_[static_cast<std::size_t>(k)];
    const Index length = factor.length(range.end - 1);
    kernel::centre(panel, means_.row(k).data(), {centred, length}, scratch);
    kernel::add_squared_products(factor, range, scratch, lanes, squares + k * panel_rows);
    return length;
  };

  std::fill_n(squares, classes_ * panel_rows, 0.0);
  std::fill_n(votes, classes_, 0.0);
  for (Index k = 0; k < classes_; ++k) advance(k, {0, probe}, 0);
  for (Index lane = 0; lane < lanes; ++lane) {
    const auto ahead = [&](Index k) {
      return score(offsets[static_cast<std::size_t>(k)], squares[k * panel_rows + lane]);
    };
    Index leader = 0;
    for (Index k = 1; k < classes_; ++k) leader = ahead(k) > ahead(leader) ? k : leader;
    votes[leader] += 1;
  }

  Best best;
  best.score.fill(-infinity);
  best.label.fill(-1);
  for (Index done = 0; done < classes_; ++done) {
    const Index k = std::max_element(votes, votes + classes_) - votes;
    votes[k] = -1;
    const double offset = offsets[static_cast<std::size_t>(k)];
    Index t = probe;
    Index centred = 0;
    while (t < tiles && alive(best, offset, squares + k * panel_rows, lanes)) {
      const Index end = std::min(tiles, t + probe);
      centred = advance(k, {t, end}, centred);
      t = end;
    }
    if (t == tiles) compete(best, static_cast<std::int32_t>(k), offset, squares + k * panel_rows);
  }
  std::copy_n(best.label.begin(), lanes, labels);
}

}  // namespace genera::detail
