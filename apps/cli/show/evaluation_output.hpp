#pragma once

#include <genera/evaluate.hpp>

#include <string>

/// How good a model is, for people and for programs.
namespace genera::cli {

/// `positive`: the place of the class that AUC and average precision are about; -1: there are not
/// two classes.
[[nodiscard]] std::string evaluation_text(const Evaluation& evaluation, Index positive);
[[nodiscard]] std::string evaluation_json(const Evaluation& evaluation, Index positive);

/// Whether rows may be left undecided.
[[nodiscard]] bool may_reject(const DecisionRule& rule);

}  // namespace genera::cli
