#include "options/model.hpp"

#include "lists.hpp"
#include "options/common.hpp"
#include "options/priors.hpp"
#include "values.hpp"

#include <algorithm>
#include <cmath>

namespace genera::cli {
namespace {

using Type = OptionSpec::Type;

/// The default first.
std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const NamedModel& model : named_models())
    names.insert(model.is(NamedModel::Kind::automatic) ? names.begin() : names.end(),
                 std::string(model.name));
  return names;
}

std::string flag_of(const std::string& name) {
  std::string flag = "--" + name;
  std::ranges::replace(flag, '_', '-');
  return flag;
}

/// "3" or "1-5"; any other text as it is.
OptionValue range_in(const std::string& text) {
  const std::size_t dash = text.find('-');
  const std::string_view whole(text);
  MixtureOptions::Range range;
  if (!read_whole(whole.substr(0, dash), range.min)) return text;
  range.max = range.min;
  if (dash != std::string::npos && !read_whole(whole.substr(dash + 1), range.max)) return text;
  return range;
}

OptionValue number_in(const std::string& text) {
  double number = 0;
  return read_whole(text, number) ? OptionValue(number) : OptionValue(text);
}

OptionValue priors_in(const Words& words) {
  const PriorChoice priors = *priors_of(words);
  if (priors.kind == PriorChoice::Kind::given) return priors.given;
  return std::string(priors.kind == PriorChoice::Kind::uniform ? "uniform" : "empirical");
}

/// The text of an option that was given, as its type reads it.
OptionValue value_of(const OptionSpec& option, const Words& words) {
  const std::string flag = flag_of(option.name);
  if (option.type == Type::flag) return true;
  if (option.type == Type::priors) return priors_in(words);
  if (option.type == Type::choices) return split_lists(flag, words.values(flag));
  const std::string text = *words.value(flag);
  switch (option.type) {
    case Type::range:
      return range_in(text);
    case Type::words:
      if (text != "english") return split_list(flag, text);
      return text;
    case Type::choice:
      return text;
    default:
      return number_in(text);
  }
}

}  // namespace

std::string model_name(const Words& words) { return words.value("--model").value_or("lda"); }

OptionText option_text(const OptionSpec& option) {
  return {flag_of(option.name), option.placeholder, option.help, option.choices};
}

OptionText option_text(const std::string& name) { return option_text(*find_option(name)); }

OptionGroup model_texts() {
  OptionGroup group{
      "Model",
      {{"--model", "NAME",
        "auto: chosen by cross-validation (default); for numeric columns: qda lda gnb dlda "
        "spherical centroid rda bqda mda kernel; for columns of one type: bernoulli categorical "
        "joint "
        "multinomial poisson complement; logistic: softmax regression, which has no density",
        model_names()}}};
  for (const OptionSpec& option : model_options())
    if (option.group == OptionSpec::Group::model) group.options.push_back(option_text(option));
  return group;
}

OptionValues values_of(const Words& words, const std::vector<OptionSpec>& table) {
  OptionValues values;
  for (const OptionSpec& option : table)
    if (words.has(flag_of(option.name))) values[option.name] = value_of(option, words);
  return values;
}

FitSpec spec_of(const Words& words) {
  return spec_from(model_name(words), values_of(words), common_of(words).seed);
}

AnyRecipe recipe_of(const Words& words) {
  return recipe_from(model_name(words), values_of(words), common_of(words).seed);
}

}  // namespace genera::cli
