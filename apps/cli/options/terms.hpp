#pragma once

#include "command_line.hpp"

#include <genera/fit.hpp>

#include <vector>

/// How texts are cut into terms, and what models make of counts.
namespace genera::cli {

/// The options of text_of.
[[nodiscard]] std::vector<OptionText> cutting_texts();
[[nodiscard]] TextOptions text_of(const Words& words);

/// These, and what models make of categories, counts and terms.
[[nodiscard]] OptionGroup terms_texts();

}  // namespace genera::cli
