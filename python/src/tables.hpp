#pragma once

#include <genera/description.hpp>
#include <genera/table.hpp>

#include "arrays.hpp"

namespace genera::python {

/// A table as a dict: `columns` [(name, type)], `numbers` n x numbers, `codes` n x codes, `levels`,
/// `sparse` [(name, indptr, indices, data, terms)], `target`, `classes`, `labels`, `weights`.
[[nodiscard]] nb::dict dict_of(Table table);

/// What a model says of itself, as a dict.
[[nodiscard]] nb::object dict_of(const Description& description);

void bind_tables(nb::module_& module);

}  // namespace genera::python
