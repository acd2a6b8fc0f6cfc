#pragma once

#include <string>

#include <nanobind/nanobind.h>

#include <genera/error.hpp>

namespace genera::python {

namespace nb = nanobind;

/// In the words of Python: `shrinkage="oas"`, `drop=["a", "b"]`.
[[nodiscard]] std::string words_of(const OptionUse& option);

/// Errors of the library become genera.Error, with their hints in the words of Python.
void register_errors(nb::module_& module);

}  // namespace genera::python
