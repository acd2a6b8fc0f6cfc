#pragma once

#include <optional>
#include <string>
#include <vector>

#include <genera/fit.hpp>

#include "fit/mixture/mixture_em.hpp"
#include "fit/gaussian_input.hpp"
#include "kernel/yardstick.hpp"

namespace genera::fit_detail {

/// The M-step: expected moments of the components -> their densities, by the same formulas as any
/// fit, but never singular: a covariance that collapses is moved towards the reference by the least
/// amount that makes every eigenvalue of reference^-1 covariance at least the variance floor.
class ComponentStep {
 public:
  ComponentStep(std::vector<std::string> columns, const GaussianOptions& options, EmScale scale);

  struct Result {
    GaussianParameters gaussian{};
    Vector weights{};  ///< shares; 0 where there is (next to) nothing
    bool on_floor = false;
  };
  /// Weights of components that are too light.
  struct Limits {
    double emptied;   ///< below this nothing is left: weight 0, mean as before
    double own_full;  ///< below this a full covariance of its own is mostly noise: on the floor
  };
  [[nodiscard]] Result operator()(const std::vector<Moments>& moments, const Limits& limits,
                                  const Matrix& means_before) const;

 private:
  [[nodiscard]] GaussianInput input_of(const std::vector<Moments>& moments, const Limits& limits,
                                       const Matrix& means_before, Result& result) const;
  [[nodiscard]] bool raise(GaussianInput& input) const;
  [[nodiscard]] bool raise_full(GaussianInput& input) const;
  [[nodiscard]] bool raise_spherical(GaussianInput& input) const;

  std::vector<std::string> columns_;
  GaussianOptions options_;
  EmScale scale_;
  double floor_;
  std::optional<kernel::Yardstick> yardstick_;  // of full covariances
};

}  // namespace genera::fit_detail
