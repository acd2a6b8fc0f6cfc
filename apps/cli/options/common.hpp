#pragma once

#include "command_line.hpp"

#include <cstdint>
#include <optional>
#include <string>

/// Options that all verbs have.
namespace genera::cli {

struct Common {
  std::optional<std::string> output;  ///< a file; empty: standard output
  int threads = 1;
  std::uint64_t seed = 1;
  bool json = false;
  bool quiet = false;
};

/// `without_output`: what happens if there is no -o.
[[nodiscard]] OptionGroup common_texts(const std::string& without_output);
/// Of a verb that makes pictures, with what -o is then.
[[nodiscard]] OptionGroup common_texts_but_json(const std::string& placeholder,
                                                const std::string& output);

/// Of verbs that write probabilities and densities.
[[nodiscard]] OptionText digits_text();
[[nodiscard]] std::optional<int> digits_of(const Words& words);

[[nodiscard]] Common common_of(const Words& words);

}  // namespace genera::cli
