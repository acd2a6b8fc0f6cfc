#pragma once

#include "verb.hpp"

#include <string>
#include <vector>

/// The texts of the verbs as a manual page and as completions.
namespace genera::cli {

/// A page of the manual, in the macros of man(7).
[[nodiscard]] std::string manual_page(const std::vector<Verb>& verbs);

/// The page of one verb, genera-VERB(1).
[[nodiscard]] std::string manual_page(const VerbText& verb);

enum class Shell { bash, zsh, fish };
/// A script that completes verbs, options and their values, files and built-in data sets.
[[nodiscard]] std::string completion_script(const std::vector<Verb>& verbs, Shell shell);

}  // namespace genera::cli
