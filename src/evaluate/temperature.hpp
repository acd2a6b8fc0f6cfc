#pragma once

#include <genera/select.hpp>

namespace genera::select_detail {

/// Bounded loss -log((1 - 1/n) p + 1/(n K)) with p the probability of the true class: at most log(n
/// K), so that no single row dominates.
struct HeldOutSize {
  Index rows, classes;
};
[[nodiscard]] double bounded_loss(double log_probability, const HeldOutSize& of);

/// fit_temperature with one more held-out row: the row with the median difference between its two
/// largest scores, as if its truth were the second class (Laplace's rule of succession).
[[nodiscard]] Calibration cautious_temperature(const HeldOutScores& scores,
                                               const std::vector<std::int32_t>& truths,
                                               const Control& control);

/// log p(truth) of a held-out row with its scores divided by this temperature.
[[nodiscard]] double truth_log_probability(const HeldOutScores& scores, Index row, Index truth,
                                           double temperature);

/// The model with this temperature, which is also stored in the report.
[[nodiscard]] Fitted<Classifier> with_temperature(Fitted<Classifier> fitted,
                                                  const Calibration& found);

/// Copies the notes of the report to the model.
[[nodiscard]] Fitted<Classifier> with_notes_of_report(Fitted<Classifier> fitted);

}  // namespace genera::select_detail
