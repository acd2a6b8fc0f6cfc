#pragma once

#include <nanobind/nanobind.h>

#include <genera/facts.hpp>

namespace genera::python {

namespace nb = nanobind;

/// How vectors and matrices become objects of Python.
enum class Numbers { lists, arrays };

/// Facts become a dict, with sentences in the words of Python and null as None.
[[nodiscard]] nb::object object_of(const Fact::Value& value, Numbers numbers = Numbers::lists);

}  // namespace genera::python
