#pragma once

#include <nanobind/nanobind.h>

#include <genera/fit_auto.hpp>
#include <genera/select.hpp>
#include <genera/spec.hpp>

namespace genera::python {

namespace nb = nanobind;

/// What the parameters of an estimator ask for.
struct Plan : FitSpec {
  std::uint64_t seed = 1;
  std::vector<std::string> keep_types{};  ///< columns of numbers that stay numbers

  [[nodiscard]] AutoOptions auto_options() const;
  [[nodiscard]] SelectOptions select_options() const;
  /// True if the fit takes several passes, however few the rows are.
  [[nodiscard]] bool iterates() const;
};

/// Parameters by name, as the table of the library has them (spec.hpp); `model`, `seed` and
/// `keep_types` beside them. Throws Error (bad_argument) as spec_from does, TypeError on an unknown
/// name.
[[nodiscard]] Plan plan_of(const nb::dict& options);
[[nodiscard]] ClusterOptions cluster_options_of(const nb::dict& options);

}  // namespace genera::python
