#include <cmath>

#include "blocks/describing.hpp"
#include "blocks/levels/features.hpp"
#include "blocks/levels/kind.hpp"

namespace genera::blocks {
namespace {

NumberTable table_of(const CategoricalParameters& p, const std::vector<std::string>& classes) {
  NumberTable table{.title = "probabilities of levels",
                    .remark = fmt::format("smoothing {}", rounded(p.smoothing)),
                    .columns = classes,
                    .max_rows = 60,
                    .rest = {"… ({} has them all, {} those that separate the classes most)",
                             {all_numbers(), strongest_features()}}};
  Vector values;
  for (std::size_t j = 0; j < p.columns.size(); ++j) {
    const Matrix& probabilities = p.probabilities[j];
    for (Index v = 0; v < probabilities.columns(); ++v) {
      table.rows.push_back(level_name(p.columns[j], p.levels[j][static_cast<std::size_t>(v)]));
      for (Index k = 0; k < probabilities.rows(); ++k) values.push_back(probabilities(k, v));
    }
  }
  table.values = Matrix(std::ssize(table.rows), std::ssize(classes), std::move(values));
  return table;
}

}  // namespace

std::string_view LevelsKind::name(const Block& block) { return name_of(block.parameters().kind); }

BlockDescription LevelsKind::describe(const Block& block, const std::vector<std::string>& classes) {
  const CategoricalParameters& p = block.parameters();
  const bool two = p.kind == CategoricalParameters::Kind::bernoulli;
  return {.type = std::string(name_of(p.kind)),
          .meaning = two ? "columns of two levels, independent within a class"
                         : "columns of levels, independent within a class",
          .tables = {table_of(p, classes)},
          .facts = {{"features", p.columns},
                    {"levels", p.levels},
                    {"smoothing", p.smoothing},
                    {"probabilities", p.probabilities}}};
}

std::optional<FeatureScores> LevelsKind::linear_scores(const Block& block, bool) {
  const CategoricalParameters& p = block.parameters();
  FeatureScores scores{.intercepts = Vector(static_cast<std::size_t>(block.classes()))};
  for (std::size_t j = 0; j < p.columns.size(); ++j) {
    for (const std::string& level : p.levels[j])
      scores.names.push_back(level_name(p.columns[j], level));
  }
  scores.coefficients = Matrix(block.classes(), std::ssize(scores.names));
  Index feature = 0;
  for (const Matrix& probabilities : p.probabilities) {
    for (Index v = 0; v < probabilities.columns(); ++v, ++feature) {
      for (Index k = 0; k < block.classes(); ++k)
        scores.coefficients(k, feature) = std::log(probabilities(k, v));
    }
  }
  return scores;
}

ParameterCount LevelsKind::free_parameters(const Block& block) {
  return {.probabilities = block.free_parameters()};
}

}  // namespace genera::blocks
