#pragma once

#include "show/json_reading.hpp"

#include <map>
#include <string>
#include <string_view>

namespace genera::cli::tour {

/// Named outputs of commands, for the expressions in braces of a text.
///
/// `{name.key[0]}` is an entry of a JSON output, `{name}` a text; numbers can be combined with
/// + - * / ( ), sqrt and asin. `{expression:.3f}` gives the format of the number (default .4g).
/// A brace after _ or ^ is not an expression.
class Values {
 public:
  void add(const std::string& name, const std::string& output);

  /// The text with expressions replaced by their values. Throws Error (bad_data).
  [[nodiscard]] std::string filled(std::string_view text) const;
  /// The size of the array before the first [*] of the text; 0: there is none.
  [[nodiscard]] std::size_t repetitions(std::string_view text) const;

 private:
  friend class Expression;
  [[nodiscard]] const JsonTree& at(std::string_view path) const;
  [[nodiscard]] std::string value_of(std::string_view expression) const;

  std::map<std::string, JsonTree, std::less<>> trees_;
};

/// Four significant digits, or as the format says; with a minus sign instead of a hyphen.
[[nodiscard]] std::string formatted(double value, std::string_view format = ".4g");

}  // namespace genera::cli::tour
