#include <algorithm>
#include <cmath>
#include <numeric>

#include <genera/description.hpp>

#include "kernel/index.hpp"

namespace genera {
namespace {

using kernel::at;
using Moments = BlockDescription::Moments;

Facts linear_facts(const LinearScores& linear) {
  return {{"intercepts", linear.intercepts}, {"coefficients", linear.coefficients}};
}

Fact::List block_facts(ClassifierRef model, const Description& description) {
  Fact::List blocks;
  for (std::size_t b = 0; b < description.blocks.size(); ++b) {
    const BlockDescription& block = description.blocks[b];
    Facts all{{"type", block.type}, {"model", block.model}};
    append(all, block.facts);
    all.push_back({"columns", columns_of_block(model, b)});
    if (block.linear) all.push_back({"discriminants", linear_facts(*block.linear)});
    blocks.emplace_back(std::move(all));
  }
  return blocks;
}

/// Mean and covariance of a class over all columns that have them; blocks are independent.
Facts moment_facts(const std::vector<const Moments*>& blocks, Index k) {
  Vector mean;
  for (const Moments* block : blocks)
    mean.insert(mean.end(), block->means.row(k).begin(), block->means.row(k).end());
  Matrix covariance(std::ssize(mean), std::ssize(mean));
  Index before = 0;
  for (const Moments* block : blocks) {
    const CovarianceMatrix& own = block->covariances[block->covariances.size() == 1 ? 0 : at(k)];
    const auto* diagonal = std::get_if<Diagonal>(&own);
    const Index width = block->means.columns();
    for (Index i = 0; i < width; ++i) {
      if (diagonal)
        covariance(before + i, before + i) = diagonal->entries[at(i)];
      else
        std::ranges::copy(std::get<Matrix>(own).row(i),
                          covariance.row(before + i).begin() + before);
    }
    before += width;
  }
  return {{"mean", std::move(mean)}, {"covariance", std::move(covariance)}};
}

Facts committee_facts(const Committee& committee) {
  const auto member = [](const Committee::Member& one) {
    return Facts{{"name", one.name}, {"weight", one.weight}, {"model", facts(one)}};
  };
  Facts all{{"model", "committee"},
            {"target", committee.target()},
            {"features", feature_names(committee)}};
  Fact::List classes;
  for (std::size_t k = 0; k < committee.classes().size(); ++k) {
    Facts one{{"name", committee.classes()[k]}};
    if (!committee.counts().empty()) one.push_back({"count", committee.counts()[k]});
    one.push_back({"prior", committee.prior().probabilities()[k]});
    classes.emplace_back(std::move(one));
  }
  append(all, {{"classes", std::move(classes)},
               {"members", list_of(committee.members(), member)},
               {"notes", committee.notes()}});
  return all;
}

Fact::List class_facts(ClassifierRef model, const Description& description) {
  const Vector counts = class_counts(model);
  std::vector<const Moments*> moments;
  for (const BlockDescription& block : description.blocks)
    if (block.moments) moments.push_back(&*block.moments);
  Fact::List classes;
  for (std::size_t k = 0; k < model.classes().size(); ++k) {
    Facts all{{"name", model.classes()[k]}};
    if (!counts.empty()) all.push_back({"count", counts[k]});
    all.push_back({"prior", model.prior().probabilities()[k]});
    if (!moments.empty()) append(all, moment_facts(moments, static_cast<Index>(k)));
    classes.emplace_back(std::move(all));
  }
  return classes;
}

Facts parameter_facts(const std::vector<ParameterGroup>& groups) {
  Facts all;
  Index total = 0;
  for (const ParameterGroup& group : groups) {
    all.push_back({group.name, group.count});
    total += group.count;
  }
  all.push_back({"total", total});
  return all;
}

std::vector<std::string> names_of(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  return names;
}

}  // namespace

std::vector<std::string> feature_names(ClassifierRef model) { return names_of(model.features()); }

std::vector<std::string> columns_of_block(ClassifierRef model, std::size_t block) {
  if (!model.model()) return feature_names(model);
  return std::visit([](const auto& b) { return names_of(b.features()); },
                    model.model()->blocks()[block]);
}

Vector class_counts(ClassifierRef model) {
  if (const Committee* committee = model.committee()) return committee->counts();
  if (const LinearModel* linear = model.linear()) return linear->counts();
  for (const Block& block : model.model()->blocks()) {
    const auto counts = std::visit([](const auto& b) { return b.parameters().counts; }, block);
    if (!counts.empty()) return counts;
  }
  return {};
}

double TrainingFit::aic() const { return 2 * static_cast<double>(parameters) - 2 * log_likelihood; }

double TrainingFit::bic() const {
  return static_cast<double>(parameters) * std::log(rows) - 2 * log_likelihood;
}

std::optional<TrainingFit> training_fit(const Fitted<Classifier>& fitted) {
  const auto* model = std::get_if<Model>(&fitted.model);
  const std::optional<double> likelihood = fitted.report.training_log_likelihood;
  if (!model || !likelihood) return std::nullopt;
  const Vector& counts = model->counts();
  const ParameterCount count = model->free_parameters();
  return TrainingFit{.log_likelihood = *likelihood,
                     .parameters = count.priors + count.means + count.covariances +
                                   count.probabilities + count.weights,
                     .rows = std::accumulate(counts.begin(), counts.end(), 0.0)};
}

Facts facts(const TrainingFit& training) {
  return {{"log_likelihood", training.log_likelihood},
          {"parameters", training.parameters},
          {"rows", training.rows},
          {"aic", training.aic()},
          {"bic", training.bic()}};
}

Facts facts(ClassifierRef model, const std::optional<TrainingFit>& training) {
  if (const Committee* committee = model.committee()) return committee_facts(*committee);
  const Description description = describe(model);
  Facts all{{"model", description.blocks.front().model},
            {"target", model.target()},
            {"temperature", model.temperature()},
            {"features", feature_names(model)},
            {"classes", class_facts(model, description)},
            {"parameters", parameter_facts(description.parameters)},
            {"blocks", block_facts(model, description)}};
  if (model.model())
    if (const auto marginal = marginal_moments(*model.model()))
      all.push_back({"marginal", Facts{{"features", marginal->columns},
                                       {"mean", marginal->mean},
                                       {"covariance", marginal->covariance}}});
  if (description.discriminants)
    all.push_back({"discriminants", linear_facts(*description.discriminants)});
  if (training) all.push_back({"training", facts(*training)});
  all.push_back({"notes", model.notes()});
  return all;
}

Facts facts(const Boundaries& boundaries, const std::vector<std::string>& classes) {
  const auto pair = [&](const Boundary& one) {
    return Facts{{"first", classes[at(one.first)]},
                 {"second", classes[at(one.second)]},
                 {"intercept", one.intercept},
                 {"coefficients", one.coefficients}};
  };
  return {{"features", boundaries.features}, {"boundaries", list_of(boundaries.pairs, pair)}};
}

}  // namespace genera
