#pragma once

#include "figure/shown.hpp"

namespace genera::figure {

/// Pools the members, each with its other features marginalised, at their means or where expected.
/// The committee must outlive it.
[[nodiscard]] std::unique_ptr<const Shown> shown_committee(const Committee& committee,
                                                           const std::vector<std::string>& axes,
                                                           Others others, const Control& control);

/// Numeric features that every member can show.
[[nodiscard]] std::vector<std::string> numeric_features_of(const Committee& committee);

/// The model whose moments choose the axes and ranges of a figure: the joint distribution with the
/// largest weight. Null for linear models and committees of these.
[[nodiscard]] const Model* leading_model(ClassifierRef model);

}  // namespace genera::figure
