#pragma once

#include <optional>
#include <string>
#include <vector>

#include <genera/block_description.hpp>
#include <genera/classifier.hpp>

/// What a model says of itself, as data: code that prints it need not know what kinds of blocks
/// there are.
namespace genera {

/// So many free parameters of a sort: "means", "coefficients".
struct ParameterGroup {
  std::string name;
  Index count = 0;
  friend bool operator==(const ParameterGroup&, const ParameterGroup&) = default;
};

struct Description {
  std::vector<BlockDescription> blocks{};  ///< of a linear model one
  /// Log prior included, and divided by the temperature as posteriors are: the largest score names
  /// the class. Only if each block is linear.
  std::optional<LinearScores> discriminants{};
  std::vector<ParameterGroup> parameters{};
};
[[nodiscard]] Description describe(ClassifierRef model);

}  // namespace genera
