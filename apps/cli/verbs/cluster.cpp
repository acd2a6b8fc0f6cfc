#include "lists.hpp"
#include "model_rows.hpp"
#include "options/common.hpp"
#include "options/model.hpp"
#include "options/reading.hpp"
#include "options/source.hpp"
#include "show/groups_output.hpp"
#include "show/json.hpp"
#include "show/output.hpp"
#include "show/printable.hpp"
#include "show/report.hpp"
#include "show/text_table.hpp"
#include "values.hpp"

#include <genera/description.hpp>
#include <genera/evaluate.hpp>
#include <genera/io.hpp>
#include <genera/mixture.hpp>
#include <genera/names.hpp>
#include <genera/stream.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace genera::cli {
namespace {

OptionGroup mixture_texts() {
  OptionGroup group{"Mixtures", {}};
  for (const OptionSpec& option : cluster_options())
    if (option.group == OptionSpec::Group::model) group.options.push_back(option_text(option));
  return group;
}

VerbText cluster_text() {
  return {"cluster",
          "groups of similar rows, without labels",
          "Fits mixtures of Gaussians to the numeric columns and chooses the number of components "
          "and the covariance structure by BIC. Prints the BIC of all candidates (lower is better; "
          "* marks candidates that only the variance floor kept from collapsing, which are chosen "
          "only if there is no other; ~ marks candidates for a large table that were stopped early "
          "because they could not become the best), the sizes of the groups, and the columns that "
          "distinguish each group: its means minus those of all rows, in standard deviations of "
          "all rows. With -o the best candidate is saved as a model whose classes '1', '2', … are "
          "the components, the heaviest first: predict gives the group of a row. A label is never "
          "used to find groups, but the agreement with it is reported (adjusted Rand index, 1 if "
          "the groups are the classes). All rows are kept in memory.",
          {data_argument()},
          {mixture_texts(),
           {"Columns (lists accept CSV quoting)",
            {{"--target", "COL",
              "label column, used only to report agreement (default: the only column named label, "
              "class or target, or y if it has no numbers)"},
             features_text(),
             drop_text(),
             weights_text(),
             counts_text(),
             {"--type", "COL=TYPE", "numeric instead of the guessed type (repeatable)"},
             option_text(*std::ranges::find(cluster_options(), "missing", &OptionSpec::name))}},
           reading_texts(),
           common_texts("do not save a model")},
          {"genera cluster @faithful_unlabelled -o groups.json",
           "genera predict groups.json @faithful_unlabelled --proba",
           "genera cluster @iris --target species --components 2-4 --covariance full,tied --json"}};
}

struct ClusterArguments {
  Source source;
  ClusterOptions options;
  Common common;
};

/// The label is not used to find groups, only to compare them with.
Source source_with_label(const Words& words) {
  Source source = source_of(words.arguments[0], words);
  if (!source.roles.target.name()) source.roles.target = Target::if_named();
  return source;
}

ClusterArguments cluster_arguments(const Words& words) {
  const Common common = common_of(words);
  return {source_with_label(words),
          cluster_options_from(values_of(words, cluster_options()), common.seed), common};
}

void refuse_statistics(const std::string& data) {
  if (!looks_like_statistics(data)) return;
  throw Error(Errc::bad_argument, "'cluster' needs the rows, but '" + data + "' holds statistics",
              "give the table itself");
}

/// 'a', 'b' and 5 more
std::string quoted_names(const std::vector<std::string>& names) {
  constexpr std::size_t max = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), max); ++i)
    text += (i > 0 ? ", '" : "'") + names[i] + "'";
  return names.size() > max ? text + fmt::format(" and {} more", names.size() - max) : text;
}

/// The number of rows by label and group.
struct Agreement {
  std::string label;
  std::vector<std::string> labels, groups;
  Matrix rows;
};

/// Empty if the rows have no labels.
std::optional<Agreement> agreement_of(const Model& model, const Table& table,
                                      const std::vector<std::int32_t>& labels) {
  if (labels.empty()) return std::nullopt;
  Agreement found{table.target, table.classes, model.classes(), {}};
  sort_labels(found.labels);
  const NameSet sorted(found.labels);
  found.rows = Matrix(std::ssize(found.labels), std::ssize(found.groups));
  const std::vector<std::int32_t> groups = predict(model, table);
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (labels[i] >= 0)
      found.rows(*sorted.find(table.classes[static_cast<std::size_t>(labels[i])]), groups[i]) += 1;
  return found;
}

std::string agreement_table(const Agreement& agreement) {
  constexpr std::size_t max_labels = 50;
  std::string text = fmt::format("\nagreement with '{}': adjusted Rand index {:.4f}\n",
                                 brief(agreement.label), adjusted_rand_index(agreement.rows));
  if (agreement.labels.size() > max_labels) return text;
  TextCells cells{{"label \\ group"}};
  cells[0].insert(cells[0].end(), agreement.groups.begin(), agreement.groups.end());
  for (Index i = 0; i < agreement.rows.rows(); ++i) {
    cells.push_back({agreement.labels[static_cast<std::size_t>(i)]});
    for (const double rows : agreement.rows.row(i)) cells.back().push_back(rounded(rows));
  }
  return text + text_table(cells);
}

Facts facts_of(const Agreement& agreement) {
  return {{"label", agreement.label},
          {"adjusted_rand_index", adjusted_rand_index(agreement.rows)},
          {"labels", agreement.labels},
          {"groups", agreement.groups},
          {"rows", agreement.rows}};
}

/// BIC by number of components (rows) and structure (columns), and the choice.
std::string cluster_table(const Clustering& clustering) {
  std::vector<Covariance> structures;
  std::map<Index, std::map<Covariance, std::string>> cells;
  for (const ClusterCandidate& candidate : clustering.candidates) {
    if (std::ranges::find(structures, candidate.covariance) == structures.end())
      structures.push_back(candidate.covariance);
    cells[candidate.components][candidate.covariance] = fmt::format(
        "{:.2f}{}{}", candidate.bic, candidate.on_floor ? "*" : "", candidate.given_up ? "~" : "");
  }
  TextCells rows{{"components"}};
  for (const Covariance covariance : structures) rows.front().emplace_back(name_of(covariance));
  for (const auto& [components, bics] : cells) {
    std::vector<std::string>& row = rows.emplace_back();
    row.push_back(std::to_string(components));
    for (const Covariance covariance : structures)
      row.push_back(bics.contains(covariance) ? bics.at(covariance) : "-");
  }
  const ClusterCandidate& best = clustering.candidates[clustering.best];
  std::string legend;
  if (std::ranges::any_of(clustering.candidates, &ClusterCandidate::on_floor))
    legend +=
        "* a component would have collapsed but for the variance floor: never the best while there "
        "is another\n";
  if (std::ranges::any_of(clustering.candidates, &ClusterCandidate::given_up))
    legend += "~ not followed to its end: it could still fall, but not become the best\n";
  return "BIC (lower is better)\n" + text_table(rows) + legend +
         fmt::format("\nbest: {}, {} ({}), log-likelihood {:.4f}, {} parameters\n",
                     counted(best.components, "component"), name_of(best.covariance),
                     meaning_of_components(best.covariance), best.log_likelihood, best.parameters);
}

struct FoundGroups {
  Clustering clustering;
  GroupProfiles profiles;
  std::optional<Agreement> agreement;
  std::vector<std::string> said;  ///< notes that were announced
};

/// agreement, if there are labels; profiles, best, candidates
std::string cluster_json(const FoundGroups& found) {
  Facts all;
  if (found.agreement) all.push_back({"agreement", facts_of(*found.agreement)});
  all.push_back({"profiles", facts(found.profiles, found.clustering.model.classes())});
  append(all, facts(found.clustering));
  return json_document(all);
}

/// The rows to cluster, and their labels.
std::string columns_used(const std::vector<Column>& columns, const std::string& label) {
  std::vector<std::string> names;
  for (const Column& column : columns)
    if (column.type == ColumnType::numeric) names.push_back(column.name);
  std::string text = "groups are found by " + quoted_names(names);
  if (!label.empty()) text += "; '" + label + "' is a label and not used";
  return text;
}

FoundGroups found(const ClusterArguments& arguments) {
  const Source& source = arguments.source;
  RowStream rows(source.rows(), source.csv, source.roles);
  ProgressLine progress(arguments.common.quiet,
                        {{Advice(columns_used(rows.columns(), rows.target()))}});
  const Control control = progress.control(arguments.common.threads);
  Table table = read_rows(rows, control);
  const std::vector<std::int32_t> labels = std::exchange(table.labels, {});
  Clustering clustering = cluster(table, arguments.options, control);
  std::optional<Agreement> agreement = agreement_of(clustering.model, table, labels);
  GroupProfiles profiles = group_profiles(clustering.model, table, {.threads = control.threads});
  return {std::move(clustering), std::move(profiles), std::move(agreement), progress.said()};
}

/// Notes that the best number of components is at the end of the range.
void note_end_of_range(const Report& report, const ClusterOptions& options,
                       const Clustering& clustering) {
  const auto [min, max] = options.mixture.components;
  const Index best = clustering.candidates[clustering.best].components;
  if (min == max || best == 1) return;
  if (best == max)
    report.note(
        fmt::format("{} components are the most that were tried: there may be more groups; "
                    "try --components {}-{}",
                    best, min, 2 * max));
  else if (best == min)
    report.note(
        fmt::format("{} components are the fewest that were tried: there may be fewer "
                    "groups; try --components 1-{}",
                    best, max));
}

void report_columns(const FoundGroups& found, bool quiet) {
  const std::string label = found.agreement ? found.agreement->label : "";
  const Note used{Advice(columns_used(found.clustering.model.features(), label))};
  Report(quiet).notes({used}, found.said);
}

std::string cluster_text_of(const FoundGroups& found) {
  return cluster_table(found.clustering) + '\n' +
         groups_text(found.profiles, found.clustering.model.classes()) +
         (found.agreement ? agreement_table(*found.agreement) : std::string());
}

void run_cluster(const Words& words) {
  const ClusterArguments arguments = cluster_arguments(words);
  const Common& common = arguments.common;
  refuse_output_onto(common, {arguments.source.data});
  refuse_statistics(arguments.source.data);
  const FoundGroups groups = found(arguments);
  report_columns(groups, common.quiet);
  Common to_screen = common;
  to_screen.output.reset();
  write_output(to_screen, common.json ? cluster_json(groups) : cluster_text_of(groups));
  if (common.output) save(remembering(groups.clustering.model, arguments.source), *common.output);
  const Report report(common.quiet);
  report.notes(groups.clustering.report.notes);
  note_end_of_range(report, arguments.options, groups.clustering);
}

}  // namespace

Verb cluster_verb() { return {cluster_text(), run_cluster}; }

}  // namespace genera::cli
