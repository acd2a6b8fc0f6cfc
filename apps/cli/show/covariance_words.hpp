#pragma once

#include <genera/blocks.hpp>

#include <string_view>

namespace genera::cli {

/// What a member of the family says of the covariances, in words.
[[nodiscard]] std::string_view meaning_of(Family family);
/// The same of the components of mixtures.
[[nodiscard]] std::string_view meaning_of_components(Family family);

}  // namespace genera::cli
