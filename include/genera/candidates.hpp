#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <genera/recipe.hpp>
#include <genera/rows.hpp>

/// Models by name, and the models and values that are tried by default. The command line and Python
/// use the same lists.
namespace genera {

/// The models tried by default on rows with such columns.
[[nodiscard]] std::vector<std::string> default_models(const Rows& rows);

/// Values to try, by name of the option.
using OptionGrid = std::map<std::string, Vector>;
/// Options for which `select` can try several values.
[[nodiscard]] std::vector<std::string> grid_options();
/// The values to try for one model: the given values of options that it has on these rows, and
/// default values of alpha and gamma for rda if none are given.
[[nodiscard]] OptionGrid grid_of(const std::string& model, const OptionGrid& given,
                                 const Rows& rows);

/// A model with one value for each option of a grid.
struct GridPoint {
  std::string model{};
  std::map<std::string, double> values{};
  [[nodiscard]] std::string name() const;  ///< "rda alpha 0.1 gamma 0.2"
  [[nodiscard]] std::optional<double> value(const std::string& option) const;
  friend bool operator==(const GridPoint&, const GridPoint&) = default;
};
[[nodiscard]] std::vector<GridPoint> points_of(const std::string& model, const OptionGrid& grid);

/// A generative model and the form of softmax regression to compare it with, by name.
struct ModelPair {
  std::string generative{};  ///< empty: only the discriminative model
  std::string discriminative{};
  friend bool operator==(const ModelPair&, const ModelPair&) = default;
};
/// Generative models, each with the discriminative model whose boundaries have the same form.
[[nodiscard]] const std::vector<ModelPair>& matched_pairs();
/// Parses "lda-logistic", "gnb-squares"; a generative model alone gets its counterpart, a
/// discriminative model stays alone. Empty if there is no such pair.
[[nodiscard]] std::optional<ModelPair> pair_named(const std::string& text);
/// The pairs compared by default for these columns.
[[nodiscard]] std::vector<ModelPair> default_pairs(const Rows& rows);
/// The features of softmax regression under one of its names; empty for other models.
[[nodiscard]] std::optional<LogisticTerms> terms_of(const std::string& discriminative);

/// Ridge penalties tried for softmax regression by default; of equally good ones the first is
/// chosen.
[[nodiscard]] Vector default_ridges();

}  // namespace genera
