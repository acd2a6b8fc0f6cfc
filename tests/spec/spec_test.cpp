#include <genera/spec.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#include <genera/error.hpp>

#include "support/problems.hpp"

namespace genera::spec_test {
namespace {

using Type = OptionSpec::Type;

struct Refused {
  std::string what, hint;
  friend bool operator==(const Refused&, const Refused&) = default;
};

Refused refused(const std::string& model, const OptionValues& values) {
  try {
    (void)spec_from(model, values);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::bad_argument);
    return {error.what(), in_words(error.hint())};
  }
  return {};
}

/// A value that differs from the default.
OptionValue other_value(const OptionSpec& option) {
  switch (option.type) {
    case Type::flag:
      return true;
    case Type::number:
      return option.max <= 1 ? 0.25 : 2.5;
    case Type::whole:
      return 7.0;
    case Type::choice:
      return OptionValue(option.choices.front()) == option.default_value ? option.choices.back()
                                                                         : option.choices.front();
    case Type::choices:
      return option.choices;
    case Type::number_or_choice:
      return 0.125;
    case Type::range:
      return MixtureOptions::Range{2, 3};
    case Type::words:
      return std::vector<std::string>{"the", "of"};
    case Type::priors:
      return ClassProbabilities{{"a", 0.25}, {"b", 0.75}};
  }
  return {};
}

TEST(Spec, EveryOptionHasModelsThatExistAndAHelpText) {
  for (const OptionSpec& option : model_options()) {
    EXPECT_FALSE(option.models.empty()) << option.name;
    EXPECT_FALSE(option.help.empty()) << option.name;
    for (const std::string& model : option.models) EXPECT_NO_THROW((void)model_named(model));
    EXPECT_EQ(find_option(option.name), &option);
  }
  EXPECT_EQ(find_option("alfa"), nullptr);
}

TEST(Spec, EveryOptionIsTakenByItsModelsAndRefusedByAllOthers) {
  for (const OptionSpec& option : model_options()) {
    for (const NamedModel& model : named_models()) {
      const std::string name(model.name);
      const std::string what = refused(name, {{option.name, other_value(option)}}).what;
      if (option.belongs_to(name))
        EXPECT_EQ(what, "") << option.name << ' ' << name;
      else
        EXPECT_EQ(what.find(name + " does not use " + option.name), 0U) << what;
    }
  }
}

/// What was written is read as the same recipe, option by option.
auto values_of(const GaussianOptions& g) {
  const RdaOptions rda = g.rda.value_or(RdaOptions{});
  return std::tuple(g.covariance, g.rda.has_value(), rda.alpha, rda.gamma, rda.toward, g.divisor,
                    g.shrinkage.kind, g.shrinkage.amount, g.raw_units, g.variance_prior,
                    g.variance_floor, g.on_singular);
}
auto values_of(const DiscreteOptions& d) {
  return std::tuple(d.smoothing, d.counts, d.joint, d.sparse_counts, d.min_count, d.max_terms,
                    d.stop_words);
}
auto values_of(const MixtureOptions& m) {
  return std::tuple(m.components, m.starts, m.max_iterations, m.seed);
}

void expect_same(const Recipe& a, const Recipe& b) {
  EXPECT_EQ(values_of(a.gaussian), values_of(b.gaussian));
  EXPECT_EQ(values_of(a.discrete), values_of(b.discrete));
  EXPECT_EQ(a.priors.kind, b.priors.kind);
  EXPECT_EQ(a.priors.given, b.priors.given);
  ASSERT_EQ(a.mixture.has_value(), b.mixture.has_value());
  if (!a.mixture) return;
  EXPECT_EQ(values_of(*a.mixture), values_of(*b.mixture));
}
void expect_same(const ComplementOptions& a, const ComplementOptions& b) {
  EXPECT_EQ(std::tie(a.smoothing, a.min_count, a.max_terms, a.stop_words),
            std::tie(b.smoothing, b.min_count, b.max_terms, b.stop_words));
}
void expect_same(const LogisticOptions& a, const LogisticOptions& b) {
  EXPECT_EQ(std::tie(a.ridge, a.terms, a.raw_units, a.min_count, a.max_terms, a.stop_words,
                     a.max_iterations, a.tolerance),
            std::tie(b.ridge, b.terms, b.raw_units, b.min_count, b.max_terms, b.stop_words,
                     b.max_iterations, b.tolerance));
}
void expect_same(const LinearRecipe& a, const LinearRecipe& b) {
  std::visit(
      [&]<class Options>(const Options& options) {
        ASSERT_TRUE(std::holds_alternative<Options>(b.options));
        expect_same(options, std::get<Options>(b.options));
      },
      a.options);
}
void expect_same(const AnyRecipe& a, const AnyRecipe& b) {
  std::visit(
      [&]<class Kind>(const Kind& recipe) {
        ASSERT_TRUE(std::holds_alternative<Kind>(b));
        expect_same(recipe, std::get<Kind>(b));
      },
      a);
}

TEST(Spec, RecipesSurviveBytes) {
  for (const OptionSpec& option : model_options()) {
    for (const std::string& model : option.models) {
      if (model == "auto" || model == "best" || option.group == OptionSpec::Group::fitting)
        continue;
      const AnyRecipe recipe = recipe_from(model, {{option.name, other_value(option)}}, 1ULL << 63);
      const std::string bytes = to_bytes(recipe);
      EXPECT_NE(bytes.find('"' + option.name + '"'), std::string::npos) << bytes;
      EXPECT_EQ(to_bytes(recipe_from_bytes(bytes)), bytes);
      expect_same(recipe_from_bytes(bytes), recipe);
    }
  }
  for (const NamedModel& model : named_models()) {
    if (model.is(NamedModel::Kind::automatic)) continue;
    const std::string bytes = to_bytes(recipe_from(std::string(model.name), {}));
    EXPECT_EQ(to_bytes(recipe_from_bytes(bytes)), bytes);
  }
}

/// Bytes are held to the same rule as named values.
TEST(Spec, RecipesWithAnOptionOfAnotherModelAreRefused) {
  const auto with = [](const std::string& model, const std::string& option) {
    std::string bytes = to_bytes(recipe_from(model, {}));
    const std::string none = "\"options\": {}";
    const std::size_t at = bytes.find(none);
    EXPECT_NE(at, std::string::npos) << bytes;
    return bytes.replace(at, none.size(), "\"options\": {" + option + "}");
  };
  EXPECT_EQ(testing::error_of([&] { (void)recipe_from_bytes(with("lda", "\"alpha\": 0.25")); }),
            testing::error_of([] {
              (void)recipe_from("lda", {{"alpha", 0.25}});
            }));
  EXPECT_EQ(
      testing::error_of([&] { (void)recipe_from_bytes(with("logistic", "\"alpha\": 0.25")); }),
      testing::error_of([] {
        (void)recipe_from("logistic", {{"alpha", 0.25}});
      }));
  EXPECT_EQ(testing::error_of([&] { (void)recipe_from_bytes(with("mda", "\"ridge\": 2")); }),
            testing::error_of([] {
              (void)recipe_from("mda", {{"ridge", 2.0}});
            }));
  Recipe odd = lda();
  odd.gaussian.variance_prior = 0.25;  // nothing reads it
  EXPECT_EQ(to_bytes(odd), to_bytes(lda()));
}

TEST(Spec, DamagedRecipesAreRefused) {
  const std::string bytes = to_bytes(recipe_from("mda", {{"starts", 3.0}}));
  for (std::size_t n = 0; n + 1 < bytes.size(); n += 7)
    EXPECT_THROW((void)recipe_from_bytes(bytes.substr(0, n)), Error) << n;
  EXPECT_THROW((void)recipe_from_bytes("{}"), Error);
  EXPECT_THROW((void)recipe_from_bytes("[1, 2]"), Error);
  std::string other = bytes;
  other.replace(other.find("\"starts\""), 8, "\"strats\"");
  EXPECT_THROW((void)recipe_from_bytes(other), Error);
  other = bytes;
  other.replace(other.find("\"mixture\""), 9, "\"mixtrue\"");
  EXPECT_THROW((void)recipe_from_bytes(other), Error);
}

TEST(Spec, ValuesBecomeARecipe) {
  const auto recipe =
      std::get<Recipe>(recipe_from("rda", {{"alpha", 0.25}, {"toward", "identity"}}));
  EXPECT_EQ(recipe.gaussian.covariance, Covariance::full);
  EXPECT_EQ(recipe.gaussian.rda.value().alpha, 0.25);
  EXPECT_EQ(recipe.gaussian.rda->toward, Toward::identity);
  const auto mixture =
      std::get<Recipe>(recipe_from("mda", {{"components", 3.0}, {"covariance", "diag"}}, 5));
  EXPECT_EQ(mixture.mixture->components, (MixtureOptions::Range{3, 3}));
  EXPECT_EQ(mixture.mixture->seed, 5U);
  EXPECT_EQ(mixture.gaussian.covariance, Covariance::diag);
  const FitSpec found = spec_from("auto", {{"smoothing", 0.5}, {"missing", "drop"}});
  EXPECT_TRUE(found.automatic && found.calibrate && found.smoothing_given);
  EXPECT_EQ(found.fit.missing, Missing::drop);
  EXPECT_FALSE(spec_from("lda", {}).calibrate);
  EXPECT_THROW((void)recipe_from("auto", {}), Error);
}

TEST(Spec, OldNamesOfStructuresAreAccepted) {
  for (const auto& [old, now] : find_option("covariance")->aliases)
    EXPECT_EQ(to_bytes(recipe_from("mda", {{"covariance", old}})),
              to_bytes(recipe_from("mda", {{"covariance", now}})));
}

TEST(Spec, ErrorsNameTheOptionAndWhatItTakes) {
  EXPECT_EQ(refused("lad", {}).hint, "did you mean 'lda'?");
  EXPECT_EQ(refused("rda", {{"alfa", 0.5}}),
            (Refused{"there is no option 'alfa'", "did you mean 'alpha'?"}));
  EXPECT_EQ(refused("rda", {{"alpha", 1.5}}),
            (Refused{"alpha is 1.5, expected a number from 0 to 1",
                     "set alpha to a number from 0 to 1"}));
  EXPECT_EQ(refused("rda", {{"alpha", std::nan("")}}).what,
            "alpha is nan, expected a number from 0 to 1");
  EXPECT_EQ(refused("mda", {{"starts", 2.5}}).what,
            "starts is 2.5, expected a whole number of at least 1");
  EXPECT_EQ(refused("logistic", {{"terms", "squars"}}),
            (Refused{"terms is 'squars', expected linear, squares or quadratic",
                     "did you mean 'squares'?"}));
  EXPECT_EQ(refused("lda", {{"alpha", 0.5}, {"ridge", 2.0}}),
            (Refused{"lda does not use alpha (rda does) or ridge (logistic does)",
                     "use model = rda, or leave out alpha or ridge"}));
  EXPECT_EQ(refused("complement", {{"priors", "uniform"}}),
            (Refused{"complement does not use priors", "leave out priors"}));
  EXPECT_EQ(refused("mda", {{"components", MixtureOptions::Range{5, 2}}}).what,
            "components is 5-2, expected a whole number from 1 to 10000, or a range such as 1-5");
}

TEST(Spec, SeveralModelsTakeWhatEachUses) {
  const OptionValues values{{"ridge", 2.0}, {"divisor", "unbiased"}};
  EXPECT_EQ(values_used_by("lda", values), (OptionValues{{"divisor", "unbiased"}}));
  EXPECT_NO_THROW(refuse_unused(values, {"lda", "logistic"}, "models"));
  EXPECT_THROW(refuse_unused(values, {"lda"}, "models"), Error);
  EXPECT_THROW(refuse_unused({{"priors", "uniform"}}, {"lda", "logistic"}, "models"), Error);
}

TEST(Spec, ClustersHaveATableOfTheirOwn) {
  const ClusterOptions options =
      cluster_options_from({{"components", 4.0}, {"covariance", std::vector<std::string>{"tied"}}});
  EXPECT_EQ(options.mixture.components, (MixtureOptions::Range{4, 4}));
  EXPECT_EQ(options.covariances, std::vector<Covariance>{Covariance::tied});
  EXPECT_EQ(cluster_options_from({}).covariances, ClusterOptions{}.covariances);
  EXPECT_THROW((void)cluster_options_from({{"ridge", 1.0}}), Error);
  EXPECT_THROW((void)cluster_options_from({{"covariance", "round"}}), Error);
}

}  // namespace
}  // namespace genera::spec_test
