#include "data/csv/pass_notes.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "kernel/text.hpp"

namespace genera::data {
namespace {

/// Cells that are read as numbers, although programs do not write them so.
Note as_written(const RecordLayout& layout, const Observations& seen, Index feature,
                const WrittenCells& cells) {
  const std::string& name = layout.columns[static_cast<std::size_t>(feature)].name;
  const FieldUse* use = nullptr;
  for (const FieldUse& one : layout.uses)
    if (one.part == FieldUse::Part::number && one.feature == feature) use = &one;
  const Index present = use ? seen.rows - seen.missing[static_cast<std::size_t>(use->place)] : 0;
  const bool mixed = cells.percent > 0 && cells.percent < present;
  const std::string start = mixed ? "column '" + name + "' holds " + std::to_string(cells.percent) +
                                        " percentages among other numbers: '"
                                  : "column '" + name + "': " + std::to_string(cells.count) +
                                        (cells.count == 1 ? " cell" : " cells such as") + " '";
  return {Advice(fmt::format("{}{}' {} read as {}; if these are categories, use ", start,
                             cells.first, cells.count == 1 || mixed ? "is" : "are", cells.value)) +
              OptionUse{"type", {name + "=categorical"}},
          mixed ? Note::Kind::warning : Note::Kind::note};
}

/// 'a' (3), 'b' (1), and 2 more columns: the columns with the most cells first.
std::string columns_with_cells(std::vector<std::pair<std::string, Index>> columns) {
  constexpr std::size_t max = 6;
  std::ranges::stable_sort(columns, std::greater<>(), &std::pair<std::string, Index>::second);
  std::string text;
  for (std::size_t i = 0; i < std::min(max, columns.size()); ++i)
    text += fmt::format("{}'{}' ({})", i > 0 ? ", " : "", columns[i].first, columns[i].second);
  if (columns.size() > max)
    text += " and " + counted(static_cast<Index>(columns.size() - max), "more column");
  return text;
}

/// How often a token stands for a missing value, and where.
std::string token_cells(const FileColumns& file, const std::string& token,
                        const std::map<Index, Index>& columns) {
  std::vector<std::pair<std::string, Index>> named;
  Index cells = 0;
  for (const auto& [column, count] : columns) {
    named.emplace_back(file.names[static_cast<std::size_t>(column)], count);
    cells += count;
  }
  return fmt::format("'{}' in {} of {}", token, counted(cells, "cell"), columns_with_cells(named));
}

void note_tokens(const FileColumns& file, const Observations& seen, bool default_tokens,
                 std::vector<Note>& notes) {
  std::string found;
  for (const auto& [token, columns] : seen.tokens)
    found += (found.empty() ? "" : "; ") + token_cells(file, token, columns);
  if (found.empty()) return;
  Advice text = "read as missing: " + found;
  if (default_tokens) text += Advice("; if it is a value, use ") + OptionUse{"missing_token", {""}};
  notes.push_back({text});
}

/// Cells that are taken as they stand, although many write "missing" like this: of all columns.
void note_like_missing(const FileColumns& file, const RecordLayout& layout,
                       const Observations& seen, std::vector<Note>& notes) {
  std::map<std::string, std::vector<std::pair<std::string, Index>>> columns_of;
  for (const auto& [column, cells] : seen.like_missing)
    for (const auto& [cell, count] : cells) columns_of[cell].emplace_back(column, count);
  if (columns_of.empty()) return;
  std::string found;
  std::vector<std::string> tokens;
  for (const auto& [cell, columns] : columns_of) {
    found +=
        fmt::format("{}'{}' in {}", found.empty() ? "" : "; ", cell, columns_with_cells(columns));
    tokens.push_back(cell);
  }
  const bool label = seen.like_missing.contains(layout.target);
  const bool feature = seen.like_missing.size() > (label ? 1 : 0);
  const char* const taken = !label ? "a category" : feature ? "a category or a class" : "a class";
  notes.push_back({Advice(fmt::format("taken as {}: {}; if it means missing, use ", taken, found)) +
                   OptionUse{"missing_token", with_tokens(file.format, tokens)}});
}

std::vector<std::string> different_texts(const std::vector<OddColumn>& columns) {
  std::vector<std::string> texts;
  for (const OddColumn& column : columns)
    for (const NotNumbers::Place& place : column.cells.first)
      if (std::ranges::find(texts, place.text) == texts.end()) texts.push_back(place.text);
  return texts;
}

/// Columns of words, which may be classes: no dates, and no columns that are always the same.
std::vector<std::string> columns_of_classes(const FileColumns& file, const RecordLayout& layout) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < file.names.size(); ++j) {
    const ColumnGuess& guess = file.guesses[j];
    const bool words = guess.type == ColumnType::categorical || guess.type == ColumnType::binary;
    const bool vary = guess.looks_like.empty() && guess.values.size() > 1;
    if (words && vary && guess.different_strings == 0 &&
        layout.uses[j].part == FieldUse::Part::code)
      names.push_back(file.names[j]);
  }
  return names;
}

}  // namespace

std::vector<Note> notes_of_pass(const FileColumns& file, const RecordLayout& layout,
                                const Observations& seen, bool default_tokens) {
  std::vector<Note> notes;
  for (const auto& [feature, rows] : seen.malformed)
    notes.push_back({"column '" + layout.columns[static_cast<std::size_t>(feature)].name +
                         "': " + counted(rows, "text holds", "texts hold") +
                         " bytes that are not UTF-8; these separate words",
                     Note::Kind::warning});
  for (const auto& [feature, cells] : seen.written)
    notes.push_back(as_written(layout, seen, feature, cells));
  note_tokens(file, seen, default_tokens, notes);
  note_like_missing(file, layout, seen, notes);
  return notes;
}

std::string not_numbers(const NotNumbers& cells, Index present) {
  return std::to_string(cells.count) + " of " + counted(present, "cell") +
         (cells.count == 1 ? " is not a number: " : " are not numbers: ");
}

std::string list_places(const NotNumbers& cells, const std::string& source) {
  std::string text;
  for (const auto& [line, cell] : cells.first) {
    if (!text.empty()) text += ", ";
    text += source + ":" + std::to_string(line) + " '" + cell + "'";
  }
  return text + (cells.count > static_cast<Index>(cells.first.size()) ? ", ..." : "");
}

void refuse_odd_columns(const FileColumns& file, const std::vector<OddColumn>& columns,
                        const Advice& hint) {
  std::string what = file.source + ": ";
  std::vector<std::string> types, names;
  for (const OddColumn& column : columns) {
    what += (names.empty() ? "column '" : "; column '") + column.name + "' looks numeric, but " +
            not_numbers(column.cells, column.present) + list_places(column.cells, file.source);
    names.push_back(column.name);
    types.push_back(column.name + "=categorical");
  }
  if (is_ambiguous_number(columns.front().cells.first.front().text, file.format))
    throw Error(Errc::bad_data, what, ambiguous_hint(file.format.delimiter, file.format.decimal));
  if (!hint.text.empty()) throw Error(Errc::bad_data, what, hint);
  const OptionUse type{"type", types}, drop{"drop", names};
  const std::vector<std::string> tokens = different_texts(columns);
  if (!std::ranges::all_of(tokens, is_whole))
    throw Error(Errc::bad_data, what, {"fix them, or use {} or {}", {type, drop}});
  throw Error(Errc::bad_data, what,
              {tokens.size() == 1 ? "fix them, or use {} if it means missing, {}, or {}"
                                  : "fix them, or use {} if they mean missing, {}, or {}",
               {{"missing_token", with_tokens(file.format, tokens)}, type, drop}});
}

namespace {

/// 'price', the last column,
std::string named_target(const FileColumns& file, const RecordLayout& layout, bool named) {
  return fmt::format("'{}'{}", layout.target,
                     named || file.names.back() != layout.target ? "" : ", the last column,");
}

/// "use --target kind to predict a column of classes ('kind'), ", or empty.
Advice other_target(const FileColumns& file, const RecordLayout& layout, bool named) {
  const std::vector<std::string> others = columns_of_classes(file, layout);
  if (named || others.empty()) return {};
  return Advice("use ") + OptionUse{"target", {others.front()}} +
         Advice(" to predict a column of classes (" + kernel::quoted_list(others) + "), ");
}

}  // namespace

Error measured_target(const FileColumns& file, const RecordLayout& layout, bool named) {
  std::vector<std::string> smallest(
      file.target.values.begin(),
      file.target.values.begin() + std::min<std::ptrdiff_t>(3, std::ssize(file.target.values)));
  const std::string what = fmt::format(
      "{}: the target {} looks like a measurement: {} different numbers in {}, such as {}",
      file.source, named_target(file, layout, named), file.target.different,
      counted(file.target.rows, "row"), kernel::quoted_list(smallest));
  const OptionUse bins{"bins", {"3"}}, type{"type", {layout.target + "=categorical"}};
  const Advice other = other_target(file, layout, named);
  if (other.text.empty())
    return {Errc::bad_data,
            what,
            {"use {} to predict ranges of it, or {} if each number is a class; or name a "
             "column of classes with {}",
             {bins, type, {"target"}}}};
  const Advice hint =
      other +
      Advice("{} to predict ranges of the numbers, or {} if each number is a class", {bins, type});
  return {Errc::bad_data, what, hint};
}

Error identifying_target(const FileColumns& file, const RecordLayout& layout,
                         const ColumnGuess& guess, bool named) {
  const std::string like =
      guess.looks_like.empty()
          ? fmt::format("names its rows: {} of its first {} cells are different",
                        guess.different_strings, guess.present)
          : "looks like " + guess.looks_like;
  const OptionUse type{"type", {layout.target + "=categorical"}};
  const Advice other = other_target(file, layout, named);
  return {Errc::bad_data,
          fmt::format("{}: the target {} {}", file.source, named_target(file, layout, named), like),
          other.text.empty()
              ? Advice("name a column of classes with {}, or use {} if each value is a class",
                       {{"target"}, type})
              : other + Advice("or {} if each value is a class", {type})};
}

}  // namespace genera::data
