#pragma once

#include <span>

#include <genera/classifier.hpp>

/// Temperature: classes are compared by log prior + evidence / temperature. For linear models,
/// whose scores contain no prior, all scores are divided.
namespace genera::score {

/// Throws Error (bad_model) unless it is at least 1 and finite.
void require_temperature(double temperature);

/// The K scores of a row (log joint densities, or scores of a linear model) divided by the
/// temperature, as they are compared.
[[nodiscard]] Vector tempered(ClassifierRef model, std::span<const double> log_joint);

/// Initial scores such that the total, divided by the temperature, is compared: log priors times
/// the temperature.
[[nodiscard]] Vector start_before_division(ClassifierRef model, Vector start);

}  // namespace genera::score
