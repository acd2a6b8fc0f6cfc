#pragma once

#include <optional>
#include <vector>

namespace genera::fit_detail {

/// Predicts the number of remaining EM steps. In the long run, changes shrink by a constant factor
/// per step; this fits a line to their logarithms in the later half of the steps.
class EmPace {
 public:
  /// An infinite change: unknown; only the gain is known.
  void add(double change, double gain_per_row);
  void start_again() { steps_.clear(); }

  /// Steps until the change is below `tolerance`, at least one; nothing if changes do not shrink.
  [[nodiscard]] std::optional<double> steps_left(double tolerance) const;

 private:
  struct Step {
    double log_change, log_root_gain;
  };
  std::vector<Step> steps_;
};

}  // namespace genera::fit_detail
