#pragma once

#include "command_line.hpp"

#include <genera/stream.hpp>

/// How a text file becomes columns.
namespace genera::cli {

[[nodiscard]] OptionGroup reading_texts();
[[nodiscard]] CsvOptions csv_of(const Words& words);

}  // namespace genera::cli
