#pragma once

#include <nanobind/nanobind.h>

#include <genera/fit_auto.hpp>
#include <genera/mixture.hpp>
#include <genera/select.hpp>

namespace genera::python {

namespace nb = nanobind;

/// What the parameters of an estimator ask for.
struct Plan {
  AnyRecipe recipe{};
  FitOptions fit{};
  bool automatic = false;  ///< the recipe is what all candidates have in common
  bool smoothing_given = false;
  bool calibrate = false;
  Index folds = 10;
  std::uint64_t seed = 1;
  std::vector<std::string> keep_types{};  ///< columns of numbers that are not to become categories
  bool iterates = false;                  ///< it takes long whatever the rows

  [[nodiscard]] AutoOptions auto_options() const;
  [[nodiscard]] SelectOptions select_options() const;
};

/// Parameters by name, as the command line calls its options; throws Error (bad_argument) on a
/// value that is none of those expected, TypeError on an unknown name.
[[nodiscard]] Plan plan_of(const nb::dict& options);
[[nodiscard]] ClusterOptions cluster_options_of(const nb::dict& options);

}  // namespace genera::python
