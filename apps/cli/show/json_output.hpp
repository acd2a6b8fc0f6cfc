#pragma once

#include <genera/evaluate.hpp>
#include <genera/model.hpp>
#include <genera/stats.hpp>
#include <genera/stream.hpp>

#include <span>
#include <string>
#include <vector>

/// JSON that other programs rely on: stable keys, exact numbers, infinities as strings.
namespace genera::cli {

[[nodiscard]] std::string inspection_json(const Model& model);
[[nodiscard]] std::string evaluation_json(const Evaluation& evaluation);
[[nodiscard]] std::string statistics_json(const Statistics& statistics);
[[nodiscard]] std::string datasets_json(const std::vector<BuiltinDataset>& datasets);

/// A JSON string, quotes included.
[[nodiscard]] std::string json_string(const std::string& text);
/// A JSON number that reads back as the same; infinities as strings.
void append_json_number(std::string& text, double value);
/// , "key": {name: value, …}; the names are JSON strings already.
void append_json_members(std::string& text, std::string_view key,
                         const std::vector<std::string>& names, std::span<const double> values);

}  // namespace genera::cli
