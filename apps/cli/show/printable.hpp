#pragma once

#include <string>
#include <string_view>

/// Names and values come from files. A terminal must not interpret their control characters, and a
/// message must not contain megabytes of them.
namespace genera::cli {

/// Control characters, and bytes that are not UTF-8, as \n, \t, \r or \xNN.
[[nodiscard]] std::string printable(std::string_view text);

/// The width of the text on a terminal, approximated by its number of code points.
[[nodiscard]] std::size_t places_of(std::string_view text);

/// The printable text; if it is longer than `max` places, its beginning, "…" and its end, where
/// names often differ.
[[nodiscard]] std::string clipped(std::string_view text, std::size_t max);

/// The text; if it is longer than about `max` bytes, its beginning, its length and its end.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t max);
/// A name, shortened and printable.
[[nodiscard]] std::string brief(std::string_view name);
/// A printable sentence in which quoted names are shortened.
[[nodiscard]] std::string readable_sentence(std::string_view sentence);

}  // namespace genera::cli
