#include "score/scorer.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/index.hpp"
#include "score/temperature.hpp"

namespace genera::score {
namespace {

using kernel::at;

using blocks::MissingMode;
using blocks::Mode;
using blocks::Scores;
using kernel::panel_rows;

constexpr Index max_panels = 16;  // in a group, unless blocks request fewer

Index panel_count(Index rows) { return (rows + panel_rows - 1) / panel_rows; }

bool only_labels(const Wanted& wanted) {
  return wanted.labels && !wanted.posterior && !wanted.log_posterior && !wanted.log_joint &&
         !wanted.log_density && !wanted.distances;
}

}  // namespace

Scorer::Scorer(const BoundModel& bound, MissingMode missing)
    : bound_(bound),
      writer_(bound.model()),
      classes_(bound.classes()),
      start_(bound.start()),
      relative_start_(start_before_division(bound.model(), start_)),
      stride_(classes_ * panel_rows),
      constants_(at(classes_)) {
  Index group_panels = max_panels;
  relative_differs_ = relative_start_ != start_;
  for (std::size_t b = 0; b < bound.size(); ++b) {
    const blocks::BoundPart& block = bound.part(b);
    const Index panels = block.panels_per_group();
    if (panels > 0) group_panels = std::min(group_panels, panels);
    stride_ = std::max(stride_, block.panel_size());
    relative_differs_ = relative_differs_ || block.relative_differs();
    rows_differ_ = rows_differ_ || (panels == 0 && block.relative_differs());
    (panels > 0 ? any_panels_ : any_rows_) = true;
    parts_.push_back({block.worker(missing), panels > 0, bound.first_pattern_column(b),
                      bound.first_pattern_column(b + 1)});
  }
  if (bound.size() == 1 && bound.rows().contiguous())
    decision_ = bound.part(0).decision(relative_start_);
  group_rows_ = group_panels * panel_rows;
  for (kernel::AlignedVector* buffer : {&lanes_, &squares_})
    buffer->resize(at(group_panels * stride_));
  if (any_rows_) by_row_.resize(at(group_rows_ * classes_));
  common_.resize(at(group_rows_));
  rows_.resize(at(group_rows_));
  observed_.reserve(bound.pattern_columns().size());
  one_observed_.reserve(bound.pattern_columns().size());
}

Index Scorer::unseen() const {
  Index sum = -counted_twice_;
  for (const Part& part : parts_) sum += part.worker->unseen();
  return sum;
}

bool Scorer::run(Index begin, Index end, const Wanted& wanted) noexcept {
  if (decision_ && only_labels(wanted)) return decide(begin, end, wanted.labels);
  for (Part& part : parts_) part.worker->observe_all();
  for (Index first = begin; first < end; first += group_rows_) {
    const Group group{bound_.rows(), first, std::min(end, first + group_rows_), {}};
    if (!answer(group, wanted)) return false;
  }
  return true;
}

bool Scorer::run(std::span<const Index> positions, const Wanted& wanted) noexcept {
  for (Part& part : parts_) part.worker->observe_all();
  for (std::size_t first = 0; first < positions.size(); first += at(group_rows_)) {
    const auto some = positions.subspan(first, std::min(at(group_rows_), positions.size() - first));
    for (std::size_t i = 0; i < some.size(); ++i) rows_[i] = bound_.rows().row(some[i]);
    const Rows rows = bound_.rows().only({rows_.data(), some.size()});
    if (!answer({rows, 0, std::ssize(some), some}, wanted)) return false;
  }
  return true;
}

void Scorer::observe(std::span<const Index> observed) {
  for (Part& part : parts_) {
    if (part.first == part.last) continue;
    observed_.clear();
    for (const Index column : observed) {
      if (column >= part.first && column < part.last) observed_.push_back(column - part.first);
    }
    if (std::ssize(observed_) == part.last - part.first)
      part.worker->observe_all();
    else
      part.worker->observe(observed_);
  }
}

bool Scorer::run(const Rows& rows, std::span<const Index> observed, const Wanted& wanted) noexcept {
  observe(observed);
  bool usable = true;
  for (Index first = 0; first < rows.count(); first += group_rows_) {
    const Index end = std::min(rows.count(), first + group_rows_);
    usable = answer({rows, first, end, {}}, wanted) && usable;
  }
  return usable;
}

bool Scorer::run(std::span<const Index> positions, std::span<const Index> observed,
                 const Wanted& wanted) noexcept {
  observe(observed);
  bool usable = true;
  for (std::size_t first = 0; first < positions.size(); first += at(group_rows_)) {
    const auto some = positions.subspan(first, std::min(at(group_rows_), positions.size() - first));
    for (std::size_t i = 0; i < some.size(); ++i) rows_[i] = bound_.rows().row(some[i]);
    const Rows rows = bound_.rows().only({rows_.data(), some.size()});
    usable = answer({rows, 0, std::ssize(some), some}, wanted) && usable;
  }
  return usable;
}

bool Scorer::run_one(Index position, const Wanted& wanted) noexcept {
  if (run(position, position + 1, wanted)) return true;
  const Index row = bound_.rows().row(position);
  const std::span<const Index> columns = bound_.pattern_columns();
  std::vector<Index>& there = one_observed_;
  there.clear();
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (!std::isnan(bound_.bound_rows().numbers(row, columns[j])))
      there.push_back(static_cast<Index>(j));
  }
  if (there.size() == columns.size()) return run({&position, 1}, wanted);  // no pruning
  return run({&position, 1}, there, wanted);
}

bool Scorer::decide(Index begin, Index end, std::int32_t* labels) {
  if (!decision_->run(bound_.rows().row(begin), end - begin, labels + begin)) return false;
  std::int32_t min = 0;
  for (Index i = begin; i < end; ++i) min = std::min(min, labels[i]);
  for (Index i = begin; i < end && min < 0; ++i) {
    if (labels[i] >= 0) continue;
    labels[i] = writer_.most_probable();
    writer_.count_impossible();
  }
  return true;
}

bool Scorer::answer(const Group& group, const Wanted& wanted) {
  const bool exact = wanted.log_joint || wanted.log_density || wanted.distances;
  const bool relative = wanted.posterior || wanted.log_posterior || wanted.labels;
  for (Part& part : parts_) {
    if (!part.worker->begin(group.rows, group.begin, group.end)) return false;
  }
  const Index rows = group.end - group.begin;
  const bool exact_first = exact || !relative_differs_;
  if (!score_rows(exact_first ? Mode::exact : Mode::relative, rows, exact)) return false;
  if (exact_first) {
    if (!score_panels(Mode::exact, start_, wanted.distances != nullptr)) return false;
    assemble(rows);
    write(group, wanted, exact, relative && !relative_differs_);
  }
  if (relative && relative_differs_) {
    if (exact_first && rows_differ_) {
      const Index before = unseen();
      if (!score_rows(Mode::relative, rows, false)) return false;
      counted_twice_ += unseen() - before;
    }
    if (!score_panels(Mode::relative, relative_start_, false)) return false;
    assemble(rows);
    write(group, wanted, false, true);
  }
  return true;
}

/// Scores with row-wise blocks; `common`: also the terms of log densities outside of the scores.
bool Scorer::score_rows(Mode mode, Index rows, bool common) {
  if (common) std::fill_n(common_.begin(), rows, 0.0);
  if (!any_rows_) return true;
  std::fill_n(by_row_.begin(), rows * classes_, 0.0);
  Scores to;
  to.constants = constants_.data();
  to.by_row = by_row_.data();
  to.common = common ? common_.data() : nullptr;
  for (Part& part : parts_) {
    if (!part.on_panels && !part.worker->score(mode, to)) return false;
  }
  return true;
}

bool Scorer::score_panels(Mode mode, const Vector& start, bool squares) {
  std::copy(start.begin(), start.end(), constants_.begin());
  Scores to;
  to.stride = stride_;
  to.constants = constants_.data();
  to.lanes = lanes_.data();
  to.squares = squares ? squares_.data() : nullptr;
  to.fresh = true;
  for (Part& part : parts_) {
    if (!part.on_panels) continue;
    if (!part.worker->score(mode, to)) return false;
    to.fresh = false;
  }
  if (any_panels_) return true;
  std::fill(lanes_.begin(), lanes_.end(), 0.0);
  std::fill(squares_.begin(), squares_.end(), 0.0);
  return true;
}

/// Combines the terms of the scores: ((log prior + constants) + lanes) + by_row.
void Scorer::assemble(Index rows) {
  kernel::add_constants(constants_.data(), {lanes_.data(), stride_, panel_count(rows), classes_});
  for (Index i = 0; i < rows && any_rows_; ++i) {
    double* scores = lanes_.data() + i / panel_rows * stride_ + i % panel_rows;
    for (Index k = 0; k < classes_; ++k) scores[k * panel_rows] += by_row_[at(i * classes_ + k)];
  }
}

PanelScores Scorer::panel(const Group& group, Index p) {
  const Index first = p * panel_rows;
  const Index lanes = std::min(panel_rows, group.end - group.begin - first);
  return {.count = lanes,
          .first = group.begin + first,
          .rows = group.positions.empty() ? nullptr : group.positions.data() + first,
          .scores = lanes_.data() + p * stride_,
          .distances = squares_.data() + p * stride_,
          .coefficients = common_.data() + first};
}

void Scorer::write(const Group& group, const Wanted& wanted, bool exact, bool relative) {
  for (Index p = 0; p < panel_count(group.end - group.begin); ++p) {
    const PanelScores found = panel(group, p);
    if (exact) writer_.write_exact(found, wanted);
    if (relative) writer_.write_relative(found, wanted);
  }
}

}  // namespace genera::score
