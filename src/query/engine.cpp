#include "query/engine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace genera::query {
namespace {

using kernel::panel_rows;
constexpr double infinity = std::numeric_limits<double>::infinity();

Index lanes_of(RowRange group, Index p) {
  return std::min(panel_rows, group.end - group.begin - p * panel_rows);
}

Index panel_count(RowRange group) {
  return (group.end - group.begin + panel_rows - 1) / panel_rows;
}

/// Panel results (K x 16) -> rows (n x K).
void transpose_out(const double* from, Index lanes, Index classes, double* to) {
  for (Index lane = 0; lane < lanes; ++lane) {
    for (Index k = 0; k < classes; ++k) to[lane * classes + k] = from[k * panel_rows + lane];
  }
}

bool only_labels(const Wanted& wanted) {
  return wanted.labels && !wanted.posterior && !wanted.log_joint && !wanted.log_density &&
         !wanted.distances;
}

std::size_t doubles(Index n) { return static_cast<std::size_t>(n); }

}  // namespace

Engine::Engine(const Model& model, const std::vector<Index>& places)
    : prior_(model.prior()),
      favourite_(static_cast<std::int32_t>(
          std::max_element(prior_.probabilities().begin(), prior_.probabilities().end()) -
          prior_.probabilities().begin())),
      classes_(static_cast<Index>(model.classes().size())),
      offsets_(prior_.log()) {
  Index feature = 0;
  Index scratch = 0;
  Index group_panels = std::numeric_limits<Index>::max();
  result_size_ = 0;
  for (const Block& block : model.blocks()) {
    const auto& gaussian = std::get<GaussianBlock>(block);
    Part part{&gaussian.density(), {}, {}};
    std::vector<Index> columns;
    for (const Index c : part.density->order()) columns.push_back(places[doubles(feature + c)]);
    part.layout = kernel::PanelLayout(columns);
    feature += part.density->dimension();
    for (std::size_t k = 0; k < offsets_.size(); ++k)
      offsets_[k] += part.density->log_constants()[k];
    group_panels = std::min(group_panels, part.density->panels_per_group());
    scratch = std::max(scratch, part.density->scratch_size());
    result_size_ = std::max(result_size_, part.density->result_size());
    linear_ = linear_ || part.density->is_linear();
    parts_.push_back(std::move(part));
  }
  for (Part& part : parts_)
    part.panels.resize(doubles(group_panels * part.density->dimension() * panel_rows));
  group_rows_ = group_panels * panel_rows;
  scratch_.resize(doubles(scratch));
  for (kernel::AlignedVector* buffer : {&distances_, &scores_, &one_})
    buffer->resize(doubles(group_panels * result_size_));
  if (parts_.size() == 1 && parts_.front().density->has_parts() && classes_ > 1)
    pruned_.emplace(*parts_.front().density, parts_.front().layout, offsets_);
}

bool Engine::run(const MatrixView& numbers, RowRange range, const Wanted& wanted) noexcept {
  if (pruned_ && only_labels(wanted)) return decide(numbers, range, wanted.labels);
  for (Index first = range.begin; first < range.end; first += group_rows_) {
    const RowRange group{first, std::min(range.end, first + group_rows_)};
    if (!gather(numbers, group)) return false;
    answer(group, wanted);
  }
  return true;
}

bool Engine::decide(const MatrixView& numbers, RowRange range, std::int32_t* labels) {
  if (!pruned_->run(numbers, range, labels)) return false;
  for (Index i = range.begin; i < range.end; ++i) {
    if (labels[i] >= 0) continue;
    labels[i] = favourite_;
    ++impossible_;
  }
  return true;
}

bool Engine::gather(const MatrixView& numbers, RowRange group) {
  for (Part& part : parts_) {
    const Index size = part.density->dimension() * panel_rows;
    for (Index p = 0; p < panel_count(group); ++p) {
      double* panel = part.panels.data() + p * size;
      if (!kernel::gather_panel(numbers, part.layout, group.begin + p * panel_rows,
                                lanes_of(group, p), panel))
        return false;
    }
  }
  return true;
}

detail::Panels Engine::panels(const Part& part, RowRange group) const {
  const Index count = panel_count(group);
  return {part.panels.data(), count, lanes_of(group, count - 1)};
}

void Engine::answer(RowRange group, const Wanted& wanted) {
  const bool exact = wanted.log_joint || wanted.log_density || wanted.distances;
  if (exact) {
    sum_distances(group);
    exact_scores(group);
    write_exact(group, wanted);
  }
  if (!wanted.posterior && !wanted.labels) return;
  if (linear_) relative_scores(group);
  if (!linear_ && !exact) {
    sum_distances(group);
    exact_scores(group);
  }
  write_relative(group, wanted);
}

void Engine::sum_distances(RowRange group) {
  const Index used = panel_count(group) * result_size_;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    double* out = i == 0 ? distances_.data() : one_.data();
    parts_[i].density->distances(panels(parts_[i], group), scratch_.data(), out);
    for (Index at = 0; i > 0 && at < used; ++at) distances_[doubles(at)] += one_[doubles(at)];
  }
}

void Engine::exact_scores(RowRange group) {
  for (Index p = 0; p < panel_count(group); ++p) {
    for (Index k = 0; k < classes_; ++k) {
      const double* squares = distances_.data() + p * size() + k * panel_rows;
      double* score = scores_.data() + p * size() + k * panel_rows;
      for (Index lane = 0; lane < panel_rows; ++lane)
        score[lane] = offsets_[doubles(k)] - 0.5 * squares[lane];
    }
  }
}

void Engine::relative_scores(RowRange group) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const detail::GaussianDensity& density = *parts_[i].density;
    const bool linear = density.is_linear();
    if (linear) density.linear_scores(panels(parts_[i], group), scratch_.data(), one_.data());
    if (!linear) density.distances(panels(parts_[i], group), scratch_.data(), one_.data());
    for (Index p = 0; p < panel_count(group); ++p) {
      for (Index k = 0; k < classes_; ++k) {
        const double constant = (i == 0 ? prior_.log()[doubles(k)] : 0.0) +
                                (linear ? 0.0 : density.log_constants()[doubles(k)]);
        const double* from = one_.data() + p * size() + k * panel_rows;
        double* to = scores_.data() + p * size() + k * panel_rows;
        for (Index lane = 0; lane < panel_rows; ++lane) {
          const double score = constant + (linear ? from[lane] : -0.5 * from[lane]);
          to[lane] = i == 0 ? score : to[lane] + score;
        }
      }
    }
  }
}

void Engine::write_exact(RowRange group, const Wanted& wanted) {
  alignas(64) double sums[panel_rows];
  for (Index p = 0; p < panel_count(group); ++p) {
    const Index row = group.begin + p * panel_rows;
    const Index lanes = lanes_of(group, p);
    const double* scores = scores_.data() + p * size();
    if (wanted.log_joint) transpose_out(scores, lanes, classes_, wanted.log_joint + row * classes_);
    if (wanted.distances)
      transpose_out(distances_.data() + p * size(), lanes, classes_,
                    wanted.distances + row * classes_);
    if (!wanted.log_density) continue;
    kernel::softmax(scores, classes_, sums, nullptr);
    std::copy_n(sums, lanes, wanted.log_density + row);
  }
}

void Engine::write_relative(RowRange group, const Wanted& wanted) {
  alignas(64) double sums[panel_rows];
  alignas(64) double labels[panel_rows];
  for (Index p = 0; p < panel_count(group); ++p) {
    const Index row = group.begin + p * panel_rows;
    const Index lanes = lanes_of(group, p);
    const double* scores = scores_.data() + p * size();
    if (wanted.posterior) {
      kernel::softmax(scores, classes_, sums, one_.data());
      transpose_out(one_.data(), lanes, classes_, wanted.posterior + row * classes_);
    }
    kernel::best_classes(scores, classes_, sums, labels);
    for (Index lane = 0; lane < lanes; ++lane) {
      const bool possible = sums[lane] > -infinity;
      if (wanted.labels)
        wanted.labels[row + lane] = possible ? static_cast<std::int32_t>(labels[lane]) : favourite_;
      if (possible) continue;
      ++impossible_;
      if (wanted.posterior)
        std::copy(prior_.probabilities().begin(), prior_.probabilities().end(),
                  wanted.posterior + (row + lane) * classes_);
    }
  }
}

}  // namespace genera::query
