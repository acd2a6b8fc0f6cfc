#pragma once

#include <genera/model.hpp>

#include <optional>
#include <string>
#include <vector>

/// Short answers about a model that several verbs need.
namespace genera::cli {

/// Reads MODEL and puts the priors asked for in place of its own.
/// Throws Error (bad_model) from loading, (bad_argument) if the priors do not fit the classes.
[[nodiscard]] Model load_with_priors(const std::string& path,
                                     const std::optional<PriorChoice>& priors);

/// The weights of the rows behind each class; empty if the parameters were given by hand.
[[nodiscard]] std::vector<double> class_counts(const Model& model);

/// Scores whose largest names the class: log prior included. Only if each block is linear.
[[nodiscard]] std::optional<GaussianBlock::Linear> discriminants(const Model& model);

/// The names of the features, in the order of the model.
[[nodiscard]] std::vector<std::string> feature_names(const Model& model);

}  // namespace genera::cli
