#include "query/missing/incomplete_rows.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/panel.hpp"

namespace genera::query {
namespace {

using kernel::panel_rows;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

std::vector<Index> gaussian_columns(const Model& model, const Rows& rows) {
  std::vector<Index> columns;
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    if (!std::holds_alternative<GaussianBlock>(model.blocks()[b])) continue;
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
    const auto* gaussian = std::get_if<GaussianBlock>(&model.blocks()[b]);
    if (!gaussian || rows.blocks[b].sparse) continue;
    const std::vector<Index>& columns = rows.blocks[b].numbers;
    parts_.push_back({detail::GaussianConditional(gaussian->parameters()),
                      kernel::PanelLayout(columns),
                      first,
                      std::ssize(columns),
                      {}});
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
  for (Index k = 0; k < classes_; ++k) {
    const double constant = part.density.log_constant(k);
    for (Index lane = 0; lane < panel_rows; ++lane) {
      const double square = squares_[at(k * panel_rows + lane)];
      distances_[at(k * panel_rows + lane)] += square;
      scores_[at(k * panel_rows + lane)] += constant - 0.5 * square;
    }
  }
  return true;
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
