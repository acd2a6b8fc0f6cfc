#include "options/model_file.hpp"

#include <genera/description.hpp>
#include <genera/error.hpp>
#include <genera/io.hpp>
#include <genera/stream.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace genera::cli {

namespace {

bool is_model(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  try {
    (void)load_classifier(path);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Whether rows can be read from it.
bool is_table(const std::string& path) {
  std::error_code error;
  if (!path.starts_with('@') && !std::filesystem::is_regular_file(path, error)) return false;
  try {
    const RowStream rows(path, {}, Roles{.target = Target::none()});
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

ArgumentText model_argument() {
  return {"MODEL", "a file written by fit, or by hand; - for standard input"};
}

Classifier load_for(const std::string& path, const std::string& data) {
  if (path == "-" && data == "-")
    throw Error(Errc::bad_argument, "MODEL and DATA are both standard input",
                "put one of them into a file");
  try {
    return load_classifier(path);
  } catch (const Error&) {
    if (is_model(data))
      throw Error(Errc::bad_argument,
                  "MODEL comes first: '" + data + "' is a model, and '" + path + "' is not",
                  "write them the other way round");
    if (is_table(path))
      throw Error(Errc::bad_model, "MODEL is '" + path + "', which is a table",
                  "make a model of it with genera fit " + path + " -o model.json");
    throw;
  }
}

Classifier load_with_priors(const std::string& path, const std::string& data,
                            const std::optional<PriorChoice>& priors) {
  Classifier classifier = load_for(path, data);
  if (!priors) return classifier;
  const auto* linear = std::get_if<LinearModel>(&classifier);
  if (linear) refuse_other_priors(*linear, "--priors");
  const ClassifierRef model(classifier);
  const std::vector<double> counts = class_counts(model);
  if (priors->kind == PriorChoice::Kind::empirical && counts.empty())
    throw Error(
        Errc::bad_argument,
        "--priors empirical: '" + path + "' does not say how many rows are behind each class",
        "give the priors as a list A=0.2,B=0.8, or leave --priors out");
  const Prior prior = resolve(*priors, model.classes(), counts);
  if (model.committee()) return model.committee()->with_prior(prior);
  return model.model()->with_prior(prior);
}

void refuse_other_priors(const LinearModel& model, const std::string& option) {
  const std::string_view name = name_of(model.kind());
  throw Error(
      Errc::bad_argument,
      model.is_probabilistic()
          ? fmt::format("{}: {} learns posteriors, in which the priors of its rows are "
                        "contained",
                        option, name)
          : fmt::format("{}: {} has no prior in its score, so priors change nothing", option, name),
      fmt::format("leave {} out, or use --model {}", option, generative_counterpart(model.kind())));
}

Classifier with_density(Classifier classifier, const std::string& path, const std::string& cannot) {
  if (const auto* linear = std::get_if<LinearModel>(&classifier))
    throw Error(
        Errc::bad_model,
        fmt::format("{}: {} is a scorer, not a density: {}", path, name_of(linear->kind()), cannot),
        fmt::format("use a generative model, such as --model {}",
                    generative_counterpart(linear->kind())));
  if (!ClassifierRef(classifier).has_density())
    throw Error(Errc::bad_model,
                fmt::format("{}: no member of the committee has a density: {}", path, cannot),
                "use a generative model, such as --model lda");
  return classifier;
}

Model density_of(Classifier classifier, const std::string& path, const std::string& cannot) {
  classifier = with_density(std::move(classifier), path, cannot);
  if (std::holds_alternative<Committee>(classifier))
    throw Error(Errc::bad_model, fmt::format("{}: a committee is several models: {}", path, cannot),
                "fit a single one with --model best");
  return std::get<Model>(std::move(classifier));
}

}  // namespace genera::cli
