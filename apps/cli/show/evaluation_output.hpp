#pragma once

#include <genera/evaluate.hpp>

#include <string>

/// An evaluation as text.
namespace genera::cli {

/// `positive`: the index of the class that AUC and average precision refer to; -1 unless there are
/// two classes.
[[nodiscard]] std::string evaluation_text(const Evaluation& evaluation, Index positive);

}  // namespace genera::cli
