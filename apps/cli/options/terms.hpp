#pragma once

#include "command_line.hpp"

#include <genera/fit.hpp>

#include <vector>

/// How texts are cut into terms, and what is made of counts of terms, levels and columns.
namespace genera::cli {

/// The options of text_of.
[[nodiscard]] std::vector<OptionText> cutting_texts();
[[nodiscard]] TextOptions text_of(const Words& words);

/// These and the options of discrete_of.
[[nodiscard]] OptionGroup terms_texts();
[[nodiscard]] DiscreteOptions discrete_of(const Words& words, const NamedModel& model);

}  // namespace genera::cli
