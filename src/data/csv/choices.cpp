#include "data/csv/choices.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "data/columns.hpp"
#include "kernel/text.hpp"

namespace genera::data {
namespace {

using Part = FieldUse::Part;

/// Labels that are numbers may be measurements: the classes are named.
std::string numbers_as_classes(const TargetCells& cells) {
  if (cells.different == 0) return "";
  std::string text = ", " + counted(cells.different, "number") + " as classes: ";
  for (std::size_t i = 0; i < cells.values.size(); ++i)
    text += (i > 0 ? ", " : "") + cells.values[i];
  return text + (cells.different > std::ssize(cells.values) ? ", ..." : "");
}

std::string describe_target(const FileColumns& file, const RecordLayout& layout,
                            const RowRequest& request) {
  const std::string text = "target: '" + layout.target + "' ";
  const char* const why = only_target_name(file, request)      ? "(by its name)"
                          : file.names.back() == layout.target ? "(the last column)"
                                                               : "(the last column that is not "
                                                                 "text)";
  return text + why + numbers_as_classes(file.target);
}

/// Numbers that may stand for missing values: those of all columns.
void describe_sentinels(const FileColumns& file, const RecordLayout& layout,
                        std::vector<Note>& notes) {
  std::vector<std::string> names, tokens;
  for (std::size_t j = 0; j < file.names.size(); ++j) {
    if (file.guesses[j].sentinel == 0 || layout.uses[j].part != Part::number) continue;
    names.push_back(file.names[j]);
    const std::string token = fmt::format("{}", file.guesses[j].sentinel);
    if (std::ranges::find(tokens, token) == tokens.end()) tokens.push_back(token);
  }
  if (names.empty()) return;
  notes.push_back({Advice(kernel::quoted_list(tokens) + " in " + kernel::quoted_list(names) +
                          " is far from the other numbers; if it means missing, use ") +
                       OptionUse{"missing_token", with_tokens(file.format, tokens)},
                   Note::Kind::warning});
}

void describe_row_names(const FileColumns& file, std::vector<Note>& notes) {
  if (!file.first_unnamed) return;
  const std::string& name = file.names.front();
  if (!file.row_names)
    notes.push_back({"the first column has no name and is called '" + name + "'"});
  else
    notes.push_back({Advice("the first column has no name and no two of its cells are equal: row "
                            "names, which are left out; if it is a feature, use ") +
                     OptionUse{"type", {name + "=numeric"}}});
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

/// Columns of words that are always the same; constant numbers are reported by the fit.
void describe_constant(const FileColumns& file, const RecordLayout& layout,
                       std::vector<Note>& notes) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < file.names.size(); ++j) {
    const ColumnGuess& guess = file.guesses[j];
    if (layout.uses[j].part == Part::code && guess.present > 1 && guess.values.size() == 1)
      names.push_back(file.names[j]);
  }
  if (!names.empty())
    notes.push_back({fmt::format("always the same in the first {}, which helps no prediction: {}",
                                 counted(file.first_rows, "row"), kernel::quoted_list(names))});
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
  // Cells such as '?' are reported after the pass, those of all columns together.
  const bool mostly_numbers = guess.not_numbers > 0 && 2 * guess.not_numbers < guess.present &&
                              !looks_missing(guess.odd_cell);
  if (mostly_numbers && !kept_as_number(column.type))
    notes.push_back(
        {start + "is " + std::string(name_of(column.type)) + ": " +
         std::to_string(guess.not_numbers) + " of its first " + std::to_string(guess.present) +
         " cells " +
         (guess.not_numbers == 1 ? "is not a number: '" : "are not numbers, such as '") +
         guess.odd_cell + "'; if that means missing, use " +
         OptionUse{"missing_token", with_tokens(format, {guess.odd_cell})}});
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
  describe_row_names(file, notes);
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
  describe_constant(file, layout, notes);
  describe_zeros_and_ones(file, layout, notes);
  describe_sentinels(file, layout, notes);
  return notes;
}

}  // namespace genera::data
