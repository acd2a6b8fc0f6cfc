#pragma once

#include "verb.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace genera::cli {

/// A parsed command line: the options and their texts, which options/ and verbs/ interpret.
class Words {
 public:
  std::vector<std::string> arguments;                       ///< the arguments without a dash
  std::map<std::string, std::vector<std::string>> options;  ///< by long name; a switch has no texts

  [[nodiscard]] bool has(const std::string& option) const { return options.count(option) > 0; }
  /// Throws Error (bad_argument) if the option occurs twice.
  [[nodiscard]] std::optional<std::string> value(const std::string& option) const;
  [[nodiscard]] std::vector<std::string> values(const std::string& option) const;
};

/// Throws Error (bad_argument) for an unknown option (with the nearest names), an option without
/// its value, and too few or too many arguments. With --help, nothing is required.
[[nodiscard]] Words take_apart(const VerbText& verb, const std::vector<std::string>& words);

}  // namespace genera::cli
