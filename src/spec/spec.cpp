#include <genera/spec.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "kernel/text.hpp"
#include "spec/recipes.hpp"

namespace genera {
namespace {

using ModelKind = NamedModel::Kind;

std::vector<OptionSpec> specs_of(const std::vector<spec::Row>& table) {
  std::vector<OptionSpec> specs;
  for (const spec::Row& row : table) specs.push_back(row.spec);
  return specs;
}

bool is_given(const OptionValues& values, const std::string& name) {
  const auto found = values.find(name);
  return found != values.end() && !std::holds_alternative<std::monostate>(found->second);
}

/// Models that use an option, if there are few enough to name.
std::vector<std::string> named_owners(const OptionSpec& option) {
  constexpr std::size_t max_names = 3;
  std::vector<std::string> names = option.models;
  const auto chooses = [](const std::string& name) {
    return model_named(name).is(ModelKind::automatic);
  };
  if (!std::ranges::all_of(names, chooses)) std::erase_if(names, chooses);
  if (names.size() > max_names) names.clear();
  return names;
}

/// "--alpha (rda does)".
Advice with_owners(const OptionSpec& option) {
  const std::vector<std::string> names = named_owners(option);
  const Advice name{OptionUse{option.name}};
  if (names.empty()) return name;
  return name + Advice(" (" + alternatives(names) + " does)");
}

Advice joined(const std::vector<Advice>& items) {
  Advice text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 == items.size() ? " or " : ", ";
    text += items[i];
  }
  return text;
}

}  // namespace

void spec::refuse_unowned(const std::string& model, const OptionValues& values) {
  std::vector<Advice> unowned, names;
  std::vector<std::string> others;
  for (const auto& [name, value] : values) {
    const OptionSpec* option = find_option(name);
    if (!option || !is_given(values, name) || option->belongs_to(model)) continue;
    unowned.push_back(with_owners(*option));
    names.emplace_back(OptionUse{name});
    if (others.empty()) others = named_owners(*option);
  }
  if (unowned.empty()) return;
  const Advice leave = Advice("leave out ") + joined(names);
  throw Error(
      Errc::bad_argument, Advice(model + " does not use ") + joined(unowned),
      others.empty()
          ? leave
          : Advice("use {}, or ", std::vector<OptionUse>{{"model", {others.front()}}}) + leave);
}

namespace {

void refuse_excluding(const NamedModel& model, const FitSpec& found) {
  if (const auto* recipe = std::get_if<Recipe>(&found.recipe)) {
    validate(recipe->gaussian);
    validate(recipe->discrete);
    if (recipe->mixture) validate(*recipe->mixture);
    if (recipe->kernel) validate(*recipe->kernel);
  } else if (model.is(ModelKind::logistic)) {
    validate(std::get<LogisticOptions>(std::get<LinearRecipe>(found.recipe).options));
  } else {
    validate(std::get<ComplementOptions>(std::get<LinearRecipe>(found.recipe).options));
  }
  validate(found.fit);
}

}  // namespace

bool OptionSpec::belongs_to(std::string_view model) const {
  return std::ranges::find(models, model) != models.end();
}

const std::vector<OptionSpec>& model_options() {
  static const std::vector<OptionSpec> all = specs_of(spec::rows());
  return all;
}

const std::vector<OptionSpec>& cluster_options() {
  static const std::vector<OptionSpec> all = specs_of(spec::cluster_rows());
  return all;
}

const OptionSpec* find_option(std::string_view name) {
  const auto found = std::ranges::find(model_options(), name, &OptionSpec::name);
  return found == model_options().end() ? nullptr : &*found;
}

const NamedModel& model_named(const std::string& name, const std::string& option) {
  const auto found = std::ranges::find(named_models(), name, &NamedModel::name);
  if (found != named_models().end()) return *found;
  std::vector<std::string> names;
  for (const NamedModel& model : named_models()) names.emplace_back(model.name);
  throw Error(Errc::bad_argument,
              Advice(OptionUse{option}) +
                  Advice(fmt::format(" is '{}', expected {}", name, alternatives(names))),
              suggest(name, names, "choose " + alternatives(names)));
}

void refuse_unfit_types(const std::string& model, std::span<const Column> features) {
  if (features.empty() || !model_named(model).every_column) return;
  const auto is = [](ColumnType type) {
    return [type](const Column& column) { return column.type == type; };
  };
  if (std::ranges::all_of(features, is(ColumnType::numeric)))
    throw Error(Errc::bad_data,
                fmt::format("all features are numeric, and {} is not a model of numbers", model),
                {"use a model of numbers, such as {}, or give the columns other types ({})",
                 {{"model", {"gnb"}}, {"type"}}});
  std::vector<std::string> texts;
  for (const Column& column : features)
    if (column.type == ColumnType::text) texts.push_back(column.name);
  const bool mixed = model == "complement" && texts.size() < features.size();
  if (texts.empty() || !(model == "poisson" || mixed)) return;
  throw Error(Errc::bad_data,
              fmt::format("{} cannot take {} as text{}", model, kernel::quoted_list(texts),
                          mixed ? " beside other columns" : ""),
              texts.size() < features.size() ? Advice("leave them out ({}), or use {}",
                                                      {{"drop", texts}, {"model", {"multinomial"}}})
                                             : Advice("use {}", {{"model", {"multinomial"}}}));
}

FitSpec spec_from(const std::string& model, const OptionValues& values, std::uint64_t seed) {
  const NamedModel& named = model_named(model);
  spec::refuse_unowned(model, values);
  spec::Draft draft = spec::draft_of(named, seed);
  spec::read(spec::rows(), values, draft);
  FitSpec found{.model = model,
                .recipe = spec::recipe_of(named, draft),
                .automatic = named.is(ModelKind::automatic),
                .pool = model == "auto",
                .simple = draft.simple,
                .fast = draft.fast,
                .keep_rows = !draft.no_rows,
                .smoothing_given = is_given(values, "smoothing"),
                .fit = draft.fit,
                .calibrate = draft.calibrate.value_or(named.is(ModelKind::automatic)),
                .folds = draft.folds};
  refuse_excluding(named, found);
  return found;
}

AnyRecipe recipe_from(const std::string& model, const OptionValues& values, std::uint64_t seed) {
  FitSpec found = spec_from(model, values, seed);
  if (!found.automatic) return std::move(found.recipe);
  throw Error(Errc::bad_argument, model + " chooses among models: it is not one model",
              {"name a model, such as {}", {{"model", {"lda"}}}});
}

OptionValues values_used_by(const std::string& model, const OptionValues& values) {
  OptionValues used;
  for (const auto& [name, value] : values) {
    const OptionSpec* option = find_option(name);
    if (!option || option->belongs_to(model)) used.emplace(name, value);
  }
  return used;
}

void refuse_unused(const OptionValues& values, const std::vector<std::string>& models,
                   const std::string& list) {
  for (const auto& [name, value] : values) {
    const OptionSpec* option = find_option(name);
    const bool used = !option || !is_given(values, name) ||
                      std::ranges::any_of(models, [&](const std::string& model) {
                        return option->belongs_to(model);
                      });
    if (used) continue;
    throw Error(
        Errc::bad_argument,
        Advice("no model of {} uses ", std::vector<OptionUse>{{list}}) + with_owners(*option),
        {"add a model that uses it to {}, or leave out {}", {{list}, {name}}});
  }
  const bool others =
      is_given(values, "priors") && values.at("priors") != OptionValue(std::string("empirical"));
  if (others && std::ranges::find(models, "logistic") != models.end())
    throw Error(Errc::bad_argument,
                "logistic learns posteriors, which contain the priors of the training rows",
                {"leave {} out, or leave logistic out of {}", {{"priors"}, {list}}});
}

ClusterOptions cluster_options_from(const OptionValues& values, std::uint64_t seed) {
  ClusterOptions options;
  spec::Draft draft;
  draft.mixture = options.mixture;
  draft.mixture.seed = seed;
  draft.covariances = options.covariances;
  spec::read(spec::cluster_rows(), values, draft);
  if (draft.max_iterations) draft.mixture.max_iterations = static_cast<int>(*draft.max_iterations);
  options = {.mixture = draft.mixture,
             .covariances = draft.covariances,
             .variance_floor = draft.gaussian.variance_floor,
             .raw_units = draft.gaussian.raw_units,
             .on_singular = draft.gaussian.on_singular,
             .missing = draft.fit.missing};
  validate(options);
  return options;
}

}  // namespace genera
