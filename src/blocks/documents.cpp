#include "blocks/documents.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace genera::blocks {
namespace {

Value lengths_document(const TextOptions::Lengths& lengths) {
  return {Numbers{static_cast<double>(lengths.min), static_cast<double>(lengths.max)}};
}

TextOptions::Lengths read_lengths(const Field& field) {
  const Vector numbers = field.numbers(2);
  const auto whole = [&](double x) {
    if (x != std::floor(x) || std::abs(x) > 1000)
      field.refuse(fmt::format("holds {}, expected a whole number", x),
                   "give the minimum and the maximum length of a term");
    return static_cast<int>(x);
  };
  return {whole(numbers[0]), whole(numbers[1])};
}

}  // namespace

bool has_type(const Field& block, std::span<const std::string_view> types) {
  return std::ranges::find(types, block["type"].text()) != types.end();
}

Value texts(std::span<const std::string> names) {
  List list;
  for (const std::string& name : names) list.push_back(Value{name});
  return {std::move(list)};
}

Value lists_of_texts(const std::vector<std::vector<std::string>>& lists) {
  List result;
  for (const auto& list : lists) result.push_back(texts(list));
  return {std::move(result)};
}

Numbers row_of(const Matrix& matrix, Index i) {
  const std::span<const double> row = matrix.row(i);
  return {row.begin(), row.end()};
}

Value rows_of(const Matrix& matrix) {
  List list;
  for (Index i = 0; i < matrix.rows(); ++i) list.push_back(Value{row_of(matrix, i)});
  return {std::move(list)};
}

Value text_document(const TextOptions& options) {
  Members members;
  if (options.chars)
    members["chars"] = lengths_document(*options.chars);
  else
    members["words"] = lengths_document(options.words);
  if (options.hash_bits > 0) members["hash_bits"] = Value{static_cast<double>(options.hash_bits)};
  return {std::move(members)};
}

Value cut_document(const Cut& cut) {
  Members members;
  members["limits"] = Value{cut.limits};
  members["below"] = Value{cut.below};
  members["above"] = Value{cut.above};
  return {std::move(members)};
}

Cut read_cut(const Field& field) {
  field.allow_only({"limits", "below", "above"});
  Cut cut{field["limits"].numbers(), field["below"].number(), field["above"].number()};
  if (std::ranges::adjacent_find(cut.limits, std::ranges::greater_equal()) != cut.limits.end())
    field["limits"].refuse("are not ascending", "sort them, each once");
  field["below"].require_positive();
  field["above"].require_positive();
  return cut;
}

std::vector<std::vector<std::string>> read_levels(const Field& field, Index columns) {
  std::vector<std::vector<std::string>> levels;
  for (const Field& one : field.elements("a list of texts", columns))
    levels.push_back(one.distinct_texts());
  return levels;
}

double read_smoothing(const Field& block) {
  return block.has("smoothing") ? block["smoothing"].number_at_least(0) : 1;
}

Vector read_counts(const Field& block, const DocumentClasses& classes) {
  return block.has("counts") ? block["counts"].numbers(classes.size()) : classes.counts;
}

TextOptions read_text_options(const Field& field) {
  field.allow_only({"words", "chars", "hash_bits"});
  TextOptions options;
  if (field.has("words")) options.words = read_lengths(field["words"]);
  if (field.has("chars")) options.chars = read_lengths(field["chars"]);
  if (field.has("hash_bits")) {
    const double bits = field["hash_bits"].number_at_least(0);
    if (bits != std::floor(bits) || bits > 1000)
      field["hash_bits"].refuse(fmt::format("is {}, expected a whole number", bits),
                                "give a number of bits");
    options.hash_bits = static_cast<int>(bits);
  }
  at_place(place_of(field), [&] {
    validate(options);
    return 0;
  });
  return options;
}

std::string place_of(const Field& field) { return field.file() + ": " + field.path(); }

}  // namespace genera::blocks
