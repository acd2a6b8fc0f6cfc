#pragma once

#include <span>

#include <genera/classifier.hpp>

/// How far evidence is trusted: classes are compared by log prior + evidence / temperature. A
/// linear model has no prior in its scores: all of them are divided.
namespace genera::score {

/// Throws Error (bad_model) unless it is at least 1 and finite.
void require_temperature(double temperature);

/// Scores as `answers` gives them (log joint densities, or those of a linear model), K of a row,
/// as they are compared.
[[nodiscard]] Vector tempered(ClassifierRef model, std::span<const double> log_joint);

/// What the scores of a row begin with so that those of the whole row, divided by the temperature,
/// are compared: the log prior times the temperature.
[[nodiscard]] Vector start_before_division(ClassifierRef model, Vector start);

}  // namespace genera::score
