#include "data/csv/written_number.hpp"

#include <array>
#include <span>

#include <fast_float/fast_float.h>

#include "kernel/text.hpp"

namespace genera::data {
namespace {

using kernel::is_digit;
using namespace std::string_view_literals;

/// Between thousands, besides the one of . and , that is not the decimal sign: blank, no-break
/// blanks, thin blank, apostrophes.
constexpr std::array separators{" "sv, "\xC2\xA0"sv,    "\xE2\x80\xAF"sv, "\xE2\x80\x89"sv,
                                "'"sv, "\xE2\x80\x99"sv};
constexpr std::array currencies{"$"sv, "\xE2\x82\xAC"sv, "\xC2\xA3"sv, "\xC2\xA5"sv,
                                "\xE2\x82\xB9"sv};
constexpr std::array blanks{" "sv, "\xC2\xA0"sv, "\xE2\x80\xAF"sv};
constexpr std::array hyphen{"-"sv};
constexpr std::array minus_sign{"\xE2\x88\x92"sv};

bool take_first(std::string_view& text, std::span<const std::string_view> any) {
  for (const std::string_view one : any) {
    if (!text.starts_with(one)) continue;
    text.remove_prefix(one.size());
    return true;
  }
  return false;
}

bool take_last(std::string_view& text, std::span<const std::string_view> any) {
  for (const std::string_view one : any) {
    if (!text.ends_with(one)) continue;
    text.remove_suffix(one.size());
    return true;
  }
  return false;
}

/// What stands around the digits.
struct Dress {
  bool negative = false, parentheses = false, currency = false, percent = false;
  bool minus_sign = false;  ///< that of typesetters
};

void take_sign(std::string_view& text, Dress& dress) {
  if (dress.negative) return;
  dress.minus_sign = take_first(text, minus_sign);
  dress.negative = dress.minus_sign || take_first(text, hyphen);
  if (!dress.negative && text.starts_with('+')) text.remove_prefix(1);
}

Dress undress(std::string_view& text) {
  Dress dress;
  if (text.size() > 2 && text.front() == '(' && text.back() == ')') {
    text = text.substr(1, text.size() - 2);
    dress.negative = dress.parentheses = true;
  }
  take_sign(text, dress);
  if (take_first(text, currencies)) {
    dress.currency = true;
    take_first(text, blanks);
    take_sign(text, dress);
  } else if (take_last(text, currencies)) {
    dress.currency = true;
    take_last(text, blanks);
  } else if (text.ends_with('%')) {
    text.remove_suffix(1);
    dress.percent = true;
    take_last(text, blanks);
  }
  return dress;
}

/// The digits without what separates thousands, and with a point.
struct Digits {
  std::array<char, 64> text{};
  std::size_t size = 0;
  int groups = 0;  ///< thousands
  bool fraction = false;
  std::string_view separator{};

  bool add(char c) {
    constexpr std::size_t exponent = 3;
    if (size + exponent >= text.size()) return false;
    text[size++] = c;
    return true;
  }
};

std::string_view separator_at(std::string_view text, std::string_view other_sign) {
  if (text.starts_with(other_sign)) return other_sign;
  for (const std::string_view one : separators)
    if (text.starts_with(one)) return one;
  return {};
}

std::size_t count_digits(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  return n;
}

/// False if it is not a number.
bool read_digits(std::string_view text, char decimal, Digits& digits) {
  const std::string_view other_sign = decimal == '.' ? ","sv : "."sv;
  std::size_t run = count_digits(text);
  const bool may_have_groups = run >= 1 && run <= 3 && text.front() != '0';
  while (true) {
    for (std::size_t i = 0; i < run; ++i)
      if (!digits.add(text[i])) return false;
    text.remove_prefix(run);
    const std::string_view separator = separator_at(text, other_sign);
    if (separator.empty()) break;
    if (!may_have_groups || (digits.groups > 0 && separator != digits.separator)) return false;
    text.remove_prefix(separator.size());
    run = count_digits(text);
    if (run != 3) return false;
    digits.separator = separator;
    ++digits.groups;
  }
  if (!text.empty() && text.front() == decimal) {
    text.remove_prefix(1);
    run = count_digits(text);
    if (run == 0 || !digits.add('.')) return false;
    for (std::size_t i = 0; i < run; ++i)
      if (!digits.add(text[i])) return false;
    text.remove_prefix(run);
    digits.fraction = true;
  }
  return text.empty() && digits.size > 0;
}

}  // namespace

WrittenNumber read_written_number(std::string_view text, char decimal,
                                  bool decimal_given) noexcept {
  using Kind = WrittenNumber::Kind;
  const Dress dress = undress(text);
  Digits digits;
  if (!read_digits(text, decimal, digits)) return {};
  const bool plain = !dress.currency && !dress.minus_sign && digits.groups == 0;
  if (plain && !dress.percent && !(dress.parentheses && digits.fraction)) return {};
  const bool sign_between = digits.separator == "," || digits.separator == ".";
  if (sign_between && digits.groups == 1 && !digits.fraction && !decimal_given)
    return {Kind::ambiguous};
  if (dress.percent)
    for (const char c : "e-2"sv) digits.text[digits.size++] = c;
  double value = 0;
  const char* const begin = digits.text.data();
  const auto read = fast_float::from_chars(begin, begin + digits.size, value);
  if (read.ec != std::errc()) return {};
  return {dress.percent ? Kind::percent : Kind::number, dress.negative ? -value : value};
}

}  // namespace genera::data
