#pragma once

#include <string>
#include <vector>

namespace genera::cli {

/// Runs the verb that `words`, those after the name of the program, begin with.
/// Throws Error (bad_argument) with the nearest names where something is mistyped, and what the
/// verb throws.
void run_command(const std::vector<std::string>& words);

}  // namespace genera::cli
