#pragma once

#include <nanobind/nanobind.h>

namespace genera::python {

void bind_fit(nanobind::module_& module);
void bind_statistics(nanobind::module_& module);

}  // namespace genera::python
