#pragma once

#include "verb.hpp"

#include <string>
#include <vector>

namespace genera::cli {

/// The output of `genera help` and `genera help VERB`.
[[nodiscard]] std::string help(const std::vector<Verb>& verbs);
[[nodiscard]] std::string help(const VerbText& verb);

/// The purpose of genera and the conventions of all verbs.
[[nodiscard]] std::string program_summary();
[[nodiscard]] std::string program_description();

/// A term and its explanation, wrapped; of an option with its names and value.
[[nodiscard]] std::string help_entry(const std::string& left, const std::string& text);
[[nodiscard]] std::string help_entry(const OptionText& option);

}  // namespace genera::cli
