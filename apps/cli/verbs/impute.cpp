#include "model_rows.hpp"
#include "options/common.hpp"
#include "options/model_file.hpp"
#include "options/reading.hpp"
#include "options/source.hpp"
#include "show/csv_output.hpp"
#include "show/json.hpp"
#include "show/output.hpp"
#include "show/report.hpp"
#include "values.hpp"

#include <genera/error.hpp>
#include <genera/impute.hpp>
#include <genera/io.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ostream>

namespace genera::cli {
namespace {

VerbText impute_text() {
  return {"impute",
          "fill in missing values",
          "Writes DATA with all its columns and fills the missing cells of the model's features: "
          "numbers and counts with their expectation given the other cells, categories with their "
          "most probable value. A row with a label is filled as a row of its class; without a "
          "label, the classes are weighted by their posterior. Missing labels and texts stay "
          "empty; other cells are copied unchanged. With --json each row is a JSON object on its "
          "own line: 'row' has the model's columns and the label, but no texts, and 'filled' has "
          "the names of the filled columns.",
          {model_argument(), data_argument()},
          {{"Filling",
            {{"--draws", "M",
              "write M completed tables, with the column 'draw' first; each is drawn from a model "
              "that is itself drawn, as multiple imputation requires"},
             {"--integers", "",
              "round the filled values of columns that hold only whole numbers (reads DATA twice)"},
             {"--target", "COL", "column with the class (default: the model's target)"}}},
           reading_texts(),
           common_texts("standard output")},
          {"genera fit @penguins --missing drop -o penguins.json",
           "genera impute penguins.json @penguins -o complete.csv",
           "genera impute penguins.json @penguins --integers",
           "genera impute penguins.json @penguins --json",
           "genera impute penguins.json @penguins --draws 5 --seed 3 -o five.csv"}};
}

struct ImputeArguments {
  std::string model;
  Source source;
  Index draws = 0;  ///< number of completed tables; 0: one, with expectations
  bool integers = false;
  Common common;
};

ImputeArguments impute_arguments(const Words& words) {
  return {.model = words.arguments[0],
          .source = source_of(words.arguments[1], words),
          .draws = parse_count("--draws", words.value("--draws")),
          .integers = words.has("--integers"),
          .common = common_of(words)};
}

RowStream open_rows(ClassifierRef model, const ImputeArguments& arguments) {
  const bool again = arguments.draws > 1 || arguments.integers;
  RowStream rows =
      rows_for(model, arguments.source, Purpose::impute, again ? Passes::many : Passes::one);
  if (rows.sparse_matrix())
    throw Error(Errc::bad_argument,
                arguments.source.data +
                    ": what is left out of an svmlight file is 0, and nothing "
                    "is missing",
                "give a table");
  return rows;
}

/// Writes tables as they were read, except for the filled cells.
class CompletedRows {
 public:
  /// `draw`: the value of the first column, draw.
  CompletedRows(const CsvOptions& format, std::optional<Index> draw);

  /// The text before the first row, from any chunk.
  [[nodiscard]] std::string header(const Table& read) const;
  /// `read` has its records (KeptRecords); `filled` is the same table without missing values.
  [[nodiscard]] std::string lines(const Table& read, const Table& filled) const;

 private:
  struct Cell {
    Index row, column, place;  ///< column of the table; place among the numbers, or the codes
  };
  /// The text of the cell; empty if it was not filled.
  [[nodiscard]] std::optional<std::string> number(const Table& read, const Table& filled,
                                                  const Cell& cell) const;
  [[nodiscard]] std::optional<std::string> level(const Table& read, const Table& filled,
                                                 const Cell& cell) const;
  [[nodiscard]] std::string record(const Table& read, const Table& filled, Index row) const;

  bool has_header_;
  char delimiter_, decimal_;
  std::optional<Index> draw_;
};

/// The text that replaces a cell.
struct Replacement {
  Table::CellPlace place;
  std::string text;
};

/// The position after a byte order mark and blank lines.
std::size_t start_of_line_with_text(std::string_view text, char delimiter) {
  std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  while (true) {
    const std::size_t end = text.find('\n', at);
    const std::string_view line = text.substr(at, end - at);
    const bool blank = std::ranges::all_of(
        line, [&](char c) { return c == '\r' || ((c == ' ' || c == '\t') && c != delimiter); });
    if (end == std::string_view::npos || !blank) return at;
    at = end + 1;
  }
}

CompletedRows::CompletedRows(const CsvOptions& format, std::optional<Index> draw)
    : has_header_(format.header),
      delimiter_(format.delimiter.value_or(',')),
      decimal_(format.decimal.value_or('.')),
      draw_(draw) {}

std::string CompletedRows::header(const Table& read) const {
  if (!draw_ || !has_header_) return read.kept_header;
  std::string whole = read.kept_header;
  const std::size_t name = start_of_line_with_text(whole, delimiter_);
  return whole.insert(name, std::string("draw") + delimiter_);
}

std::optional<std::string> CompletedRows::number(const Table& read, const Table& filled,
                                                 const Cell& cell) const {
  const double value = filled.numbers(cell.row, cell.place);
  if (!std::isnan(read.numbers(cell.row, cell.place)) || std::isnan(value)) return std::nullopt;
  std::string text = fmt::format("{}", value);
  std::replace(text.begin(), text.end(), '.', decimal_);
  return text;
}

std::optional<std::string> CompletedRows::level(const Table& read, const Table& filled,
                                                const Cell& cell) const {
  const std::int32_t code = filled.codes(cell.row, cell.place);
  if (read.codes(cell.row, cell.place) >= 0 || code < 0) return std::nullopt;
  const auto& levels = filled.levels[static_cast<std::size_t>(cell.place)];
  return csv_cell(levels[static_cast<std::size_t>(code)], delimiter_);
}

std::string CompletedRows::record(const Table& read, const Table& filled, Index row) const {
  std::vector<Replacement> replacements;
  Cell cell{row, 0, 0};
  Index numbers = 0, codes = 0;
  for (; cell.column < std::ssize(read.columns); ++cell.column) {
    const ColumnType type = read.columns[static_cast<std::size_t>(cell.column)].type;
    if (type == ColumnType::text) continue;
    const bool is_number = type == ColumnType::numeric || type == ColumnType::count;
    cell.place = is_number ? numbers++ : codes++;
    auto text = is_number ? number(read, filled, cell) : level(read, filled, cell);
    const auto at = static_cast<std::size_t>(row * std::ssize(read.columns) + cell.column);
    if (text) replacements.push_back({read.cells[at], std::move(*text)});
  }
  std::sort(
      replacements.begin(), replacements.end(),
      [](const Replacement& a, const Replacement& b) { return a.place.begin < b.place.begin; });
  const std::string& whole = read.kept[static_cast<std::size_t>(row)];
  std::string line;
  std::size_t done = 0;
  for (const Replacement& one : replacements) {
    line.append(whole, done, one.place.begin - done);
    line += one.text;
    done = one.place.end;
  }
  return line.append(whole, done);
}

std::string CompletedRows::lines(const Table& read, const Table& filled) const {
  const std::string first = draw_ ? fmt::format("{}{}", *draw_, delimiter_) : std::string();
  std::string text;
  for (Index i = 0; i < read.rows(); ++i) {
    std::string row = record(read, filled, i);
    if (draw_) row.insert(start_of_line_with_text(row, delimiter_), first);
    text += row;
    if (draw_ && !text.ends_with('\n')) text += '\n';  // another table may follow
  }
  return text + read.kept_rest;
}

/// Writes the columns of the model as JSON lines.
class CompletedJson {
 public:
  CompletedJson(JointRef model, std::optional<Index> draw) : draw_(draw) {
    if (model.model()) {
      order_ = model.model()->column_order();
      return;
    }
    order_.resize(model.committee()->features().size());
    std::iota(order_.begin(), order_.end(), Index{0});
  }

  [[nodiscard]] std::string lines(const Table& read, const Table& filled) const {
    const std::vector<Index> places = places_of(read);
    std::string text;
    for (Index i = 0; i < read.rows(); ++i) add_line(read, filled, places, i, text);
    return text;
  }

 private:
  /// The index of each column among the numbers, or the codes.
  [[nodiscard]] static std::vector<Index> places_of(const Table& table) {
    std::vector<Index> places;
    Index numbers = 0, codes = 0, texts = 0;
    for (const Column& column : table.columns) {
      const bool number = column.type == ColumnType::numeric || column.type == ColumnType::count;
      places.push_back(column.type == ColumnType::text ? texts++ : number ? numbers++ : codes++);
    }
    return places;
  }

  void add_line(const Table& read, const Table& filled, const std::vector<Index>& places, Index row,
                std::string& text) const {
    text += draw_ ? fmt::format("{{\"draw\": {}, \"row\": {{", *draw_) : "{\"row\": {";
    std::string names;
    const char* separator = "";
    for (const Index j : order_) {
      const Column& column = read.columns[static_cast<std::size_t>(j)];
      if (column.type == ColumnType::text) continue;
      const std::string name = json_string(column.name);
      text += separator + name + ": ";
      separator = ", ";
      if (add_value(read, filled, column.type, {row, places[static_cast<std::size_t>(j)]}, text))
        names += (names.empty() ? "" : ", ") + name;
    }
    if (!read.labels.empty()) {
      const std::int32_t label = read.labels[static_cast<std::size_t>(row)];
      text += separator + json_string(read.target) + ": " +
              (label < 0 ? "null" : json_string(read.classes[static_cast<std::size_t>(label)]));
    }
    text += "}, \"filled\": [" + names + "]}\n";
  }

  struct Place {
    Index row, place;
  };
  /// Whether the cell was filled.
  static bool add_value(const Table& read, const Table& filled, ColumnType type, const Place& at,
                        std::string& text) {
    if (type == ColumnType::numeric || type == ColumnType::count) {
      const double value = filled.numbers(at.row, at.place);
      if (std::isnan(value))
        text += "null";
      else
        append_json_number(text, value);
      return std::isnan(read.numbers(at.row, at.place)) && !std::isnan(value);
    }
    const std::int32_t code = filled.codes(at.row, at.place);
    const auto& levels = filled.levels[static_cast<std::size_t>(at.place)];
    text += code < 0 ? "null" : json_string(levels[static_cast<std::size_t>(code)]);
    return read.codes(at.row, at.place) < 0 && code >= 0;
  }

  std::vector<Index> order_;
  std::optional<Index> draw_;
};

/// One completed table, or one of several.
struct Pass {
  JointRef model;
  std::optional<Index> draw;
  Rng chance;  ///< of the draw
  ImputeOptions options;
};

/// The findings of a pass, in order.
struct FilledCells {
  Index rows = 0, filled_rows = 0, filled_cells = 0, texts = 0, beyond = 0, unknown_labels = 0;

  void add(const Imputed& chunk) {
    rows += chunk.table.rows();
    filled_rows += chunk.filled.rows;
    filled_cells += chunk.filled.cells;
    texts += chunk.texts;
    beyond += chunk.beyond;
    unknown_labels += chunk.unknown_labels;
  }
};

FilledCells write_table(RowStream& rows, const Pass& pass, const Common& common,
                        std::ostream& out) {
  const bool at_once = answers_are_awaited(common);
  const CompletedRows written(rows.format(), pass.draw);
  const CompletedJson as_json(pass.model, pass.draw);
  ProgressLine progress(common.quiet || goes_to_terminal(common));
  FilledCells found;
  bool begun = common.json || pass.draw.value_or(1) > 1;
  rows.for_each_chunk(progress.control(common.threads), [&](Table&& read) -> std::function<void()> {
    Imputed filled = pass.draw ? impute_by_draw(pass.model, read, pass.chance, pass.options)
                               : impute(pass.model, read, pass.options);
    std::string lines =
        common.json ? as_json.lines(read, filled.table) : written.lines(read, filled.table);
    filled.table.kept.clear();
    return
        [&, header = written.header(read), lines = std::move(lines), filled = std::move(filled)] {
          if (!begun) out << header;
          begun = true;
          out << lines;
          if (at_once) out.flush();
          found.add(filled);
        };
  });
  return found;
}

void report(const FilledCells& found, bool quiet) {
  const Report to(quiet);
  to.note(fmt::format("filled {} in {} of {}", counted(found.filled_cells, "cell"),
                      found.filled_rows, counted(found.rows, "row")));
  if (found.texts > 0)
    to.note(fmt::format("{} left empty: texts are not filled in",
                        counted(found.texts, "missing text is", "missing texts are")));
  if (found.beyond > 0)
    to.warning(
        fmt::format("{} left empty: what is known of {} is so far out that the expected "
                    "numbers overflow",
                    counted(found.beyond, "missing cell is", "missing cells are"),
                    found.beyond == 1 ? "its row" : "their rows"));
  if (found.unknown_labels > 0)
    to.warning(
        fmt::format("{} a label that the model does not know; {} filled as unlabelled",
                    counted(found.unknown_labels, "incomplete row has", "incomplete rows have"),
                    found.unknown_labels == 1 ? "it is" : "they are"));
}

void run_impute(const Words& words) {
  const ImputeArguments arguments = impute_arguments(words);
  const Common& common = arguments.common;
  refuse_output_onto(common, {arguments.model, arguments.source.data});
  const Classifier model = with_density(load_for(arguments.model, arguments.source.data),
                                        arguments.model, "it fills nothing in");
  const Model* single = std::get_if<Model>(&model);
  if (!single && arguments.draws > 0)
    throw Error(Errc::bad_model, "--draws: a committee of several models has no parameters to draw",
                "leave --draws out, or fit a single model with --model best");
  RowStream rows = open_rows(model, arguments);
  ImputeOptions options;
  if (arguments.integers)
    options.integers = whole_number_columns(rows, {.threads = common.threads});
  if (arguments.draws > 0) Report(common.quiet).notes(fixed_parameters(*single));
  FilledCells found;
  write_output(common, [&](std::ostream& out) {
    const Rng rng(common.seed);
    if (arguments.draws == 0)
      found = write_table(rows, {*JointRef::of(model), std::nullopt, rng, options}, common, out);
    for (Index m = 1; m <= arguments.draws; ++m) {
      const auto number = static_cast<std::uint64_t>(m);
      const Model drawn = draw_parameters(*single, rng.split(2 * number));
      found = write_table(rows, {drawn, m, rng.split(2 * number + 1), options}, common, out);
    }
  });
  report(found, common.quiet);
}

}  // namespace

Verb impute_verb() { return {impute_text(), run_impute}; }

}  // namespace genera::cli
