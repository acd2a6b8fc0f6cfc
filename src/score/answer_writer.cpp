#include "score/answer_writer.hpp"

#include <algorithm>
#include <limits>

#include "kernel/infinity.hpp"

namespace genera::score {
namespace {

using kernel::infinity;
using kernel::panel_rows;

/// Panel results (K x 16) -> rows (n x K).
void transpose_out(const double* from, std::span<const Index> rows, Index classes, double* to) {
  for (std::size_t lane = 0; lane < rows.size(); ++lane) {
    double* out = to + rows[lane] * classes;
    for (Index k = 0; k < classes; ++k) out[k] = from[k * panel_rows + static_cast<Index>(lane)];
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
      tempered_(temperature_ == 1 ? 0 : probabilities_.size()) {}

const double* AnswerWriter::tempered(const double* scores) {
  if (tempered_.empty()) return scores;
  std::transform(scores, scores + tempered_.size(), tempered_.begin(),
                 [&](double score) { return score / temperature_; });
  return tempered_.data();
}

void AnswerWriter::subtract_out(const double* scores, const double* sums,
                                std::span<const Index> rows, double* to) const {
  transpose_out(scores, rows, classes_, to);
  for (std::size_t lane = 0; lane < rows.size(); ++lane) {
    double* out = to + rows[lane] * classes_;
    for (Index k = 0; k < classes_; ++k) out[k] -= sums[lane];
  }
}

void AnswerWriter::write_exact(const PanelScores& panel, const Wanted& wanted) const {
  if (wanted.log_joint) {
    transpose_out(panel.scores, panel.rows, classes_, wanted.log_joint);
    for (std::size_t lane = 0; lane < panel.rows.size(); ++lane) {
      double* out = wanted.log_joint + panel.rows[lane] * classes_;
      for (Index k = 0; k < classes_; ++k) out[k] += panel.coefficients[lane];
    }
  }
  if (wanted.distances) transpose_out(panel.distances, panel.rows, classes_, wanted.distances);
  if (!wanted.log_density) return;
  alignas(64) double sums[panel_rows];
  kernel::softmax(panel.scores, classes_, sums, nullptr);
  for (std::size_t lane = 0; lane < panel.rows.size(); ++lane)
    wanted.log_density[panel.rows[lane]] = sums[lane] + panel.coefficients[lane];
}

void AnswerWriter::write_relative(const PanelScores& panel, const Wanted& wanted) {
  alignas(64) double best[panel_rows];
  alignas(64) double labels[panel_rows];
  if (wanted.posterior || wanted.log_posterior) {
    const double* scores = tempered(panel.scores);
    alignas(64) double sums[panel_rows];
    kernel::softmax(scores, classes_, sums, wanted.posterior ? probabilities_.data() : nullptr);
    if (wanted.posterior)
      transpose_out(probabilities_.data(), panel.rows, classes_, wanted.posterior);
    if (wanted.log_posterior) subtract_out(scores, sums, panel.rows, wanted.log_posterior);
  }
  kernel::best_classes(panel.scores, classes_, best, labels);
  for (std::size_t lane = 0; lane < panel.rows.size(); ++lane) {
    const bool possible = best[lane] > -infinity;
    if (wanted.labels)
      wanted.labels[panel.rows[lane]] =
          possible ? static_cast<std::int32_t>(labels[lane]) : most_probable_;
    if (possible) continue;
    ++impossible_;
    const Index first = panel.rows[lane] * classes_;
    if (wanted.posterior) std::ranges::copy(prior_.probabilities(), wanted.posterior + first);
    if (wanted.log_posterior) std::ranges::copy(prior_.log(), wanted.log_posterior + first);
  }
}

}  // namespace genera::score
