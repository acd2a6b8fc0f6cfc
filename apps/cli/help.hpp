#pragma once

#include "verb.hpp"

#include <string>
#include <vector>

namespace genera::cli {

/// What `genera help` and `genera help VERB` print.
[[nodiscard]] std::string help(const std::vector<Verb>& verbs);
[[nodiscard]] std::string help(const VerbText& verb);

}  // namespace genera::cli
