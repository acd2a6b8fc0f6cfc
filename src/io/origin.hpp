#pragma once

#include <genera/model.hpp>
#include "io/document.hpp"

namespace genera::io {

/// Nothing if the type is unknown.
void put_label_type(LabelType type, Members& root);
/// Unknown if there is none.
[[nodiscard]] LabelType read_label_type(const Field& root);

/// Nothing if nothing is known.
void put_origin(const Origin& origin, Members& root);
[[nodiscard]] Origin read_origin(const Field& root);
/// Of a model whose file does not tell its tokens: if "NA" is a class or a level, only empty cells
/// meant missing when it was learned. `levels`: of all columns.
[[nodiscard]] Origin with_levels(Origin origin, const std::vector<std::string>& classes,
                                 const std::vector<std::vector<std::string>>& levels);

}  // namespace genera::io
