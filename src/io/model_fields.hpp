#pragma once

#include <string>

#include <genera/classifier.hpp>

#include "blocks/documents.hpp"
#include "io/document.hpp"

/// What all documents of classifiers have.
namespace genera::io {

[[nodiscard]] blocks::DocumentClasses read_classes(const Field& root);
/// Equal ones if there are none.
[[nodiscard]] Prior read_prior(const blocks::DocumentClasses& classes, const std::string& file);
/// 1 if there is none.
[[nodiscard]] double read_temperature(const Field& root);

}  // namespace genera::io
