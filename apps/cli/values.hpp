#pragma once

#include <genera/error.hpp>
#include <genera/types.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Parsing of option values. All functions throw Error (bad_argument) that names the option, with
/// the nearest valid names.
namespace genera::cli {

/// A finite number.
[[nodiscard]] double parse_number(const std::string& option, const std::string& text);
/// In [0, 1], and in (0, 1).
[[nodiscard]] double parse_probability(const std::string& option, const std::string& text);
[[nodiscard]] double parse_inner_probability(const std::string& option, const std::string& text);
/// An integer of at least `min`.
[[nodiscard]] Index parse_whole_number(const std::string& option, const std::string& text,
                                       Index min);
/// A number of things: at least 1, or 0 without the option.
[[nodiscard]] Index parse_count(const std::string& option, const std::optional<std::string>& text);

/// Whether the whole text is a number, which may begin with '+'.
template <class Number>
[[nodiscard]] bool read_whole(std::string_view text, Number& value);

[[noreturn]] void refuse_choice(const std::string& option, const std::string& text,
                                const std::vector<std::string>& names);

template <class Value>
using Choices = std::vector<std::pair<std::string, Value>>;

template <class Value>
[[nodiscard]] std::vector<std::string> names_of(const Choices<Value>& choices) {
  std::vector<std::string> names;
  for (const auto& choice : choices) names.push_back(choice.first);
  return names;
}

template <class Value>
[[nodiscard]] Value choose(const std::string& option, const std::string& text,
                           const Choices<Value>& choices) {
  for (const auto& [name, value] : choices)
    if (name == text) return value;
  refuse_choice(option, text, names_of(choices));
}

}  // namespace genera::cli
