#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <genera/stream.hpp>

/// One cell of a CSV text: where it ends, what it says, what number it is.
namespace genera::data {

/// How cells are written in one source.
struct CellFormat {
  char delimiter = ',';
  char decimal = '.';
  char comment = '\0';         ///< lines that begin with it are not records; '\0': there are none
  bool decimal_given = false;  ///< not recognised
  std::vector<std::string> missing_tokens;
  std::vector<double> missing_numbers;  ///< those tokens that are numbers, as numbers

  [[nodiscard]] bool is_blank(char c) const { return (c == ' ' || c == '\t') && c != delimiter; }
};

struct Field {
  std::string_view text;  ///< blanks trimmed, quotes undone
  const char* end;        ///< the delimiter or newline behind it
  bool quoted = false;
  bool text_after_quote = false;  ///< the field is `"so` wrong
  std::int64_t newlines = 0;      ///< inside its quotes
};

/// The field that begins at `at`; the text must hold a whole record, ended by a newline.
/// `scratch` is where quotes are undone: `Field::text` may point into it.
[[nodiscard]] Field read_field(const char* at, const CellFormat& format, std::string& scratch);

/// All fields of the record that begins at `at`.
[[nodiscard]] std::vector<std::string> split_record(const char* at, const CellFormat& format);
/// The record that begins at `at` as it stands there, without its newline.
[[nodiscard]] std::string first_record(const char* at, const CellFormat& format);
[[nodiscard]] bool has_text_after_quote(const char* at, const CellFormat& format);

enum class NumberKind { number, missing, infinite, not_a_number };
struct NumberCell {
  NumberKind kind;
  double value;          ///< NaN unless a number
  bool written = false;  ///< as spreadsheets write it: $1,037.50
  bool percent = false;  ///< with a percent sign: a hundredth
};
[[nodiscard]] NumberCell read_number(std::string_view text, const CellFormat& format) noexcept;

/// Whether it is a number whose size depends on what its comma (or its point) means: 1,037.
[[nodiscard]] bool is_ambiguous_number(std::string_view text, const CellFormat& format) noexcept;
/// Whether it is a number with the other of . and , as the decimal sign only.
[[nodiscard]] bool has_other_decimal(std::string_view text, const CellFormat& format) noexcept;

/// Whether the cell of a number is empty, "nan" or one of the tokens that mean "missing".
[[nodiscard]] bool is_missing(std::string_view text, const CellFormat& format) noexcept;

/// The same for categories, labels and texts, where "nan" is a word, a name and a language.
[[nodiscard]] bool is_missing_text(std::string_view text, const CellFormat& format) noexcept;

/// The tokens that mean "missing" and these: a list of tokens replaces the former one.
[[nodiscard]] std::vector<std::string> with_tokens(const CellFormat& format,
                                                   const std::vector<std::string>& more);

/// Whether many write "missing" like this: NA, ?, null, -, ...
[[nodiscard]] bool looks_missing(std::string_view text) noexcept;

[[nodiscard]] inline bool is_missing_number(double value, const CellFormat& format) noexcept {
  const auto& missing = format.missing_numbers;
  return std::find(missing.begin(), missing.end(), value) != missing.end();
}

[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

/// Appends `text` as a field of comma separated text, in quotes if it needs them.
void append_as_csv(std::string_view text, std::string& to);
/// The same for a field as it stood in the source, which may be in quotes already.
void append_raw_as_csv(std::string_view raw, const CellFormat& format, std::string& to);

/// At most 40 bytes of a cell, for messages; and the same in single quotes.
[[nodiscard]] std::string excerpt(std::string_view cell);
/// False of the beginning of a longer cell, which nobody can give as an option.
[[nodiscard]] bool is_whole(std::string_view excerpt);
[[nodiscard]] std::string quoted(std::string_view cell);

}  // namespace genera::data
