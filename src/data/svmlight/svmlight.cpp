#include "data/svmlight/svmlight.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include <fast_float/fast_float.h>

#include <genera/error.hpp>
#include <genera/names.hpp>

#include "data/csv/fields.hpp"
#include "data/csv/short_number.hpp"
#include "data/largest_count.hpp"
#include "data/svmlight/svmlight_features.hpp"
#include "kernel/text.hpp"

namespace genera::data {
namespace {

using Labels = SvmlightForm::Labels;

using kernel::is_digit;

// The text ends with a newline, so a carriage return is always followed by a character.
bool ends_line(const char* at) {
  return *at == '\n' || *at == '#' || (*at == '\r' && at[1] == '\n');
}

bool ends_token(const char* at) { return *at == ' ' || *at == '\t' || ends_line(at); }

const char* skip_blanks(const char* at) {
  while (*at == ' ' || *at == '\t') ++at;
  return at;
}

std::string_view token_at(const char* at) {
  const char* end = at;
  while (!ends_token(end)) ++end;
  return {at, static_cast<std::size_t>(end - at)};
}

class LineParser {
 public:
  LineParser(const SvmlightForm& form, const RecordChunk& chunk)
      : form_(form),
        at_(chunk.text.data()),
        end_(at_ + chunk.text.size()),
        line_(chunk.first_line) {
    refuse_nul();
    Table& table = chunk_.table;
    table.source = form.source;
    table.lines.reserve(static_cast<std::size_t>(chunk.records));
    if (form.labels != Labels::unused) table.target = svmlight_target;
  }

  SvmlightChunk run() {
    for (; at_ < end_; ++line_) {
      at_ = skip_blanks(at_);
      if (!ends_line(at_)) parse_row();
      at_ = static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_))) +
            1;
    }
    finish_table();
    return std::move(chunk_);
  }

 private:
  void parse_row() {
    chunk_.table.lines.push_back(line_);
    parse_label();
    for (at_ = skip_blanks(at_); !ends_line(at_); at_ = skip_blanks(at_)) parse_entry();
    entries_.begins.push_back(static_cast<Index>(entries_.places.size()));
    ++row_;
  }

  void finish_table() {
    Table& table = chunk_.table;
    table.row_count = row_;
    table.numbers = Matrix(row_, 0);
    table.codes = Codes(row_, 0);
    table.classes = std::move(classes_).take_names();
    entries_.kind = form_.counts ? SparseKind::counts : SparseKind::numbers;
    table.sparse.push_back(std::move(entries_));
  }

  void parse_label() {
    std::string_view label = token_at(at_);
    const bool here = label.find(':') == std::string_view::npos;
    if (here) at_ += label.size();
    if (form_.labels == Labels::unused) return;
    const bool missing = !here || is_missing(label, {});
    if (missing && form_.labels == Labels::required)
      refuse("the label is missing", "begin every line with its label, as in: 1 3:0.5 17:1");
    if (label.find(',') != std::string_view::npos)
      refuse("the label " + quoted(label) + " is a list",
             "a row has one label: make a file for each of them, or choose one");
    if (label.size() > 1 && label[0] == '+' && (is_digit(label[1]) || label[1] == '.'))
      label.remove_prefix(1);
    chunk_.table.labels.push_back(missing ? -1 : code_of(label));
  }

  std::int32_t code_of(std::string_view label) {
    const std::size_t known = classes_.names().size();
    const std::int32_t code = classes_.add(label);
    if (classes_.names().size() > known && !is_utf8(label))
      refuse("the label is a text that is not UTF-8",
             "convert the file, for example with: iconv -f LATIN1 -t UTF-8");
    return code;
  }

  void parse_entry() {
    const char* const token = at_;
    std::uint64_t index = 0;
    for (; is_digit(*at_); ++at_) index = 10 * index + static_cast<std::uint64_t>(*at_ - '0');
    constexpr std::ptrdiff_t never_too_great = 9;
    if (*at_ != ':' || at_ - token > never_too_great || at_ == token) {
      if (skip_query_id(token)) return;
      index = unusual_index(token);
    }
    ++at_;
    const auto feature = static_cast<std::uint32_t>(index);
    add(feature, parse_value(feature));
  }

  bool skip_query_id(const char* token) {
    const std::string_view text = token_at(token);
    if (!text.starts_with("qid:")) return false;
    chunk_.query_ids = true;
    at_ = token + text.size();
    return true;
  }

  // An index with many digits, or none; leaves at_ at the colon.
  std::uint32_t unusual_index(const char* token) {
    const std::string_view text = token_at(token);
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos)
      refuse(quoted(text) + " is not an entry, which would be index:value",
             "write entries such as 17:0.5, and only one label");
    const std::string_view digits = text.substr(0, colon);
    at_ = token + colon;
    if (const auto index = feature_index(digits)) return *index;
    const bool too_great = !digits.empty() && std::all_of(digits.begin(), digits.end(), is_digit);
    refuse("the feature index " + quoted(digits) +
               (too_great ? " is greater than " + std::to_string(greatest_index)
                          : " is not a whole number >= 0"),
           "number the features 0, 1, 2, ...");
  }

  // Parses from the colon to the end of the token.
  double parse_value(std::uint32_t index) {
    if (is_digit(*at_) && ends_token(at_ + 1)) return *at_++ - '0';
    double value = 0;
    const char* next = parse_short_number(at_, end_, '.', value);
    if (!next || !ends_token(next)) {
      const auto answer = fast_float::from_chars(at_, end_, value);
      next = answer.ptr;
      if (answer.ec != std::errc() || !ends_token(next) || !std::isfinite(value))
        return unusual_value(index);
    }
    at_ = next;
    return value;
  }

  double unusual_value(std::uint32_t index) {
    const std::string_view text = token_at(at_);
    const NumberCell cell = read_number(text, {});
    const std::string feature = "feature " + std::to_string(index);
    if (text.empty()) refuse(feature + " has no value", "write entries such as 17:0.5");
    if (cell.kind == NumberKind::infinite)
      refuse(feature + " is " + quoted(text) + ", which is not a finite number", "fix the entry");
    if (cell.kind != NumberKind::number)
      refuse(feature + " is " + quoted(text) + ", which is not a number",
             "fix the entry, or leave it out if it is 0");
    at_ += text.size();
    return cell.value;
  }

  void add(std::uint32_t index, double value) {
    Feature& feature = features_[index];
    if (feature.row == row_)
      refuse("feature " + std::to_string(index) + " has two values", "leave one of them out");
    if (feature.row < 0 && form_.known && !form_.known->contains(index))
      feature.place = Feature::unknown;
    feature.row = row_;
    if (value == 0 || feature.place == Feature::unknown) return;
    if (form_.counts && !(value > 0 && value <= largest_count && value == std::floor(value)))
      refuse_count(index, value);
    if (feature.place == Feature::no_term) {
      feature.place = static_cast<std::int32_t>(entries_.terms.size());
      entries_.terms.push_back(std::to_string(index));
    }
    entries_.places.push_back(feature.place);
    entries_.values.push_back(value);
  }

  [[noreturn]] void refuse_count(std::uint32_t index, double value) const {
    const char* begin = at_;
    while (begin[-1] != ':') --begin;
    const std::string what = "feature " + std::to_string(index) + " is " +
                             excerpt({begin, static_cast<std::size_t>(at_ - begin)});
    if (value > largest_count)
      refuse(what + ", which is too large for a count",
             "counts are whole numbers up to 2^53; measure the feature in a larger unit");
    refuse(what + ", which is not a count",
           "counts are whole numbers >= 0; take another model, such as gnb, for other numbers");
  }

  [[noreturn]] void refuse(const std::string& what, const std::string& hint) const {
    throw Error(Errc::bad_data, form_.source + ":" + std::to_string(line_) + ": " + what, hint);
  }

  void refuse_nul() {
    const void* const nul = std::memchr(at_, '\0', static_cast<std::size_t>(end_ - at_));
    if (!nul) return;
    line_ += std::count(at_, static_cast<const char*>(nul), '\n');
    refuse("there is a NUL byte",
           "this is not text, or it is damaged; tr -d '\\0' takes such bytes out");
  }

  const SvmlightForm& form_;
  const char* at_;
  const char* end_;
  std::int64_t line_;
  std::int32_t row_ = 0;
  NameSet classes_;
  Features features_;
  SparseColumns entries_;
  SvmlightChunk chunk_;
};

}  // namespace

SvmlightChunk parse_svmlight(const SvmlightForm& form, const RecordChunk& chunk) {
  return LineParser(form, chunk).run();
}

}  // namespace genera::data
