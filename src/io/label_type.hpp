#pragma once

#include "io/document.hpp"

namespace genera::io {

/// Writes nothing if the type is unknown.
void put_label_type(LabelType type, Members& root);
/// Unknown if absent.
[[nodiscard]] LabelType read_label_type(const Field& root);

}  // namespace genera::io
