#include "spec/recipes.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "document/fields.hpp"

namespace genera::spec {
namespace {

using document::Field;
using document::List;
using document::Members;
using document::Value;
using ModelKind = NamedModel::Kind;

constexpr std::string_view recipe_format = "genera-recipe";

LogisticOptions logistic_of(const Draft& draft) {
  LogisticOptions options = draft.logistic;
  options.raw_units = draft.gaussian.raw_units;
  options.min_count = draft.discrete.min_count;
  options.max_terms = draft.discrete.max_terms;
  options.stop_words = draft.discrete.stop_words;
  if (draft.max_iterations) options.max_iterations = static_cast<int>(*draft.max_iterations);
  return options;
}

ComplementOptions complement_of(const DiscreteOptions& discrete) {
  return {.smoothing = discrete.smoothing,
          .min_count = discrete.min_count,
          .max_terms = discrete.max_terms,
          .stop_words = discrete.stop_words};
}

Recipe generative_of(const Draft& draft, ModelKind kind) {
  Recipe recipe{.gaussian = draft.gaussian, .discrete = draft.discrete, .priors = draft.priors};
  if (recipe.gaussian.rda) recipe.gaussian.rda = draft.rda;
  if (recipe.gaussian.bayesian) recipe.gaussian.bayesian = draft.bayesian;
  if (kind == ModelKind::kernel) recipe.kernel = draft.kernel;
  if (kind != ModelKind::mixture) return recipe;
  recipe.mixture = draft.mixture;
  recipe.gaussian.covariance = draft.covariance;
  if (draft.max_iterations)
    recipe.mixture->max_iterations = static_cast<int>(*draft.max_iterations);
  return recipe;
}

std::optional<double> unless_default(int iterations, int usual) {
  return iterations == usual ? std::nullopt : std::optional<double>(iterations);
}

Draft draft_of(const Recipe& recipe) {
  Draft draft{.gaussian = recipe.gaussian, .discrete = recipe.discrete, .priors = recipe.priors};
  if (recipe.gaussian.rda) draft.rda = *recipe.gaussian.rda;
  if (recipe.gaussian.bayesian) draft.bayesian = *recipe.gaussian.bayesian;
  if (recipe.kernel) draft.kernel = *recipe.kernel;
  if (!recipe.mixture) return draft;
  draft.mixture = *recipe.mixture;
  draft.covariance = recipe.gaussian.covariance;
  draft.max_iterations =
      unless_default(recipe.mixture->max_iterations, MixtureOptions{}.max_iterations);
  return draft;
}

Draft draft_of(const ComplementOptions& options) {
  Draft draft;
  draft.discrete = {.smoothing = options.smoothing,
                    .min_count = options.min_count,
                    .max_terms = options.max_terms,
                    .stop_words = options.stop_words};
  return draft;
}

Draft draft_of(const LogisticOptions& options) {
  Draft draft;
  draft.logistic = options;
  draft.gaussian.raw_units = options.raw_units;
  draft.discrete = {.min_count = options.min_count,
                    .max_terms = options.max_terms,
                    .stop_words = options.stop_words};
  draft.max_iterations = unless_default(options.max_iterations, LogisticOptions{}.max_iterations);
  return draft;
}

// -- as a document -------------------------------------------------------------------------------

Value texts(const std::vector<std::string>& all) {
  List list;
  for (const std::string& one : all) list.push_back(Value{one});
  return {std::move(list)};
}

Value document_of(const OptionValue& value) {
  if (const auto* range = std::get_if<MixtureOptions::Range>(&value))
    return {document::Numbers{double(range->min), double(range->max)}};
  if (const auto* words = std::get_if<std::vector<std::string>>(&value)) return texts(*words);
  if (const auto* priors = std::get_if<ClassProbabilities>(&value)) {
    Members members;
    for (const auto& [name, probability] : *priors) members[name] = Value{probability};
    return {std::move(members)};
  }
  if (const auto* flag = std::get_if<bool>(&value)) return {*flag};
  if (const auto* number = std::get_if<double>(&value)) return {*number};
  return {std::get<std::string>(value)};
}

OptionValue option_of(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value.data)) return *flag;
  if (const auto* number = std::get_if<double>(&value.data)) return *number;
  if (const auto* text = std::get_if<std::string>(&value.data)) return *text;
  if (const auto* numbers = std::get_if<document::Numbers>(&value.data)) {
    if (numbers->empty()) return std::vector<std::string>{};
    const auto whole = [](double x) { return x >= 0 && x <= 1e9 && x == std::floor(x); };
    if (numbers->size() != 2 || !std::ranges::all_of(*numbers, whole)) return false;  // refused
    return MixtureOptions::Range{static_cast<Index>(numbers->front()),
                                 static_cast<Index>(numbers->back())};
  }
  if (const auto* list = std::get_if<List>(&value.data)) {
    std::vector<std::string> words;
    for (const Value& one : *list) {
      const auto* word = std::get_if<std::string>(&one.data);
      if (!word) return false;  // refused: no list is a flag
      words.push_back(*word);
    }
    return words;
  }
  ClassProbabilities priors;
  if (const auto* members = std::get_if<Members>(&value.data))
    for (const auto& [name, one] : *members) {
      const auto* number = std::get_if<double>(&one.data);
      if (!number) return false;
      priors.emplace_back(name, *number);
    }
  return priors;
}

/// Named models that a recipe can have: a generative one has blocks of numbers and of others.
std::vector<std::string> models_of(const std::string& kind, const GaussianOptions& gaussian) {
  if (kind == "mixture") return {"mda"};
  if (kind == "kernel") return {"kernel"};
  if (kind != "generative") return {kind};
  std::vector<std::string> names{std::string(name_of(gaussian))};
  for (const NamedModel& model : named_models())
    if (model.is(ModelKind::columns) || model.is(ModelKind::pairs)) names.emplace_back(model.name);
  return names;
}

bool is_used(const OptionSpec& option, const std::vector<std::string>& models) {
  return std::ranges::any_of(models, [&](const auto& model) { return option.belongs_to(model); });
}

void refuse_unused_by(const std::vector<std::string>& models, OptionValues values) {
  std::erase_if(values, [&](const auto& value) {
    const OptionSpec* option = find_option(value.first);
    return option != nullptr && is_used(*option, models);
  });
  refuse_unowned(models.front(), values);
}

/// Only options that the models use and that differ from their defaults.
Value options_document(const Draft& draft, const std::vector<std::string>& models) {
  Members members;
  for (const Row& row : rows()) {
    if (!is_used(row.spec, models)) continue;
    const OptionValue value = row.at.get(draft);
    if (value != row.spec.default_value && !std::holds_alternative<std::monostate>(value))
      members[row.spec.name] = document_of(value);
  }
  return {std::move(members)};
}

Members document_of(const std::string& kind, const Draft& draft) {
  const std::vector<std::string> models = models_of(kind, draft.gaussian);
  return {{"format", Value{std::string(recipe_format)}},
          {"version", Value{document::format_version}},
          {"kind", Value{kind}},
          {"options", options_document(draft, models)}};
}

Members document_of(const Recipe& recipe) {
  const bool numbers = !recipe.mixture && !recipe.kernel;
  Members members = document_of(recipe.mixture  ? "mixture"
                                : recipe.kernel ? "kernel"
                                                : "generative",
                                draft_of(recipe));
  if (numbers) members["family"] = Value{std::string(name_of(recipe.gaussian))};
  members["counts"] = Value{std::string(name_of(recipe.discrete.counts))};
  members["joint"] = Value{recipe.discrete.joint};
  if (recipe.discrete.pairs) members["pairs"] = Value{true};
  members["sparse_counts"] = Value{recipe.discrete.sparse_counts};
  if (recipe.mixture)  // a double cannot hold all of its bits
    members["seed"] = Value{std::to_string(recipe.mixture->seed)};
  if (recipe.kernel) members["seed"] = Value{std::to_string(recipe.kernel->seed)};
  return members;
}

Members document_of(const LinearRecipe& recipe) {
  if (const auto* options = std::get_if<ComplementOptions>(&recipe.options))
    return document_of("complement", draft_of(*options));
  return document_of("logistic", draft_of(std::get<LogisticOptions>(recipe.options)));
}

CountModel count_model_of(const Field& field) {
  for (const CountModel model :
       {CountModel::multinomial, CountModel::bernoulli, CountModel::poisson})
    if (name_of(model) == field.text()) return model;
  field.refuse("is not a model of counts", "write multinomial, bernoulli or poisson");
}

void read_structure(const Field& root, Draft& draft) {
  if (root.has("family") && root["family"].text() == name_of(bqda().gaussian)) {
    draft.gaussian.covariance = Covariance::full;
    draft.gaussian.bayesian.emplace();
  } else if (root.has("family")) {
    const auto model = gaussian_model_named(root["family"].text());
    if (!model) root["family"].refuse("is not a model of numbers", "write one such as lda");
    draft.gaussian.covariance = model->covariance;
    if (model->rda) draft.gaussian.rda.emplace();
  }
  draft.discrete.counts = count_model_of(root["counts"]);
  draft.discrete.joint = root["joint"].flag();
  draft.discrete.pairs = root.has("pairs") && root["pairs"].flag();
  draft.discrete.sparse_counts = root["sparse_counts"].flag();
  if (!root.has("seed")) return;
  const std::string& seed = root["seed"].text();
  const auto [end, error] =
      std::from_chars(seed.data(), seed.data() + seed.size(), draft.mixture.seed);
  if (error != std::errc() || end != seed.data() + seed.size())
    root["seed"].refuse("is not a whole number", "write one in quotes, such as \"1\"");
  draft.kernel.seed = draft.mixture.seed;
}

/// Requires a document with members.
OptionValues values_of(const Value& document, const Field& root) {
  const Members& members = std::get<Members>(document.data);
  const auto found = members.find("options");
  const auto* options =
      found == members.end() ? nullptr : std::get_if<Members>(&found->second.data);
  if (!options) root["options"].refuse("is not a list of options by name", "write {} for none");
  OptionValues values;
  for (const auto& [key, value] : *options) values[key] = option_of(value);
  return values;
}

AnyRecipe read_recipe(const Value& document, const std::string& name) {
  const Field root(document, name);
  document::check_format(root, recipe_format);
  root.allow_only({"format", "version", "kind", "options", "family", "counts", "joint", "pairs",
                   "sparse_counts", "seed"});
  Draft draft;
  const OptionValues values = values_of(document, root);
  read(rows(), values, draft);
  const std::string& kind = root["kind"].text();
  const bool linear = kind == "complement" || kind == "logistic";
  if (!linear && kind != "generative" && kind != "mixture" && kind != "kernel")
    root["kind"].refuse("is not a kind of recipe",
                        "write generative, mixture, kernel, complement or logistic");
  if (!linear) read_structure(root, draft);
  refuse_unused_by(models_of(kind, draft.gaussian), values);
  if (kind == "complement") return complement(complement_of(draft.discrete));
  if (kind == "logistic") return logistic(logistic_of(draft));
  return generative_of(draft, kind == "mixture"  ? ModelKind::mixture
                              : kind == "kernel" ? ModelKind::kernel
                                                 : ModelKind::numbers);
}

}  // namespace

Draft draft_of(const NamedModel& model, std::uint64_t seed) {
  Draft draft;
  draft.gaussian.covariance = model.covariance;
  if (model.rda) draft.gaussian.rda.emplace();
  if (model.bayesian) draft.gaussian.bayesian.emplace();
  draft.discrete = model.discrete();
  draft.mixture.seed = seed;
  draft.kernel.seed = seed;
  return draft;
}

AnyRecipe recipe_of(const NamedModel& model, const Draft& draft) {
  if (model.is(ModelKind::complement)) return complement(complement_of(draft.discrete));
  if (model.is(ModelKind::logistic)) return logistic(logistic_of(draft));
  return generative_of(draft, model.kind);
}

}  // namespace genera::spec

namespace genera {

std::string to_bytes(const AnyRecipe& recipe) {
  std::ostringstream out;
  document::print_json({std::visit([](const auto& one) { return spec::document_of(one); }, recipe)},
                       out);
  return std::move(out).str();
}

AnyRecipe recipe_from_bytes(std::string_view bytes, const std::string& name) {
  return spec::read_recipe(document::parse(bytes, name, {"recipe", "write it again with to_bytes"}),
                           name);
}

}  // namespace genera
