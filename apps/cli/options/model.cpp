#include "options/model.hpp"

#include "options/common.hpp"
#include "options/priors.hpp"
#include "options/terms.hpp"
#include "values.hpp"

#include <algorithm>
#include <cmath>

namespace genera::cli {
namespace {

using ModelKind = NamedModel::Kind;

NamedModel parse_model(const std::string& option, const std::string& text) {
  Choices<NamedModel> models;
  for (const NamedModel& model : named_models()) models.push_back({std::string(model.name), model});
  return choose(option, text, models);
}

/// The default first.
std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const NamedModel& model : named_models())
    names.insert(model.is(ModelKind::automatic) ? names.begin() : names.end(),
                 std::string(model.name));
  return names;
}

/// "3" or "1-5".
MixtureOptions::Range parse_components(const std::string& text) {
  const std::size_t dash = text.find('-');
  const bool one = dash == std::string::npos;
  const std::string_view whole(text);
  MixtureOptions::Range range;
  constexpr Index most = 10000;
  const bool read = read_whole(whole.substr(0, dash), range.least) &&
                    (one || read_whole(whole.substr(dash + 1), range.most));
  if (one) range.most = range.least;
  if (read && range.least >= 1 && range.least <= range.most && range.most <= most) return range;
  throw Error(Errc::bad_argument,
              "--components is '" + text + "', expected a number of at least 1 or a range",
              "write --components 3, or --components 1-5 to choose among them");
}

Divisor parse_divisor(const std::string& text) {
  return choose<Divisor>("--divisor", text,
                         {{"mle", Divisor::mle}, {"unbiased", Divisor::unbiased}});
}

Shrinkage parse_shrinkage(const std::string& text) {
  using Kind = Shrinkage::Kind;
  double amount = 0;
  if (read_whole(text, amount) && std::isfinite(amount))
    return {.kind = Kind::fixed, .amount = amount};
  for (const auto& [name, kind] :
       Choices<Kind>{{"none", Kind::none}, {"oas", Kind::oas}, {"lw", Kind::lw}})
    if (name == text) return {.kind = kind};
  refuse_choice("--shrinkage", text, {"none", "oas", "lw", "a number in [0, 1]"});
}

Toward parse_toward(const std::string& text) {
  return choose<Toward>("--toward", text,
                        {{"diagonal", Toward::diagonal}, {"identity", Toward::identity}});
}

/// Throws if one of `options` was given, which only the model `owner` has.
void refuse_options_of(const std::string& owner, const std::vector<std::string>& options,
                       const Words& words) {
  for (const std::string& option : options)
    if (words.has(option))
      throw Error(Errc::bad_argument,
                  option + " belongs to --model " + owner + ", but the model is " +
                      words.value("--model").value_or("lda"),
                  "add --model " + owner + ", or leave " + option + " out");
}

NamedModel model_of(const Words& words) {
  NamedModel model = named_model(words);
  const auto covariance = words.value("--covariance");
  if (!model.is(ModelKind::mixture))
    refuse_options_of("mda", {"--components", "--covariance", "--starts"}, words);
  if (!model.is(ModelKind::logistic)) refuse_options_of("logistic", {"--ridge", "--terms"}, words);
  if (covariance && model.is(ModelKind::mixture)) model.family = parse_covariance(*covariance);
  return model;
}

GaussianOptions gaussian_of(const Words& words, const NamedModel& model) {
  GaussianOptions gaussian;
  gaussian.family = model.family;
  if (model.family != Family::rda)
    refuse_options_of("rda", {"--alpha", "--gamma", "--toward"}, words);
  if (model.is(ModelKind::automatic)) {
    refuse_options_of("lda", {"--shrinkage"}, words);
    refuse_options_of("gnb", {"--variance-prior"}, words);
  }
  if (const auto divisor = words.value("--divisor")) gaussian.divisor = parse_divisor(*divisor);
  if (const auto shrinkage = words.value("--shrinkage"))
    gaussian.shrinkage = parse_shrinkage(*shrinkage);
  if (const auto alpha = words.value("--alpha")) gaussian.alpha = parse_number("--alpha", *alpha);
  if (const auto gamma = words.value("--gamma")) gaussian.gamma = parse_number("--gamma", *gamma);
  if (const auto toward = words.value("--toward")) gaussian.toward = parse_toward(*toward);
  gaussian.raw_units = words.has("--raw-units");
  if (const auto prior = words.value("--variance-prior"))
    gaussian.variance_prior = parse_number("--variance-prior", *prior);
  if (const auto floor = words.value("--variance-floor"))
    gaussian.variance_floor = parse_number("--variance-floor", *floor);
  if (const auto how = words.value("--on-singular")) gaussian.on_singular = parse_on_singular(*how);
  validate(gaussian);
  return gaussian;
}

LogisticTerms parse_terms(const std::string& text) {
  return choose<LogisticTerms>("--terms", text,
                               {{"linear", LogisticTerms::linear},
                                {"squares", LogisticTerms::squares},
                                {"quadratic", LogisticTerms::quadratic}});
}

LinearRecipe logistic_of(const Words& words, const NamedModel& model) {
  (void)gaussian_of(words, model);
  const auto priors = priors_of(words);
  if (priors && priors->kind != PriorChoice::Kind::empirical)
    throw Error(Errc::bad_argument,
                "logistic learns posteriors, in which the priors of the rows are contained",
                "leave --priors out, or use --model lda");
  const DiscreteOptions discrete = discrete_of(words, model);
  LogisticOptions options{.min_count = discrete.min_count,
                          .max_terms = discrete.max_terms,
                          .stop_words = discrete.stop_words};
  if (const auto ridge = words.value("--ridge")) options.ridge = parse_number("--ridge", *ridge);
  if (const auto terms = words.value("--terms")) options.terms = parse_terms(*terms);
  validate(options);
  return logistic(options);
}

/// Options of other models are checked as theirs are, and otherwise not used.
LinearRecipe complement_of(const Words& words, const NamedModel& model) {
  (void)gaussian_of(words, model);
  const auto priors = priors_of(words);
  if (priors && priors->kind != PriorChoice::Kind::empirical)
    throw Error(Errc::bad_argument, "complement has no prior in its score: priors change nothing",
                "leave --priors out, or use --model multinomial");
  const DiscreteOptions discrete = discrete_of(words, model);
  return complement({.smoothing = discrete.smoothing,
                     .min_count = discrete.min_count,
                     .max_terms = discrete.max_terms,
                     .stop_words = discrete.stop_words});
}

}  // namespace

void refuse_unknown_models(const std::string& option, const std::vector<std::string>& names) {
  for (const std::string& name : names) (void)parse_model(option, name);
}

NamedModel named_model(const Words& words) {
  const auto name = words.value("--model");
  return name ? parse_model("--model", *name) : NamedModel{};
}

namespace {

/// What others call the structures.
void refuse_foreign_name(const std::string& text) {
  for (const auto& [foreign, ours] : Choices<std::string>{{"full", "qda"},
                                                          {"tied", "lda"},
                                                          {"pooled", "lda"},
                                                          {"shared", "lda"},
                                                          {"diag", "gnb"},
                                                          {"diagonal", "gnb"},
                                                          {"identity", "spherical"}})
    if (foreign == text)
      throw Error(Errc::bad_argument,
                  "--covariance is '" + text + "', which is called " + ours + " here",
                  "use --covariance " + ours);
}

}  // namespace

Family parse_covariance(const std::string& text) {
  refuse_foreign_name(text);
  Choices<Family> covariances;
  for (const Family family : component_families())
    covariances.push_back({std::string(name_of(family)), family});
  return choose("--covariance", text, covariances);
}

std::vector<std::string> covariance_names() {
  std::vector<std::string> names;
  for (const Family family : component_families()) names.emplace_back(name_of(family));
  return names;
}

OnSingular parse_on_singular(const std::string& text) {
  return choose<OnSingular>("--on-singular", text,
                            {{"error", OnSingular::error}, {"shrink", OnSingular::shrink}});
}

MixtureOptions mixture_of(const Words& words, MixtureOptions::Range components) {
  MixtureOptions mixture{.components = components, .seed = common_of(words).seed};
  if (const auto range = words.value("--components")) mixture.components = parse_components(*range);
  constexpr Index most_starts = 100000;
  if (const auto starts = words.value("--starts"))
    mixture.starts =
        static_cast<int>(std::min(most_starts, parse_whole_number("--starts", *starts, 1)));
  return mixture;
}

OptionGroup model_texts() {
  return {
      "Model",
      {{"--model", "NAME",
        "auto (default): what predicts best the rows held out, see above; of the numbers: qda lda "
        "gnb dlda spherical centroid rda mda; or of every column: bernoulli categorical joint "
        "multinomial poisson complement; or logistic, softmax regression, which has no density",
        model_names()},
       fit_priors_text(),
       {"--divisor",
        "NAME",
        "mle (default: n) or unbiased (n - 1 per class, n - K pooled)",
        {"mle", "unbiased"}},
       {"--shrinkage",
        "HOW",
        "of full covariances: none (default), oas, lw or a number from 0 to 1",
        {"none", "oas", "lw"}},
       {"--alpha", "A", "of rda: 1 is each class's own covariance, 0 the pooled one (default 0.5)"},
       {"--gamma", "G", "of rda: from 0, as estimated (default), to 1, the simple target"},
       {"--toward", "TARGET", "of rda: diagonal (default) or identity", {"diagonal", "identity"}},
       {"--components", "M|A-B",
        "of mda: Gaussians in each class; of a range the number is chosen by BIC (default 1-5)"},
       {"--covariance", "NAME",
        "of mda: qda (default: full, for each component), lda (one for all), gnb, dlda, spherical "
        "or centroid",
        covariance_names()},
       {"--starts", "N", "of mda: starts of each mixture (default 10)"},
       {"--ridge", "L",
        "of logistic: penalty, half of it times the squared coefficients (default 1)"},
       {"--terms",
        "NAME",
        "of logistic: linear (default), squares of the numbers besides, or quadratic: their "
        "products, too",
        {"linear", "squares", "quadratic"}},
       {"--raw-units", "", "the columns share one unit: do not scale them"},
       {"--variance-prior", "ROWS",
        "of gnb and spherical: as if so many more rows of each class had the pooled variances (0)"},
       {"--variance-floor", "F", "smallest variance as a part of the column's pooled one (1e-4)"},
       {"--on-singular",
        "HOW",
        "what to do with a singular covariance: error, or shrink it toward the pooled variances "
        "(default: error)",
        {"error", "shrink"}}}};
}

Recipe base_of_auto(const Words& words) {
  const NamedModel model = model_of(words);
  Recipe recipe{.gaussian = gaussian_of(words, model), .discrete = discrete_of(words, model)};
  if (const auto priors = priors_of(words)) recipe.priors = *priors;
  return recipe;
}

AnyRecipe recipe_of(const Words& words) {
  const NamedModel model = model_of(words);
  if (model.is(ModelKind::automatic))
    throw Error(Errc::bad_argument, "--model auto chooses among models, which only fit does",
                "name a model, such as --model lda");
  if (model.is(ModelKind::complement)) return complement_of(words, model);
  if (model.is(ModelKind::logistic)) return logistic_of(words, model);
  Recipe recipe{.gaussian = gaussian_of(words, model), .discrete = discrete_of(words, model)};
  if (model.is(ModelKind::mixture)) recipe.mixture = mixture_of(words, {1, 5});
  if (const auto priors = priors_of(words)) recipe.priors = *priors;
  return recipe;
}

}  // namespace genera::cli
