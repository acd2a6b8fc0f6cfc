#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/fit.hpp>

namespace genera {
namespace {

void check_unit_interval(const char* name, double value) {
  if (value >= 0 && value <= 1) return;  // false for NaN
  throw Error(Errc::bad_argument, fmt::format("{} is {}, which is not in [0, 1]", name, value),
              "give a number from 0 to 1");
}

Recipe of(Covariance covariance) {
  Recipe recipe;
  recipe.gaussian.covariance = covariance;
  return recipe;
}

void validate(const RdaOptions& rda, const GaussianOptions& options) {
  check_unit_interval("alpha", rda.alpha);
  check_unit_interval("gamma", rda.gamma);
  if (options.covariance != Covariance::full)
    throw Error(Errc::bad_argument,
                fmt::format("rda estimates full covariances, and these are {}",
                            name_of(options.covariance)),
                "use the full structure, or leave rda out");
  if (options.shrinkage.kind != Shrinkage::Kind::none)
    throw Error(Errc::bad_argument, "rda together with shrinkage would shrink twice",
                {"use {} of rda, or {} with qda or lda", {{"gamma"}, {"shrinkage"}}});
}

void validate(const BayesianOptions& bayesian, const GaussianOptions& options) {
  if (bayesian.prior_rows && !(*bayesian.prior_rows > 0 && std::isfinite(*bayesian.prior_rows)))
    throw Error(Errc::bad_argument, fmt::format("the prior has {} rows", *bayesian.prior_rows),
                {"give {} a number above 0", {{"prior_rows"}}});
  if (bayesian.prior_gamma) check_unit_interval("prior_gamma", *bayesian.prior_gamma);
  if (options.covariance != Covariance::full || options.rda ||
      options.shrinkage.kind != Shrinkage::Kind::none || options.divisor != Divisor::mle)
    throw Error(
        Errc::bad_argument,
        "bqda has full covariances with a prior: it takes no other structure, no rda, no "
        "shrinkage and no other divisor",
        {"leave them out; {} moves the covariances towards the pooled one", {{"prior_rows"}}});
}

}  // namespace

void validate(const GaussianOptions& options) {
  if (options.bayesian) validate(*options.bayesian, options);
  if (options.rda) validate(*options.rda, options);
  check_unit_interval("shrinkage", options.shrinkage.amount);
  if (!(options.variance_floor >= 0) || !std::isfinite(options.variance_floor))
    throw Error(Errc::bad_argument, fmt::format("the variance floor is {}", options.variance_floor),
                "give a number of at least 0");
  if (!(options.variance_prior >= 0) || !std::isfinite(options.variance_prior))
    throw Error(Errc::bad_argument, fmt::format("the variance prior is {}", options.variance_prior),
                "give a number of rows of at least 0");
  const bool full = is_full(options.covariance);
  if (options.variance_prior > 0 && (full || is_tied(options.covariance)))
    throw Error(
        Errc::bad_argument,
        fmt::format("a variance prior is for variances of each class alone, and {} has none",
                    name_of(options)),
        {"use {} or spherical, or leave {} out", {{"model", {"gnb"}}, {"variance_prior"}}});
  if (options.shrinkage.kind == Shrinkage::Kind::none) return;
  if (!full)
    throw Error(
        Errc::bad_argument,
        fmt::format("shrinkage is for full covariances, and {} has none", name_of(options)),
        {"use {} or lda with {}, or {}", {{"model", {"qda"}}, {"shrinkage"}, {"variance_floor"}}});
}

void validate(const MixtureOptions& options) {
  const MixtureOptions::Range range = options.components;
  if (range.min < 1 || range.max < range.min)
    throw Error(Errc::bad_argument,
                fmt::format("the number of components is {}-{}", range.min, range.max),
                "give a whole number of at least 1, or a range such as 1-5");
  if (options.starts && *options.starts < 1)
    throw Error(Errc::bad_argument, fmt::format("the number of starts is {}", *options.starts),
                "give a whole number of at least 1");
  if (options.max_iterations < 1)
    throw Error(Errc::bad_argument,
                fmt::format("the maximum number of iterations is {}", options.max_iterations),
                "give a whole number of at least 1");
}

void validate(const KernelOptions& options) {
  if (options.bandwidth && !(*options.bandwidth > 0 && std::isfinite(*options.bandwidth)))
    throw Error(Errc::bad_argument, fmt::format("the bandwidth is {}", *options.bandwidth),
                {"give {} a number above 0", {{"bandwidth"}}});
  if (options.gamma) check_unit_interval("kernel_gamma", *options.gamma);
}

void validate(const DiscreteOptions& options) {
  const auto refuse = [](const char* what, double value, const Advice& hint) {
    throw Error(Errc::bad_argument, fmt::format("{} is {}", what, value), hint);
  };
  if (!(options.smoothing >= 0) || !std::isfinite(options.smoothing))
    refuse("the smoothing", options.smoothing, {"give a {} of at least 0", {{"smoothing"}}});
  if (!(options.min_count >= 0) || !std::isfinite(options.min_count))
    refuse("the minimum count of a term", options.min_count,
           {"give a {} of at least 0", {{"min_count"}}});
  if (options.max_bins && (*options.max_bins < 2 || *options.max_bins > 1000))
    refuse("the maximum number of bins", static_cast<double>(*options.max_bins),
           {"give {} a whole number from 2 to 1000", {{"max_bins"}}});
  if (options.pairs && options.joint)
    throw Error(Errc::bad_argument,
                "a joint table and one-dependence estimators exclude each other",
                {"use {} or {}", {{"model", {"joint"}}, {"model", {"aode"}}}});
  if (options.max_terms < 0)
    refuse("the maximum number of terms", static_cast<double>(options.max_terms),
           {"give {} a whole number of at least 1, or 0 for all", {{"max_terms"}}});
}

void validate(const FitOptions& options) {
  if (!options.unlabelled_weight) return;
  const double weight = *options.unlabelled_weight;
  if (!(weight >= 0) || !std::isfinite(weight))
    throw Error(Errc::bad_argument, fmt::format("the weight of unlabelled rows is {}", weight),
                "give a number of at least 0");
}

std::string_view name_of(CountModel model) {
  switch (model) {
    case CountModel::multinomial:
      return "multinomial";
    case CountModel::bernoulli:
      return "bernoulli";
    case CountModel::poisson:
      return "poisson";
  }
  return "";
}

std::string_view name_of(LogisticTerms terms) {
  switch (terms) {
    case LogisticTerms::linear:
      return "linear";
    case LogisticTerms::squares:
      return "squares";
    case LogisticTerms::quadratic:
      return "quadratic";
  }
  return "";
}

Recipe qda() { return of(Covariance::full); }
Recipe lda() { return of(Covariance::tied); }
Recipe gaussian_naive_bayes() { return of(Covariance::diag); }
Recipe dlda() { return of(Covariance::tied_diag); }
Recipe spherical() { return of(Covariance::spherical); }
Recipe centroid() { return of(Covariance::tied_spherical); }
Recipe rda(double alpha, double gamma) {
  Recipe recipe = of(Covariance::full);
  recipe.gaussian.rda = RdaOptions{.alpha = alpha, .gamma = gamma};
  return recipe;
}

Recipe bqda(const BayesianOptions& options) {
  Recipe recipe = of(Covariance::full);
  recipe.gaussian.bayesian = options;
  return recipe;
}

namespace {

Recipe of_counts(CountModel model) {
  Recipe recipe;
  recipe.discrete.counts = model;
  recipe.discrete.sparse_counts = true;
  return recipe;
}

}  // namespace

Recipe mda(const MixtureOptions& options, Covariance covariance) {
  Recipe recipe = of(covariance);
  recipe.mixture = options;
  return recipe;
}
Recipe kernel_bayes(const KernelOptions& options) {
  Recipe recipe = of(Covariance::tied);
  recipe.kernel = options;
  return recipe;
}
Recipe multinomial() { return of_counts(CountModel::multinomial); }
Recipe bernoulli() { return of_counts(CountModel::bernoulli); }
Recipe poisson() { return of_counts(CountModel::poisson); }
Recipe aode() {
  Recipe recipe;
  recipe.discrete.pairs = true;
  return recipe;
}
Recipe joint() {
  Recipe recipe;
  recipe.discrete.joint = true;
  return recipe;
}

DiscreteOptions NamedModel::discrete(DiscreteOptions options) const {
  if (counts) options.counts = *counts;
  options.joint = joint;
  options.pairs = is(Kind::pairs);
  options.sparse_counts = is(Kind::columns);
  return options;
}

const std::vector<NamedModel>& named_models() {
  using Kind = NamedModel::Kind;
  static const std::vector<NamedModel> all = [] {
    std::vector<NamedModel> models;
    for (const GaussianModel& model : all_gaussian_models)
      models.push_back({.name = model.name, .covariance = model.covariance, .rda = model.rda});
    models.push_back({.name = "bqda", .covariance = Covariance::full, .bayesian = true});
    const auto of_columns = [&](std::string_view name, ColumnType type,
                                std::optional<CountModel> counts = {}, bool joint = false) {
      models.push_back({.name = name,
                        .kind = Kind::columns,
                        .every_column = type,
                        .counts = counts,
                        .joint = joint});
    };
    models.push_back({.name = "mda", .kind = Kind::mixture, .covariance = Covariance::full});
    models.push_back({.name = "kernel", .kind = Kind::kernel});
    of_columns(name_of(CountModel::bernoulli), ColumnType::binary, CountModel::bernoulli);
    of_columns("categorical", ColumnType::categorical);
    of_columns("joint", ColumnType::categorical, {}, true);
    models.push_back({.name = "aode", .kind = Kind::pairs});
    for (const CountModel model : {CountModel::multinomial, CountModel::poisson})
      of_columns(name_of(model), ColumnType::count, model);
    models.push_back(
        {.name = "complement", .kind = Kind::complement, .every_column = ColumnType::count});
    models.push_back({.name = "logistic", .kind = Kind::logistic});
    models.push_back({.name = "auto", .kind = Kind::automatic});
    models.push_back({.name = "best", .kind = Kind::automatic});
    return models;
  }();
  return all;
}

Scatter scatter_needed(const Recipe& recipe) {
  return is_full(recipe.gaussian.covariance) ? Scatter::full : Scatter::diagonal;
}

}  // namespace genera
