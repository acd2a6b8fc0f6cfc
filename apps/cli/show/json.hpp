#pragma once

#include <genera/facts.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// JSON that other programs rely on: stable keys, exact numbers, infinities as strings.
namespace genera::cli {

/// A document: two blanks a level; an array of numbers or texts stays on one line. Whole numbers
/// are written without a point, sentences with options as they are typed.
[[nodiscard]] std::string json_document(const Fact::Value& value);

/// A JSON string, quotes included.
[[nodiscard]] std::string json_string(const std::string& text);
/// A JSON number that reads back as the same; infinities as strings.
void append_json_number(std::string& text, double value);
/// , "key": {name: value, …}; the names are JSON strings already.
void append_json_members(std::string& text, std::string_view key,
                         const std::vector<std::string>& names, std::span<const double> values);

}  // namespace genera::cli
