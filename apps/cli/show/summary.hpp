#pragma once

#include "model_facts.hpp"

#include <genera/classifier.hpp>
#include <genera/stats.hpp>

#include <string>

/// Models and statistics as text for people.
namespace genera::cli {

[[nodiscard]] std::string summary(ClassifierRef model,
                                  const std::optional<TrainingFit>& training = {});
[[nodiscard]] std::string summary(const Statistics& statistics);

/// What the counts of a model's classes are.
enum class Weights { rows, given };
/// Frequencies count rows.
[[nodiscard]] Weights weights_of(const Roles& roles);

/// One line: what was learned from how much.
[[nodiscard]] std::string headline(ClassifierRef model, Weights weights);
[[nodiscard]] std::string headline(const Statistics& statistics);

}  // namespace genera::cli
