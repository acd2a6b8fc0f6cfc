#pragma once

#include "arrays.hpp"

namespace genera::python {

/// Codes of whole numbers in their order, and the different numbers; None if the array is
/// something else or its numbers lie far apart.
[[nodiscard]] nb::object encode_integers(nb::handle labels);
/// Codes of items of a fixed size in order of first appearance, and the row of each first one.
[[nodiscard]] nb::tuple encode_items(nb::handle bytes, Index size);

void bind_labels(nb::module_& module);

}  // namespace genera::python
