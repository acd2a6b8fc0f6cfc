#include "show/model_json.hpp"

#include "model_facts.hpp"
#include "show/json.hpp"

#include <genera/description.hpp>

namespace genera::cli {
namespace {

template <class List, class ToJson>
Json array_of(const List& list, ToJson to_json) {
  Json array = Json::array();
  for (const auto& one : list) array.push(to_json(one));
  return array;
}

Index columns_of(const Covariance& covariance) {
  const auto* full = std::get_if<Matrix>(&covariance);
  return full ? full->columns() : std::ssize(std::get<Diagonal>(covariance).entries);
}

Vector row_of(const Covariance& covariance, Index i) {
  if (const auto* full = std::get_if<Matrix>(&covariance))
    return {full->row(i).begin(), full->row(i).end()};
  Vector row(static_cast<std::size_t>(columns_of(covariance)));
  row[static_cast<std::size_t>(i)] =
      std::get<Diagonal>(covariance).entries[static_cast<std::size_t>(i)];
  return row;
}

Json json_of(const Facts& facts);

struct FactJson {
  Json operator()(bool value) const { return value; }
  Json operator()(double value) const { return Json::number(value); }
  Json operator()(const std::string& text) const { return text; }
  Json operator()(const Fact::Names& names) const { return Json::texts(names); }
  Json operator()(const std::vector<Fact::Names>& lists) const {
    return array_of(lists, Json::texts);
  }
  Json operator()(const Vector& values) const { return Json::numbers(values); }
  Json operator()(const Matrix& matrix) const { return Json::rows(matrix); }
  Json operator()(const std::vector<Matrix>& matrices) const {
    return array_of(matrices, Json::rows);
  }
  Json operator()(const Diagonal& matrix) const {
    Json rows = Json::array();
    for (Index i = 0; i < std::ssize(matrix.entries); ++i)
      rows.push(Json::numbers(row_of(matrix, i)));
    return rows;
  }
  Json operator()(const std::vector<Facts>& objects) const { return array_of(objects, json_of); }
};

Json& add_facts(Json& json, const Facts& facts) {
  for (const Fact& fact : facts) json.add(fact.key, std::visit(FactJson(), fact.value));
  return json;
}

Json json_of(const Facts& facts) {
  Json json = Json::object();
  add_facts(json, facts);
  return json;
}

Json block_json(const BlockDescription& block, const std::vector<std::string>& columns) {
  Json json = Json::object().add("type", block.type).add("model", block.model);
  add_facts(json, block.facts);
  json.add("columns", Json::texts(columns));
  if (block.linear)
    json.add("discriminants", Json::object()
                                  .add("intercepts", Json::numbers(block.linear->intercepts))
                                  .add("coefficients", Json::rows(block.linear->coefficients)));
  return json;
}

Json blocks_json(ClassifierRef model, const Description& description) {
  Json blocks = Json::array();
  for (std::size_t b = 0; b < description.blocks.size(); ++b)
    blocks.push(block_json(description.blocks[b], columns_of_block(model, b)));
  return blocks;
}

Json training_json(const TrainingFit& training) {
  return Json::object()
      .add("log_likelihood", Json::number(training.log_likelihood))
      .add("parameters", training.parameters)
      .add("rows", Json::number(training.rows))
      .add("aic", Json::number(training.aic()))
      .add("bic", Json::number(training.bic()));
}

void push_zeros(Json& row, Index count) {
  for (Index j = 0; j < count; ++j) row.push(Json::decimal(0));
}

using Moments = BlockDescription::Moments;

/// Mean and covariance of one class over all columns that have them: blocks are independent of each
/// other.
void add_moments(Json& json, const std::vector<const Moments*>& blocks, Index k) {
  Index columns = 0;
  for (const Moments* block : blocks) columns += block->means.columns();
  Json mean = Json::array(), covariance = Json::array();
  Index before = 0;
  for (const Moments* block : blocks) {
    mean.append(block->means.row(k));
    const bool shared = block->covariances.size() == 1;
    const Covariance& own = block->covariances[shared ? 0 : static_cast<std::size_t>(k)];
    const Index width = columns_of(own);
    for (Index i = 0; i < width; ++i) {
      Json row = Json::array();
      push_zeros(row, before);
      row.append(row_of(own, i));
      push_zeros(row, columns - before - width);
      covariance.push(std::move(row));
    }
    before += width;
  }
  json.add("mean", std::move(mean)).add("covariance", std::move(covariance));
}

Json classes_json(ClassifierRef model, const Description& description) {
  const std::vector<double> counts = class_counts(model);
  std::vector<const Moments*> moments;
  for (const BlockDescription& block : description.blocks)
    if (block.moments) moments.push_back(&*block.moments);
  Json array = Json::array();
  for (std::size_t k = 0; k < model.classes().size(); ++k) {
    Json json = Json::object().add("name", model.classes()[k]);
    if (!counts.empty()) json.add("count", Json::number(counts[k]));
    json.add("prior", Json::number(model.prior().probabilities()[k]));
    if (!moments.empty()) add_moments(json, moments, static_cast<Index>(k));
    array.push(std::move(json));
  }
  return array;
}

Json parameters_json(const std::vector<ParameterGroup>& groups) {
  Json json = Json::object();
  Index total = 0;
  for (const ParameterGroup& group : groups) {
    json.add(group.name, group.count);
    total += group.count;
  }
  return std::move(json).add("total", total);
}

std::optional<MarginalMoments> marginal_of(ClassifierRef model) {
  return model.model() ? marginal_moments(*model.model()) : std::nullopt;
}

}  // namespace

std::string inspection_json(ClassifierRef model, const std::optional<TrainingFit>& training) {
  const Description description = describe(model);
  Json json = Json::object()
                  .add("model", description.blocks.front().model)
                  .add("target", model.target())
                  .add("temperature", Json::number(model.temperature()))
                  .add("features", Json::texts(feature_names(model)))
                  .add("classes", classes_json(model, description))
                  .add("parameters", parameters_json(description.parameters))
                  .add("blocks", blocks_json(model, description));
  if (const auto marginal = marginal_of(model))
    json.add("marginal", Json::object()
                             .add("features", Json::texts(marginal->columns))
                             .add("mean", Json::numbers(marginal->mean))
                             .add("covariance", Json::rows(marginal->covariance)));
  if (const auto& linear = description.discriminants)
    json.add("discriminants", Json::object()
                                  .add("intercepts", Json::numbers(linear->intercepts))
                                  .add("coefficients", Json::rows(linear->coefficients)));
  if (training) json.add("training", training_json(*training));
  json.add("notes", Json::texts(model.notes()));
  return json.document();
}

}  // namespace genera::cli
