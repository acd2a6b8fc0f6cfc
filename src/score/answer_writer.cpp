#include "score/answer_writer.hpp"

#include <algorithm>
#include <limits>

#include "kernel/infinity.hpp"

namespace genera::score {
namespace {

using kernel::infinity;
using kernel::panel_rows;

/// Panel results (K x 16) -> rows (n x K).
void transpose_out(const double* from, const PanelScores& panel, Index classes, double* to) {
  for (Index lane = 0; lane < panel.count; ++lane) {
    double* out = to + panel.row(lane) * classes;
    for (Index k = 0; k < classes; ++k) out[k] = from[k * panel_rows + lane];
  }
}

}  // namespace

AnswerWriter::AnswerWriter(ClassifierRef model)
    : prior_(model.prior()),
      most_probable_(static_cast<std::int32_t>(
          std::max_element(prior_.probabilities().begin(), prior_.probabilities().end()) -
          prior_.probabilities().begin())),
      classes_(std::ssize(model.classes())),
      temperature_(model.temperature()),
      probabilities_(static_cast<std::size_t>(classes_ * panel_rows)),
      compared_(probabilities_.size()) {}

const double* AnswerWriter::compared(const double* scores, const double* best) {
  alignas(64) double top[panel_rows];
  for (Index lane = 0; lane < panel_rows; ++lane)
    top[lane] = best[lane] > -infinity ? best[lane] : 0;
  double* to = compared_.data();
  for (Index k = 0; k < classes_; ++k, to += panel_rows, scores += panel_rows) {
    for (Index lane = 0; lane < panel_rows; ++lane)
      to[lane] = (scores[lane] - top[lane]) / temperature_;
  }
  return compared_.data();
}

void AnswerWriter::subtract_out(const double* scores, const double* sums, const PanelScores& panel,
                                double* to) const {
  transpose_out(scores, panel, classes_, to);
  for (Index lane = 0; lane < panel.count; ++lane) {
    double* out = to + panel.row(lane) * classes_;
    for (Index k = 0; k < classes_; ++k) out[k] -= sums[lane];
  }
}

void AnswerWriter::write_exact(const PanelScores& panel, const Wanted& wanted) const {
  if (wanted.log_joint) {
    transpose_out(panel.scores, panel, classes_, wanted.log_joint);
    for (Index lane = 0; lane < panel.count; ++lane) {
      double* out = wanted.log_joint + panel.row(lane) * classes_;
      for (Index k = 0; k < classes_; ++k) out[k] += panel.coefficients[lane];
    }
  }
  if (wanted.distances) transpose_out(panel.distances, panel, classes_, wanted.distances);
  if (!wanted.log_density) return;
  alignas(64) double sums[panel_rows];
  kernel::softmax(panel.scores, classes_, sums, nullptr);
  for (Index lane = 0; lane < panel.count; ++lane)
    wanted.log_density[panel.row(lane)] = sums[lane] + panel.coefficients[lane];
}

void AnswerWriter::write_relative(const PanelScores& panel, const Wanted& wanted) {
  alignas(64) double best[panel_rows];
  std::int32_t labels[panel_rows];
  const bool all_possible = kernel::best_classes(panel.scores, classes_, best, labels);
  if (wanted.posterior || wanted.log_posterior) {
    // If all scores are large, their log-sum has too few digits for the subtraction.
    const bool plain = temperature_ == 1 && !wanted.log_posterior;
    const double* scores = plain ? panel.scores : compared(panel.scores, best);
    alignas(64) double sums[panel_rows];
    kernel::softmax(scores, classes_, sums, wanted.posterior ? probabilities_.data() : nullptr);
    if (wanted.posterior) transpose_out(probabilities_.data(), panel, classes_, wanted.posterior);
    if (wanted.log_posterior) subtract_out(scores, sums, panel, wanted.log_posterior);
  }
  if (wanted.labels && !panel.rows)
    std::copy_n(labels, panel.count, wanted.labels + panel.first);
  else if (wanted.labels)
    for (Index lane = 0; lane < panel.count; ++lane) wanted.labels[panel.rows[lane]] = labels[lane];
  for (Index lane = 0; lane < panel.count && !all_possible; ++lane) {
    if (!(best[lane] > -infinity)) write_prior(panel.row(lane), wanted);
  }
}

/// Writes the answers for an impossible row.
void AnswerWriter::write_prior(Index row, const Wanted& wanted) {
  ++impossible_;
  if (wanted.impossible) wanted.impossible[row] = 1;
  if (wanted.labels) wanted.labels[row] = most_probable_;
  if (wanted.posterior)
    std::ranges::copy(prior_.probabilities(), wanted.posterior + row * classes_);
  if (wanted.log_posterior) std::ranges::copy(prior_.log(), wanted.log_posterior + row * classes_);
}

}  // namespace genera::score
