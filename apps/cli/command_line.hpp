#pragma once

#include "verb.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace genera::cli {

/// A command line taken apart: which options were given with which texts. What the texts mean is
/// for options/ and verbs/ to read.
class Words {
 public:
  std::vector<std::string> arguments;                       ///< those without a dash
  std::map<std::string, std::vector<std::string>> options;  ///< by long name; a switch has no texts

  [[nodiscard]] bool has(const std::string& option) const { return options.count(option) > 0; }
  /// Throws Error (bad_argument) if the option was given twice.
  [[nodiscard]] std::optional<std::string> value(const std::string& option) const;
  [[nodiscard]] std::vector<std::string> values(const std::string& option) const;
};

/// Throws Error (bad_argument) on an option that the verb does not have (with the nearest), one
/// without its value, and too few or too many arguments. With --help nothing is asked for.
[[nodiscard]] Words take_apart(const VerbText& verb, const std::vector<std::string>& words);

}  // namespace genera::cli
