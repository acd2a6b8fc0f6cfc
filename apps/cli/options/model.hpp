#pragma once

#include "command_line.hpp"

#include <genera/fit.hpp>
#include <genera/mixture.hpp>

#include <optional>

/// What to learn: --model and everything that belongs to one of its models.
namespace genera::cli {

/// What --model says: a family for the numbers, or a type for every column.
struct ModelChoice {
  Family family = Family::lda;
  std::optional<ColumnType> every_column{};
  std::optional<CountModel> counts{};
  bool joint = false;
  bool complement = false;  ///< a linear model of counts
  bool logistic = false;    ///< a linear model of any columns
  bool mixture = false;     ///< of each class; the family is --covariance
  bool automatic = false;   ///< chosen by how well it predicts
};
/// The default if there is no --model.
[[nodiscard]] ModelChoice named_model(const Words& words);

[[nodiscard]] OptionGroup model_texts();
/// Throws Error (bad_argument) on auto, which is not one model.
[[nodiscard]] AnyRecipe recipe_of(const Words& words);
/// What all models that auto tries have in common.
[[nodiscard]] Recipe base_of_auto(const Words& words);

/// The three that mixtures without classes have too: --components, --covariance, --starts.
[[nodiscard]] MixtureOptions mixture_of(const Words& words, MixtureOptions::Range components);
[[nodiscard]] Family parse_covariance(const std::string& text);
[[nodiscard]] OnSingular parse_on_singular(const std::string& text);

}  // namespace genera::cli
