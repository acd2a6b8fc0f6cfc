#pragma once

#include <nanobind/nanobind.h>

#include <genera/stats.hpp>

#include "plan.hpp"

namespace genera::python {

/// What is kept of rows for the model of a plan.
[[nodiscard]] CollectOptions collect_options_of(const Plan& plan, const Rows& rows);

void bind_partitions(nb::module_& module);

}  // namespace genera::python
