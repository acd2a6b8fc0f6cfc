#pragma once

#include <string>
#include <string_view>

/// Names and values come from files: a terminal must not execute them, and a message must not hold
/// 50 MB of them.
namespace genera::cli {

/// Control characters, and bytes that are not UTF-8, as \n, \t, \r or \xNN.
[[nodiscard]] std::string printable(std::string_view text);

/// How many places the text takes on a terminal: code points, which is near enough.
[[nodiscard]] std::size_t places_of(std::string_view text);

/// Printable, and at most `max` places: of a longer text its beginning, "…" and its end, by which
/// names often differ.
[[nodiscard]] std::string clipped(std::string_view text, std::size_t max);

/// At most about `max` bytes: of a longer text its beginning, its length and its end.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t max);
/// A name, shortened and printable.
[[nodiscard]] std::string brief(std::string_view name);
/// A sentence in which what stands between quotes is shortened, printable.
[[nodiscard]] std::string readable_sentence(std::string_view sentence);

}  // namespace genera::cli
