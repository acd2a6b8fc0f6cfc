#include <genera/description.hpp>

#include <algorithm>
#include <cmath>

#include "blocks/describing.hpp"
#include "blocks/kinds.hpp"
#include "blocks/total_moments.hpp"
#include "kernel/index.hpp"
#include "score/committee/bound_classifier.hpp"
#include "score/linear/features.hpp"

namespace genera {
namespace {

using blocks::rounded;
using kernel::at;

/// Blocks are independent within a class, so their scores add up; divided by the temperature.
std::optional<LinearScores> discriminants(const Model& model,
                                          const std::vector<BlockDescription>& blocks) {
  const Index classes = std::ssize(model.classes());
  const double temperature = model.temperature();
  LinearScores sum{model.prior().log(), Matrix(classes, std::ssize(model.features()))};
  Index column = 0;
  for (const BlockDescription& block : blocks) {
    if (!block.linear) return std::nullopt;
    const auto& [intercepts, coefficients] = *block.linear;
    for (Index k = 0; k < classes; ++k) {
      sum.intercepts[at(k)] += intercepts[at(k)] / temperature;
      for (Index j = 0; j < coefficients.columns(); ++j)
        sum.coefficients(k, column + j) = coefficients(k, j) / temperature;
    }
    column += coefficients.columns();
  }
  return sum;
}

}  // namespace

namespace {

std::vector<ParameterGroup> groups_of(const ParameterCount& count) {
  std::vector<ParameterGroup> groups{
      {"priors", count.priors}, {"means", count.means}, {"covariances", count.covariances}};
  if (count.probabilities > 0) groups.push_back({"probabilities", count.probabilities});
  if (count.weights > 0) groups.push_back({"weights", count.weights});
  return groups;
}

Description description_of(const Model& model) {
  Description description;
  for (const Block& block : model.blocks())
    description.blocks.push_back(blocks::visit(block, [&](auto kind, const auto& b) {
      BlockDescription one = kind.describe(b, model.classes());
      one.model = kind.name(b);
      return one;
    }));
  description.discriminants = discriminants(model, description.blocks);
  description.parameters = groups_of(model.free_parameters());
  return description;
}

/// Describes the features of a linear model.
std::string meaning_of(const LinearModel& model) {
  std::string parts;
  for (const LinearFeatures& part : model.parts())
    parts += (parts.empty() ? "" : ", ") + score::meaning_of(part);
  return parts;
}

constexpr Index max_features = 60;

void describe_parameters(const LinearModel& model, const ComplementParameters& p,
                         BlockDescription& to) {
  const std::string* text = score::text_column(p.features);
  const std::vector<std::string>& names = names_of(p.features);
  NumberTable table{
      .title = fmt::format("{} ({})", to.model, to.meaning),
      .remark = {fmt::format("smoothing {}; {{}} shows what separates the classes most",
                             rounded(p.smoothing)),
                 {blocks::strongest_features()}}};
  if (!text && std::ssize(names) <= max_features) {
    table.rows = names;
    table.columns = model.classes();
    table.values = blocks::transposed(p.probabilities);
  }
  to.tables = {std::move(table)};
  if (text) to.facts.push_back({"text", *text});
  to.facts.push_back({"terms", names});
  to.facts.push_back({"smoothing", p.smoothing});
  if (!p.lengths.empty()) to.facts.push_back({"lengths", p.lengths});
  to.facts.push_back({"probabilities", p.probabilities});
}

void describe_parameters(const LinearModel& model, const LogisticParameters& p,
                         BlockDescription& to) {
  NumberTable table{.title = "coefficients: the class with the largest sum wins",
                    .rows = {"(intercept)"},
                    .columns = model.classes(),
                    .max_rows = max_features + 1,
                    .rest = {"… ({} has them all)", {blocks::all_numbers()}}};
  std::vector<Facts> parts;
  for (const LinearFeatures& part : p.features) {
    for (Index j = 0; j < std::ssize(names_of(part)); ++j)
      table.rows.push_back(score::feature_name(part, j));
    parts.push_back(score::facts_of(part));
  }
  table.values = Matrix(std::ssize(table.rows), std::ssize(table.columns));
  const Vector intercepts = model.intercepts();
  for (Index k = 0; k < table.values.columns(); ++k) {
    table.values(0, k) = intercepts[at(k)];
    for (Index j = 0; j < p.coefficients.columns(); ++j)
      table.values(j + 1, k) = p.coefficients(k, j);
  }
  if (p.ridge) to.lines.push_back(fmt::format("ridge {}", rounded(*p.ridge)));
  for (const LinearFeatures& part : p.features) {
    if (score::are_products(part))
      to.lines.push_back(
          "squares and products are of the columns less their means, divided by "
          "their standard deviations");
  }
  to.tables = {std::move(table)};
  to.facts = {
      {"parts", std::move(parts)}, {"intercepts", intercepts}, {"coefficients", p.coefficients}};
  if (!p.means.empty()) to.facts.push_back({"means", p.means});
  if (p.ridge) to.facts.push_back({"ridge", *p.ridge});
}

Description description_of(const LinearModel& model) {
  const std::string name(name_of(model.kind()));
  BlockDescription block{.type = name, .model = name, .meaning = meaning_of(model)};
  std::visit([&](const auto& p) { describe_parameters(model, p, block); }, model.parameters());
  const Index priors = std::ssize(model.classes()) - 1, others = model.free_parameters();
  const bool complement = model.kind() == LinearModel::Kind::complement;
  return {.blocks = {std::move(block)},
          .discriminants = {},
          .parameters = complement ? groups_of({.priors = priors, .probabilities = others})
                                   : std::vector<ParameterGroup>{{"coefficients", others}}};
}

}  // namespace

Description describe(ClassifierRef model) {
  if (model.committee()) score::refuse_committee("parameters of its own");
  if (const Model* joint = model.model()) return description_of(*joint);
  return description_of(*model.linear());
}

std::optional<MarginalMoments> marginal_moments(const Model& model) {
  MarginalMoments marginal;
  std::vector<BlockDescription::Moments> parts;
  for (const Block& block : model.blocks()) {
    blocks::visit(block, [&](auto kind, const auto& known) {
      auto moments = kind.moments(known);
      if (!moments) return;
      parts.push_back(std::move(*moments));
      for (const Column& column : known.features()) marginal.columns.push_back(column.name);
    });
  }
  if (parts.empty()) return std::nullopt;
  blocks::TotalMoments total = blocks::total_moments(model.prior().probabilities(), parts);
  marginal.mean = std::move(total.mean);
  marginal.covariance = std::move(total.covariance);
  // Means of 1e160 are allowed, but their squares overflow.
  for (Index i = 0; i < marginal.covariance.rows(); ++i) {
    if (!std::ranges::all_of(marginal.covariance.row(i), [](double v) { return std::isfinite(v); }))
      return std::nullopt;
  }
  marginal.means = std::move(total.means);
  marginal.within = std::move(total.within);
  return marginal;
}

std::string_view name_of(const Block& block) {
  return blocks::visit(block, [](auto kind, const auto& b) { return kind.name(b); });
}

}  // namespace genera
