#pragma once

#include <string>
#include <vector>

namespace genera::cli {

/// Runs the verb that is the first of `words`, the arguments of the program.
/// Throws Error (bad_argument) with the nearest names if a name is mistyped, and the errors of the
/// verb.
void run_command(const std::vector<std::string>& words);

}  // namespace genera::cli
