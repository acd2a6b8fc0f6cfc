#pragma once

#include <genera/evaluate.hpp>

#include <string>

/// How good a model is, for people.
namespace genera::cli {

/// `positive`: the place of the class that AUC and average precision are about; -1: there are not
/// two classes.
[[nodiscard]] std::string evaluation_text(const Evaluation& evaluation, Index positive);

}  // namespace genera::cli
