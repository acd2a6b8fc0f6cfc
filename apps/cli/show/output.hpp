#pragma once

#include "options/common.hpp"

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace genera::cli {

/// Whoever reads our output has gone away: the end, and no reason for words.
struct ClosedPipe {};

/// Calls `write` with the file of -o, which appears whole or not at all, or with standard output.
/// Throws ClosedPipe, or Error (bad_data) if the output cannot be written.
void write_output(const Common& common, const std::function<void(std::ostream&)>& write);
/// A text for people, coloured on a terminal; or JSON.
void write_output(const Common& common, const std::string& text);

/// Whether answers should go out as soon as they are known: somebody may be waiting for them.
[[nodiscard]] bool answers_are_awaited(const Common& common);

/// Whether the output scrolls over the terminal, where a line of progress would be in its way.
[[nodiscard]] bool goes_to_terminal(const Common& common);

/// Throws Error (bad_argument) if -o names one of `inputs`.
void refuse_output_onto(const Common& common, const std::vector<std::string>& inputs);

}  // namespace genera::cli
