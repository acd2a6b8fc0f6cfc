#include "model_help.hpp"

#include "help.hpp"
#include "options/model.hpp"

#include <genera/recipe.hpp>
#include <genera/spec.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace genera::cli {
namespace {

using namespace std::string_view_literals;

constexpr std::array lines{
    std::pair{"auto"sv, "the model or committee with the lowest held-out log loss (the default)"sv},
    std::pair{"best"sv, "as auto, but always one model and never a committee"sv},
    std::pair{"qda"sv, "Gaussians; each class has its own full covariance: quadratic boundaries"sv},
    std::pair{"lda"sv, "Gaussians; all classes share one full covariance: linear boundaries"sv},
    std::pair{"gnb"sv,
              "Gaussian naive Bayes; each class has its own variances, columns are "
              "independent"sv},
    std::pair{"dlda"sv, "as gnb, but all classes share the variances: linear boundaries"sv},
    std::pair{"spherical"sv, "Gaussians; each class has one variance for all columns"sv},
    std::pair{"centroid"sv, "the class with the nearest mean; one variance for everything"sv},
    std::pair{"rda"sv, "between qda and lda (--alpha), then shrunk to a simple target (--gamma)"sv},
    std::pair{"bqda"sv, "qda with a prior on the covariances: t densities, never singular"sv},
    std::pair{"mda"sv, "several Gaussians per class; BIC chooses their number"sv},
    std::pair{"kernel"sv, "kernel densities around the training rows, which the model keeps"sv},
    std::pair{"bernoulli"sv,
              "two-valued columns, independent within a class; words present or "
              "absent"sv},
    std::pair{"categorical"sv, "categories, independent within a class"sv},
    std::pair{"joint"sv, "categories together: one probability for each combination"sv},
    std::pair{"aode"sv, "categories and binned numbers; each depends on one other column"sv},
    std::pair{"multinomial"sv, "counts, such as words of a text, given their total"sv},
    std::pair{"poisson"sv, "counts, independent within a class; their total counts too"sv},
    std::pair{"complement"sv, "texts, scored by the words of the other classes; no density"sv},
    std::pair{"logistic"sv, "softmax regression, the discriminative counterpart; no density"sv}};

std::string line_of(std::string_view name) {
  for (const auto& [model, line] : lines)
    if (model == name) return std::string(line);
  return "";
}

}  // namespace

std::string help_of_models() {
  std::string text = "Models, for --model:\n";
  for (const NamedModel& model : named_models())
    text += help_entry(std::string(model.name), line_of(model.name));
  return text +
         "\nColumns of other types than a model's own get the block of their type.\n"
         "'genera help MODEL' prints the options of one model; 'genera parameters' counts\n"
         "parameters.\n";
}

std::string help_of_model(const std::string& name) {
  std::string text = help_entry(name, line_of(name)) + "\nOptions:\n";
  for (const OptionSpec& option : model_options())
    if (option.belongs_to(name)) text += help_entry(option_text(option));
  return text + "\nExample:\n  genera fit DATA --model " + name + " -o model.json\n";
}

std::string model_in_words(std::string word) {
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
  const bool known = std::ranges::any_of(
      named_models(), [&](const NamedModel& model) { return model.name == word; });
  return known ? word : "";
}

}  // namespace genera::cli
