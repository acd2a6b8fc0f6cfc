#pragma once

#include "verb.hpp"

#include <string>
#include <vector>

namespace genera::cli {

/// What `genera help` and `genera help VERB` print.
[[nodiscard]] std::string help(const std::vector<Verb>& verbs);
[[nodiscard]] std::string help(const VerbText& verb);

/// What genera does, and what all verbs have in common, in a sentence or two.
[[nodiscard]] std::string program_summary();
[[nodiscard]] std::string program_description();

}  // namespace genera::cli
