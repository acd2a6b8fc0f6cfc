#include "data/csv/fields.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstring>
#include <limits>

#include <fast_float/fast_float.h>

#include "data/csv/written_number.hpp"
#include "kernel/bytes.hpp"

namespace genera::data {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const char* skip_blanks(const char* at, const CellFormat& format) {
  while (format.is_blank(*at)) ++at;
  return at;
}

const char* find_end(const char* at, const CellFormat& format) {
  while (*at != format.delimiter && *at != '\n') ++at;
  return at;
}

// Without the first half of CRLF, if the field is the last of its record.
const char* before_line_end(const char* begin, const char* end) {
  return *end == '\n' && begin < end && end[-1] == '\r' ? end - 1 : end;
}

std::string_view trimmed(const char* begin, const char* end, const CellFormat& format) {
  while (begin < end && format.is_blank(*begin)) ++begin;
  while (begin < end && format.is_blank(end[-1])) --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

// From behind the opening quote. The record is whole, so there is a closing quote.
Field read_quoted(const char* at, const CellFormat& format, std::string& scratch) {
  Field field{.text = {}, .end = nullptr, .quoted = true};
  const char* const begin = at;
  const char* close = at;
  scratch.clear();
  while (true) {
    close = static_cast<const char*>(::rawmemchr(at, '"'));
    if (close[1] != '"') break;
    scratch.append(at, close + 1);
    at = close + 2;
  }
  field.newlines = kernel::count_byte(begin, close, '\n');
  if (scratch.empty()) {
    field.text = trimmed(begin, close, format);
  } else {
    scratch.append(at, close);
    field.text = trimmed(scratch.data(), scratch.data() + scratch.size(), format);
  }
  field.end = find_end(close + 1, format);
  field.text_after_quote =
      !trimmed(close + 1, before_line_end(close + 1, field.end), format).empty();
  return field;
}

template <class Action>
void for_each_field(const char* at, const CellFormat& format, Action action) {
  std::string scratch;
  while (true) {
    const Field field = read_field(at, format, scratch);
    action(field);
    if (*field.end == '\n') return;
    at = field.end + 1;
  }
}

bool equal_without_case(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  });
}

bool is_nan_word(std::string_view text) {
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) text.remove_prefix(1);
  return equal_without_case(text, "nan");
}

NumberCell written_number(std::string_view text, const CellFormat& format) {
  const WrittenNumber found = read_written_number(text, format.decimal, format.decimal_given);
  using Kind = WrittenNumber::Kind;
  if (found.kind == Kind::none || found.kind == Kind::ambiguous)
    return {NumberKind::not_a_number, nan};
  if (is_missing_number(found.value, format)) return {NumberKind::missing, nan};
  return {NumberKind::number, found.value, true, found.kind == Kind::percent};
}

}  // namespace

Field read_field(const char* at, const CellFormat& format, std::string& scratch) {
  const char* const begin = skip_blanks(at, format);
  if (*begin == '"') return read_quoted(begin + 1, format, scratch);
  const char* const end = find_end(begin, format);
  return {.text = trimmed(begin, before_line_end(begin, end), format), .end = end};
}

std::vector<std::string> split_record(const char* at, const CellFormat& format) {
  std::vector<std::string> fields;
  for_each_field(at, format, [&](const Field& field) { fields.emplace_back(field.text); });
  return fields;
}

std::string first_record(const char* at, const CellFormat& format) {
  const char* end = at;
  for_each_field(at, format, [&](const Field& field) { end = field.end; });
  return {at, end};
}

bool has_text_after_quote(const char* at, const CellFormat& format) {
  bool found = false;
  for_each_field(at, format, [&](const Field& field) { found |= field.text_after_quote; });
  return found;
}

bool is_missing_text(std::string_view text, const CellFormat& format) noexcept {
  const auto& tokens = format.missing_tokens;
  return text.empty() || std::find(tokens.begin(), tokens.end(), text) != tokens.end();
}

bool is_missing(std::string_view text, const CellFormat& format) noexcept {
  return is_nan_word(text) || is_missing_text(text, format);
}

std::vector<std::string> with_tokens(const CellFormat& format,
                                     const std::vector<std::string>& more) {
  std::vector<std::string> tokens = format.missing_tokens;
  for (const std::string& token : more)
    if (std::ranges::find(tokens, token) == tokens.end()) tokens.push_back(token);
  return tokens;
}

bool looks_missing(std::string_view text) noexcept {
  if (is_nan_word(text)) return true;
  constexpr std::array words{"na", "n/a", "n.a.", "#n/a", "<na>", "null", "none", "nil", "missing"};
  constexpr std::array signs{"?", "-", "--", "."};
  const auto is = [&](const char* word) { return equal_without_case(text, word); };
  return std::any_of(words.begin(), words.end(), is) ||
         std::find(signs.begin(), signs.end(), text) != signs.end();
}

bool is_ambiguous_number(std::string_view text, const CellFormat& format) noexcept {
  return read_written_number(text, format.decimal, format.decimal_given).kind ==
         WrittenNumber::Kind::ambiguous;
}

NumberCell read_number(std::string_view text, const CellFormat& format) noexcept {
  const std::string_view whole = text;
  if (is_missing(text, format)) return {NumberKind::missing, nan};
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  double value = 0;
  const char* const end = text.data() + text.size();
  const fast_float::parse_options options(fast_float::chars_format::general, format.decimal);
  const auto [next, status] = fast_float::from_chars_advanced(text.data(), end, value, options);
  if (next != end || status == std::errc::invalid_argument || std::isnan(value))
    return written_number(whole, format);
  if (std::isinf(value)) return {NumberKind::infinite, nan};
  if (is_missing_number(value, format)) return {NumberKind::missing, nan};
  return {NumberKind::number, value};
}

bool has_other_decimal(std::string_view text, const CellFormat& format) noexcept {
  CellFormat other;
  other.decimal = format.decimal == '.' ? ',' : '.';
  return read_number(text, format).kind == NumberKind::not_a_number &&
         !is_ambiguous_number(text, format) && read_number(text, other).kind == NumberKind::number;
}

bool is_utf8(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned char lead = byte(i);
    const std::size_t length = lead < 0x80                    ? 1
                               : lead >= 0xC2 && lead <= 0xDF ? 2
                               : lead >= 0xE0 && lead <= 0xEF ? 3
                               : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                              : 0;
    if (length == 0 || i + length > text.size()) return false;
    for (std::size_t k = 1; k < length; ++k)
      if ((byte(i + k) & 0xC0) != 0x80) return false;
    // overlong forms, surrogates, beyond U+10FFFF
    if ((lead == 0xE0 && byte(i + 1) < 0xA0) || (lead == 0xED && byte(i + 1) > 0x9F) ||
        (lead == 0xF0 && byte(i + 1) < 0x90) || (lead == 0xF4 && byte(i + 1) > 0x8F))
      return false;
    i += length;
  }
  return true;
}

void append_as_csv(std::string_view text, std::string& to) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    to += text;
    return;
  }
  to += '"';
  for (const char c : text) to.append(c == '"' ? 2 : 1, c);
  to += '"';
}

void append_raw_as_csv(std::string_view raw, const CellFormat& format, std::string& to) {
  if (!raw.empty() && raw.back() == '\r') raw.remove_suffix(1);
  const std::string_view inner = trimmed(raw.data(), raw.data() + raw.size(), format);
  if (inner.starts_with('"'))
    to += inner;  // its quotes are doubled already
  else
    append_as_csv(raw, to);
}

std::string excerpt(std::string_view cell) {
  constexpr std::size_t max = 40;
  if (cell.size() <= max) return std::string(cell);
  std::size_t cut = max;
  while (cut > 0 && (static_cast<unsigned char>(cell[cut]) & 0xC0) == 0x80) --cut;
  return std::string(cell.substr(0, cut)) + "...";
}

bool is_whole(std::string_view excerpt) { return !excerpt.ends_with("..."); }

std::string quoted(std::string_view cell) {
  std::string text(1, '\'');
  return text.append(excerpt(cell)).append(1, '\'');
}

}  // namespace genera::data
