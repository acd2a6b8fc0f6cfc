#include "summary.hpp"

#include "model_facts.hpp"
#include "names.hpp"
#include "text_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace genera::cli {
namespace {

constexpr Index most_columns_of_a_covariance = 12;

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

std::string names_in_a_line(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 20;
  std::string line;
  for (std::size_t i = 0; i < std::min(names.size(), shown); ++i)
    line += (i > 0 ? ", " : "") + names[i];
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
  std::vector<std::vector<std::string>> cells{{"class", "rows", "prior"}};
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

std::string covariance_tables(const Model& model, const GaussianBlock& block) {
  if (block.diagonal()) return "";
  if (block.dimension() > most_columns_of_a_covariance)
    return fmt::format("\ncovariances: not shown for more than {} features (--json has them)\n",
                       most_columns_of_a_covariance);
  std::string text;
  for (Index k = 0; k < (block.shared() ? 1 : block.classes()); ++k) {
    const Matrix covariance = block.covariance(k);
    text += block.shared()
                ? "\ncovariance, shared by all classes\n"
                : "\ncovariance of " + model.classes()[static_cast<std::size_t>(k)] + '\n';
    text += text_table({block.parameters().columns, block.parameters().columns,
                        [&](Index i, Index j) { return covariance(i, j); }});
  }
  return text;
}

Matrix deviations(const GaussianBlock& block) {
  Matrix result(block.classes(), block.dimension());
  const GaussianParameters& parameters = block.parameters();
  for (Index k = 0; k < block.classes(); ++k)
    for (Index j = 0; j < block.dimension(); ++j) {
      const Index own = block.shared() ? 0 : k;
      result(k, j) =
          std::sqrt(block.diagonal() ? parameters.variances(own, j)
                                     : parameters.covariances[static_cast<std::size_t>(own)](j, j));
    }
  return result;
}

std::string describe(const Model& model, const GaussianBlock& block) {
  const GaussianParameters& parameters = block.parameters();
  const Matrix deviation = deviations(block);
  return how_estimated(parameters) + "\nmeans\n" +
         text_table({parameters.columns, model.classes(),
                     [&](Index j, Index k) { return parameters.means(k, j); }}) +
         "\nstandard deviations\n" +
         text_table({parameters.columns, model.classes(),
                     [&](Index j, Index k) { return deviation(k, j); }}) +
         covariance_tables(model, block);
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

std::string family_line(const Block& block) {
  const Family family = std::get<GaussianBlock>(block).parameters().family;
  return fmt::format("model: {} ({})\n", name_of(family), meaning_of(family));
}

}  // namespace

std::string summary(const Model& model) {
  std::string text;
  for (const Block& block : model.blocks()) text += family_line(block);
  text += fmt::format("target: {}\nfeatures: {} ({})\n\n", model.target(), model.features().size(),
                      names_in_a_line(feature_names(model)));
  text += class_table(model) + '\n';
  for (const Block& block : model.blocks())
    text += std::visit([&](const auto& b) { return describe(model, b); }, block);
  text += discriminant_table(model);
  const Model::ParameterCount count = model.free_parameters();
  text += fmt::format("\nfree parameters: {} (priors {}, means {}, covariances {})\n",
                      count.total(), count.priors, count.means, count.covariances);
  for (const std::string& note : model.notes()) text += "note: " + note + '\n';
  return text;
}

std::string summary(const Statistics& statistics) {
  const bool full = statistics.scatter() == Scatter::full;
  std::string text = fmt::format(
      "statistics: weight, mean and {} of each class\ntarget: {}\ncolumns: {} ({})\n\n",
      full ? "scatter" : "diagonal scatter (for gnb, dlda, spherical and centroid)",
      statistics.target(), statistics.columns().size(), names_in_a_line(statistics.columns()));
  std::vector<std::vector<std::string>> cells{{"class", "rows", "weight"}};
  for (const ClassStatistics& entry : statistics.classes())
    cells.push_back({entry.name, std::to_string(entry.rows), rounded(entry.moments.weight)});
  return text + text_table(cells);
}

std::string headline(const Model& model) {
  const std::vector<double> counts = class_counts(model);
  std::string text =
      fmt::format("{}: {} features, {} classes",
                  name_of(std::get<GaussianBlock>(model.blocks().front()).parameters().family),
                  model.features().size(), model.classes().size());
  if (counts.empty()) return text;
  text += " (";
  constexpr std::size_t shown = 10;
  for (std::size_t k = 0; k < std::min(counts.size(), shown); ++k)
    text += fmt::format("{}{} {}", k > 0 ? ", " : "", model.classes()[k], rounded(counts[k]));
  return text +
         fmt::format("{}), {} rows", counts.size() > shown ? ", …" : "", rounded(sum(counts)));
}

std::string headline(const Statistics& statistics) {
  Index rows = 0;
  for (const ClassStatistics& entry : statistics.classes()) rows += entry.rows;
  return fmt::format("statistics of {} rows: {} columns, {} classes", rows,
                     statistics.columns().size(), statistics.classes().size());
}

}  // namespace genera::cli
