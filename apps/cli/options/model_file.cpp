#include "options/model_file.hpp"

#include "model_facts.hpp"

#include <genera/error.hpp>
#include <genera/io.hpp>

namespace genera::cli {

ArgumentText model_argument() { return {"MODEL", "a file written by fit, or by hand"}; }

Model load_with_priors(const std::string& path, const std::optional<PriorChoice>& priors) {
  Model model = load_model(path);
  if (!priors) return model;
  if (!model.is_density())
    throw Error(Errc::bad_argument,
                "--priors: complement has no prior in its score, so priors change nothing",
                "leave --priors out");
  const std::vector<double> counts = class_counts(model);
  if (priors->kind == PriorChoice::Kind::empirical && counts.empty())
    throw Error(
        Errc::bad_argument,
        "--priors empirical: '" + path + "' does not say how many rows are behind each class",
        "give the priors as a list A=0.2,B=0.8, or leave --priors out");
  return model.with_prior(resolve(*priors, model.classes(), counts));
}

}  // namespace genera::cli
