#include "blocks/gaussian/density/decision.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "blocks/gaussian/density/panel_rows.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

using kernel::panel_rows;

using kernel::infinity;
// The probe uses this part of the tiles; its work is the square of this part.
constexpr Index probe_share = 4;
// The unit of work is the first tile. Tile t is t + 1 times as long, so the first t + 1 tiles take
// ~ (t + 1)^2. Gathering a row again takes as long as this many tiles of the length of the first.
constexpr Index gathering = 3;
// The rows in which a class may still win are counted again after this multiple of the work of
// gathering them.
constexpr Index round_work = 1;
// Rounds pay off below this part of all work.
constexpr double worthwhile = 0.9;

}  // namespace

PrunedDecision::PrunedDecision(const detail::GaussianDensity& density, data::NumberColumns columns,
                               Vector offsets)
    : density_(&density), columns_(std::move(columns)), offsets_(std::move(offsets)) {
  const Index tiles = density.tiles();
  probe_tiles_ = std::min(tiles, std::max<Index>(2, tiles / probe_share));
  probe_offsets_ = density.marginal_log_constants(probe_tiles_);
  for (std::size_t k = 0; k < probe_offsets_.size(); ++k)
    probe_offsets_[k] += offsets_[k] - density.log_constants()[k];
  const Index panels = density.panels_per_group();
  panels_.resize(at(panels * density.dimension() * panel_rows));
  sums_.resize(at(panels * panel_rows));
  scratch_.resize(at(density.scratch_size()));
  squares_.resize(at(density.classes() * batch_rows));
  leaders_.resize(at(batch_rows));
  best_.resize(at(batch_rows));
  labels_.resize(at(batch_rows));
  task_.resize(at(batch_rows));
}

bool PrunedDecision::run(Index begin, Index count, std::int32_t* labels) noexcept {
  for (Index first = begin; first < begin + count; first += batch_rows) {
    const RowRange batch{first, std::min(begin + count, first + batch_rows)};
    if (!(in_rounds_ ? probe(batch) : finish_all(batch))) return false;
    if (in_rounds_) {
      finish_leaders(batch);
      in_rounds_ = finish_challengers(batch) < worthwhile;
    }
    std::copy_n(labels_.begin(), batch.end - first, labels + (first - begin));
  }
  return true;
}

bool PrunedDecision::finish_all(RowRange batch) {
  const Index panel_size = density_->dimension() * panel_rows;
  const Index group_rows = density_->panels_per_group() * panel_rows;
  for (Index first = batch.begin; first < batch.end; first += group_rows) {
    const Index count = std::min(group_rows, batch.end - first);
    detail::Panels rows{panels_.data(), panels_of(count), lanes_of(count, panels_of(count) - 1)};
    for (Index p = 0; p < rows.count; ++p) {
      const Index row = first + p * panel_rows;
      if (!columns_.gather_panel(row, rows.lanes(p), panels_.data() + p * panel_size)) return false;
    }
    for (Index k = 0; k < density_->classes(); ++k) {
      std::fill_n(sums_.begin(), rows.count * panel_rows, 0.0);
      density_->add_squares(k, {0, density_->tiles()}, rows, scratch_.data(), sums_.data());
      std::copy_n(sums_.begin(), count, squares(k) + (first - batch.begin));
    }
  }
  forget_labels();
  task_size_ = batch.end - batch.begin;
  std::iota(task_.begin(), task_.begin() + task_size_, Index{0});
  for (Index k = 0; k < density_->classes(); ++k) compete(k);
  return true;
}

bool PrunedDecision::probe(RowRange batch) {
  for (Index row = batch.begin; row < batch.end; row += panel_rows) {
    const Index place = row - batch.begin;
    const Index lanes = std::min(panel_rows, batch.end - row);
    if (!columns_.gather_panel(row, lanes, panels_.data())) return false;
    for (Index k = 0; k < density_->classes(); ++k) {
      std::fill_n(squares(k) + place, panel_rows, 0.0);
      density_->add_squares(k, {0, probe_tiles_}, {panels_.data(), 1, lanes}, scratch_.data(),
                            squares(k) + place);
    }
  }
  const Index count = batch.end - batch.begin;
  for (Index i = 0; i < count; ++i) {
    const auto look = [&](Index k) { return probe_offsets_[at(k)] - 0.5 * squares(k)[i]; };
    Index leader = 0;
    for (Index k = 1; k < density_->classes(); ++k) leader = look(k) > look(leader) ? k : leader;
    leaders_[at(i)] = static_cast<std::int32_t>(leader);
  }
  return true;
}

void PrunedDecision::forget_labels() {
  std::fill(best_.begin(), best_.end(), -infinity);
  std::fill(labels_.begin(), labels_.end(), -1);
}

void PrunedDecision::finish_leaders(RowRange batch) {
  forget_labels();
  for (Index k = 0; k < density_->classes(); ++k) {
    task_size_ = 0;
    for (Index i = 0; i < batch.end - batch.begin; ++i) {
      task_[at(task_size_)] = i;  // no branch, because the leader is not predictable
      task_size_ += leaders_[at(i)] == k;
    }
    advance(batch.begin, k, {probe_tiles_, density_->tiles()});
    compete(k);
  }
}

double PrunedDecision::finish_challengers(RowRange batch) {
  const Index tiles = density_->tiles(), classes = density_->classes();
  const Index rows = batch.end - batch.begin;
  const Index all = tiles * tiles, probed = probe_tiles_ * probe_tiles_,
              gathered = gathering * tiles;
  Index work = rows * (classes * probed + all - probed + gathered);  // of the probe and the leaders
  for (Index k = 0; k < classes; ++k) {
    task_size_ = 0;
    for (Index i = 0; i < rows; ++i) {
      task_[at(task_size_)] = i;
      task_size_ += static_cast<int>(leaders_[at(i)] != k) & static_cast<int>(may_win(k, i));
    }
    for (Index t = probe_tiles_; t < tiles && task_size_ > 0;) {
      Index end = t + 1;
      while (end < tiles && end * end - t * t < round_work * gathered) ++end;
      advance(batch.begin, k, {t, end});
      work += task_size_ * (end * end - t * t + gathered);
      t = end;
      const auto left = std::remove_if(task_.begin(), task_.begin() + task_size_,
                                       [&](Index place) { return !may_win(k, place); });
      task_size_ = left - task_.begin();
    }
    compete(k);
  }
  return static_cast<double>(work) / static_cast<double>(rows * classes * all);
}

void PrunedDecision::advance(Index first, Index k, kernel::TileRange tiles) {
  if (tiles.begin == tiles.end) return;
  const Index panel_size = density_->dimension() * panel_rows;
  const Index group_rows = density_->panels_per_group() * panel_rows;
  for (Index begin = 0; begin < task_size_; begin += group_rows) {
    const Index end = std::min(task_size_, begin + group_rows);
    Index panels = 0;
    Index lanes = 0;
    for (Index from = begin; from < end; from += panel_rows, ++panels) {
      lanes = std::min(panel_rows, end - from);
      Index rows[panel_rows];
      for (Index lane = 0; lane < lanes; ++lane) {
        const Index place = task_[at(from + lane)];
        rows[lane] = first + place;
        sums_[at(from - begin + lane)] = squares(k)[place];
      }
      columns_.gather_panel({rows, at(lanes)}, panels_.data() + panels * panel_size);
    }
    density_->add_squares(k, tiles, {panels_.data(), panels, lanes}, scratch_.data(), sums_.data());
    for (Index i = begin; i < end; ++i) squares(k)[task_[at(i)]] = sums_[at(i - begin)];
  }
}

double PrunedDecision::score(Index k, Index place) const {
  const double squares = squares_[at(k * batch_rows + place)];
  return squares < infinity ? offsets_[at(k)] - 0.5 * squares : -infinity;  // also if NaN
}

bool PrunedDecision::may_win(Index k, Index place) const {
  return score(k, place) >= best_[at(place)];
}

void PrunedDecision::compete(Index k) {
  for (Index i = 0; i < task_size_; ++i) {
    const Index place = task_[at(i)];
    const double s = score(k, place);
    double& best = best_[at(place)];
    std::int32_t& label = labels_[at(place)];
    if (s == -infinity || s < best || (s == best && label >= 0 && label < k)) continue;
    best = s;
    label = static_cast<std::int32_t>(k);
  }
}

LinearDecision::LinearDecision(const detail::GaussianDensity& density, data::NumberColumns columns,
                               Vector offsets)
    : density_(&density), columns_(std::move(columns)), offsets_(std::move(offsets)) {}

bool LinearDecision::run(Index first, Index count, std::int32_t* labels) noexcept {
  for (Index done = 0; done < count; done += batch_rows) {
    const Index row = first + done, some = std::min(batch_rows, count - done);
    const kernel::Ahead next = columns_.memory_of(row + some, some);
    if (!density_->linear_labels(offsets_, columns_.strided(row, some), labels + done, next))
      return false;
  }
  return true;
}

}  // namespace genera::blocks
