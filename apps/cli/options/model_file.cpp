#include "options/model_file.hpp"

#include "model_facts.hpp"

#include <genera/error.hpp>
#include <genera/io.hpp>

#include <fmt/format.h>

namespace genera::cli {

ArgumentText model_argument() { return {"MODEL", "a file written by fit, or by hand"}; }

Classifier load_with_priors(const std::string& path, const std::optional<PriorChoice>& priors) {
  Classifier classifier = load_classifier(path);
  if (!priors) return classifier;
  const auto* linear = std::get_if<LinearModel>(&classifier);
  if (linear && linear->kind() == LinearModel::Kind::logistic)
    throw Error(Errc::bad_argument,
                "--priors: logistic learns posteriors, in which the priors of its rows are "
                "contained",
                "leave --priors out, or use --model lda");
  if (linear)
    throw Error(Errc::bad_argument,
                fmt::format("--priors: {} has no prior in its score, so priors change nothing",
                            name_of(linear->kind())),
                "leave --priors out");
  const Model& model = std::get<Model>(classifier);
  const std::vector<double> counts = class_counts(model);
  if (priors->kind == PriorChoice::Kind::empirical && counts.empty())
    throw Error(
        Errc::bad_argument,
        "--priors empirical: '" + path + "' does not say how many rows are behind each class",
        "give the priors as a list A=0.2,B=0.8, or leave --priors out");
  return model.with_prior(resolve(*priors, model.classes(), counts));
}

Model density_of(Classifier classifier, const std::string& path, const std::string& cannot) {
  if (const auto* linear = std::get_if<LinearModel>(&classifier))
    throw Error(
        Errc::bad_model,
        fmt::format("{}: {} is a scorer, not a density: {}", path, name_of(linear->kind()), cannot),
        linear->kind() == LinearModel::Kind::logistic ? "use a generative model, such as lda"
                                                      : "use --model multinomial");
  return std::get<Model>(std::move(classifier));
}

}  // namespace genera::cli
