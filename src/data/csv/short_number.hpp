#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace genera::data {

inline constexpr std::array<double, 9> powers_of_ten{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};

/// The way most numbers are written: sign, 1 to 7 digits, decimal sign, 1 to 8 digits.
/// Returns where it stopped, or null if the text begins otherwise or too near to `end`.
///
/// Such a mantissa and its power of ten are exact doubles, so that one division rounds correctly
/// (Clinger 1990). Eight characters are taken at a time, in a register.
[[nodiscard]] inline const char* parse_short_number(const char* at, const char* end, char decimal,
                                                    double& value) noexcept {
  if (std::endian::native != std::endian::little || end - at < 24) return nullptr;

  constexpr auto load_digit_values = [](const char* from) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, from, sizeof bytes);
    return bytes ^ 0x3030303030303030U;
  };
  // Bytes above 9 get their highest bit set; a carry spoils only later characters.
  constexpr auto count_digits = [](std::uint64_t values) {
    const std::uint64_t others = ((values + 0x7676767676767676U) | values) & 0x8080808080808080U;
    return std::countr_zero(others) / 8;
  };
  // The first `count` of eight digits as a number: pairs, then fours, then eight, in parallel.
  constexpr auto number_of = [](std::uint64_t values, int count) {
    values <<= 8 * (8 - count);
    values = values * 10 + (values >> 8);
    return static_cast<std::int64_t>(
        (((values & 0x000000FF000000FFU) * 0x000F424000000064U) +
         (((values >> 16) & 0x000000FF000000FFU) * 0x0000271000000001U)) >>
        32);
  };

  const bool negative = *at == '-';
  at += negative;
  const std::uint64_t whole = load_digit_values(at);
  const int digits = count_digits(whole);
  if (digits == 0 || digits == 8) return nullptr;
  at += digits;
  double magnitude = 0;
  if (*at != decimal) {
    magnitude = static_cast<double>(number_of(whole, digits));
  } else {
    const std::uint64_t fraction = load_digit_values(at + 1);
    const int decimals = count_digits(fraction);
    if (decimals == 0) return nullptr;
    const double scale = powers_of_ten[static_cast<std::size_t>(decimals)];
    at += 1 + decimals;
    if (digits + decimals <= 8) {  // all digits side by side
      const std::uint64_t before = (std::uint64_t{1} << (8 * digits)) - 1;
      const std::uint64_t both = (whole & before) | fraction << (8 * digits);
      magnitude = static_cast<double>(number_of(both, digits + decimals)) / scale;
    } else {
      magnitude = (static_cast<double>(number_of(whole, digits)) * scale +
                   static_cast<double>(number_of(fraction, decimals))) /
                  scale;
    }
  }
  // The sign is chance: a branch on it is guessed wrong half of the time.
  value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) |
                                static_cast<std::uint64_t>(negative) << 63);
  return at;
}

}  // namespace genera::data
