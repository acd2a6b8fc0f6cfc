#include "data/csv/choices.hpp"

#include <algorithm>
#include <string>

#include "data/columns.hpp"
#include "kernel/text.hpp"

namespace genera::data {
namespace {

using Part = FieldUse::Part;

std::string describe_target(const FileColumns& file, const RecordLayout& layout,
                            const RowRequest& request) {
  const std::string text = "target: '" + layout.target + "' ";
  if (only_target_name(file, request)) return text + "(by its name)";
  if (file.names.back() == layout.target) return text + "(the last column)";
  return text + "(the last column that is not text)";
}

std::string describe_types(const RecordLayout& layout) {
  std::string text = "types: ";
  const char* separator = "";
  for (const ColumnType type : {ColumnType::numeric, ColumnType::count, ColumnType::binary,
                                ColumnType::categorical, ColumnType::text}) {
    std::vector<std::string> names;
    for (const Column& column : layout.columns)
      if (column.type == type) names.push_back(column.name);
    if (names.empty()) continue;
    text += separator + kernel::quoted_list(names) + " " + std::string(name_of(type));
    separator = "; ";
  }
  return text;
}

/// What to do about cells such as 3,75.
Advice other_decimal_hint(char decimal) {
  const bool comma = decimal == '.';
  return Advice(std::string("if its ") + (comma ? "comma" : "point") +
                " is the decimal sign, use ") +
         OptionUse{"decimal", {comma ? "," : "."}};
}

/// Of a column whose levels hardly ever come again.
Advice spelling_hint(const std::string& name) {
  return Advice("; if the spelling tells the class, use ") + OptionUse{"type", {name + "=text"}} +
         " and " + OptionUse{"chars", {"2-4"}};
}

void describe_feature(const ColumnGuess& guess, const Column& column, const CellFormat& format,
                      std::vector<Note>& notes) {
  const Advice start = "column '" + column.name + "' ";
  if (!guess.ambiguous.empty() && !kept_as_number(column.type)) {
    notes.push_back({start + "is " + std::string(name_of(column.type)) + ": '" + guess.ambiguous +
                     "' may mean two numbers; " +
                     ambiguous_hint(format.delimiter, format.decimal)});
    return;
  }
  if (!guess.other_decimal.empty() && !kept_as_number(column.type)) {
    notes.push_back({start + "is " + std::string(name_of(column.type)) + ": '" +
                     guess.other_decimal + "' is not a number; " +
                     other_decimal_hint(format.decimal)});
    return;
  }
  const bool mostly_different =
      guess.different_strings > 0 && column.type == ColumnType::categorical;
  if (!guess.looks_like.empty())
    notes.push_back({start + "looks like " + guess.looks_like + "; if it is one, use " +
                     OptionUse{"drop", {column.name}} +
                     (mostly_different ? spelling_hint(column.name) : Advice(""))});
  else if (mostly_different)
    notes.push_back({start + "is categorical, but " + std::to_string(guess.different_strings) +
                     " of its first " + std::to_string(guess.present) +
                     " cells are different: levels seen once say nothing about other rows" +
                     spelling_hint(column.name)});
  const bool mostly_numbers = guess.not_numbers > 0 && 2 * guess.not_numbers < guess.present;
  if (mostly_numbers && !kept_as_number(column.type))
    notes.push_back(
        {start + "is " + std::string(name_of(column.type)) + ": " +
         std::to_string(guess.not_numbers) + " of its first " + std::to_string(guess.present) +
         " cells " +
         (guess.not_numbers == 1 ? "is not a number: '" : "are not numbers, such as '") +
         guess.odd_cell + "'; if that means missing, use " +
         OptionUse{"missing_token", {guess.odd_cell}}});
}

/// The pattern that the names share and no other column has that varies; empty if there is none.
std::string pattern_of(const std::vector<std::string>& names, const FileColumns& file) {
  std::string start = names.front();
  for (const std::string& name : names) {
    const auto end = std::mismatch(start.begin(), start.end(), name.begin(), name.end()).first;
    start.erase(end, start.end());
  }
  while (!start.empty() && (static_cast<unsigned char>(start.back()) & 0xC0U) == 0x80U)
    start.pop_back();
  for (std::size_t j = 0; j < file.names.size(); ++j)
    if (file.names[j].starts_with(start) && !file.guesses[j].zeros_or_ones) return "";
  return start.empty() ? "" : start + "*";
}

/// Columns of zeros and ones are numbers unless told otherwise; where there are many, they are
/// probably answers of yes and no.
void describe_zeros_and_ones(const FileColumns& file, const RecordLayout& layout,
                             std::vector<Note>& notes) {
  constexpr std::size_t many = 5, max_named = 8;
  std::vector<std::string> names;
  for (std::size_t j = 0; j < file.names.size(); ++j)
    if (layout.uses[j].part == Part::number && !layout.uses[j].strict &&
        file.guesses[j].zeros_and_ones)
      names.push_back(file.names[j]);
  if (names.size() < many) return;
  const std::string pattern = pattern_of(names, file);
  std::vector<std::string> types;
  if (pattern.empty() && names.size() <= max_named)
    for (const std::string& name : names) types.push_back(name + "=binary");
  const std::string type = (pattern.empty() ? "COL" : pattern) + "=binary";
  notes.push_back({Advice(std::to_string(names.size()) + " columns hold only 0 and 1: " +
                          kernel::quoted_list(names) + "; if these mean no and yes, use ") +
                   (types.empty() ? OptionUse{"type", {type}} : OptionUse{"type", types}) +
                   (types.empty() && pattern.empty() ? " for each of them" : "")});
}

}  // namespace

std::vector<Note> describe_choices(const FileColumns& file, const RecordLayout& layout,
                                   const RowRequest& request) {
  std::vector<Note> notes;
  if (request.expected()) return notes;
  if (!layout.target.empty() && !request.target().name())
    notes.push_back({describe_target(file, layout, request)});
  const bool all_numeric =
      std::all_of(layout.columns.begin(), layout.columns.end(),
                  [](const Column& column) { return column.type == ColumnType::numeric; });
  if (!all_numeric) notes.push_back({describe_types(layout)});
  for (std::size_t j = 0; j < file.names.size(); ++j) {
    const FieldUse& use = layout.uses[j];
    const bool feature =
        use.part == Part::number || use.part == Part::code || use.part == Part::text;
    const bool guessed = feature && !use.strict;
    if (guessed)
      describe_feature(file.guesses[j], layout.columns[static_cast<std::size_t>(use.feature)],
                       file.format, notes);
  }
  describe_zeros_and_ones(file, layout, notes);
  return notes;
}

}  // namespace genera::data
