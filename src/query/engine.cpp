#include "query/engine.hpp"

#include <algorithm>

namespace genera::query {
namespace {

using kernel::panel_rows;
constexpr Index most_panels = 16;  // of a group, without Gaussian blocks that ask for fewer

Index lanes_of(RowRange group, Index p) {
  return std::min(panel_rows, group.end - group.begin - p * panel_rows);
}

Index panel_count(RowRange group) {
  return (group.end - group.begin + panel_rows - 1) / panel_rows;
}

bool only_labels(const Wanted& wanted) {
  return wanted.labels && !wanted.posterior && !wanted.log_joint && !wanted.log_density &&
         !wanted.distances;
}

std::size_t doubles(Index n) { return static_cast<std::size_t>(n); }

}  // namespace

Engine::Engine(const Model& model, const Rows& rows)
    : writer_(model),
      log_prior_(model.prior().log()),
      classes_(static_cast<Index>(model.classes().size())),
      offsets_(model.is_density() ? log_prior_ : Vector(log_prior_.size())),
      table_(rows.table),
      discrete_(model, rows),
      mixtures_(model, rows),
      row_scores_(model.classes().size()) {
  Index scratch = 0;
  Index group_panels = std::min(most_panels, mixtures_.panels_per_group());
  result_size_ = classes_ * panel_rows;
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    const auto* gaussian = std::get_if<GaussianBlock>(&model.blocks()[b]);
    if (!gaussian) continue;
    if (rows.blocks[b].sparse) {
      sparse_parts_.push_back({&gaussian->density(), &rows.blocks[b],
                               Vector(gaussian->density().far_columns().size())});
      for (std::size_t k = 0; k < offsets_.size(); ++k)
        offsets_[k] += gaussian->density().log_constants()[k];
      continue;
    }
    Part part{&gaussian->density(), {}, {}};
    std::vector<Index> columns;
    for (const Index c : part.density->order())
      columns.push_back(rows.blocks[b].numbers[doubles(c)]);
    part.layout = kernel::PanelLayout(columns);
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
  coefficients_.resize(doubles(group_rows_));
  scratch_.resize(doubles(scratch));
  for (kernel::AlignedVector* buffer : {&distances_, &scores_, &one_, &other_sums_})
    buffer->resize(doubles(group_panels * result_size_));
  if (parts_.size() == 1 && discrete_.empty() && mixtures_.empty() &&
      parts_.front().density->has_parts() && classes_ > 1)
    pruned_.emplace(*parts_.front().density, parts_.front().layout, offsets_);
}

bool Engine::run(const MatrixView& numbers, std::span<const Index> rows,
                 const Wanted& wanted) noexcept {
  list_ = rows.data();
  const bool usable = run(numbers, RowRange{0, std::ssize(rows)}, wanted);
  list_ = nullptr;
  return usable;
}

std::span<const Index> Engine::rows_of_panel(RowRange group, Index p) {
  const Index lanes = lanes_of(group, p);
  for (Index lane = 0; lane < lanes; ++lane)
    panel_list_[doubles(lane)] = row_at(group.begin + p * panel_rows + lane);
  return {panel_list_.data(), doubles(lanes)};
}

bool Engine::run(const MatrixView& numbers, RowRange range, const Wanted& wanted) noexcept {
  if (pruned_ && !list_ && only_labels(wanted)) return decide(numbers, range, wanted.labels);
  for (Index first = range.begin; first < range.end; first += group_rows_) {
    const RowRange group{first, std::min(range.end, first + group_rows_)};
    if (!gather(numbers, group) || !answer(numbers, group, wanted)) return false;
  }
  return true;
}

bool Engine::decide(const MatrixView& numbers, RowRange range, std::int32_t* labels) {
  if (!pruned_->run(numbers, range, labels)) return false;
  for (Index i = range.begin; i < range.end; ++i) {
    if (labels[i] >= 0) continue;
    labels[i] = writer_.favourite();
    writer_.count_impossible();
  }
  return true;
}

bool Engine::gather(const MatrixView& numbers, RowRange group) {
  for (Part& part : parts_) {
    const Index size = part.density->dimension() * panel_rows;
    for (Index p = 0; p < panel_count(group); ++p) {
      double* panel = part.panels.data() + p * size;
      const bool finite =
          list_ ? kernel::gather_panel(numbers, part.layout, rows_of_panel(group, p), panel)
                : kernel::gather_panel(numbers, part.layout, group.begin + p * panel_rows,
                                       lanes_of(group, p), panel);
      if (!finite) return false;
    }
  }
  return true;
}

detail::Panels Engine::panels(const Part& part, RowRange group) const {
  const Index count = panel_count(group);
  return {part.panels.data(), count, lanes_of(group, count - 1)};
}

bool Engine::answer(const MatrixView& numbers, RowRange group, const Wanted& wanted) {
  const bool exact = wanted.log_joint || wanted.log_density || wanted.distances;
  const bool relative = wanted.posterior || wanted.labels;
  if (!score_others(numbers, group)) return false;
  if (exact || !linear_) {
    sum_distances(group);
    exact_scores(group);
    add_others(group);
  }
  if (wanted.distances) mixtures_.add_nearest(size(), distances_.data());
  if (exact) {
    find_coefficients(numbers, group);
    write_exact(group, wanted);
  }
  if (relative && linear_) {
    relative_scores(group);
    add_others(group);
  }
  if (relative) write_relative(group, wanted);
  return true;
}

bool Engine::score_discrete(const MatrixView& numbers, RowRange group) {
  if (discrete_.empty()) return true;
  for (Index position = group.begin; position < group.end; ++position) {
    const Index place = position - group.begin;
    std::fill(row_scores_.begin(), row_scores_.end(), 0.0);
    if (!discrete_.add(numbers, row_at(position), row_scores_.data())) return false;
    double* sums = other_sums_.data() + place / panel_rows * size() + place % panel_rows;
    for (Index k = 0; k < classes_; ++k) sums[k * panel_rows] = row_scores_[doubles(k)];
  }
  return true;
}

bool Engine::score_others(const MatrixView& numbers, RowRange group) {
  if (discrete_.empty() && !mixtures_.empty())
    std::fill(other_sums_.begin(), other_sums_.end(), 0.0);
  if (!score_discrete(numbers, group)) return false;
  if (mixtures_.empty()) return true;
  if (!mixtures_.gather(numbers, group, list_)) return false;
  mixtures_.add(size(), other_sums_.data());
  return true;
}

void Engine::add_others(RowRange group) {
  if (discrete_.empty() && mixtures_.empty()) return;
  const Index used = panel_count(group) * result_size_;
  for (Index at = 0; at < used; ++at) scores_[doubles(at)] += other_sums_[doubles(at)];
}

/// The squared distances of a row, in `row_scores_`.
void Engine::add_entries(SparsePart& part, Index row) {
  const detail::GaussianDensity& density = *part.density;
  const SparseColumns& sparse = table_->sparse[*part.columns->sparse];
  const std::span<const Index> far = density.far_columns();
  std::copy(density.distances_of_zero().begin(), density.distances_of_zero().end(),
            row_scores_.begin());
  std::fill(part.far_values.begin(), part.far_values.end(), 0.0);
  for (Index e = sparse.begins[doubles(row)]; e < sparse.begins[doubles(row) + 1]; ++e) {
    const auto place = static_cast<std::size_t>(sparse.places[doubles(e)]);
    const std::int32_t column = part.columns->terms[place];
    if (column < 0) continue;
    const double value = sparse.values[doubles(e)];
    if (density.is_far(column))
      part.far_values[doubles(std::lower_bound(far.begin(), far.end(), column) - far.begin())] =
          value;
    else
      density.replace_zero(column, value, row_scores_.data());
  }
  for (std::size_t i = 0; i < far.size(); ++i)
    density.add_square(far[i], part.far_values[i], row_scores_.data());
}

void Engine::add_sparse_distances(RowRange group) {
  for (SparsePart& part : sparse_parts_) {
    for (Index position = group.begin; position < group.end; ++position) {
      add_entries(part, row_at(position));
      const Index place = position - group.begin;
      double* sums = distances_.data() + place / panel_rows * size() + place % panel_rows;
      for (Index k = 0; k < classes_; ++k)
        sums[k * panel_rows] += std::max(0.0, row_scores_[doubles(k)]);
    }
  }
}

void Engine::find_coefficients(const MatrixView& numbers, RowRange group) {
  for (Index at = group.begin; at < group.end && !discrete_.empty(); ++at)
    coefficients_[doubles(at - group.begin)] = discrete_.log_coefficient(numbers, row_at(at));
}

void Engine::sum_distances(RowRange group) {
  const Index used = panel_count(group) * result_size_;
  if (parts_.empty()) std::fill_n(distances_.begin(), used, 0.0);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    double* out = i == 0 ? distances_.data() : one_.data();
    parts_[i].density->distances(panels(parts_[i], group), scratch_.data(), out);
    for (Index at = 0; i > 0 && at < used; ++at) distances_[doubles(at)] += one_[doubles(at)];
  }
  add_sparse_distances(group);
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
        const double constant = (i == 0 ? log_prior_[doubles(k)] : 0.0) +
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
  for (Index p = 0; p < panel_count(group); ++p)
    writer_.write_exact({.rows = rows_of_panel(group, p),
                         .scores = scores_.data() + p * size(),
                         .distances = distances_.data() + p * size(),
                         .coefficients = coefficients_.data() + p * panel_rows},
                        wanted);
}

void Engine::write_relative(RowRange group, const Wanted& wanted) {
  for (Index p = 0; p < panel_count(group); ++p)
    writer_.write_relative({.rows = rows_of_panel(group, p), .scores = scores_.data() + p * size()},
                           wanted);
}

}  // namespace genera::query
