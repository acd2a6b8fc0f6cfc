#include "data/csv/csv_rows.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <genera/error.hpp>
#include "data/csv/choices.hpp"
#include "data/csv/column_types.hpp"
#include "data/csv/csv_sniff.hpp"
#include "data/csv/fields.hpp"
#include "data/csv/parse_chunk.hpp"
#include "data/csv/pass_notes.hpp"
#include "data/csv/roles.hpp"
#include "kernel/text.hpp"

namespace genera::data {
namespace {

constexpr std::size_t csv_sample_bytes = std::size_t{1} << 20;
constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

std::vector<std::string> numbered_names(std::size_t columns) {
  std::vector<std::string> names;
  for (std::size_t j = 1; j <= columns; ++j)
    names.push_back(std::string("c").append(std::to_string(j)));
  return names;
}

bool are_mostly_numbers(const std::vector<std::string>& names) {
  double ignored = 0;
  const auto numbers = std::count_if(names.begin(), names.end(), [&](const std::string& name) {
    return kernel::parse_whole(name, ignored);
  });
  return 2 * numbers > static_cast<std::ptrdiff_t>(names.size());
}

class CsvRows : public RowReader {
 public:
  explicit CsvRows(const RowRequest& request)
      : RowReader(request), request_(request), options_(request.csv) {
    file_.source = request.source.name();
    if (request.source.format() == Source::Format::json_lines) take_json_lines();
    recognise_text();
    if (options_.header) read_header();
    const auto rows = first_rows(request_.expected() ? 1 : all);
    only_header_ = rows.empty();
    if (!options_.header) {
      file_.names = numbered_names(split_record(rows[0].data(), file_.format).size());
      find_first_line(rows);
    }
    file_.first_rows = std::ssize(rows);
    name_first_column(rows);
    if (!request_.expected())
      file_.guesses = guess_columns(rows, static_cast<Index>(file_.names.size()), file_.format);
    layout_ = assign_roles(file_, request_);
    look_at_target(rows);
    describe();
  }

  [[nodiscard]] const std::vector<Column>& columns() const override { return layout_.columns; }
  [[nodiscard]] const std::string& target() const override { return layout_.target; }
  [[nodiscard]] const std::vector<Note>& notes() const override { return notes_; }
  [[nodiscard]] std::optional<Error> target_refusal() const override { return target_refusal_; }
  [[nodiscard]] CsvOptions format() const override {
    CsvOptions found = options_;
    found.delimiter = file_.format.delimiter;
    found.decimal = file_.format.decimal;
    return found;
  }

  [[nodiscard]] std::optional<RecordChunk> next() override {
    if (only_header_)
      return std::exchange(header_given_, true) ? std::nullopt : std::optional(RecordChunk{});
    constexpr Index rows_with_text = 1024;  // texts are long
    return cutter_.next(layout_.texts > 0 ? rows_with_text : rows_per_chunk(layout_.numbers),
                        row_form());
  }

  [[nodiscard]] ReadChunk parse(const RecordChunk& chunk) override {
    ParsedChunk parsed = parse_chunk(layout_, chunk);
    return {.table = std::move(parsed.table),
            .remember = [this, seen = std::move(parsed.seen)] { seen_.merge(seen); }};
  }

  void rewind() override {
    cutter_.rewind();
    header_given_ = false;
    static_cast<void>(cutter_.look_ahead(mark_, 1));
    cutter_.skip(mark_);
    if (options_.header)
      static_cast<void>(cutter_.next(1, header_form()));
    else if (!keeps_records() && !row_form().blank_records)
      cutter_.skip_lines_without_record(record_form());
    seen_ = {};
  }

  void read_as(const RowRequest& request) override {
    request_ = request;
    layout_ = assign_roles(file_, request_);
    describe();
  }

  [[nodiscard]] std::vector<std::string> correct_types() override {
    if (request_.expected()) return {};
    std::ranges::move(notes_of_pass(file_, layout_, seen_, !options_tokens_given()),
                      std::back_inserter(notes_));
    refuse_few_odd_cells();
    std::vector<std::string> corrections;
    for (std::size_t j = 0; j < layout_.uses.size(); ++j)
      if (const auto correction = contradiction(layout_.uses[j]); !correction.empty()) {
        file_.guesses[j].type = ColumnType::categorical;
        corrections.push_back(correction);
      }
    if (corrections.empty()) return corrections;
    layout_ = assign_roles(file_, request_);
    describe();
    for (const std::string& correction : corrections) notes_.push_back({correction});
    return corrections;
  }

 private:
  /// Of the rows: in a file of one column a blank line is a row whose cell is missing.
  [[nodiscard]] RecordForm row_form() const {
    return {.delimiter = file_.format.delimiter,
            .comment = file_.format.comment,
            .blank_records = file_.names.size() == 1,
            .blanks_before = keeps_records(),
            .blanks_behind = keeps_records()};
  }
  [[nodiscard]] RecordForm header_form() const {
    return {.delimiter = file_.format.delimiter,
            .comment = file_.format.comment,
            .blanks_before = keeps_records()};
  }
  [[nodiscard]] RecordForm record_form() const {
    return {.delimiter = file_.format.delimiter, .comment = file_.format.comment};
  }
  /// Rows are written again as they are, byte by byte.
  [[nodiscard]] bool keeps_records() const {
    return std::holds_alternative<KeptRecords>(request_.options.kept);
  }

  void recognise_text() {
    const std::string_view start = cutter_.look_ahead(csv_sample_bytes, enough_lines());
    check_text(start, file_.source, cutter_.is_pipe());
    mark_ = bom_size(start);
    std::string kept(start.substr(0, mark_));
    cutter_.skip(mark_);
    skip_lines();
    const std::string_view rest = options_.skip == 0 ? start.substr(mark_) : first_lines();
    if (const SeparatorLine line = separator_line(rest); line.size > 0) {
      kept += rest.substr(0, line.size);
      mark_ += line.size;
      if (!options_.delimiter) options_.delimiter = line.delimiter;
      validate(options_);
      cutter_.skip(line.size);
    }
    if (keeps_records()) file_.header = kept;
    file_.format = recognise_format(first_lines(), options_);
  }

  /// They arrive as CSV: see json_lines.
  void take_json_lines() {
    if (!options_.header || options_.delimiter || options_.decimal || options_.comment ||
        options_.skip > 0)
      throw Error(Errc::bad_argument,
                  file_.source + ": JSON lines have names and numbers of their own",
                  {"leave {}, {}, {}, {} and {} out",
                   {no_header(), {"delimiter"}, {"decimal"}, {"comment"}, {"skip"}}});
    options_.delimiter = ',';
    options_.decimal = '.';
  }

  /// Those that CsvOptions::skip leaves out.
  void skip_lines() {
    for (Index line = 0; line < options_.skip; ++line) {
      const std::string_view start = first_lines();
      const std::size_t end = start.find('\n');
      if (end == std::string_view::npos || (end + 1 == start.size() && cutter_.saw_end()))
        throw Error(Errc::bad_data,
                    fmt::format("{}: nothing is left after the first {}", file_.source,
                                counted(options_.skip, "line")),
                    {"give fewer lines to {}", {{"skip"}}});
      mark_ += end + 1;
      cutter_.skip(end + 1);
    }
  }

  /// A header may be so wide that a sample ends in it.
  std::string_view first_lines() {
    std::size_t size = csv_sample_bytes;
    std::string_view start = cutter_.look_ahead(size, enough_lines());
    while (start.size() == size && start.find('\n') == start.npos &&
           size <= RecordCutter::longest_record)
      start = cutter_.look_ahead(size *= 2, enough_lines());
    return start;
  }

  /// R and pandas write the names of rows in a first column without a name.
  void name_first_column(const std::vector<std::string_view>& rows) {
    file_.first_unnamed = file_.names.size() > 1 && file_.names.front().empty() &&
                          std::ranges::count(file_.names, std::string()) == 1;
    if (!file_.first_unnamed) return;
    std::string name = "c1";
    while (std::ranges::find(file_.names, name) != file_.names.end()) name += '_';
    file_.names.front() = name;
    file_.row_names = !rows.empty() && all_different(rows, 0, file_.format);
  }

  void look_at_target(const std::vector<std::string_view>& rows) {
    const Roles* given = request_.given();
    const auto label = std::ranges::find(layout_.uses, FieldUse::Part::label, &FieldUse::part);
    if (!given || label == layout_.uses.end() || !layout_.bins.empty()) return;
    const auto j = static_cast<std::size_t>(label - layout_.uses.begin());
    file_.target = target_cells(rows, static_cast<Index>(j), file_.format);
    const bool declared = std::ranges::any_of(
        given->types, [&](const auto& type) { return type.first == layout_.target; });
    const bool named = given->target.name().has_value();
    const ColumnGuess& guess = file_.guesses[j];
    if (declared) return;
    if (!guess.looks_like.empty() || guess.different_strings > 0)
      target_refusal_ = identifying_target(file_, layout_, guess, named);
    else if (looks_measured(file_.target))
      target_refusal_ = measured_target(file_, layout_, named);
    else
      return;
    if (given->refuse_measured_target) throw Error(*target_refusal_);
  }

  [[nodiscard]] int enough_lines() const { return options_.header ? 2 : 1; }

  void read_header() {
    const auto header = cutter_.next(1, header_form());
    if (!header) return;
    const char* begin = header->text.data();
    file_.header_line = header->first_line;
    for (std::string_view rest = header->text;
         begins_without_record(rest, file_.format.delimiter, file_.format.comment);
         rest = header->text.substr(static_cast<std::size_t>(begin - header->text.data()))) {
      begin += rest.find('\n') + 1;
      ++file_.header_line;
    }
    file_.names = split_record(begin, file_.format);
    file_.header += keeps_records() ? std::string(header->text) : first_record(begin, file_.format);
    if (header->text.find('\0') != std::string_view::npos)
      refuse_header("there is a NUL byte in the header", "this is not text, or it is damaged");
    if (!is_utf8(header->text))
      refuse_header("the header is not UTF-8",
                    "convert the file, for example with: iconv -f LATIN1 -t UTF-8");
    if (has_text_after_quote(begin, file_.format))
      refuse_header("there is text between a closing quote and the delimiter",
                    "double the quotes that belong to a name (\"\")");
  }

  [[noreturn]] void refuse_header(const std::string& what, const std::string& hint) const {
    throw Error(Errc::bad_data,
                file_.source + ":" + std::to_string(file_.header_line) + ": " + what, hint);
  }

  /// The first whole records, as many as `max`; where they are so wide that the sample holds none,
  /// it grows.
  std::vector<std::string_view> first_whole_records(std::size_t max) {
    std::size_t size = csv_sample_bytes;
    while (true) {
      const std::string_view text = cutter_.look_ahead(size, 1);
      auto records = whole_records(text, file_.format, max);
      const bool everything = text.size() < size && cutter_.saw_end();
      if (!records.empty() || everything || size > 2 * RecordCutter::longest_record) return records;
      if (text.size() == size) size *= 2;
    }
  }

  /// Whether blank lines before the first row are rows, too: in a file of one column, which without
  /// a header is known by its first row.
  bool begins_with_blank_rows() {
    if (options_.header) return row_form().blank_records;
    const auto first = first_whole_records(1);
    return !first.empty() && split_record(first.front().data(), file_.format).size() == 1;
  }

  /// A header alone is an answer to whoever wants one for each row.
  std::vector<std::string_view> first_rows(std::size_t max) {
    if (!keeps_records() && !begins_with_blank_rows())
      cutter_.skip_lines_without_record(record_form());
    auto rows = first_whole_records(max);
    if (!rows.empty()) return rows;
    static_cast<void>(cutter_.next(1, record_form()));  // says what is wrong with the first
    if (request_.expected() && !request_.target().required() && !file_.names.empty()) return {};
    throw Error(Errc::bad_data, file_.source + ": there are no rows after the header",
                {"give a table with rows, or use {} if the first line is data", {no_header()}});
  }

  /// The first row that holds anything: if a cell is odd there and nowhere else, it may be a
  /// header. Blank lines before a header are skipped, rows of delimiters are not.
  void find_first_line(const std::vector<std::string_view>& rows) {
    const auto is_blank = [&](std::string_view row) {
      const auto cells = split_record(row.data(), file_.format);
      return std::ranges::all_of(cells, [](const std::string& cell) { return cell.empty(); });
    };
    const auto first = std::ranges::find_if_not(rows, is_blank);
    first_line_ = cutter_.line();
    if (first == rows.end()) return;
    const char* const begin = cutter_.look_ahead(1, 1).data();
    first_line_ += std::count(begin, first->data(), '\n');
    blank_rows_ = first - rows.begin();
  }

  void describe() {
    notes_ = describe_choices(file_, layout_, request_);
    if (!request_.expected() && options_.header && are_mostly_numbers(file_.names))
      notes_.push_back(
          {{"the first line holds mostly numbers and is taken for the header; if it is data, use "
            "{}",
            {no_header()}}});
  }

  [[nodiscard]] Index present_cells(const FieldUse& use) const {
    return seen_.rows - seen_.missing[static_cast<std::size_t>(use.place)];
  }

  [[nodiscard]] bool options_tokens_given() const {
    return options_.missing_tokens != CsvOptions{}.missing_tokens;
  }

  /// A few cells that are not numbers are errors in a column of numbers: those of all columns.
  void refuse_few_odd_cells() const {
    std::vector<OddColumn> few;
    for (const FieldUse& use : layout_.uses) {
      const auto found = seen_.not_numbers.find(use.feature);
      if (use.part != FieldUse::Part::number || found == seen_.not_numbers.end()) continue;
      if (are_few(found->second.count, present_cells(use)))
        few.push_back({layout_.columns[static_cast<std::size_t>(use.feature)].name, found->second,
                       present_cells(use)});
    }
    if (few.empty()) return;
    const NotNumbers& cells = few.front().cells;
    const bool header = !options_.header && few.size() == 1 && cells.count == 1 &&
                        cells.first.front().line == first_line_;
    refuse_odd_columns(file_, few, header ? header_taken_for_row() : Advice(""));
  }

  // Why the column must become categorical; empty if it need not.
  [[nodiscard]] std::string contradiction(const FieldUse& use) const {
    const std::string& name = layout_.columns[static_cast<std::size_t>(use.feature)].name;
    const bool feature = use.part == FieldUse::Part::number || use.part == FieldUse::Part::code;
    if (!feature) return {};
    if (const auto found = seen_.not_numbers.find(use.feature); found != seen_.not_numbers.end()) {
      const Index present = present_cells(use);
      return "column '" + name + "' is categorical: " + not_numbers(found->second, present) +
             list_places(found->second, file_.source);
    }
    const auto levels = seen_.binary_levels.find(use.feature);
    if (levels == seen_.binary_levels.end() || levels->second.size() < 3) return {};
    if (use.strict)
      throw Error(Errc::bad_data,
                  file_.source + ": column '" + name + "' is declared binary but holds " +
                      kernel::quoted_list(levels->second),
                  declared_binary_hint(name, levels->second));
    return "column '" + name + "' is categorical: it holds " + kernel::quoted_list(levels->second);
  }

  [[nodiscard]] Advice declared_binary_hint(const std::string& name,
                                            const std::vector<std::string>& levels) const {
    const OptionUse type{"type", {name + "=categorical"}}, numeric{"type", {name + "=numeric"}};
    const auto is_number = [](const std::string& level) {
      return kernel::number_in(level).has_value();
    };
    if (std::ranges::all_of(levels, is_number))
      return {"use {} if it is measured, or {}", {numeric, type}};
    const auto missing = std::find_if(levels.begin(), levels.end(), looks_missing);
    if (missing == levels.end()) return {"use {}", {type}};
    return {"use {} if it means missing, or {}",
            {{"missing_token", with_tokens(file_.format, {*missing})}, type}};
  }

  [[nodiscard]] Advice header_taken_for_row() const {
    const std::string line =
        first_line_ == 1 ? "the first line" : "line " + std::to_string(first_line_);
    return {"if " + line + " is the header, " +
                (blank_rows_ > 0 ? "remove what stands before it and " : "") +
                "leave {} out; else fix the cell",
            {no_header()}};
  }

  RowRequest request_;
  CsvOptions options_;
  std::size_t mark_ = 0;         // bytes before the header: of a UTF-8 mark, of a line sep=;
  std::int64_t first_line_ = 0;  // of the rows that hold anything
  Index blank_rows_ = 0;         // before it: nothing but delimiters
  FileColumns file_;
  RecordLayout layout_;
  std::vector<Note> notes_;
  std::optional<Error> target_refusal_;
  Observations seen_;
  bool only_header_ = false, header_given_ = false;  // it makes one chunk, without rows
};

}  // namespace

std::unique_ptr<RowReader> open_csv(const RowRequest& request) {
  validate(request.csv);
  return std::make_unique<CsvRows>(request);
}

}  // namespace genera::data
