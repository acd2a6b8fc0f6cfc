#include "data/csv/parse_chunk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fast_float/fast_float.h>

#include <genera/error.hpp>
#include <genera/names.hpp>
#include "data/csv/fields.hpp"
#include "data/csv/separators.hpp"
#include "data/csv/short_number.hpp"
#include "data/largest_count.hpp"
#include "data/largest_weight.hpp"
#include "data/text/text_terms.hpp"
#include "kernel/short_numbers.hpp"
#include "kernel/text.hpp"

namespace genera::data {
namespace {

using Part = FieldUse::Part;

class ChunkParser {
 public:
  ChunkParser(const RecordLayout& layout, const RecordChunk& chunk)
      : layout_(layout),
        format_(layout.format),
        begin_(chunk.text.data()),
        at_(begin_),
        end_(at_ + chunk.text.size()),
        line_(chunk.first_line),
        newline_added_(chunk.newline_added),
        levels_(static_cast<std::size_t>(layout.codes)) {
    refuse_nul(chunk);
    for (Index t = 0; t < layout.texts; ++t) texts_.emplace_back(layout.text);
    if (texts_.size() == 1) texts_.front().expect(chunk.text.size());
    if (!chunk.quotes) separators_.emplace(at_, end_, format_.delimiter);
    if (separators_ && format_.missing_numbers.empty() && !layout.keep && !layout.records)
      find_plain_numbers();
    chunk_.table.row_count = chunk.records;
    chunk_.seen.missing.resize(static_cast<std::size_t>(layout.numbers));
    prepare_table();
  }

  ParsedChunk run() {
    if (chunk_.table.row_count == 0) chunk_.table.kept_rest = blank_lines_at_the_end();
    lead_ = at_;
    skip_lines_without_record();
    for (row_ = 0; row_ < chunk_.table.row_count; ++row_) {
      parse_record();
      const char* const behind = at_;
      skip_lines_without_record();
      if (layout_.records) chunk_.table.kept[static_cast<std::size_t>(row_)].append(behind, at_);
      lead_ = at_;
    }
    if (!chunk_.table.kept.empty() && layout_.records && newline_added_)
      chunk_.table.kept.back().pop_back();
    finish_table();
    return std::move(chunk_);
  }

 private:
  [[nodiscard]] std::string blank_lines_at_the_end() const {
    return {at_, newline_added_ ? end_ - 1 : end_};
  }

  void find_plain_numbers() {
    plain_numbers_.resize(layout_.uses.size());
    for (std::size_t j = layout_.uses.size() - 1; j-- > 0;) {
      const FieldUse& use = layout_.uses[j];
      if (use.part != Part::number || use.count) continue;
      const bool goes_on = plain_numbers_[j + 1] > 0 && layout_.uses[j + 1].place == use.place + 1;
      plain_numbers_[j] = 1 + (goes_on ? plain_numbers_[j + 1] : 0);
    }
  }

  void prepare_table() {
    Table& table = chunk_.table;
    table.columns = layout_.columns;
    table.source = layout_.source;
    table.lines.reserve(static_cast<std::size_t>(table.row_count));
    table.numbers = Matrix::for_overwrite(table.row_count, layout_.numbers);
    table.codes = Codes(table.row_count, layout_.codes);
    table.target = layout_.target;
    table.kept_header = layout_.kept_header;
    const auto rows = static_cast<std::size_t>(table.row_count);
    if (!layout_.target.empty()) table.labels.resize(rows);
    if (layout_.weighted) table.weights.resize(rows);
    table.frequencies = layout_.frequencies;
    if (!layout_.keep && !layout_.records) return;
    table.kept.resize(rows);
    if (layout_.records) table.cells.resize(rows * layout_.columns.size());
    raw_.resize(layout_.names.size());
  }

  void finish_table() {
    chunk_.seen.rows = chunk_.table.row_count;
    chunk_.table.classes = std::move(classes_).take_names();
    for (NameSet& codes : levels_) chunk_.table.levels.push_back(std::move(codes).take_names());
    finish_tokens();
    count_like_missing();
    for (const FieldUse& use : layout_.uses) {
      const auto feature = static_cast<std::size_t>(use.feature);
      if (use.part == Part::text) finish_text(use);
      if (use.part != Part::code || layout_.columns[feature].type != ColumnType::binary) continue;
      const auto& all = chunk_.table.levels[static_cast<std::size_t>(use.place)];
      const auto max = static_cast<std::ptrdiff_t>(std::min<std::size_t>(3, all.size()));
      chunk_.seen.binary_levels[use.feature].assign(all.begin(), all.begin() + max);
    }
  }

  void count_like_missing() {
    const Table& table = chunk_.table;
    const auto count = [&](const std::string& column, const std::vector<std::string>& names,
                           auto code) {
      for (std::size_t v = 0; v < names.size(); ++v) {
        if (!looks_missing(names[v])) continue;
        Index& cells = chunk_.seen.like_missing[column][names[v]];
        for (Index i = 0; i < table.row_count; ++i)
          if (code(i) == static_cast<std::int32_t>(v)) ++cells;
      }
    };
    for (const FieldUse& use : layout_.uses) {
      if (use.part != Part::code) continue;
      count(layout_.columns[static_cast<std::size_t>(use.feature)].name,
            table.levels[static_cast<std::size_t>(use.place)],
            [&](Index i) { return table.codes(i, use.place); });
    }
    if (!table.labels.empty())
      count(layout_.target, table.classes,
            [&](Index i) { return table.labels[static_cast<std::size_t>(i)]; });
  }

  void finish_text(const FieldUse& use) {
    TermCounter& counter = texts_[static_cast<std::size_t>(use.place)];
    if (counter.malformed() > 0) chunk_.seen.malformed[use.feature] = counter.malformed();
    chunk_.table.sparse.resize(texts_.size());
    chunk_.table.sparse[static_cast<std::size_t>(use.place)] =
        std::move(counter).take(layout_.columns[static_cast<std::size_t>(use.feature)].name);
  }

  /// In a file of one column blank lines are records.
  [[nodiscard]] bool at_line_without_record() const {
    if (at_ == end_) return false;
    const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
    return layout_.uses.size() == 1
               ? begins_with_comment_line(rest, format_.comment)
               : begins_without_record(rest, format_.delimiter, format_.comment);
  }

  void skip_lines_without_record() {
    while (at_line_without_record()) {
      while (*at_ != '\n') ++at_;
      if (separators_)
        while (separators_->next() != at_) {  // a comment may hold delimiters
        }
      ++at_;
      ++line_;
    }
  }

  void parse_record() {
    const char* const begin = at_;
    record_line_ = line_;
    chunk_.table.lines.push_back(line_);
    numbers_ = chunk_.table.numbers.data() + row_ * layout_.numbers;
    const std::size_t last = layout_.uses.size() - 1;
    for (std::size_t j = 0; j <= last; ++j) {
      if (!plain_numbers_.empty()) j = parse_plain_numbers(j);
      const char* const field = at_;
      parse_field(j, separators_ ? separators_->next() : nullptr);
      if (!raw_.empty()) raw_[j] = {field, static_cast<std::size_t>(at_ - field)};
      if (*at_ != (j < last ? format_.delimiter : '\n')) refuse_ragged(begin);
      ++at_;
    }
    ++line_;
    if (layout_.keep) keep_cells();
    if (layout_.records) keep_record();
  }

  // The way of nearly all fields, as far as it goes from field j on: returns the first that is not
  // a number in short, or the last. Each begins where the one before was found to end, so that
  // several are worked on at once.
  std::size_t parse_plain_numbers(std::size_t j) {
    while (plain_numbers_[j] > 0 && at_ - begin_ >= kernel::short_number_bytes) {
      const auto stops =
          separators_->next_places(std::min(plain_numbers_[j], kernel::max_short_numbers));
      const Index found =
          kernel::short_numbers({at_, separators_->base(), stops}, format_.delimiter,
                                format_.decimal, numbers_ + layout_.uses[j].place);
      if (found == 0) break;
      at_ = separators_->base() + stops[static_cast<std::size_t>(found - 1)] + 1;
      separators_->skip(found);
      j += static_cast<std::size_t>(found);
      if (found < std::ssize(stops)) break;
    }
    return j;
  }

  // Leaves at_ at the delimiter or newline behind the field, which `stop` is unless it is null.
  void parse_field(std::size_t j, const char* stop) {
    const FieldUse& use = layout_.uses[j];
    const char* const begin = at_;
    if (use.part == Part::number && parse_plain_number(numbers_[use.place], stop)) {
      if (use.count)
        require_count(j, numbers_[use.place], {begin, static_cast<std::size_t>(at_ - begin)});
      return;
    }
    const Field field = read_field(at_, format_, scratch_);
    if (field.text_after_quote) refuse_text_after_quote(j);
    at_ = field.end;
    if (use.part == Part::number) {
      numbers_[use.place] = parse_number(j, field.text);
      if (use.count) require_count(j, numbers_[use.place], field.text);
    } else if (use.part == Part::code) {
      chunk_.table.codes(row_, use.place) =
          parse_name(j, field.text, levels_[static_cast<std::size_t>(use.place)]);
    } else if (use.part == Part::text) {
      TermCounter& counter = texts_[static_cast<std::size_t>(use.place)];
      if (is_missing_text(field.text, format_)) {
        count_token(j, field.text);
        counter.add_missing();
      } else {
        counter.add(field.text);
      }
    } else if (use.part == Part::label) {
      chunk_.table.labels[static_cast<std::size_t>(row_)] = parse_label(j, field.text);
    } else if (use.part == Part::weight) {
      chunk_.table.weights[static_cast<std::size_t>(row_)] = parse_weight(j, field.text);
    }
    line_ += field.newlines;
  }

  // The way of nearly all cells: no quote, no blank, nothing missing.
  bool parse_plain_number(double& value, const char* stop) {
    const char* next = parse_short_number(at_, end_, format_.decimal, value);
    if (!next || !ends_field(next, stop)) {
      const fast_float::parse_options options(fast_float::chars_format::general, format_.decimal);
      const auto answer = fast_float::from_chars_advanced(at_, end_, value, options);
      next = answer.ptr;
      if (answer.ec != std::errc() || !ends_field(next, stop) || !std::isfinite(value))
        return false;
    }
    if (is_missing_number(value, format_)) return false;
    at_ = stop ? stop : *next == '\r' ? next + 1 : next;
    return true;
  }

  // The text ends with a newline, so that there is a character behind a carriage return.
  [[nodiscard]] bool ends_field(const char* at, const char* stop) const {
    if (at == stop) return true;
    if (*at == '\r' && at[1] == '\n') return !stop || at + 1 == stop;
    return !stop && (*at == format_.delimiter || *at == '\n');
  }

  double parse_number(std::size_t j, std::string_view text) {
    const NumberCell cell = read_number(text, format_);
    const FieldUse& use = layout_.uses[j];
    if (cell.kind == NumberKind::infinite) refuse_infinite(j, text);
    if (cell.kind == NumberKind::missing) {
      ++chunk_.seen.missing[static_cast<std::size_t>(use.place)];
      count_token(j, text);
    }
    if (cell.kind == NumberKind::not_a_number) {
      if (use.strict) refuse_not_a_number(j, text);
      chunk_.seen.not_numbers[use.feature].add(line_, text);
    }
    if (cell.written)
      chunk_.seen.written[use.feature].add({1, cell.percent ? 1 : 0, excerpt(text), cell.value});
    return cell.value;
  }

  void require_count(std::size_t j, double value, std::string_view text) const {
    const bool too_large = value > largest_count;
    if (std::isnan(value) || (value >= 0 && !too_large && value == std::floor(value))) return;
    refuse(j, quoted(text) + ", which is " + (too_large ? "too large for a count" : "not a count"),
           {std::string(too_large ? "counts are whole numbers up to 2^53"
                                  : "counts are whole numbers of at least 0") +
                "; if the column is measured, use {}",
            {{"type", {layout_.names[j] + "=numeric"}}}});
  }

  /// A cell that means missing and is not empty.
  void count_token(std::size_t j, std::string_view text) {
    const auto& tokens = format_.missing_tokens;
    if (text.empty() || tokens.empty()) return;
    const std::optional<double> number = kernel::number_in(text);
    const auto found = std::ranges::find_if(tokens, [&](const std::string& token) {
      return token == text || (number && kernel::number_in(token) == number);
    });
    if (found == tokens.end()) return;
    if (tokens_seen_.empty()) tokens_seen_.resize(layout_.names.size() * tokens.size());
    ++tokens_seen_[j * tokens.size() + static_cast<std::size_t>(found - tokens.begin())];
  }

  void finish_tokens() {
    const auto& tokens = format_.missing_tokens;
    for (std::size_t i = 0; i < tokens_seen_.size(); ++i)
      if (tokens_seen_[i] > 0)
        chunk_.seen.tokens[tokens[i % tokens.size()]][static_cast<Index>(i / tokens.size())] =
            tokens_seen_[i];
  }

  std::int32_t parse_name(std::size_t j, std::string_view text, NameSet& codes) {
    if (is_missing_text(text, format_)) {
      count_token(j, text);
      return -1;
    }
    const Index known = codes.size();
    const std::int32_t code = codes.add(text);
    if (codes.size() > known && !is_utf8(text))
      refuse(j, "a text that is not UTF-8",
             "convert the file, for example with: iconv -f LATIN1 -t UTF-8");
    return code;
  }

  std::int32_t parse_label(std::size_t j, std::string_view text) {
    if (layout_.bins.empty()) return parse_name(j, text, classes_);
    const NumberCell cell = read_number(text, format_);
    if (cell.kind == NumberKind::missing) {
      count_token(j, text);
      return -1;
    }
    if (cell.kind != NumberKind::number) refuse_not_a_number(j, text);
    const auto edge = std::ranges::upper_bound(layout_.target_edges, cell.value);
    return parse_name(
        j, layout_.bins[static_cast<std::size_t>(edge - layout_.target_edges.begin())], classes_);
  }

  double parse_weight(std::size_t j, std::string_view text) {
    const NumberCell cell = read_number(text, format_);
    if (cell.kind != NumberKind::number || cell.value < 0)
      refuse(j, quoted(text) + ", which is not a weight",
             "weights are finite numbers >= 0, none of them missing");
    if (layout_.frequencies && (cell.value != std::floor(cell.value) || cell.value > max_frequency))
      refuse(j, quoted(text) + ", which is not a count of rows",
             "give whole numbers from 0 to 1e9, or weights that are not counts");
    if (cell.value > largest_weight)
      refuse(j, quoted(text) + ", which is too large for a weight",
             "divide all weights by the same number");
    return cell.value;
  }

  void keep_cells() {
    std::string& kept = chunk_.table.kept[static_cast<std::size_t>(row_)];
    for (std::size_t i = 0; i < layout_.kept.size(); ++i) {
      if (i > 0) kept += ',';
      append_raw_as_csv(raw_[static_cast<std::size_t>(layout_.kept[i])], format_, kept);
    }
  }

  void keep_record() {
    chunk_.table.kept[static_cast<std::size_t>(row_)].assign(lead_, at_);
    const auto first = static_cast<std::size_t>(row_) * layout_.columns.size();
    for (std::size_t j = 0; j < raw_.size(); ++j) {
      const Part part = layout_.uses[j].part;
      if (part != Part::number && part != Part::code && part != Part::text) continue;
      const bool carriage_return = j + 1 == raw_.size() && raw_[j].ends_with('\r');
      const std::size_t from = static_cast<std::size_t>(raw_[j].data() - lead_);
      const std::size_t to = from + raw_[j].size() - (carriage_return ? 1 : 0);
      chunk_.table.cells[first + static_cast<std::size_t>(layout_.uses[j].feature)] = {
          static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)};
    }
  }

  [[nodiscard]] std::string place(std::int64_t line) const {
    return layout_.source + ":" + std::to_string(line) + ": ";
  }

  [[noreturn]] void refuse(std::size_t j, const std::string& what, const Advice& hint) const {
    throw Error(Errc::bad_data, place(line_) + "column '" + layout_.names[j] + "' holds " + what,
                hint);
  }

  [[nodiscard]] Advice fix_or_missing(std::string_view text) const {
    const std::string token = excerpt(text);
    if (!is_whole(token)) return {"fix the cell"};
    return {"fix the cell, or use {} if it means missing",
            {{"missing_token", with_tokens(format_, {token})}}};
  }

  [[noreturn]] void refuse_infinite(std::size_t j, std::string_view text) const {
    refuse(j, quoted(text) + ", which is not a finite number", fix_or_missing(text));
  }

  [[noreturn]] void refuse_not_a_number(std::size_t j, std::string_view text) const {
    if (is_ambiguous_number(text, format_))
      refuse(j, quoted(text) + ", which may mean two numbers",
             ambiguous_hint(format_.delimiter, format_.decimal));
    CellFormat other = format_;
    other.decimal = format_.decimal == '.' ? ',' : '.';
    const bool other_decimal = read_number(text, other).kind == NumberKind::number;
    refuse(j, quoted(text) + ", which is not a number",
           other_decimal ? Advice("use {} if that is the decimal sign",
                                  {{"decimal", {std::string(1, other.decimal)}}})
                         : fix_or_missing(text));
  }

  [[noreturn]] void refuse_text_after_quote(std::size_t j) const {
    throw Error(Errc::bad_data,
                place(line_) + "column '" + layout_.names[j] +
                    "' has text between a closing quote and the delimiter",
                "double the quotes that belong to the text (\"\")");
  }

  [[noreturn]] void refuse_ragged(const char* record) const {
    const auto here = std::ssize(split_record(record, format_)), wanted = std::ssize(layout_.uses);
    throw Error(Errc::bad_data,
                place(record_line_) + counted(here, "field") +
                    (layout_.header ? ", the header has " : ", the first line has ") +
                    std::to_string(wanted),
                here == wanted + 1 && row_ == 0
                    ? "row names as R writes them? write the table without them, or add a name "
                      "for them to the header"
                    : "fix the line; a cell that holds the delimiter must be quoted");
  }

  void refuse_nul(const RecordChunk& chunk) const {
    const std::size_t nul = chunk.text.find('\0');
    if (nul == std::string_view::npos) return;
    const auto newlines =
        std::count(chunk.text.begin(), chunk.text.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
    throw Error(Errc::bad_data, place(chunk.first_line + newlines) + "there is a NUL byte",
                "this is not text, or it is damaged; tr -d '\\0' takes such bytes out");
  }

  const RecordLayout& layout_;
  const CellFormat& format_;
  const char* begin_;
  const char* at_;
  const char* end_;
  std::int64_t line_;
  bool newline_added_;
  std::int64_t record_line_ = 0;
  const char* lead_ = nullptr;  // of the record and the blank lines before it
  Index row_ = 0;
  double* numbers_ = nullptr;
  std::optional<Separators> separators_;  // if there are no quotes
  // From each field on, how many numbers side by side go into places side by side, the last field
  // left out; empty if there is more to them than numbers.
  std::vector<Index> plain_numbers_;
  NameSet classes_;
  std::vector<NameSet> levels_;
  std::vector<Index> tokens_seen_;  // by column of the file and token, if there are any
  std::vector<TermCounter> texts_;
  std::vector<std::string_view> raw_;
  std::string scratch_;
  ParsedChunk chunk_;
};

}  // namespace

ParsedChunk parse_chunk(const RecordLayout& layout, const RecordChunk& chunk) {
  return ChunkParser(layout, chunk).run();
}

}  // namespace genera::data
