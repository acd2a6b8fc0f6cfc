#include "plan.hpp"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <genera/error.hpp>

namespace genera::python {
namespace {

template <class T>
using Choices = std::vector<std::pair<std::string, T>>;

template <class T>
T choose(const std::string& option, const std::string& value, const Choices<T>& choices) {
  std::vector<std::string> names;
  for (const auto& [name, chosen] : choices) {
    if (name == value) return chosen;
    names.push_back(name);
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "'" : ", '") + name + "'";
  throw Error(Errc::bad_argument, option + " is '" + value + "', which is not one of its values",
              suggest(value, names, "use one of " + list));
}

/// Reads parameters by name and sees that none is left.
class Parameters {
 public:
  explicit Parameters(const nb::dict& options) : options_(options) {}

  [[nodiscard]] nb::object find(const char* name) {
    known_.insert(name);
    return options_.contains(name) ? nb::object(options_[name]) : nb::none();
  }
  template <class T>
  void read(const char* name, T& value) {
    const nb::object given = find(name);
    if (given.is_none()) return;
    if (!nb::try_cast(given, value))
      throw nb::type_error((std::string(name) + " has a value of another type").c_str());
  }
  template <class T>
  void choose(const char* name, const Choices<T>& choices, T& value) {
    std::string word;
    const nb::object given = find(name);
    if (given.is_none()) return;
    if (!nb::try_cast(given, word)) word = nb::cast<std::string>(nb::str(given));
    value = python::choose(name, word, choices);
  }
  void finish() const {
    for (const auto& [key, value] : options_) {
      const auto name = nb::cast<std::string>(nb::str(key));
      if (!known_.contains(name))
        throw nb::type_error(("'" + name + "' is not a parameter of this model").c_str());
    }
  }

 private:
  const nb::dict& options_;
  std::set<std::string> known_;
};

Choices<Family> covariance_choices() {
  Choices<Family> all;
  for (const Family family : component_families())
    all.emplace_back(std::string(name_of(family)), family);
  return all;
}

void read_shrinkage(Parameters& from, Shrinkage& to) {
  using Kind = Shrinkage::Kind;
  const nb::object given = from.find("shrinkage");
  if (given.is_none()) return;
  if (nb::isinstance<nb::str>(given)) {
    to.kind = choose<Kind>("shrinkage", nb::cast<std::string>(given),
                           {{"none", Kind::none}, {"oas", Kind::oas}, {"lw", Kind::lw}});
    return;
  }
  to.kind = Kind::fixed;
  if (!nb::try_cast(given, to.amount))
    throw nb::type_error("shrinkage must be None, 'oas', 'lw' or a number");
}

GaussianOptions gaussian_of(Parameters& from) {
  GaussianOptions to;
  from.choose("divisor", {{"mle", Divisor::mle}, {"unbiased", Divisor::unbiased}}, to.divisor);
  read_shrinkage(from, to.shrinkage);
  from.read("alpha", to.alpha);
  from.read("gamma", to.gamma);
  from.choose("toward", {{"diagonal", Toward::diagonal}, {"identity", Toward::identity}},
              to.toward);
  from.read("raw_units", to.raw_units);
  from.read("variance_prior", to.variance_prior);
  from.read("variance_floor", to.variance_floor);
  from.choose("on_singular", {{"error", OnSingular::error}, {"shrink", OnSingular::shrink}},
              to.on_singular);
  return to;
}

MixtureOptions mixture_of(Parameters& from, MixtureOptions to) {
  const nb::object given = from.find("components");
  std::pair<Index, Index> range;
  if (nb::try_cast(given, range))
    to.components = {range.first, range.second};
  else if (!given.is_none() && nb::try_cast(given, range.first))
    to.components = {range.first, range.first};
  else if (!given.is_none())
    throw nb::type_error("components must be a whole number or a pair of them");
  from.read("starts", to.starts);
  from.read("max_iter", to.most_iterations);
  from.read("seed", to.seed);
  return to;
}

DiscreteOptions discrete_of(Parameters& from) {
  DiscreteOptions to;
  from.read("smoothing", to.smoothing);
  from.read("min_count", to.min_count);
  from.read("max_terms", to.max_terms);
  from.read("stop_words", to.stop_words);
  return to;
}

PriorChoice priors_of(Parameters& from) {
  PriorChoice to;
  const nb::object given = from.find("priors");
  if (given.is_none()) return to;
  if (nb::isinstance<nb::str>(given)) {
    to.kind = choose<PriorChoice::Kind>(
        "priors", nb::cast<std::string>(given),
        {{"empirical", PriorChoice::Kind::empirical}, {"uniform", PriorChoice::Kind::uniform}});
    return to;
  }
  to.kind = PriorChoice::Kind::given;
  to.given = nb::cast<std::vector<std::pair<std::string, double>>>(given);
  return to;
}

LogisticOptions logistic_of(Parameters& from, const DiscreteOptions& discrete) {
  LogisticOptions to{.min_count = discrete.min_count,
                     .max_terms = discrete.max_terms,
                     .stop_words = discrete.stop_words};
  from.read("ridge", to.ridge);
  from.choose("terms",
              {{"linear", LogisticTerms::linear},
               {"squares", LogisticTerms::squares},
               {"quadratic", LogisticTerms::quadratic}},
              to.terms);
  from.read("max_iter", to.most_iterations);
  from.read("tol", to.tolerance);
  return to;
}

using Kind = NamedModel::Kind;

NamedModel named(const std::string& model) {
  Choices<NamedModel> all;
  for (const NamedModel& one : named_models()) all.emplace_back(std::string(one.name), one);
  return choose("model", model, all);
}

AnyRecipe recipe_of(const NamedModel& model, Parameters& from) {
  Recipe recipe{.gaussian = gaussian_of(from), .discrete = model.discrete(discrete_of(from))};
  recipe.priors = priors_of(from);
  recipe.gaussian.family = model.family;
  if (model.is(Kind::complement))
    return complement({.smoothing = recipe.discrete.smoothing,
                       .min_count = recipe.discrete.min_count,
                       .max_terms = recipe.discrete.max_terms,
                       .stop_words = recipe.discrete.stop_words});
  if (model.is(Kind::logistic)) return logistic(logistic_of(from, recipe.discrete));
  if (model.is(Kind::mixture)) {
    from.choose("covariance", covariance_choices(), recipe.gaussian.family);
    recipe.mixture = mixture_of(from, {});
  }
  return recipe;
}

}  // namespace

AutoOptions Plan::auto_options() const {
  return {.base = std::get<Recipe>(recipe),
          .smoothing_given = smoothing_given,
          .fit = fit,
          .folds = folds,
          .seed = seed,
          .calibrate = calibrate,
          .keep_types = keep_types};
}

SelectOptions Plan::select_options() const { return {.folds = folds, .seed = seed, .fit = fit}; }

Plan plan_of(const nb::dict& options) {
  Parameters from(options);
  std::string name = "auto";
  from.read("model", name);
  const NamedModel model = named(name);
  Plan plan{.recipe = recipe_of(model, from)};
  plan.automatic = model.is(Kind::automatic);
  plan.iterates = plan.automatic || model.is(Kind::mixture) || model.is(Kind::logistic);
  plan.smoothing_given = options.contains("smoothing") && !options["smoothing"].is_none();
  from.choose("missing",
              {{"em", Missing::em}, {"drop", Missing::drop}, {"refuse", Missing::refuse}},
              plan.fit.missing);
  double weight = 0;
  from.read("unlabelled_weight", weight);
  if (options.contains("unlabelled_weight")) plan.fit.unlabelled_weight = weight;
  from.read("keep_types", plan.keep_types);
  plan.calibrate = plan.automatic;
  from.read("calibrate", plan.calibrate);
  from.read("folds", plan.folds);
  if (!model.is(Kind::mixture)) from.read("seed", plan.seed);
  from.finish();
  plan.iterates = plan.iterates || plan.calibrate;
  return plan;
}

ClusterOptions cluster_options_of(const nb::dict& options) {
  Parameters from(options);
  ClusterOptions to;
  to.mixture = mixture_of(from, to.mixture);
  std::vector<std::string> covariances;
  from.read("covariance", covariances);
  if (!covariances.empty()) to.covariances.clear();
  for (const std::string& name : covariances)
    to.covariances.push_back(choose("covariance", name, covariance_choices()));
  from.read("variance_floor", to.variance_floor);
  from.read("raw_units", to.raw_units);
  from.choose("on_singular", {{"error", OnSingular::error}, {"shrink", OnSingular::shrink}},
              to.on_singular);
  from.choose("missing",
              {{"em", Missing::em}, {"drop", Missing::drop}, {"refuse", Missing::refuse}},
              to.missing);
  from.finish();
  return to;
}

}  // namespace genera::python
