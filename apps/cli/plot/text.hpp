#pragma once

#include <genera/figure.hpp>

#include <string>

/// Figures as text, for terminals.
namespace genera::cli {

[[nodiscard]] std::string text_of(const figure::Scatter& figure);
[[nodiscard]] std::string text_of(const figure::Regions& figure);
/// Points by prediction, without regions.
[[nodiscard]] std::string predictions_text(const figure::Regions& figure);
[[nodiscard]] std::string text_of(const figure::Density& figure);
[[nodiscard]] std::string text_of(const figure::Line& figure);
[[nodiscard]] std::string posterior_text(const figure::Line& figure);
[[nodiscard]] std::string line_predictions_text(const figure::Line& figure);
[[nodiscard]] std::string line_samples_text(const figure::Line& figure);
[[nodiscard]] std::string text_of(const figure::Samples& figure);
[[nodiscard]] std::string text_of(const figure::Canonical& figure);
[[nodiscard]] std::string text_of(const figure::Confusion& figure);
[[nodiscard]] std::string text_of(const figure::Reliability& figure);
[[nodiscard]] std::string text_of(const figure::Roc& figure);
[[nodiscard]] std::string text_of(const figure::Trends& figure);
[[nodiscard]] std::string text_of(const figure::HeatMap& figure);
[[nodiscard]] std::string text_of(const figure::Features& figure);
/// Throws Error (bad_argument): these figures cannot be drawn as text.
[[nodiscard]] std::string text_of(const figure::Pairs& figure);
[[nodiscard]] std::string text_of(const figure::Solid& figure);

}  // namespace genera::cli
