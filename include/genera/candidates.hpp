#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <genera/recipe.hpp>
#include <genera/rows.hpp>

/// Models by name, as people name them, and what is tried of them unless something else is asked
/// for: one list for the command line, for Python, and for whoever offers the same choice.
namespace genera {

/// The models that are worth trying on rows with such columns.
[[nodiscard]] std::vector<std::string> default_models(const Rows& rows);

/// Values to try, by the name of the option.
using OptionGrid = std::map<std::string, Vector>;
/// The options of which `select` can try several values.
[[nodiscard]] std::vector<std::string> grid_options();
/// What is tried of one model: the values given of options that it has on these rows, and of
/// alpha and gamma of rda others if none are given.
[[nodiscard]] OptionGrid grid_of(const std::string& model, const OptionGrid& given,
                                 const Rows& rows);

/// A model with one value of each option of a grid.
struct GridPoint {
  std::string model{};
  std::map<std::string, double> values{};
  [[nodiscard]] std::string name() const;  ///< "rda alpha 0.1 gamma 0.2"
  [[nodiscard]] std::optional<double> value(const std::string& option) const;
  friend bool operator==(const GridPoint&, const GridPoint&) = default;
};
[[nodiscard]] std::vector<GridPoint> points_of(const std::string& model, const OptionGrid& grid);

/// A generative model and the softmax regression that it is compared with, by name.
struct ModelPair {
  std::string generative{};  ///< empty: the other one is alone
  std::string discriminative{};
  friend bool operator==(const ModelPair&, const ModelPair&) = default;
};
/// Generative models, each with what learns boundaries of the same form.
[[nodiscard]] const std::vector<ModelPair>& matched_pairs();
/// "lda-logistic", "gnb-squares"; a generative model alone gets its counterpart, a discriminative
/// one stays alone. None if there is no such pair.
[[nodiscard]] std::optional<ModelPair> pair_named(const std::string& text);
/// What the columns ask for.
[[nodiscard]] std::vector<ModelPair> default_pairs(const Rows& rows);
/// The features of softmax regression under one of its names; none: it is another model.
[[nodiscard]] std::optional<LogisticTerms> terms_of(const std::string& discriminative);

/// The ridges that are tried of softmax regression, where none is given; of equally good ones the
/// first is taken.
[[nodiscard]] Vector default_ridges();

}  // namespace genera
