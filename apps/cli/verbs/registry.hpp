#pragma once

#include "verb.hpp"

#include <string>
#include <vector>

namespace genera::cli {

/// Every verb, in the order of a first session.
[[nodiscard]] const std::vector<Verb>& verbs();

/// Throws Error (bad_argument) with the nearest verbs.
[[nodiscard]] const Verb& verb_named(const std::string& name);

}  // namespace genera::cli
