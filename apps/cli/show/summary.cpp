#include "show/summary.hpp"

#include "model_facts.hpp"
#include "show/covariance_words.hpp"
#include "show/printable.hpp"
#include "show/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace genera::cli {
namespace {

constexpr Index most_columns_of_a_covariance = 12;

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

std::string counted(Index count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string names_in_a_line(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 20;
  std::string line;
  for (std::size_t i = 0; i < std::min(names.size(), shown); ++i)
    line += (i > 0 ? ", " : "") + brief(names[i]);
  if (names.size() > shown) line += fmt::format(", … and {} more", names.size() - shown);
  return line;
}

std::string list_of(const std::vector<double>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) text += (i > 0 ? ", " : "") + rounded(values[i]);
  return text;
}

std::string class_table(const Model& model) {
  const std::vector<double> counts = class_counts(model);
  std::vector<std::vector<std::string>> cells{{"class", "count", "prior"}};
  for (std::size_t k = 0; k < model.classes().size(); ++k)
    cells.push_back({model.classes()[k], counts.empty() ? "-" : rounded(counts[k]),
                     rounded(model.prior().probabilities()[k])});
  return text_table(cells);
}

std::string how_estimated(const GaussianParameters& parameters) {
  std::string text;
  if (parameters.family == Family::rda)
    text +=
        fmt::format("alpha {}, gamma {}\n", rounded(parameters.alpha), rounded(parameters.gamma));
  if (!parameters.shrinkage.empty()) text += "shrinkage: " + list_of(parameters.shrinkage) + '\n';
  if (parameters.raw_units) text += "raw units: columns are not scaled\n";
  if (!parameters.counts.empty())
    text += parameters.unbiased ? "divisor: unbiased (n - 1 per class, n - K pooled)\n"
                                : "divisor: mle (n)\n";
  return text;
}

/// Whose densities they are: classes or components.
struct Owners {
  std::vector<std::string> names;
  const char* kind;  // in the plural
};

std::string covariance_tables(const Owners& owners, const GaussianBlock& block) {
  if (block.diagonal()) return "";
  if (block.dimension() > most_columns_of_a_covariance)
    return fmt::format("\ncovariances: not shown for more than {} features (--json has them)\n",
                       most_columns_of_a_covariance);
  std::string text;
  for (Index k = 0; k < (block.shared() ? 1 : block.classes()); ++k) {
    const Matrix covariance = block.covariance(k);
    text += block.shared()
                ? fmt::format("\ncovariance, shared by all {}\n", owners.kind)
                : "\ncovariance of " + brief(owners.names[static_cast<std::size_t>(k)]) + '\n';
    text += text_table({block.parameters().columns, block.parameters().columns,
                        [&](Index i, Index j) { return covariance(i, j); }});
  }
  return text;
}

std::string deviation_table(const Owners& owners, const GaussianBlock& block) {
  const GaussianParameters& parameters = block.parameters();
  const auto variance = [&](Index k, Index j) {
    return block.diagonal() ? parameters.variances(k, j)
                            : parameters.covariances[static_cast<std::size_t>(k)](j, j);
  };
  const std::vector<std::string> names =
      block.shared() ? std::vector<std::string>{fmt::format("all {}", owners.kind)} : owners.names;
  return "\nstandard deviations\n" + text_table({parameters.columns, names, [&](Index j, Index k) {
                                                   return std::sqrt(variance(k, j));
                                                 }});
}

std::string densities(const Owners& owners, const GaussianBlock& block) {
  const GaussianParameters& parameters = block.parameters();
  return "\nmeans\n" +
         text_table({parameters.columns, owners.names,
                     [&](Index j, Index k) { return parameters.means(k, j); }}) +
         deviation_table(owners, block) + covariance_tables(owners, block);
}

std::string describe(const Model& model, const GaussianBlock& block) {
  return how_estimated(block.parameters()) + densities({model.classes(), "classes"}, block);
}

/// What a block is called, and what that means.
std::string block_line(const Block& block) {
  if (const auto* gaussian = std::get_if<GaussianBlock>(&block)) {
    const Family family = gaussian->parameters().family;
    return fmt::format("{} ({})", name_of(family), meaning_of(family));
  }
  if (const auto* mixture = std::get_if<MixtureBlock>(&block)) {
    const GaussianParameters& components = mixture->parameters().components;
    return fmt::format("mda ({} in all, {})",
                       counted(components.means.rows(), "component", "components"),
                       meaning_of_components(components.family));
  }
  if (const auto* levels = std::get_if<CategoricalBlock>(&block))
    return levels->parameters().kind == CategoricalParameters::Kind::bernoulli
               ? "bernoulli (columns of two levels, independent within a class)"
               : "categorical (columns of levels, independent within a class)";
  if (std::holds_alternative<JointBlock>(block))
    return "joint (one probability for each combination of levels)";
  const CountParameters& p = std::get<CountBlock>(block).parameters();
  const std::string of =
      p.text.empty()
          ? counted(std::ssize(p.terms), "column", "columns")
          : fmt::format("{} of '{}'", counted(std::ssize(p.terms), "term", "terms"), brief(p.text));
  return fmt::format("{} ({})", name_of(p.kind), of);
}

/// The components of all classes: "a 1", "a 2", "b 1", ...
std::vector<std::string> component_names(const Model& model, const MixtureBlock& block) {
  std::vector<std::string> names;
  for (Index k = 0; k < block.classes(); ++k) {
    for (Index c = block.first(k); c < block.first(k + 1); ++c)
      names.push_back(fmt::format("{} {}", model.classes()[static_cast<std::size_t>(k)],
                                  c - block.first(k) + 1));
  }
  return names;
}

std::string describe(const Model& model, const MixtureBlock& block) {
  const MixtureParameters& p = block.parameters();
  const Owners owners{component_names(model, block), "components"};
  std::vector<std::vector<std::string>> weights{{"component", "weight"}};
  for (std::size_t c = 0; c < p.weights.size(); ++c)
    weights.push_back({owners.names[c], rounded(p.weights[c])});
  return (p.components.raw_units ? "raw units: columns are not scaled\n\n" : "") +
         text_table(weights) + densities(owners, block.components());
}

std::string describe(const Model& model, const CategoricalBlock& block) {
  constexpr Index most_levels = 60;
  const CategoricalParameters& p = block.parameters();
  std::vector<std::string> rows;
  std::vector<std::pair<std::size_t, Index>> places;  // column, level
  for (std::size_t j = 0; j < p.columns.size(); ++j) {
    for (std::size_t v = 0; v < p.levels[j].size(); ++v) {
      rows.push_back(p.columns[j] + "=" + p.levels[j][v]);
      places.emplace_back(j, static_cast<Index>(v));
    }
  }
  const bool cut = std::ssize(rows) > most_levels;
  if (cut) rows.resize(static_cast<std::size_t>(most_levels));
  return fmt::format("\nprobabilities of levels (smoothing {})\n", rounded(p.smoothing)) +
         text_table({rows, model.classes(),
                     [&](Index i, Index k) {
                       const auto [j, level] = places[static_cast<std::size_t>(i)];
                       return p.probabilities[j](k, level);
                     }}) +
         (cut ? "… (--json has them all, --top N those that tell most)\n" : "");
}

std::string describe(const Model&, const JointBlock& block) {
  const JointParameters& p = block.parameters();
  return fmt::format(
      "\njoint table: {} cells for each class (smoothing {}; --json has them, "
      "--top N those that tell most)\n",
      p.probabilities.columns(), rounded(p.smoothing));
}

std::string describe(const Model& model, const CountBlock& block) {
  const CountParameters& p = block.parameters();
  std::string text = fmt::format("\n{} (smoothing {}; --top N shows what tells most)\n",
                                 block_line(Block(block)), rounded(p.smoothing));
  constexpr std::size_t most_columns = 60;
  if (!p.text.empty() || p.terms.size() > most_columns) return text;
  return text + text_table({p.terms, model.classes(),
                            [&](Index j, Index k) { return p.probabilities(k, j); }});
}

std::string discriminant_table(const Model& model) {
  const auto linear = discriminants(model);
  if (!linear) return "";
  std::vector<std::string> rows = feature_names(model);
  rows.insert(rows.begin(), "(intercept)");
  return "\nlinear discriminants, log prior included: the class with the largest sum wins\n" +
         text_table({rows, model.classes(), [&](Index i, Index k) {
                       return i == 0 ? linear->intercepts[static_cast<std::size_t>(k)]
                                     : linear->coefficients(k, i - 1);
                     }});
}

std::string model_name(const Model& model) {
  std::string name;
  for (const Block& block : model.blocks()) {
    const std::string line = block_line(block);
    name += (name.empty() ? "" : " + ") + line.substr(0, line.find(' '));
  }
  return name;
}

/// The columns by what is kept of them.
std::string column_lines(const Statistics& statistics) {
  const StatisticsSchema& schema = statistics.schema();
  std::string text;
  const auto line = [&](const char* what, const std::vector<std::string>& names) {
    if (!names.empty())
      text += fmt::format("{}: {} ({})\n", what, names.size(), names_in_a_line(names));
  };
  line("columns", statistics.columns());
  line("categories", schema.names_of(ColumnType::categorical));
  line("two-valued columns", schema.names_of(ColumnType::binary));
  line("counts", schema.names_of(ColumnType::count));
  line("texts", schema.names_of(ColumnType::text));
  if (schema.svmlight) text += "columns of an svmlight file\n";
  for (const NameSet& terms : statistics.terms()) text += fmt::format("terms: {}\n", terms.size());
  return text;
}

}  // namespace

std::string summary(const Model& model) {
  std::string text;
  for (const Block& block : model.blocks()) text += "model: " + block_line(block) + '\n';
  text += fmt::format("target: {}\nfeatures: {} ({})\n\n", brief(model.target()),
                      model.features().size(), names_in_a_line(feature_names(model)));
  text += class_table(model) + '\n';
  for (const Block& block : model.blocks())
    text += std::visit([&](const auto& b) { return describe(model, b); }, block);
  text += discriminant_table(model);
  const Model::ParameterCount count = model.free_parameters();
  text += fmt::format(
      "\nfree parameters: {} (priors {}, means {}, covariances {}{})\n", count.total(),
      count.priors, count.means, count.covariances,
      (count.probabilities > 0 ? fmt::format(", probabilities {}", count.probabilities)
                               : std::string()) +
          (count.weights > 0 ? fmt::format(", weights {}", count.weights) : std::string()));
  for (const std::string& note : model.notes()) text += "note: " + readable_sentence(note) + '\n';
  return text;
}

std::string summary(const Statistics& statistics) {
  const bool full = statistics.scatter() == Scatter::full;
  std::string text = "statistics: weight of each class\n";
  if (!statistics.columns().empty())
    text =
        fmt::format("statistics: weight, mean and {} of each class\n",
                    full ? "scatter" : "diagonal scatter (for gnb, dlda, spherical and centroid)");
  text += fmt::format("target: {}\n{}\n", brief(statistics.target()), column_lines(statistics));
  std::vector<std::vector<std::string>> cells{{"class", "rows", "weight"}};
  for (const ClassStatistics& entry : statistics.classes())
    cells.push_back({entry.name, std::to_string(entry.rows), rounded(entry.moments.weight)});
  return text + text_table(cells);
}

std::string headline(const Model& model, Weights weights) {
  const std::vector<double> counts = class_counts(model);
  std::string text = fmt::format("{}: {}, {}", model_name(model),
                                 counted(std::ssize(model.features()), "feature", "features"),
                                 counted(std::ssize(model.classes()), "class", "classes"));
  if (counts.empty()) return text;
  text += " (";
  constexpr std::size_t shown = 10;
  for (std::size_t k = 0; k < std::min(counts.size(), shown); ++k)
    text +=
        fmt::format("{}{} {}", k > 0 ? ", " : "", brief(model.classes()[k]), rounded(counts[k]));
  text += counts.size() > shown ? ", …), " : "), ";
  return text + (weights == Weights::rows ? counted(std::llround(sum(counts)), "row", "rows")
                                          : "total weight " + rounded(sum(counts)));
}

std::string headline(const Statistics& statistics) {
  Index rows = 0;
  for (const ClassStatistics& entry : statistics.classes()) rows += entry.rows;
  return fmt::format("statistics of {}: {}, {}", counted(rows, "row", "rows"),
                     counted(std::ssize(statistics.schema().features), "column", "columns"),
                     counted(std::ssize(statistics.classes()), "class", "classes"));
}

}  // namespace genera::cli
