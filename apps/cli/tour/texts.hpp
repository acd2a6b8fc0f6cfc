#pragma once

#include <string_view>

/// The text files of the tour; CMake compiles them in.
namespace genera::cli::tour {

/// chapters/*.md, one after the other.
extern const std::string_view chapters;
/// style.css
extern const std::string_view style;

}  // namespace genera::cli::tour
