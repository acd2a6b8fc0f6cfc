#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace genera::kernel {

/// True if the pattern matches the text: * matches any characters, ? matches one (of UTF-8).
[[nodiscard]] bool matches(std::string_view text, std::string_view pattern);

/// Up to three of `candidates` within a few typing errors of `word`, nearest first.
[[nodiscard]] std::vector<std::string> nearest(std::string_view word,
                                               const std::vector<std::string>& candidates);

/// "did you mean 'a' or 'b'?", or `otherwise` if no candidate is near.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       const std::vector<std::string>& candidates,
                                       std::string_view otherwise);

/// 'a', 'b', 'c' and 5 more.
[[nodiscard]] std::string quoted_list(const std::vector<std::string>& names, std::size_t max = 8);

/// The text with U+FFFD in place of every byte that is not part of valid UTF-8.
[[nodiscard]] std::string as_utf8(std::string_view text);

/// True if the bytes begin with NUL and the part examined contains nothing else.
[[nodiscard]] bool is_all_nul(std::string_view bytes);

[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Parses a number that fills `text` (surrounding blanks and a leading '+' are allowed).
[[nodiscard]] bool parse_whole(std::string_view text, double& value) noexcept;
/// The value of a name that is a number: 7.0 is 7.
[[nodiscard]] std::optional<double> number_in(std::string_view name) noexcept;

}  // namespace genera::kernel
