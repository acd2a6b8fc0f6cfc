// What a chunk has observed, added up over chunks.
#include <algorithm>
#include <string>
#include <vector>

#include "data/csv/fields.hpp"
#include "data/csv/parse_chunk.hpp"

namespace genera::data {

void NotNumbers::add(std::int64_t line, std::string_view text) {
  ++count;
  if (first.size() < 3) first.push_back({line, excerpt(text)});
}

void WrittenCells::add(const WrittenCells& later) {
  if (count == 0) {
    first = later.first;
    value = later.value;
  }
  count += later.count;
  percent += later.percent;
}

Advice ambiguous_hint(char delimiter, char decimal) {
  const bool comma = decimal == '.';
  const OptionUse thousands{"decimal", {std::string(1, decimal)}},
      sign{"decimal", {std::string(1, comma ? ',' : '.')}};
  const std::string what = comma ? "comma" : "point";
  if (delimiter == sign.values.front().front())
    return Advice("use {} if its " + what + " separates thousands", {thousands});
  return {"use {} if its " + what + " separates thousands, {} if that is the decimal sign",
          {thousands, sign}};
}

void Observations::merge(const Observations& other) {
  rows += other.rows;
  missing.resize(other.missing.size());
  for (std::size_t j = 0; j < missing.size(); ++j) missing[j] += other.missing[j];
  for (const auto& [feature, more] : other.not_numbers) {
    NotNumbers& ours = not_numbers[feature];
    ours.count += more.count;
    for (const NotNumbers::Place& place : more.first)
      if (ours.first.size() < 3) ours.first.push_back(place);
  }
  for (const auto& [feature, more] : other.written) written[feature].add(more);
  for (const auto& [column, cells] : other.like_missing)
    for (const auto& [cell, count] : cells) like_missing[column][cell] += count;
  for (const auto& [token, columns] : other.tokens)
    for (const auto& [column, count] : columns) tokens[token][column] += count;
  for (const auto& [feature, rows_of_text] : other.malformed) malformed[feature] += rows_of_text;
  for (const auto& [feature, more] : other.binary_levels) {
    std::vector<std::string>& ours = binary_levels[feature];
    for (const std::string& level : more)
      if (ours.size() < 3 && std::find(ours.begin(), ours.end(), level) == ours.end())
        ours.push_back(level);
  }
}

}  // namespace genera::data
