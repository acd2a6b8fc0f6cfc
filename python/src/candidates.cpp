#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <genera/candidates.hpp>
#include <genera/sample.hpp>
#include <genera/spec.hpp>

#include "classifier.hpp"
#include "data.hpp"
#include "laboratory.hpp"

namespace genera::python {
namespace {

/// (generative or None, discriminative)
nb::tuple tuple_of(const ModelPair& pair) {
  const nb::object generative = pair.generative.empty() ? nb::none() : nb::cast(pair.generative);
  return nb::make_tuple(generative, pair.discriminative);
}

nb::list list_of(const std::vector<ModelPair>& pairs) {
  nb::list all;
  for (const ModelPair& pair : pairs) all.append(tuple_of(pair));
  return all;
}

/// The table of options: the models that use each, by its name.
nb::dict options() {
  nb::dict all;
  for (const OptionSpec& option : model_options())
    all[option.name.c_str()] = python::list_of(option.models);
  return all;
}

/// The default of an option with choices: that of estimators, or that of the command line.
std::string default_choice(const std::string& name, bool of_estimators) {
  const OptionSpec& option = *find_option(name);
  const bool own = of_estimators && std::holds_alternative<std::string>(option.estimator_default);
  return std::get<std::string>(own ? option.estimator_default : option.default_value);
}

/// Throws if none of the models uses one of the options; their values do not matter.
void check_used(const std::vector<std::string>& names, const std::vector<std::string>& models,
                const std::string& list) {
  OptionValues values;
  for (const std::string& name : names) values[name] = 1.0;
  refuse_unused(values, models, list);
}

/// (name, values) of each point.
nb::list grid_points(const std::string& model, const OptionGrid& given, const Data& data) {
  nb::list all;
  for (const GridPoint& point : points_of(model, grid_of(model, given, data.view())))
    all.append(nb::make_tuple(point.name(), nb::cast(point.values)));
  return all;
}

nb::object pair_of(const std::string& text) {
  const auto pair = pair_named(text);
  return pair ? nb::object(tuple_of(*pair)) : nb::none();
}

nb::object terms(const std::string& discriminative) {
  const auto found = terms_of(discriminative);
  return found ? nb::cast(std::string(name_of(*found))) : nb::none();
}

/// The name of each model, and the type of all columns that it asks for.
nb::list models() {
  nb::list all;
  for (const NamedModel& model : named_models())
    all.append(nb::make_tuple(
        std::string(model.name),
        model.every_column ? nb::cast(std::string(name_of(*model.every_column))) : nb::none()));
  return all;
}

/// The models that give labels and posteriors only.
nb::list scorers() {
  nb::list all;
  for (const NamedModel& model : named_models()) {
    if (model.kind == NamedModel::Kind::automatic) continue;
    const std::string name(model.name);
    if (std::holds_alternative<LinearRecipe>(recipe_from(name, {}))) all.append(name);
  }
  return all;
}

}  // namespace

void bind_candidates(nb::module_& module) {
  module.def("named_models", &models);
  module.def("scorers", &scorers, "The models that are not joint distributions.");
  module.def("model_options", &options, "The models that use each option.");
  module.def("default_choice", &default_choice, nb::arg("name"), nb::arg("of_estimators"));
  module.def("check_used", &check_used, nb::arg("names"), nb::arg("models"), nb::arg("list"));
  module.def("grid_options", [] { return python::list_of(grid_options()); });
  module.def("grid_points", &grid_points, nb::arg("model"), nb::arg("given"), nb::arg("data"));
  module.def("default_models", [](const Data& data) { return default_models(data.view()); });
  module.def("matched_pairs", [] { return list_of(matched_pairs()); });
  module.def("pair_named", &pair_of);
  module.def("default_pairs", [](const Data& data) { return list_of(default_pairs(data.view())); });
  module.def("default_pairs", [](const FittedModel& fitted) {
    return list_of(default_pairs(sample(fitted.density(), 0, Rng(1))));
  });
  module.def("terms_of", &terms);
  module.def("default_ridges", &default_ridges);
}

}  // namespace genera::python
