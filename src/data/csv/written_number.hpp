#pragma once

#include <string_view>

namespace genera::data {

/// A number as spreadsheets write it: 1,037.50  1 234  1'234'567  12.3%  $4.50  4.50 €  (1,234.00)
/// −4.50
struct WrittenNumber {
  enum class Kind {
    none,       ///< it is not one
    number,     ///< thousands apart, a currency, a negative number in parentheses or with U+2212
    percent,    ///< 12.3% is 0.123
    ambiguous,  ///< 1,037 is a thousand or one, depending on what the comma means
  };
  Kind kind = Kind::none;
  double value = 0;
};

/// `decimal_given`: the decimal sign was told, not recognised, so that the other of . and , can
/// only stand between thousands.
[[nodiscard]] WrittenNumber read_written_number(std::string_view text, char decimal,
                                                bool decimal_given) noexcept;

}  // namespace genera::data
