#include "data/csv/column_types.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>

#include <genera/names.hpp>

#include "kernel/text.hpp"

namespace genera::data {
namespace {

// Fewer rows say nothing about ids.
constexpr Index min_rows_of_ids = 20;

using kernel::is_digit;

// Digits are matched by '9' (one) and '8' (an optional one), everything else by itself.
bool begins_like(std::string_view text, std::string_view pattern, std::string_view& rest) {
  for (const char p : pattern) {
    const bool here = !text.empty();
    if (p == '8' && !(here && is_digit(text.front()))) continue;
    const bool fits = here && (p == '9' || p == '8' ? is_digit(text.front()) : text.front() == p);
    if (!fits) return false;
    text.remove_prefix(1);
  }
  rest = text;
  return true;
}

bool is_date(std::string_view text) {
  std::string_view rest;
  if (begins_like(text, "9999-99-99", rest) || begins_like(text, "9999/99/99", rest))
    return rest.empty() || rest.front() == 'T' || rest.front() == ' ';
  for (const std::string_view pattern : {"98/98/9988", "98.98.9988", "98-98-9988"})
    if (begins_like(text, pattern, rest)) return rest.empty() || rest.front() == ' ';
  return false;
}

/// No more than three.
int count_words(std::string_view text) {
  int words = 0;
  bool inside = false;
  for (const char c : text) {
    if (words > 2) break;
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank && !inside) ++words;
    inside = !blank;
  }
  return words;
}

/// Numbers that often stand for missing values, apart from all others.
class Sentinels {
 public:
  void add(double value) {
    const auto known = std::ranges::find(candidates, value);
    if (known != candidates.end()) {
      ++cells_[static_cast<std::size_t>(known - candidates.begin())];
    } else {
      min_ = std::min(min_, value);
      max_ = std::max(max_, value);
    }
  }

  /// The one that occurs more than once and is further from the other numbers than these are from
  /// each other, or is the only negative number; 0 if there is none.
  [[nodiscard]] double find() const {
    const auto present = std::ranges::count_if(cells_, [](Index cells) { return cells > 0; });
    if (present != 1 || min_ > max_) return 0;
    const auto at = std::ranges::find_if(cells_, [](Index cells) { return cells > 0; });
    const double value = candidates[static_cast<std::size_t>(at - cells_.begin())];
    const bool apart =
        value < 0 ? min_ >= 0 || min_ - value > max_ - min_ : value - max_ > max_ - min_;
    return *at > 1 && apart ? value : 0;
  }

 private:
  static constexpr std::array candidates{-99.0, -999.0, -9999.0, -99999.0, 999.0, 9999.0, 99999.0};
  std::array<Index, candidates.size()> cells_{};
  double min_ = std::numeric_limits<double>::infinity(), max_ = -min_;
};

/// Everything counted about one column.
struct Tally {
  Index numbers = 0, strings = 0;
  bool nan_word = false;    // missing among numbers, a level among strings
  bool consecutive = true;  // whole numbers, each one more (or each one less) than the last
  double previous = 0, step = 0;
  Index ambiguous = 0;
  std::string ambiguous_cell;
  Index other_decimals = 0;
  std::string other_decimal;
  Index zeros = 0, ones = 0;  // of the numbers
  Index dates = 0, long_cells = 0, single_words = 0;
  NameSet distinct;  // of the strings
  std::string odd_cell;
  std::vector<std::string> values;  // of all cells
  Index not_counts = 0;
  std::string not_a_count;
  Sentinels sentinels;

  void add(std::string_view text, const CellFormat& format) {
    const NumberCell cell = read_number(text, format);
    if (cell.kind == NumberKind::missing) {
      consecutive = false;
      nan_word = nan_word || !is_missing_text(text, format);
    } else if (cell.kind == NumberKind::not_a_number) {
      add_string(text);
      if (is_ambiguous_number(text, format)) add_ambiguous(text);
      if (has_other_decimal(text, format)) add_other_decimal(text);
    } else {
      add_number(cell.value);
      const bool count = cell.value >= 0 && cell.value == std::floor(cell.value);
      if (!count && ++not_counts == 1) not_a_count = excerpt(text);
    }
    if (cell.kind != NumberKind::missing) add_value(text);
  }

  void add_value(std::string_view text) {
    constexpr std::size_t max_values = 4;
    if (values.size() < max_values && std::ranges::find(values, text) == values.end())
      values.emplace_back(text);
  }

  void add_number(double value) {
    const double change = value - previous;
    if (numbers == 1) step = change;
    const bool follows = numbers == 0 || (change == step && std::abs(step) == 1);
    consecutive = consecutive && follows && value == std::floor(value);
    previous = value;
    sentinels.add(value);
    zeros += value == 0 ? 1 : 0;
    ones += value == 1 ? 1 : 0;
    ++numbers;
  }

  void add_ambiguous(std::string_view text) {
    if (ambiguous++ == 0) ambiguous_cell = excerpt(text);
  }

  void add_other_decimal(std::string_view text) {
    if (other_decimals++ == 0) other_decimal = excerpt(text);
  }

  void add_string(std::string_view text) {
    if (strings == 0) odd_cell = excerpt(text);
    ++strings;
    distinct.add(text);
    const int words = count_words(text);
    if (words > 2) ++long_cells;
    if (words == 1) ++single_words;
    if (is_date(text)) ++dates;
  }

  [[nodiscard]] ColumnType type() const {
    const auto different = distinct.size() + (nan_word ? 1 : 0);
    if (strings == 0 || are_few(strings, numbers + strings)) return ColumnType::numeric;
    if (2 * long_cells > strings && 2 * different > strings) return ColumnType::text;
    return numbers == 0 && different == 2 ? ColumnType::binary : ColumnType::categorical;
  }

  [[nodiscard]] bool zeros_or_ones() const {
    return strings == 0 && numbers > 0 && zeros + ones == numbers;
  }

  [[nodiscard]] Index different_strings() const {
    const bool words = numbers == 0 && strings > min_rows_of_ids && 2 * dates <= strings;
    return words && 2 * distinct.size() > strings ? distinct.size() : 0;
  }

  [[nodiscard]] std::string looks_like() const {
    if (strings == 0)
      return numbers > min_rows_of_ids && consecutive ? "an identifier (consecutive whole numbers)"
                                                      : "";
    if (2 * dates > numbers + strings) return "a date";
    if (2 * (ambiguous + other_decimals) > strings) return "";
    const bool all_different = distinct.size() == strings;
    return numbers == 0 && strings > min_rows_of_ids && all_different && single_words == strings
               ? "an identifier (every cell a different word)"
               : "";
  }
};

}  // namespace

std::vector<ColumnGuess> guess_columns(const std::vector<std::string_view>& records, Index columns,
                                       const CellFormat& format) {
  std::vector<Tally> tallies(static_cast<std::size_t>(columns));
  std::string scratch;
  for (const std::string_view record : records) {
    const char* at = record.data();
    for (Tally& tally : tallies) {
      const Field field = read_field(at, format, scratch);
      tally.add(field.text, format);
      if (*field.end == '\n') break;
      at = field.end + 1;
    }
  }
  std::vector<ColumnGuess> guesses;
  for (Tally& tally : tallies)
    guesses.push_back({.type = tally.type(),
                       .present = tally.numbers + tally.strings,
                       .not_numbers = tally.strings,
                       .odd_cell = std::move(tally.odd_cell),
                       .ambiguous = std::move(tally.ambiguous_cell),
                       .other_decimal = 2 * tally.other_decimals > tally.strings
                                            ? std::move(tally.other_decimal)
                                            : "",
                       .zeros_and_ones = tally.zeros_or_ones() && tally.zeros > 0 && tally.ones > 0,
                       .zeros_or_ones = tally.zeros_or_ones(),
                       .looks_like = tally.looks_like(),
                       .values = std::move(tally.values),
                       .not_counts = tally.not_counts,
                       .not_a_count = std::move(tally.not_a_count),
                       .different_strings = tally.different_strings(),
                       .sentinel = tally.strings == 0 ? tally.sentinels.find() : 0});
  return guesses;
}

}  // namespace genera::data
