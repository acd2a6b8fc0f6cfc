#pragma once

#include <genera/facts.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// JSON for other programs: stable keys, exact numbers, infinities as strings.
namespace genera::cli {

/// A document, indented by two blanks for each level; an array of numbers or texts is on one line.
/// Integers have no decimal point; options in sentences are spelled as in a shell.
[[nodiscard]] std::string json_document(const Fact::Value& value);

/// A JSON string with its quotes.
[[nodiscard]] std::string json_string(const std::string& text);
/// A JSON number that parses to the same value; infinities as strings.
void append_json_number(std::string& text, double value);
/// , "key": {name: value, …}; `names` are JSON strings.
void append_json_members(std::string& text, std::string_view key,
                         const std::vector<std::string>& names, std::span<const double> values);

}  // namespace genera::cli
