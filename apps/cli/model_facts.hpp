#pragma once

#include <genera/classifier.hpp>

#include <string>
#include <vector>

/// Short answers about a model that several outputs need.
namespace genera::cli {

/// The weights of the rows behind each class; empty if the parameters were given by hand.
[[nodiscard]] std::vector<double> class_counts(ClassifierRef model);

/// The names of the features, in the order of the model.
[[nodiscard]] std::vector<std::string> feature_names(ClassifierRef model);

}  // namespace genera::cli
