#pragma once

#include <genera/description.hpp>
#include <genera/stats.hpp>

#include <optional>
#include <string>

/// Models and statistics as text.
namespace genera::cli {

[[nodiscard]] std::string summary(ClassifierRef model,
                                  const std::optional<TrainingFit>& training = {});
[[nodiscard]] std::string summary(const Statistics& statistics);
[[nodiscard]] std::string in_a_line(const TrainingFit& training);

/// The meaning of the counts of the classes of a model.
enum class Weights { rows, given };
/// Frequencies count rows.
[[nodiscard]] Weights weights_of(const Roles& roles);

/// One line: the model, its features and classes, and the rows it was fitted to.
[[nodiscard]] std::string headline(ClassifierRef model, Weights weights);
[[nodiscard]] std::string headline(const Statistics& statistics);

}  // namespace genera::cli
