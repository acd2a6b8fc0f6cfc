#include <genera/spec.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <genera/error.hpp>

#include "kernel/text.hpp"

namespace genera {
namespace {

NamedCount covariances(const std::string& structure, double p, double many,
                       const std::string& each) {
  const std::string times = each.empty() ? "" : each + " ";
  if (structure == "full") return {"covariances", many * p * (p + 1) / 2, times + "p(p+1)/2"};
  if (structure == "tied") return {"covariances", p * (p + 1) / 2, "p(p+1)/2"};
  if (structure == "diag") return {"covariances", many * p, times + "p"};
  if (structure == "tied_diag") return {"covariances", p, "p"};
  if (structure == "spherical") return {"covariances", many, each.empty() ? "1" : each};
  if (structure == "tied_spherical") return {"covariances", 1, "1"};
  throw Error(Errc::bad_argument, "'" + structure + "' is not a structure of covariances",
              kernel::did_you_mean(
                  structure, {"full", "tied", "diag", "tied_diag", "spherical", "tied_spherical"},
                  "use full, tied, diag, tied_diag, spherical or "
                  "tied_spherical"));
}

/// Without rda's two constants.
const std::vector<std::pair<std::string, std::string>>& structures() {
  static const std::vector<std::pair<std::string, std::string>> all{{"qda", "full"},
                                                                    {"lda", "tied"},
                                                                    {"gnb", "diag"},
                                                                    {"dlda", "tied_diag"},
                                                                    {"spherical", "spherical"},
                                                                    {"centroid", "tied_spherical"},
                                                                    {"rda", "full"}};
  return all;
}

std::vector<NamedCount> of_gaussians(const std::string& model, const std::string& structure,
                                     const ProblemSize& size) {
  const double p = size.features, K = size.classes;
  std::vector<NamedCount> counts{{"priors", K - 1, "K-1"}, {"means", K * p, "Kp"}};
  counts.push_back(covariances(structure, p, K, "K"));
  if (model == "rda") counts.push_back({"alpha, gamma", 2, "2"});
  return counts;
}

std::vector<NamedCount> of_mixtures(const ProblemSize& size) {
  const double p = size.features, K = size.classes, M = size.components;
  return {{"priors", K - 1, "K-1"},
          {"weights", K * (M - 1), "K(M-1)"},
          {"means", K * M * p, "KMp"},
          covariances(size.covariance, p, K * M, "KM")};
}

NamedCount coefficients(const ProblemSize& size) {
  const double p = size.features, more = size.classes - 1;
  if (size.terms == "linear") return {"coefficients", more * (p + 1), "(K-1)(p+1)"};
  if (size.terms == "squares") return {"coefficients", more * (2 * p + 1), "(K-1)(2p+1)"};
  if (size.terms == "quadratic")
    return {"coefficients", more * (p + 1) * (p + 2) / 2, "(K-1)(p+1)(p+2)/2"};
  throw Error(Errc::bad_argument, "'" + size.terms + "' are not terms",
              "use linear, squares or quadratic");
}

std::vector<NamedCount> of_columns(const std::string& model, const ProblemSize& size) {
  const double p = size.features, K = size.classes, L = size.levels;
  const NamedCount priors{"priors", K - 1, "K-1"};
  if (model == "bernoulli") return {priors, {"probabilities", K * p, "Kp"}};
  if (model == "categorical") return {priors, {"probabilities", K * p * (L - 1), "Kp(L-1)"}};
  if (model == "joint") return {priors, {"probabilities", K * (std::pow(L, p) - 1), "K(L^p-1)"}};
  if (model == "multinomial") return {priors, {"probabilities", K * (p - 1), "K(p-1)"}};
  return {priors, {"means", K * p, "Kp"}};  // poisson
}

void check(const std::string& name, double value, double min) {
  constexpr double max = 1e15;
  if (value >= min && value <= max && value == std::floor(value)) return;
  throw Error(
      Errc::bad_argument,
      "the number of " + name + " is not a whole number of at least " + (min > 1 ? "2" : "1"),
      "give one that is");
}

}  // namespace

const std::vector<std::string>& countable_models() {
  static const std::vector<std::string> all{
      "qda", "lda",         "gnb",   "dlda",        "spherical", "centroid", "rda",
      "mda", "categorical", "joint", "multinomial", "bernoulli", "poisson",  "logistic"};
  return all;
}

std::vector<NamedCount> parameter_counts(const std::string& model, const ProblemSize& size) {
  check("features", size.features, 1);
  check("classes", size.classes, 1);
  check("levels", size.levels, 2);
  check("components", size.components, 1);
  for (const auto& [name, structure] : structures())
    if (name == model) return of_gaussians(model, structure, size);
  if (model == "mda") return of_mixtures(size);
  if (model == "logistic") return {coefficients(size)};
  if (std::ranges::find(countable_models(), model) != countable_models().end())
    return of_columns(model, size);
  throw Error(
      Errc::bad_argument, "the parameters of '" + model + "' cannot be counted",
      kernel::did_you_mean(model, countable_models(), "use " + alternatives(countable_models())));
}

}  // namespace genera
