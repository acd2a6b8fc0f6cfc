#include "query/missing/incomplete_rows.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/panel.hpp"

namespace genera::query {
namespace {

using kernel::panel_rows;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// Of a Gaussian block, or of the components of a mixture.
const GaussianParameters* parameters_of(const Block& block) {
  if (const auto* gaussian = std::get_if<GaussianBlock>(&block)) return &gaussian->parameters();
  if (const auto* mixture = std::get_if<MixtureBlock>(&block))
    return &mixture->parameters().components;
  return nullptr;
}

}  // namespace

std::vector<Index> gaussian_columns(const Model& model, const Rows& rows) {
  std::vector<Index> columns;
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    if (!parameters_of(model.blocks()[b])) continue;
    columns.insert(columns.end(), rows.blocks[b].numbers.begin(), rows.blocks[b].numbers.end());
  }
  return columns;
}

IncompleteRows::IncompleteRows(const Model& model, const Rows& rows)
    : writer_(model),
      offsets_(model.is_density() ? model.prior().log() : Vector(model.classes().size())),
      classes_(std::ssize(model.classes())),
      discrete_(model, rows),
      columns_(gaussian_columns(model, rows)),
      row_scores_(model.classes().size()),
      scores_(at(classes_ * panel_rows)),
      distances_(scores_.size()),
      squares_(scores_.size()) {
  Index first = 0, widest = 0;
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    const GaussianParameters* parameters = parameters_of(model.blocks()[b]);
    if (!parameters || rows.blocks[b].sparse) continue;
    const std::vector<Index>& columns = rows.blocks[b].numbers;
    parts_.push_back({detail::GaussianConditional(*parameters),
                      std::get_if<MixtureBlock>(&model.blocks()[b]),
                      kernel::PanelLayout(columns),
                      first,
                      std::ssize(columns),
                      {}});
    squares_.resize(std::max(squares_.size(), at(parameters->means.rows() * panel_rows)));
    parts_.back().observed.reserve(columns.size());
    first += std::ssize(columns);
    widest = std::max(widest, std::ssize(columns));
  }
  observed_.reserve(columns_.size());
  panel_.resize(at(widest * panel_rows));
}

std::span<const Index> IncompleteRows::own_columns(Part& part, std::span<const Index> observed) {
  part.observed.clear();
  for (const Index column : observed) {
    if (column >= part.first && column < part.first + part.columns)
      part.observed.push_back(column - part.first);
  }
  return part.observed;
}

bool IncompleteRows::add_part(Part& part, const MatrixView& numbers, std::span<const Index> rows) {
  (void)kernel::gather_panel(numbers, part.layout, rows, panel_.data());
  for (const Index column : part.observed) {
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      if (!std::isfinite(panel_[at(column * panel_rows) + lane])) return false;
    }
  }
  part.density.all_distances(panel_.data(), squares_.data());
  if (part.mixture)
    add_mixture(part);
  else
    add_classes(part);
  return true;
}

void IncompleteRows::add_classes(const Part& part) {
  for (Index k = 0; k < classes_; ++k) {
    const double constant = part.density.log_constant(k);
    for (Index lane = 0; lane < panel_rows; ++lane) {
      const double square = squares_[at(k * panel_rows + lane)];
      distances_[at(k * panel_rows + lane)] += square;
      scores_[at(k * panel_rows + lane)] += constant - 0.5 * square;
    }
  }
}

/// Of each class the nearest component, and the sum over its components.
void IncompleteRows::add_mixture(const Part& part) {
  alignas(64) double log_sums[panel_rows];
  for (Index k = 0; k < classes_; ++k) {
    const Index first = part.mixture->first(k), last = part.mixture->first(k + 1);
    for (Index lane = 0; lane < panel_rows; ++lane) {
      double nearest = squares_[at(first * panel_rows + lane)];
      for (Index c = first; c < last; ++c)
        nearest = std::min(nearest, squares_[at(c * panel_rows + lane)]);
      distances_[at(k * panel_rows + lane)] += nearest;
    }
    for (Index c = first; c < last; ++c) {
      const double offset =
          part.density.log_constant(c) + std::log(part.mixture->parameters().weights[at(c)]);
      for (Index i = c * panel_rows; i < (c + 1) * panel_rows; ++i)
        squares_[at(i)] = offset - 0.5 * squares_[at(i)];
    }
    kernel::softmax(squares_.data() + first * panel_rows, last - first, log_sums, nullptr);
    for (Index lane = 0; lane < panel_rows; ++lane)
      scores_[at(k * panel_rows + lane)] += log_sums[lane];
  }
}

bool IncompleteRows::run(const MatrixView& numbers, std::span<const Index> observed,
                         std::span<const Index> rows, const Wanted& wanted) noexcept {
  for (Part& part : parts_)
    part.density.observe(own_columns(part, observed), detail::GaussianConditional::Need::marginal);
  bool usable = true;
  for (std::size_t first = 0; first < rows.size(); first += at(panel_rows))
    usable = run_panel(numbers, rows.subspan(first, std::min(at(panel_rows), rows.size() - first)),
                       wanted) &&
             usable;
  return usable;
}

bool IncompleteRows::run_panel(const MatrixView& numbers, std::span<const Index> rows,
                               const Wanted& wanted) {
  for (Index k = 0; k < classes_; ++k)
    std::fill_n(scores_.begin() + k * panel_rows, panel_rows, offsets_[at(k)]);
  std::fill(distances_.begin(), distances_.end(), 0.0);
  for (Part& part : parts_) {
    if (!add_part(part, numbers, rows)) return false;
  }
  alignas(64) double coefficients[panel_rows] = {};
  for (std::size_t lane = 0; lane < rows.size() && !discrete_.empty(); ++lane) {
    std::fill(row_scores_.begin(), row_scores_.end(), 0.0);
    if (!discrete_.add(numbers, rows[lane], row_scores_.data())) return false;
    for (Index k = 0; k < classes_; ++k) scores_[at(k * panel_rows) + lane] += row_scores_[at(k)];
    coefficients[lane] = discrete_.log_coefficient(numbers, rows[lane]);
  }
  const PanelScores found{rows, scores_.data(), distances_.data(), coefficients};
  writer_.write_exact(found, wanted);
  if (wanted.posterior || wanted.labels) writer_.write_relative(found, wanted);
  return true;
}

bool IncompleteRows::run_one(const MatrixView& numbers, Index row, const Wanted& wanted) noexcept {
  observed_.clear();
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    if (!std::isnan(numbers(row, columns_[j]))) observed_.push_back(static_cast<Index>(j));
  }
  return run(numbers, observed_, {&row, 1}, wanted);
}

}  // namespace genera::query
