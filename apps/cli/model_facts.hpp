#pragma once

#include <genera/model.hpp>

#include <string>
#include <vector>

/// Short answers about a model that several outputs need.
namespace genera::cli {

/// The weights of the rows behind each class; empty if the parameters were given by hand.
[[nodiscard]] std::vector<double> class_counts(const Model& model);

/// The names of the features, in the order of the model.
[[nodiscard]] std::vector<std::string> feature_names(const Model& model);

}  // namespace genera::cli
