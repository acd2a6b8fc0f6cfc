#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace genera::kernel {

/// Whether the pattern stands for the text: * for any characters, ? for one (of UTF-8).
[[nodiscard]] bool matches(std::string_view text, std::string_view pattern);

/// Up to three of `candidates` that are within a few typing errors of `word`, nearest first.
[[nodiscard]] std::vector<std::string> nearest(std::string_view word,
                                               const std::vector<std::string>& candidates);

/// "did you mean 'a' or 'b'?", or, if nothing is near, `otherwise`.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       const std::vector<std::string>& candidates,
                                       std::string_view otherwise);

/// 'a', 'b', 'c' and 5 more.
[[nodiscard]] std::string quoted_list(const std::vector<std::string>& names, std::size_t max = 8);

/// The text with U+FFFD for every byte that is not part of valid UTF-8.
[[nodiscard]] std::string as_utf8(std::string_view text);

/// Whether it begins with NUL bytes and, as far as one looks, holds nothing else.
[[nodiscard]] bool is_all_nul(std::string_view bytes);

[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Reads a number that fills `text` to its end (blanks around it and a leading '+' are fine).
[[nodiscard]] bool parse_whole(std::string_view text, double& value) noexcept;
/// The number that a name is, if it is one: 7.0 is 7.
[[nodiscard]] std::optional<double> number_in(std::string_view name) noexcept;

}  // namespace genera::kernel
