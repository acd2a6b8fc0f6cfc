#include "options/common.hpp"
#include "options/reading.hpp"
#include "options/source.hpp"
#include "options/terms.hpp"
#include "show/json.hpp"
#include "show/output.hpp"
#include "show/printable.hpp"
#include "show/report.hpp"
#include "show/text_table.hpp"

#include "lists.hpp"

#include <genera/table_summary.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace genera::cli {
namespace {

constexpr std::size_t page_width = 80;
constexpr std::ptrdiff_t max_classes = 10;  // numbers with more values are shown as a range

VerbText summary_text() {
  OptionGroup columns = columns_texts(missing_text());
  std::erase_if(columns.options,
                [](const OptionText& option) { return option.long_name() == "--missing"; });
  return {"summary",
          "what a table contains, and what fit would make of it",
          "Prints the type of each column, its missing cells, and its range or its most frequent "
          "values; then the target and the features that fit would choose, and doubts about "
          "identifiers, dates, row names and numbers that stand for missing values. Nothing is "
          "learned. Counts are rows, whatever their weight.",
          {data_argument()},
          {{"Text", cutting_texts()}, columns, reading_texts(), common_texts("standard output")},
          {"genera summary @penguins", "genera summary @iris --json"}};
}

/// As much as fits into `places`.
std::string range_of(const ColumnSummary& column, std::size_t places) {
  std::string text = fmt::format("{:.6g} to {:.6g}", column.min, column.max);
  const bool many = column.different == ColumnSummary::max_numbers;
  for (const std::string& more :
       {fmt::format(", mean {:.4g}", column.mean),
        fmt::format(", {}{} different", many ? "at least " : "", column.different),
        fmt::format(", sd {:.4g}", column.deviation)})
    if (text.size() + more.size() <= places) text += more;
  return text;
}

std::string frequent_values(const ColumnSummary& column, std::size_t places) {
  std::string text;
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    const ValueCount& value = column.values[i];
    const std::string item =
        fmt::format("{}{} {}", i > 0 ? ", " : "", brief(value.value), value.cells);
    const std::size_t left = column.values.size() - i;
    const std::string rest = fmt::format("{}{} values", i > 0 ? ", … " : "", left);
    const std::size_t reserved = left > 1 ? rest.size() : 0;
    if (places_of(text + item) + reserved > places) return text + rest;
    text += item;
  }
  return text;
}

std::string values_of(const ColumnSummary& column, bool target, std::size_t places) {
  if (column.present == 0) return "no value";
  if (column.type == ColumnType::text) return counted(column.different, "different term");
  if (column.different == 1) return "always " + brief(column.values.front().value);
  const bool number = column.type == ColumnType::numeric || column.type == ColumnType::count;
  const bool classes = target && std::ssize(column.values) <= max_classes;
  return clipped(number && !classes ? range_of(column, places) : frequent_values(column, places),
                 places);
}

std::string role_of(const ColumnSummary& column, const TableSummary& summary) {
  if (column.name == summary.target) return "target";
  const bool feature =
      std::ranges::find(summary.features, column.name, &Column::name) != summary.features.end();
  return std::string(feature ? name_of(column.type) : "not used");
}

std::string table_of(const TableSummary& summary) {
  constexpr std::size_t max_name = 24;
  std::size_t name_width = 6, role_width = 4, missing_width = 7;
  for (const ColumnSummary& column : summary.columns) {
    name_width = std::max(name_width, std::min(max_name, places_of(brief(column.name))));
    role_width = std::max(role_width, role_of(column, summary).size());
    missing_width = std::max(missing_width, std::to_string(column.missing).size());
  }
  const std::size_t left = 2 + name_width + 2 + role_width + 2 + missing_width + 2;
  const auto padded = [](const std::string& text, std::size_t width) {
    return text + std::string(width - std::min(width, places_of(text)), ' ');
  };
  std::string text = fmt::format("  {}  {}  {}  values\n", padded("column", name_width),
                                 padded("type", role_width), padded("missing", missing_width));
  for (const ColumnSummary& column : summary.columns)
    text +=
        fmt::format("  {}  {}  {:>{}}  {}\n", padded(clipped(column.name, max_name), name_width),
                    padded(role_of(column, summary), role_width), column.missing, missing_width,
                    values_of(column, column.name == summary.target, page_width - left));
  return text;
}

std::string types_of(const std::vector<Column>& columns) {
  std::string text;
  for (const ColumnType type : {ColumnType::numeric, ColumnType::count, ColumnType::binary,
                                ColumnType::categorical, ColumnType::text}) {
    const auto count = std::ranges::count(columns, type, &Column::type);
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name_of(type));
  }
  return text;
}

/// The lines, each wrapped at the width of the page.
std::string wrapped(const std::string& sentence, const std::string& indent) {
  std::string text, line;
  for (std::size_t at = 0; at < sentence.size();) {
    const std::size_t end = std::min(sentence.find(' ', at), sentence.size());
    const std::string word = sentence.substr(at, end - at);
    at = end + 1;
    if (!line.empty() && places_of(line) + 1 + places_of(word) > page_width) {
      text += line + '\n';
      line = indent + word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  return text + line + '\n';
}

std::string sizes_of_classes(const TableSummary& summary) {
  if (summary.largest_class == 0) return "";
  if (summary.largest_class == summary.smallest_class)
    return " of " + counted(summary.largest_class, "row");
  return fmt::format(" of {} to {} rows", summary.smallest_class, summary.largest_class);
}

std::string what_fit_does(const TableSummary& summary) {
  std::string text;
  if (summary.refusals.empty() && !summary.target.empty())
    text += wrapped(
        fmt::format("fit predicts '{}': {}{}, from {}", brief(summary.target),
                    counted(summary.classes, "class", "classes"), sizes_of_classes(summary),
                    summary.sparse_columns > 0 ? counted(summary.sparse_columns, "column")
                                               : counted(std::ssize(summary.features), "column") +
                                                     " (" + types_of(summary.features) + ")"),
        "  ");
  for (const Error& error : summary.refusals)
    text +=
        wrapped("fit refuses it: " + readable_sentence(in_words(error.problem(), as_typed)), "  ") +
        wrapped("  hint: " + readable_sentence(in_words(error.hint(), as_typed)), "    ");
  return text;
}

std::string summary_text_of(const TableSummary& summary) {
  std::string text = fmt::format("{}: {}, {}\n", summary.name, counted(summary.rows, "row"),
                                 summary.sparse_columns > 0
                                     ? counted(summary.sparse_columns, "sparse column") + ", " +
                                           counted(summary.sparse_entries, "entry", "entries")
                                     : counted(std::ssize(summary.columns), "column"));
  if (!summary.columns.empty()) text += '\n' + table_of(summary);
  const std::string fit = what_fit_does(summary);
  if (!fit.empty()) text += '\n' + fit;
  const std::vector<std::string> constant = summary.constant_columns();
  if (!constant.empty())
    text +=
        wrapped("note: always the same, which helps no prediction: " + joined_list(constant), "  ");
  for (const std::string& note : typed(summary.notes))
    if (!note.starts_with("types: "))  // they are in the table
      text +=
          wrapped((note.starts_with("warning: ") ? "" : "note: ") + readable_sentence(note), "  ");
  return text;
}

void run_summary(const Words& words) {
  Source source = source_of(words.arguments[0], words);
  const Common common = common_of(words);
  refuse_output_onto(common, {source.data});
  source.roles.refuse_measured_target = false;  // it is reported
  RowStream rows(source.rows(), source.csv, source.roles);
  TableSummary summary;
  {
    ProgressLine progress(common.quiet);
    summary = summarise_table(rows, progress.control(common.threads));
  }
  write_output(common, common.json ? json_document(facts(summary)) : summary_text_of(summary));
}

}  // namespace

Verb summary_verb() { return {summary_text(), run_summary}; }

}  // namespace genera::cli
