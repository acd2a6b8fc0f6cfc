#pragma once

#include <memory>
#include <string>

#include "data/bytes/bytes.hpp"

namespace genera::data {

/// JSON lines as CSV: a header of the keys, in order of first appearance, and one record for each
/// line that holds an object. The header has line number 0, so that line numbers are those of the
/// source. null and absent keys are empty cells; true and false are words; line ends within texts
/// become blanks.
///
/// The keys are those of the first MiB, or of the lines that arrive before a pipe pauses. Throws
/// Error (bad_data), with the line, for a line that is not a flat object, and for a key that first
/// occurs later.
[[nodiscard]] std::unique_ptr<Bytes> json_lines(std::unique_ptr<Bytes> lines, std::string name);

}  // namespace genera::data
