#include "show/summary.hpp"

#include "lists.hpp"
#include "show/printable.hpp"
#include "show/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace genera::cli {
namespace {

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

std::string names_in_a_line(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 20;
  std::string line;
  for (std::size_t i = 0; i < std::min(names.size(), shown); ++i)
    line += (i > 0 ? ", " : "") + brief(names[i]);
  if (names.size() > shown) line += fmt::format(", … and {} more", names.size() - shown);
  return line;
}

std::string class_table(ClassifierRef model) {
  const std::vector<double> counts = class_counts(model);
  TextCells cells{{"class", "count", "prior"}};
  for (std::size_t k = 0; k < model.classes().size(); ++k)
    cells.push_back({model.classes()[k], counts.empty() ? "-" : rounded(counts[k]),
                     rounded(model.prior().probabilities()[k])});
  return text_table(cells);
}

/// The name of a block and its meaning.
std::string block_line(const BlockDescription& block) {
  return readable_sentence(fmt::format("{} ({})", block.model, block.meaning));
}

std::string block_text(const BlockDescription& block) {
  std::string text;
  for (const std::string& line : block.lines) text += line + '\n';
  for (const NumberTable& table : block.tables) {
    if (!table.title.empty() || !text.empty()) text += '\n';
    text += readable_sentence(table.title);
    if (!table.remark.text.empty()) text += " (" + in_words(table.remark, as_typed) + ")";
    if (!table.title.empty()) text += '\n';
    text += text_table(table);
  }
  return text;
}

/// Intercepts and coefficients of these features, by class.
std::string scores_table(std::vector<std::string> features, ClassifierRef model,
                         const LinearScores& linear) {
  NumberTable table{.rows = std::move(features), .columns = model.classes()};
  table.rows.insert(table.rows.begin(), "(intercept)");
  table.values = Matrix(std::ssize(table.rows), std::ssize(table.columns));
  for (Index k = 0; k < table.values.columns(); ++k) {
    table.values(0, k) = linear.intercepts[static_cast<std::size_t>(k)];
    for (Index j = 0; j < linear.coefficients.columns(); ++j)
      table.values(j + 1, k) = linear.coefficients(k, j);
  }
  return text_table(table);
}

std::string discriminant_table(ClassifierRef model, const LinearScores& linear) {
  return "\nlinear discriminants, log prior included: the class with the largest sum wins\n" +
         scores_table(feature_names(model), model, linear);
}

/// The linear scores of one block of a model that has other, nonlinear ones.
std::string own_discriminants(const std::vector<std::string>& columns, ClassifierRef model,
                              const BlockDescription& block) {
  const bool one_class = model.classes().size() < 2;
  if (!block.linear || one_class || std::ssize(columns) != block.linear->coefficients.columns())
    return "";
  return "\nlinear discriminants of this block, log prior aside: what it adds to the score of a "
         "class\n" +
         scores_table(columns, model, *block.linear);
}

/// One of several blocks, headed by its columns.
std::string headed_block(std::size_t b, ClassifierRef model, const Description& description) {
  const BlockDescription& block = description.blocks[b];
  const std::vector<std::string> columns = columns_of_block(model, b);
  std::string text = fmt::format("{}block {}: {} of {}\n", b > 0 ? "\n" : "", b + 1, block.model,
                                 names_in_a_line(columns));
  text += block_text(block);
  if (!description.discriminants) text += own_discriminants(columns, model, block);
  return text;
}

/// Mean and covariance of p(x), for at most `max_columns` columns.
std::string marginal_table(ClassifierRef model) {
  constexpr std::size_t max_columns = 12;
  if (!model.model() || model.classes().size() < 2 || model.features().size() > max_columns)
    return "";
  const auto marginal = marginal_moments(*model.model());
  if (!marginal) return "";
  const Index d = std::ssize(marginal->columns);
  NumberTable table{.rows = marginal->columns, .columns = {"mean"}, .values = Matrix(d, d + 1)};
  table.columns.insert(table.columns.end(), marginal->columns.begin(), marginal->columns.end());
  for (Index i = 0; i < d; ++i) {
    table.values(i, 0) = marginal->mean[static_cast<std::size_t>(i)];
    for (Index j = 0; j < d; ++j) table.values(i, j + 1) = marginal->covariance(i, j);
  }
  return "\nall classes together: mean and covariance of p(x)\n" + text_table(table);
}

std::string model_name(ClassifierRef model) {
  if (model.committee())
    return "committee of " + counted(std::ssize(model.committee()->members()), "model");
  if (const LinearModel* linear = model.linear()) return std::string(name_of(linear->kind()));
  std::string name;
  for (const Block& block : model.model()->blocks()) {
    if (!name.empty()) name += " + ";
    name += name_of(block);
  }
  return name;
}

std::string member_table(const Committee& committee) {
  TextCells cells{{"weight", "in the density", "model"}};
  for (std::size_t m = 0; m < committee.members().size(); ++m)
    cells.push_back(
        {rounded(committee.members()[m].weight),
         committee.density_weights()[m] > 0 ? rounded(committee.density_weights()[m]) : "no",
         committee.members()[m].name});
  return text_table(cells);
}

std::string notes_of(ClassifierRef model) {
  std::string text;
  for (const std::string& note : model.notes())
    text += (note.starts_with("warning:") ? "" : "note: ") + readable_sentence(note) + '\n';
  return text;
}

std::string committee_summary(const Committee& committee) {
  std::string text =
      fmt::format("model: {}\ntarget: {}\nfeatures: {} ({})\n\n", model_name(committee),
                  brief(committee.target()), committee.features().size(),
                  names_in_a_line(feature_names(committee)));
  return text + class_table(committee) + "\n" + member_table(committee) + notes_of(committee);
}

std::string parameter_line(const std::vector<ParameterGroup>& groups) {
  std::string parts;
  Index total = 0;
  for (const ParameterGroup& group : groups) {
    parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", group.name, group.count);
    total += group.count;
  }
  return fmt::format("\nfree parameters: {} ({})\n", total, parts);
}

/// The columns by type.
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
  if (schema.sparse_matrix) text += "columns of a sparse matrix\n";
  for (const NameSet& terms : statistics.terms()) text += fmt::format("terms: {}\n", terms.size());
  return text;
}

}  // namespace

std::string in_a_line(const TrainingFit& training) {
  return fmt::format(
      "training rows: log-likelihood {:.6f}, AIC {:.6g}, BIC {:.6g} ({} free parameters)",
      training.log_likelihood, training.aic(), training.bic(), training.parameters);
}

std::string summary(ClassifierRef model, const std::optional<TrainingFit>& training) {
  if (const Committee* committee = model.committee()) return committee_summary(*committee);
  const Description description = describe(model);
  std::string text;
  for (const BlockDescription& block : description.blocks)
    text += "model: " + block_line(block) + '\n';
  text += fmt::format("target: {}\nfeatures: {} ({})\n", brief(model.target()),
                      model.features().size(), names_in_a_line(feature_names(model)));
  if (model.temperature() != 1)
    text += fmt::format("temperature: {} (posteriors are those of {} divided by it)\n",
                        rounded(model.temperature()), model.linear() ? "scores" : "log densities");
  text += '\n';
  text += class_table(model) + '\n';
  const bool several = description.blocks.size() > 1;
  for (std::size_t b = 0; b < description.blocks.size(); ++b)
    text += several ? headed_block(b, model, description) : block_text(description.blocks[b]);
  text += marginal_table(model);
  if (description.discriminants) text += discriminant_table(model, *description.discriminants);
  text += parameter_line(description.parameters);
  if (training) text += in_a_line(*training) + '\n';
  return text + notes_of(model);
}

std::string summary(const Statistics& statistics) {
  const bool full = statistics.scatter() == Scatter::full;
  std::string text = "statistics: weight of each class\n";
  if (!statistics.columns().empty())
    text =
        fmt::format("statistics: weight, mean and {} of each class\n",
                    full ? "scatter" : "diagonal scatter (for gnb, dlda, spherical and centroid)");
  text += fmt::format("target: {}\n{}\n", brief(statistics.target()), column_lines(statistics));
  TextCells cells{{"class", "rows", "weight"}};
  for (const ClassStatistics& entry : statistics.classes())
    cells.push_back({entry.name, std::to_string(entry.rows), rounded(entry.weight)});
  return text + text_table(cells);
}

Weights weights_of(const Roles& roles) {
  return roles.weights && !roles.frequencies ? Weights::given : Weights::rows;
}

std::string headline(ClassifierRef model, Weights weights) {
  const std::vector<double> counts = class_counts(model);
  std::string text =
      fmt::format("{}: {}, {}", model_name(model), counted(std::ssize(model.features()), "feature"),
                  counted(std::ssize(model.classes()), "class", "classes"));
  if (counts.empty()) return text;
  text += " (";
  constexpr std::size_t shown = 10;
  for (std::size_t k = 0; k < std::min(counts.size(), shown); ++k)
    text +=
        fmt::format("{}{} {}", k > 0 ? ", " : "", brief(model.classes()[k]), rounded(counts[k]));
  text += counts.size() > shown ? ", …), " : "), ";
  return text + (weights == Weights::rows ? counted(std::llround(sum(counts)), "row")
                                          : "total weight " + rounded(sum(counts)));
}

std::string headline(const Statistics& statistics) {
  Index rows = 0;
  for (const ClassStatistics& entry : statistics.classes()) rows += entry.rows;
  const Index columns = statistics.schema().sparse_matrix
                            ? static_cast<Index>(statistics.terms().front().size())
                            : std::ssize(statistics.schema().features);
  return fmt::format("statistics of {}: {}, {}", counted(rows, "row"), counted(columns, "column"),
                     counted(std::ssize(statistics.classes()), "class", "classes"));
}

}  // namespace genera::cli
