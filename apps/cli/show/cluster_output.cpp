#include "cluster_output.hpp"

#include "json_output.hpp"
#include "names.hpp"
#include "text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace genera::cli {
namespace {

std::string candidate_json(const ClusterCandidate& candidate) {
  std::string text = fmt::format("{{\"components\": {}, \"covariance\": \"{}\", ",
                                 candidate.components, name_of(candidate.covariance));
  text += "\"log_likelihood\": ";
  append_json_number(text, candidate.log_likelihood);
  text += fmt::format(", \"parameters\": {}, \"bic\": ", candidate.parameters);
  append_json_number(text, candidate.bic);
  return text + fmt::format(", \"converged\": {}, \"on_floor\": {}}}", candidate.converged,
                            candidate.on_floor);
}

}  // namespace

std::string cluster_table(const Clustering& clustering) {
  std::vector<Family> families;
  std::map<Index, std::map<Family, std::string>> cells;
  for (const ClusterCandidate& candidate : clustering.candidates) {
    if (std::ranges::find(families, candidate.covariance) == families.end())
      families.push_back(candidate.covariance);
    cells[candidate.components][candidate.covariance] =
        fmt::format("{:.2f}{}", candidate.bic, candidate.on_floor ? "*" : "");
  }
  std::vector<std::vector<std::string>> rows{{"components"}};
  for (const Family family : families) rows.front().emplace_back(name_of(family));
  for (const auto& [components, bics] : cells) {
    std::vector<std::string>& row = rows.emplace_back();
    row.push_back(std::to_string(components));
    for (const Family family : families) row.push_back(bics.at(family));
  }
  const ClusterCandidate& best = clustering.candidates[clustering.best];
  return "BIC (small is good)\n" + text_table(rows) +
         fmt::format("\nbest: {} component{} {} ({}), log-likelihood {:.4f}, {} parameters\n",
                     best.components, best.components == 1 ? "," : "s,", name_of(best.covariance),
                     meaning_of_components(best.covariance), best.log_likelihood, best.parameters);
}

std::string cluster_json(const Clustering& clustering) {
  std::string text = "{\n  \"best\": " + candidate_json(clustering.candidates[clustering.best]) +
                     ",\n  \"candidates\": [";
  for (std::size_t i = 0; i < clustering.candidates.size(); ++i)
    text += (i > 0 ? ",\n    " : "\n    ") + candidate_json(clustering.candidates[i]);
  return text + "\n  ]\n}\n";
}

}  // namespace genera::cli
