#pragma once

#include <string>
#include <string_view>

/// What is different when a person looks on.
namespace genera::cli {

/// Whether the descriptor is a terminal that shows colours, and nobody said NO_COLOR.
[[nodiscard]] bool shows_colours(int descriptor);

/// A text for people with its headings in bold and its warnings in yellow. A heading is a line at
/// the margin above an indented one; JSON has none.
[[nodiscard]] std::string coloured(std::string_view text);

/// One word of a message.
[[nodiscard]] std::string yellow(std::string_view word);
[[nodiscard]] std::string red(std::string_view word);

}  // namespace genera::cli
