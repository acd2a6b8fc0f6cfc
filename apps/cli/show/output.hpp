#pragma once

#include "options/common.hpp"

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace genera::cli {

/// The reader of the output has closed the pipe: the program ends without a message.
struct ClosedPipe {};

/// Calls `write` with the file of -o, written atomically, or with standard output.
/// Throws ClosedPipe, or Error (bad_data) if the output cannot be written.
void write_output(const Common& common, const std::function<void(std::ostream&)>& write);
/// Writes a text, coloured on a terminal; or JSON.
void write_output(const Common& common, const std::string& text);

/// Whether to flush answers as soon as they are known, because a reader may wait for them.
[[nodiscard]] bool answers_are_awaited(const Common& common);

/// Whether the output goes to a terminal, where a progress line would disturb it.
[[nodiscard]] bool goes_to_terminal(const Common& common);

/// Throws Error (bad_argument) if -o names one of `inputs`.
void refuse_output_onto(const Common& common, const std::vector<std::string>& inputs);

}  // namespace genera::cli
