#pragma once

#include <string>

#include <genera/classifier.hpp>

#include "blocks/documents.hpp"
#include "io/document.hpp"

/// Fields common to all classifier documents.
namespace genera::io {

[[nodiscard]] blocks::DocumentClasses read_classes(const Field& root);
/// Equal priors if absent.
[[nodiscard]] Prior read_prior(const blocks::DocumentClasses& classes, const std::string& file);
/// 1 if absent.
[[nodiscard]] double read_temperature(const Field& root);

}  // namespace genera::io
