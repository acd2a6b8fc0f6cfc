#pragma once

#include <optional>
#include <vector>

namespace genera::fit_detail {

/// How many steps an EM still takes: what a step changes shrinks by a constant factor in the long
/// run, so its logarithm goes down a line, that of the later half of the steps so far.
class EmPace {
 public:
  /// Infinity: it is not known what a step changed, only what it gained.
  void add(double change, double gain_per_row);
  void start_again() { steps_.clear(); }

  /// Until steps change less than `tolerance`, at least one; nothing while they do not shrink.
  [[nodiscard]] std::optional<double> steps_left(double tolerance) const;

 private:
  struct Step {
    double log_change, log_root_gain;
  };
  std::vector<Step> steps_;
};

}  // namespace genera::fit_detail
