#include "lists.hpp"
#include "options/common.hpp"
#include "options/model.hpp"
#include "options/reading.hpp"
#include "options/source.hpp"
#include "show/json.hpp"
#include "show/output.hpp"
#include "show/report.hpp"
#include "show/text_table.hpp"
#include "values.hpp"

#include <genera/description.hpp>
#include <genera/io.hpp>
#include <genera/mixture.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace genera::cli {
namespace {

VerbText text() {
  return {"cluster",
          "groups of similar rows, without labels",
          "Describes the numeric columns by mixtures of Gaussians, with as many components and the "
          "covariance structure that BIC prefers, and prints the BIC of all that were tried (small "
          "is good; * marks those that only the variance floor kept from collapsing, which are "
          "chosen only if there is no other). With -o the best is saved as a model whose classes "
          "'1', '2', … are the components, the heaviest first: predict tells the group of a row. "
          "All rows are kept in memory.",
          {data_argument()},
          {{"Mixtures",
            {{"--components", "M|A-B", "how many components (default 1-9)"},
             {"--covariance", "LIST",
              "structures to try, among qda lda gnb dlda spherical centroid (default "
              "qda,lda,gnb,spherical)"},
             {"--starts", "N", "random starts of each mixture (default 10)"},
             {"--raw-units", "", "the columns share one unit: do not scale them"},
             {"--variance-floor", "F",
              "least spread of a component as a part of that of all rows (1e-4)"},
             {"--on-singular", "HOW",
              "if columns depend on each other: error (default: no full covariances) or shrink"}}},
           {"Columns (lists accept CSV quoting)",
            {{"--target", "COL", "a label: not used"},
             features_text(),
             drop_text(),
             weights_text(),
             {"--type", "COL=TYPE", "numeric instead of the guess (repeatable)"},
             {"--missing", "HOW",
              "rows that lack numbers: em (default) learns from what is there, drop leaves them "
              "out"}}},
           reading_texts(),
           common_texts("do not save a model")},
          {"genera cluster @faithful_unlabelled -o groups.json",
           "genera predict groups.json @faithful_unlabelled --proba",
           "genera cluster @iris --target species --components 2-4 --covariance qda,lda --json"}};
}

struct ClusterArguments {
  Source source;
  ClusterOptions options;
  Common common;
};

/// A label is nothing to find groups in.
Source unlabelled_source(const Words& words) {
  Source source = source_of(words.arguments[0], words);
  if (source.roles.target.name()) source.roles.drop.push_back(*source.roles.target.name());
  source.roles.target = Target::none();
  return source;
}

ClusterOptions options_of(const Words& words, const std::optional<Missing>& missing) {
  ClusterOptions options;
  options.mixture = mixture_of(words, {1, 9});
  if (words.has("--covariance")) {
    std::vector<Family> covariances;
    for (const std::string& name : split_lists("--covariance", words.values("--covariance")))
      covariances.push_back(parse_covariance(name));
    options.covariances = std::move(covariances);
  }
  options.raw_units = words.has("--raw-units");
  if (const auto floor = words.value("--variance-floor"))
    options.variance_floor = parse_number("--variance-floor", *floor);
  if (const auto how = words.value("--on-singular")) options.on_singular = parse_on_singular(*how);
  if (missing) options.missing = *missing;
  validate(options);
  return options;
}

ClusterArguments arguments_of(const Words& words) {
  Source source = unlabelled_source(words);
  ClusterOptions options = options_of(words, source.missing);
  return {std::move(source), std::move(options), common_of(words)};
}

void refuse_statistics(const std::string& data) {
  if (!looks_like_statistics(data)) return;
  throw Error(Errc::bad_argument, "'cluster' needs the rows, but '" + data + "' holds statistics",
              "give the table itself");
}

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

/// BIC by number of components (rows) and structure (columns), and what was chosen.
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
  return "BIC (lower is better)\n" + text_table(rows) +
         fmt::format("\nbest: {} component{} {} ({}), log-likelihood {:.4f}, {} parameters\n",
                     best.components, best.components == 1 ? "," : "s,", name_of(best.covariance),
                     meaning_of_components(best.covariance), best.log_likelihood, best.parameters);
}

/// {"best": {...}, "candidates": [{...}, ...]}
std::string cluster_json(const Clustering& clustering) {
  std::string text = "{\n  \"best\": " + candidate_json(clustering.candidates[clustering.best]) +
                     ",\n  \"candidates\": [";
  for (std::size_t i = 0; i < clustering.candidates.size(); ++i)
    text += (i > 0 ? ",\n    " : "\n    ") + candidate_json(clustering.candidates[i]);
  return text + "\n  ]\n}\n";
}

Clustering found(const ClusterArguments& arguments) {
  const Source& source = arguments.source;
  ProgressLine progress(arguments.common.quiet);
  const Control control = progress.control(arguments.common.threads);
  const Table table = read_csv(source.data, source.roles, source.csv, control);
  return cluster(table, arguments.options, control);
}

void run(const Words& words) {
  const ClusterArguments arguments = arguments_of(words);
  const Common& common = arguments.common;
  const Source& source = arguments.source;
  refuse_output_onto(common, {source.data});
  refuse_statistics(source.data);
  const Clustering clustering = found(arguments);
  Common to_screen = common;
  to_screen.output.reset();
  write_output(to_screen, common.json ? cluster_json(clustering) : cluster_table(clustering));
  if (common.output) save(clustering.model, *common.output);
  Report(common.quiet).notes(clustering.report.notes);
}

}  // namespace

Verb cluster_verb() { return {text(), run}; }

}  // namespace genera::cli
