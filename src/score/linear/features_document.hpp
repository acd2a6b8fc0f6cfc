#pragma once

#include <genera/linear.hpp>

#include "blocks/documents.hpp"

/// Parts of linear models in documents.
namespace genera::score {

[[nodiscard]] blocks::Members to_document(const LinearFeatures& part);
/// Refuses unknown keys, wrong sizes and invalid values, with their path.
[[nodiscard]] LinearFeatures read_features(const blocks::Field& part);
/// Reads terms of a text among other keys.
[[nodiscard]] LinearFeatures read_terms(const blocks::Field& field);

}  // namespace genera::score
