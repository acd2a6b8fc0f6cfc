#pragma once

#include <genera/description.hpp>
#include <genera/stats.hpp>

#include <optional>
#include <string>

/// Models and statistics as text for people.
namespace genera::cli {

[[nodiscard]] std::string summary(ClassifierRef model,
                                  const std::optional<TrainingFit>& training = {});
[[nodiscard]] std::string summary(const Statistics& statistics);
[[nodiscard]] std::string in_a_line(const TrainingFit& training);

/// What the counts of a model's classes are.
enum class Weights { rows, given };
/// Frequencies count rows.
[[nodiscard]] Weights weights_of(const Roles& roles);

/// One line: what was learned from how much.
[[nodiscard]] std::string headline(ClassifierRef model, Weights weights);
[[nodiscard]] std::string headline(const Statistics& statistics);

}  // namespace genera::cli
