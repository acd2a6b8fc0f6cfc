#include "show/model_json.hpp"

#include "model_facts.hpp"
#include "show/json.hpp"

namespace genera::cli {
namespace {

Json name_lists(const std::vector<std::vector<std::string>>& lists) {
  Json array = Json::array();
  for (const std::vector<std::string>& list : lists) array.push(Json::texts(list));
  return array;
}

/// As --model calls it.
std::string_view model_name(const GaussianBlock& block) {
  return name_of(block.parameters().family);
}
std::string_view model_name(const MixtureBlock&) { return "mda"; }
std::string_view model_name(const CategoricalBlock& block) {
  return name_of(block.parameters().kind);
}
std::string_view model_name(const JointBlock&) { return "joint"; }
std::string_view model_name(const CountBlock& block) { return name_of(block.parameters().kind); }

Json block_json(const Model&, const GaussianBlock& block) {
  const GaussianParameters& p = block.parameters();
  Json json = Json::object()
                  .add("type", "gaussian")
                  .add("model", model_name(block))
                  .add("features", Json::texts(p.columns))
                  .add("shared", block.shared())
                  .add("diagonal", block.diagonal())
                  .add("divisor", p.unbiased ? "unbiased" : "mle");
  if (p.family == Family::rda)
    json.add("alpha", Json::number(p.alpha)).add("gamma", Json::number(p.gamma));
  if (!p.shrinkage.empty()) json.add("shrinkage", Json::numbers(p.shrinkage));
  if (p.raw_units) json.add("raw_units", true);
  return json;
}

Json block_json(const Model& model, const MixtureBlock& block) {
  const MixtureParameters& p = block.parameters();
  Json components = Json::array();
  for (std::size_t c = 0; c < p.weights.size(); ++c)
    components.push(
        Json::object()
            .add("class", model.classes()[static_cast<std::size_t>(p.owner[c])])
            .add("weight", Json::number(p.weights[c]))
            .add("mean", Json::numbers(p.components.means.row(static_cast<Index>(c))))
            .add("covariance", Json::rows(block.components().covariance(static_cast<Index>(c)))));
  Json json = Json::object()
                  .add("type", "mixture")
                  .add("model", model_name(block))
                  .add("structure", name_of(p.components.family))
                  .add("features", Json::texts(p.components.columns))
                  .add("shared", block.components().shared())
                  .add("diagonal", block.components().diagonal())
                  .add("components", std::move(components));
  if (p.components.raw_units) json.add("raw_units", true);
  return json;
}

Json block_json(const Model&, const CategoricalBlock& block) {
  const CategoricalParameters& p = block.parameters();
  Json tables = Json::array();
  for (const Matrix& table : p.probabilities) tables.push(Json::rows(table));
  return Json::object()
      .add("type", name_of(p.kind))
      .add("model", model_name(block))
      .add("features", Json::texts(p.columns))
      .add("levels", name_lists(p.levels))
      .add("smoothing", Json::number(p.smoothing))
      .add("probabilities", std::move(tables));
}

Json block_json(const Model&, const JointBlock& block) {
  const JointParameters& p = block.parameters();
  return Json::object()
      .add("type", "joint")
      .add("model", model_name(block))
      .add("features", Json::texts(p.columns))
      .add("levels", name_lists(p.levels))
      .add("smoothing", Json::number(p.smoothing))
      .add("probabilities", Json::rows(p.probabilities));
}

Json block_json(const Model&, const CountBlock& block) {
  const CountParameters& p = block.parameters();
  Json json = Json::object().add("type", name_of(p.kind)).add("model", model_name(block));
  if (!p.text.empty()) json.add("text", p.text);
  json.add("terms", Json::texts(p.terms)).add("smoothing", Json::number(p.smoothing));
  if (!p.lengths.empty()) json.add("lengths", Json::numbers(p.lengths));
  json.add("probabilities", Json::rows(p.probabilities));
  return json;
}

void push_zeros(Json& row, Index count) {
  for (Index j = 0; j < count; ++j) row.push(Json::decimal(0));
}

/// Mean and covariance of one class over all Gaussian columns: blocks are independent of each
/// other.
void add_moments(Json& json, const std::vector<const GaussianBlock*>& blocks, Index k) {
  Index columns = 0;
  for (const GaussianBlock* block : blocks) columns += block->dimension();
  Json mean = Json::array(), covariance = Json::array();
  Index before = 0;
  for (const GaussianBlock* block : blocks) {
    mean.append(block->parameters().means.row(k));
    const Matrix own = block->covariance(k);
    for (Index i = 0; i < own.rows(); ++i) {
      Json row = Json::array();
      push_zeros(row, before);
      row.append(own.row(i));
      push_zeros(row, columns - before - own.columns());
      covariance.push(std::move(row));
    }
    before += own.columns();
  }
  json.add("mean", std::move(mean)).add("covariance", std::move(covariance));
}

std::vector<const GaussianBlock*> gaussian_blocks(ClassifierRef model) {
  std::vector<const GaussianBlock*> gaussians;
  if (!model.model()) return gaussians;
  for (const Block& block : model.model()->blocks())
    if (const auto* gaussian = std::get_if<GaussianBlock>(&block)) gaussians.push_back(gaussian);
  return gaussians;
}

Json classes_json(ClassifierRef model) {
  const std::vector<double> counts = class_counts(model);
  const std::vector<const GaussianBlock*> gaussians = gaussian_blocks(model);
  Json array = Json::array();
  for (std::size_t k = 0; k < model.classes().size(); ++k) {
    Json json = Json::object().add("name", model.classes()[k]);
    if (!counts.empty()) json.add("count", Json::number(counts[k]));
    json.add("prior", Json::number(model.prior().probabilities()[k]));
    if (!gaussians.empty()) add_moments(json, gaussians, static_cast<Index>(k));
    array.push(std::move(json));
  }
  return array;
}

Json parameters_json(const Model::ParameterCount& count) {
  Json json = Json::object()
                  .add("priors", count.priors)
                  .add("means", count.means)
                  .add("covariances", count.covariances);
  if (count.probabilities > 0) json.add("probabilities", count.probabilities);
  if (count.weights > 0) json.add("weights", count.weights);
  return std::move(json).add("total", count.total());
}

Json block_json(const ComplementParameters& p) {
  Json json = Json::object().add("type", "complement").add("model", "complement");
  if (const auto* terms = std::get_if<TermFeatures>(&p.features)) json.add("text", terms->column);
  json.add("terms", Json::texts(names_of(p.features))).add("smoothing", Json::number(p.smoothing));
  if (!p.lengths.empty()) json.add("lengths", Json::numbers(p.lengths));
  json.add("probabilities", Json::rows(p.probabilities));
  return json;
}

Json part_json(const LinearFeatures& part) {
  Json json = Json::object();
  if (const auto* levels = std::get_if<LevelFeatures>(&part))
    json.add("column", levels->column).add("levels", Json::texts(levels->levels));
  else if (const auto* terms = std::get_if<TermFeatures>(&part))
    json.add("text", terms->column).add("terms", Json::texts(terms->terms));
  else
    json.add("columns", Json::texts(names_of(part)));
  return json;
}

Json block_json(const LogisticParameters& p) {
  Json parts = Json::array();
  for (const LinearFeatures& part : p.features) parts.push(part_json(part));
  return Json::object()
      .add("type", "logistic")
      .add("model", "logistic")
      .add("parts", std::move(parts))
      .add("intercepts", Json::numbers(p.intercepts))
      .add("coefficients", Json::rows(p.coefficients));
}

Json blocks_json(const Model& model) {
  Json blocks = Json::array();
  for (const Block& block : model.blocks())
    blocks.push(std::visit([&](const auto& b) { return block_json(model, b); }, block));
  return blocks;
}
Json blocks_json(const LinearModel& model) {
  Json blocks = Json::array();
  blocks.push(std::visit([](const auto& p) { return block_json(p); }, model.parameters()));
  return blocks;
}

Json parameters_json(const Model& model) { return parameters_json(model.free_parameters()); }
Json parameters_json(const LinearModel& model) {
  const Index priors = std::ssize(model.classes()) - 1, others = model.free_parameters();
  if (model.kind() == LinearModel::Kind::complement)
    return parameters_json(Model::ParameterCount{.priors = priors, .probabilities = others});
  return Json::object().add("coefficients", others).add("total", others);
}

std::string_view model_name(const Model& model) {
  return std::visit([](const auto& block) { return model_name(block); }, model.blocks().front());
}
std::string_view model_name(const LinearModel& model) { return name_of(model.kind()); }

std::optional<GaussianBlock::Linear> discriminants_of(ClassifierRef model) {
  return model.model() ? discriminants(*model.model()) : std::nullopt;
}

}  // namespace

std::string inspection_json(ClassifierRef model) {
  Json json =
      Json::object()
          .add("model", model.visit([](const auto& known) { return model_name(known); }))
          .add("target", model.target())
          .add("features", Json::texts(feature_names(model)))
          .add("classes", classes_json(model))
          .add("parameters", model.visit([](const auto& known) { return parameters_json(known); }))
          .add("blocks", model.visit([](const auto& known) { return blocks_json(known); }));
  if (const auto linear = discriminants_of(model))
    json.add("discriminants", Json::object()
                                  .add("intercepts", Json::numbers(linear->intercepts))
                                  .add("coefficients", Json::rows(linear->coefficients)));
  json.add("notes", Json::texts(model.notes()));
  return json.document();
}

}  // namespace genera::cli
