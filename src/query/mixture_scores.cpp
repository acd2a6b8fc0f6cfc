#include "query/mixture_scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace genera::query {
namespace {

using kernel::panel_rows;
constexpr Index most_panels = 16;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

MixtureScores::MixtureScores(const Model& model, const Rows& rows)
    : panels_per_group_(most_panels) {
  Index scratch = 0, scores = 0;
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    const auto* mixture = std::get_if<MixtureBlock>(&model.blocks()[b]);
    if (!mixture) continue;
    Part part{mixture, {}, mixture->components().density().log_constants(), {}, {}};
    const detail::GaussianDensity& density = part.density();
    std::vector<Index> columns;
    for (const Index c : density.order()) columns.push_back(rows.blocks[b].numbers[at(c)]);
    part.layout = kernel::PanelLayout(columns);
    for (std::size_t c = 0; c < part.offsets.size(); ++c)
      part.offsets[c] += std::log(mixture->parameters().weights[c]);
    panels_per_group_ = std::min(panels_per_group_, density.panels_per_group());
    scratch = std::max(scratch, density.scratch_size());
    scores = std::max(scores, density.result_size());
    parts_.push_back(std::move(part));
  }
  for (Part& part : parts_) {
    part.panels.resize(at(panels_per_group_ * part.density().dimension() * panel_rows));
    part.squares.resize(at(panels_per_group_ * part.density().result_size()));
  }
  scratch_.resize(at(scratch));
  scores_.resize(at(scores));
}

bool MixtureScores::gather(const MatrixView& numbers, RowRange group, const Index* list) {
  const Index rows = group.end - group.begin;
  count_ = (rows + panel_rows - 1) / panel_rows;
  const auto lanes = [&](Index p) { return std::min(panel_rows, rows - p * panel_rows); };
  for (Part& part : parts_) {
    const Index size = part.density().dimension() * panel_rows;
    for (Index p = 0; p < count_; ++p) {
      const Index first = group.begin + p * panel_rows;
      double* panel = part.panels.data() + p * size;
      const bool finite =
          list ? kernel::gather_panel(numbers, part.layout, {list + first, at(lanes(p))}, panel)
               : kernel::gather_panel(numbers, part.layout, first, lanes(p), panel);
      if (!finite) return false;
    }
    part.density().distances({part.panels.data(), count_, lanes(count_ - 1)}, scratch_.data(),
                             part.squares.data());
  }
  return true;
}

void MixtureScores::add(Index size, double* sums) {
  alignas(64) double log_sums[panel_rows];
  for (const Part& part : parts_) {
    for (Index p = 0; p < count_; ++p) {
      const double* squares = part.squares.data() + p * part.density().result_size();
      for (std::size_t c = 0; c < part.offsets.size(); ++c) {
        const Index first = static_cast<Index>(c) * panel_rows;
        for (Index i = first; i < first + panel_rows; ++i)
          scores_[at(i)] = part.offsets[c] - 0.5 * squares[i];
      }
      for (Index k = 0; k < part.block->classes(); ++k) {
        const Index first = part.block->first(k);
        kernel::softmax(scores_.data() + first * panel_rows, part.block->first(k + 1) - first,
                        log_sums, nullptr);
        double* to = sums + p * size + k * panel_rows;
        for (Index lane = 0; lane < panel_rows; ++lane) to[lane] += log_sums[lane];
      }
    }
  }
}

void MixtureScores::add_nearest(Index size, double* distances) {
  for (const Part& part : parts_) {
    for (Index p = 0; p < count_; ++p) {
      const double* squares = part.squares.data() + p * part.density().result_size();
      for (Index k = 0; k < part.block->classes(); ++k) {
        for (Index lane = 0; lane < panel_rows; ++lane) {
          double nearest = std::numeric_limits<double>::infinity();
          for (Index c = part.block->first(k); c < part.block->first(k + 1); ++c)
            nearest = std::min(nearest, squares[c * panel_rows + lane]);
          distances[p * size + k * panel_rows + lane] += nearest;
        }
      }
    }
  }
}

}  // namespace genera::query
