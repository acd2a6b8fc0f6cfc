#pragma once

#include <string>
#include <string_view>

/// Colours of terminals.
namespace genera::cli {

/// Whether the descriptor is a terminal with colours, and NO_COLOR is not set.
[[nodiscard]] bool shows_colours(int descriptor);

/// The text with bold headings and yellow warnings. A heading is an unindented line above an
/// indented one; JSON has none.
[[nodiscard]] std::string coloured(std::string_view text);

/// A word in this colour.
[[nodiscard]] std::string yellow(std::string_view word);
[[nodiscard]] std::string red(std::string_view word);

}  // namespace genera::cli
