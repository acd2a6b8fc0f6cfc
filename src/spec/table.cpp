// The table of options: name, type, models that use it, help text, and access to the draft.
#include <algorithm>

#include "spec/access.hpp"

namespace genera::spec {
namespace {

using Type = OptionSpec::Type;
using Group = OptionSpec::Group;
using Names = std::vector<std::string>;

const Names automatic_models{"auto", "best"};
const Names gaussian_models{"qda", "lda", "gnb", "dlda", "spherical", "centroid", "rda"};
const Names count_models{"multinomial", "bernoulli", "complement"};
const Names level_models{"categorical", "joint", "aode", "poisson"};

Names operator+(Names first, const Names& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

const Names generative_models = gaussian_models +
                                Names{"bqda", "mda", "kernel", "multinomial", "bernoulli"} +
                                level_models + automatic_models;
const Names all_models = generative_models + Names{"complement", "logistic"};
const Names models_of_numbers = gaussian_models + Names{"bqda", "mda", "kernel"} + automatic_models;
const Names models_of_texts = models_of_numbers + count_models + Names{"logistic"};

constexpr double max_int = 1e9;

std::vector<Row> gaussian_rows() {
  return {
      {{.name = "priors",
        .type = Type::priors,
        .placeholder = "PRIORS",
        .help = "empirical, uniform or a list A=0.2,B=0.8 (default: empirical)",
        .models = generative_models,
        .choices = list_of(priors)},
       {set_priors, priors_of}},
      {{.name = "divisor",
        .type = Type::choice,
        .placeholder = "NAME",
        .help = "divisor of covariances: mle (n) or unbiased (n - 1 per class, n - K pooled) "
                "(default: mle)",
        .models = gaussian_models + automatic_models,
        .choices = list_of(divisors)},
       at_choice<divisors, &Draft::gaussian, &GaussianOptions::divisor>},
      {{.name = "shrinkage",
        .type = Type::number_or_choice,
        .placeholder = "HOW",
        .help = "shrinkage of full covariances: none, oas, lw or a number from 0 to 1 "
                "(default: none)",
        .models = {"qda", "lda"},
        .choices = list_of(shrinkages),
        .max = 1,
        .in_grids = true},
       {set_shrinkage, shrinkage_of}},
      {{.name = "alpha",
        .placeholder = "A",
        .help = "rda: from 0 (pooled covariance) to 1 (each class's own) (default: 0.5)",
        .models = {"rda"},
        .max = 1,
        .in_grids = true},
       at_number<&Draft::rda, &RdaOptions::alpha>},
      {{.name = "gamma",
        .placeholder = "G",
        .help = "rda: from 0 (as estimated) to 1 (the simple target) (default: 0)",
        .models = {"rda"},
        .max = 1,
        .in_grids = true},
       at_number<&Draft::rda, &RdaOptions::gamma>},
      {{.name = "toward",
        .type = Type::choice,
        .placeholder = "TARGET",
        .help = "rda: the simple target, diagonal or identity (default: diagonal)",
        .models = {"rda"},
        .choices = list_of(targets)},
       at_choice<targets, &Draft::rda, &RdaOptions::toward>},
      {{.name = "prior_rows",
        .placeholder = "ROWS",
        .help = "bqda: weight of the prior covariance of each class, in rows (default: 0.1, 0.5, 2 "
                "or 8 times the number of columns, chosen by the marginal likelihood)",
        .models = {"bqda"},
        .in_grids = true},
       {set_prior_rows, prior_rows_of}},
      {{.name = "prior_gamma",
        .placeholder = "G",
        .help = "bqda: the prior covariance, from 0 (pooled) to 1 (its diagonal) (default: 0.1, "
                "0.4 or 1, chosen by the marginal likelihood)",
        .models = {"bqda"},
        .max = 1,
        .in_grids = true},
       {set_prior_gamma, prior_gamma_of}},
      {{.name = "raw_units",
        .type = Type::flag,
        .help =
            "do not scale the columns: they share one unit (logistic: penalise coefficients in the "
            "units of the columns)",
        .models = Names{"qda", "lda", "spherical", "centroid", "rda", "mda", "logistic"} +
                  automatic_models},
       at_raw_units},
      {{.name = "variance_prior",
        .placeholder = "ROWS",
        .help = "gnb, spherical: prior weight of the pooled variances, in rows per class "
                "(default: 0)",
        .models = {"gnb", "spherical"}},
       at_number<&Draft::gaussian, &GaussianOptions::variance_prior>},
      {{.name = "variance_floor",
        .placeholder = "F",
        .help = "lowest variance, as a part of the column's pooled variance (default: 1e-4)",
        .models = models_of_numbers},
       at_number<&Draft::gaussian, &GaussianOptions::variance_floor>},
      {{.name = "on_singular",
        .type = Type::choice,
        .placeholder = "HOW",
        .help = "a singular covariance is an error, or is shrunk toward the pooled variances "
                "(default: error)",
        .models = gaussian_models + Names{"bqda", "mda", "kernel"},
        .choices = list_of(singular),
        .estimator_default = std::string("shrink")},  // a search does not stop at one candidate
       at_choice<singular, &Draft::gaussian, &GaussianOptions::on_singular>}};
}

std::vector<Row> iterative_rows() {
  return {
      {{.name = "components",
        .type = Type::range,
        .placeholder = "M|A-B",
        .help = "mda: Gaussians in each class; BIC chooses from a range (default: 1-5)",
        .models = {"mda"}},
       {set_components, components_of}},
      {{.name = "covariance",
        .type = Type::choice,
        .placeholder = "NAME",
        .help = "mda: covariance structure of the components, full, tied, diag, tied_diag, "
                "spherical or tied_spherical (default: full)",
        .models = {"mda"},
        .choices = structures(),
        .aliases = structure_aliases()},
       at_covariance},
      {{.name = "starts",
        .type = Type::whole,
        .placeholder = "N",
        .help = "mda: starts of each mixture (default: 10)",
        .models = {"mda"},
        .min = 1,
        .max = max_int},
       {set_starts, starts_of}},
      {{.name = "bandwidth",
        .placeholder = "H",
        .help = "kernel: standard deviation of the kernels, relative to that within classes "
                "(default: from 0.25 to 1, chosen by leaving rows out)",
        .models = {"kernel"},
        .in_grids = true},
       {set_bandwidth, bandwidth_of}},
      {{.name = "kernel_gamma",
        .placeholder = "G",
        .help = "kernel: covariance of the kernels, from 0 (pooled) to 1 (its diagonal) (default: "
                "0.1 or 1, chosen by leaving rows out)",
        .models = {"kernel"},
        .max = 1,
        .in_grids = true},
       {set_kernel_gamma, kernel_gamma_of}},
      {{.name = "ridge",
        .placeholder = "L",
        .help = "logistic: penalty, L/2 times the sum of squared coefficients (default: 1)",
        .models = {"logistic"},
        .in_grids = true},
       at_number<&Draft::logistic, &LogisticOptions::ridge>},
      {{.name = "terms",
        .type = Type::choice,
        .placeholder = "NAME",
        .help = "logistic: linear, squares (adds the squares of the numbers) or quadratic (adds "
                "squares and products) (default: linear)",
        .models = {"logistic"},
        .choices = list_of(logistic_terms)},
       at_choice<logistic_terms, &Draft::logistic, &LogisticOptions::terms>},
      {{.name = "max_iter",
        .type = Type::whole,
        .placeholder = "N",
        .help = "mda, logistic: maximum number of iterations (default: 1000 for EM, 200 for "
                "Newton's method)",
        .models = {"mda", "logistic"},
        .min = 1,
        .max = max_int},
       at_max_iterations},
      {{.name = "tol",
        .placeholder = "T",
        .help = "logistic: stop when the gradient is T times the gradient at zero coefficients "
                "(default: 1e-8)",
        .models = {"logistic"}},
       at_number<&Draft::logistic, &LogisticOptions::tolerance>}};
}

std::vector<Row> terms_rows() {
  return {{{.name = "smoothing",
            .group = Group::terms,
            .placeholder = "S",
            .help = "pseudocount added to every count; 0 for none (default: 1)",
            .models = generative_models + Names{"complement"},
            .in_grids = true},
           at_number<&Draft::discrete, &DiscreteOptions::smoothing>},
          {{.name = "max_bins",
            .type = Type::whole,
            .placeholder = "N",
            .help = "aode: maximum number of bins of a numeric column (default: cube root of the "
                    "number of rows, from 4 to 20)",
            .models = {"aode"},
            .min = 2,
            .max = 1000,
            .in_grids = true},
           {set_max_bins, max_bins_of}},
          {{.name = "min_count",
            .group = Group::terms,
            .placeholder = "N",
            .help = "leave out terms that occur fewer than N times (default: 0)",
            .models = models_of_texts},
           at_number<&Draft::discrete, &DiscreteOptions::min_count>},
          {{.name = "max_terms",
            .type = Type::whole,
            .group = Group::terms,
            .placeholder = "N",
            .help = "keep only the N most frequent terms; 0 for all (default: 0)",
            .models = models_of_texts,
            .max = 1e15},
           at_number<&Draft::discrete, &DiscreteOptions::max_terms>},
          {{.name = "stop_words",
            .type = Type::words,
            .group = Group::terms,
            .placeholder = "WORDS",
            .help = "leave out terms with these words: english, or a list",
            .models = models_of_texts,
            .choices = {"english"}},
           at_stop_words}};
}

std::vector<Row> fitting_rows() {
  return {
      {{.name = "missing",
        .type = Type::choice,
        .group = Group::fitting,
        .placeholder = "HOW",
        .help = "rows with missing values or labels: em learns from what is observed, drop leaves "
                "them out, refuse is an error (default: em)",
        .models = all_models,
        .choices = list_of(missing)},
       at_choice<missing, &Draft::fit, &FitOptions::missing>},
      {{.name = "unlabelled_weight",
        .group = Group::fitting,
        .placeholder = "W",
        .help = "weight of a row without a label (default: 0, 0.1 or 1, chosen by "
                "cross-validation)",
        .models = generative_models},
       at_unlabelled_weight},
      {{.name = "calibrate",
        .type = Type::choice,
        .group = Group::fitting,
        .placeholder = "HOW",
        .help = "temperature: scale log-odds by one temperature, fitted by cross-validation; or "
                "none (default: temperature for auto and best, none for other models)",
        .models = all_models,
        .choices = {"none", "temperature"}},
       {set_calibrate, calibrate_of}},
      {{.name = "simple",
        .type = Type::flag,
        .group = Group::fitting,
        .help = "auto: prefer one model unless a committee is better by three standard errors",
        .models = {"auto"}},
       at_flag<&Draft::simple>},
      {{.name = "fast",
        .type = Type::flag,
        .group = Group::fitting,
        .help = "auto, best: only models that are estimated from sums, and one of them",
        .models = automatic_models},
       at_flag<&Draft::fast>},
      {{.name = "no_rows",
        .type = Type::flag,
        .group = Group::fitting,
        .help = "auto, best: no model that contains training rows (kernel)",
        .models = automatic_models},
       at_flag<&Draft::no_rows>},
      {{.name = "folds",
        .type = Type::whole,
        .group = Group::fitting,
        .placeholder = "K",
        .help = "folds of the cross-validation of auto and of the temperature (default: 10)",
        .models = all_models,
        .min = 2,
        .max = max_int},
       at_folds}};
}

/// Takes defaults from a new draft.
std::vector<Row> with_defaults(std::vector<Row> table, const Draft& start) {
  for (Row& row : table) row.spec.default_value = row.at.get(start);
  return table;
}

Draft cluster_start() {
  const ClusterOptions options;
  Draft draft;
  draft.mixture = options.mixture;
  draft.covariances = options.covariances;
  return draft;
}

/// Changes the rows of mda that differ for `cluster`.
void adapt_to_clusters(OptionSpec& spec) {
  if (spec.name == "components") spec.help = "number of components, or a range (default: 1-9)";
  if (spec.name == "max_iter") spec.help = "maximum number of EM iterations (default: 1000)";
  if (spec.name == "raw_units") spec.help = "do not scale the columns: they share one unit";
  if (spec.name == "starts")
    spec.help = "starts of each mixture (default: 10, and up to 40 for small tables)";
  if (spec.name == "variance_floor")
    spec.help = "lowest spread of a component, as a part of that of all rows (default: 1e-4)";
  if (spec.name == "on_singular")
    spec.help =
        "linearly dependent columns: error leaves full covariances out, shrink keeps them "
        "(default: error)";
  if (spec.name == "missing")
    spec.help =
        "rows with missing numbers: em learns from what is observed, drop leaves them out, "
        "refuse is an error (default: em)";
  if (spec.name != "covariance") return;
  spec.type = Type::choices;
  spec.placeholder = "LIST";
  spec.help =
      "structures to try: full, tied, diag, tied_diag, spherical, tied_spherical "
      "(default: full,tied,diag,spherical)";
}

}  // namespace

const std::vector<Row>& rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> table;
    for (const auto& part : {gaussian_rows(), iterative_rows(), terms_rows(), fitting_rows()})
      table.insert(table.end(), part.begin(), part.end());
    return with_defaults(std::move(table), {});
  }();
  return all;
}

const std::vector<Row>& cluster_rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> table;
    for (const char* name : {"components", "covariance", "starts", "raw_units", "variance_floor",
                             "on_singular", "max_iter", "missing"}) {
      table.push_back(*find(rows(), name));
      adapt_to_clusters(table.back().spec);
      if (table.back().spec.name == "covariance")
        table.back().at = {set_covariances, covariances_of};
    }
    return with_defaults(std::move(table), cluster_start());
  }();
  return all;
}

const Row* find(const std::vector<Row>& table, std::string_view name) {
  const auto found =
      std::ranges::find_if(table, [&](const Row& row) { return row.spec.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace genera::spec
