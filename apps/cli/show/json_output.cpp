#include "json_output.hpp"

#include "model_facts.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace genera::cli {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  constexpr double exact_integers = 9007199254740992.0;  // 2^53
  if (value == std::floor(value) && std::abs(value) < exact_integers && !std::signbit(value))
    return static_cast<std::int64_t>(value);
  return value;
}

template <class Range>
Json numbers(const Range& values) {
  Json array = Json::array();
  for (const double value : values) array.push_back(number(value));
  return array;
}

Json rows_of(const Matrix& matrix) {
  Json array = Json::array();
  for (Index i = 0; i < matrix.rows(); ++i) array.push_back(numbers(matrix.row(i)));
  return array;
}

std::string leaf(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool flat(const Json& array) {
  return std::none_of(array.begin(), array.end(), [](const Json& v) { return v.is_structured(); });
}

/// Two blanks a level; an array of numbers or texts stays on one line.
std::string laid_out(const Json& value, std::size_t depth = 0) {
  if (!value.is_structured() || value.empty()) return leaf(value);
  const bool one_line = value.is_array() && flat(value);
  const std::string newline = '\n' + std::string(2 * depth, ' ');
  std::string text(1, value.is_object() ? '{' : '[');
  for (auto item = value.begin(); item != value.end(); ++item) {
    if (item != value.begin()) text += one_line ? ", " : ",";
    if (!one_line) text += newline + "  ";
    if (value.is_object()) text += leaf(item.key()) + ": ";
    text += laid_out(*item, depth + 1);
  }
  return text + (one_line ? "" : newline) + (value.is_object() ? '}' : ']');
}

std::string document(const Json& value) { return laid_out(value) + '\n'; }

Json block_json(const Model&, const GaussianBlock& block) {
  const GaussianParameters& parameters = block.parameters();
  Json json{{"type", "gaussian"},
            {"model", name_of(parameters.family)},
            {"features", parameters.columns},
            {"shared", block.shared()},
            {"diagonal", block.diagonal()},
            {"divisor", parameters.unbiased ? "unbiased" : "mle"}};
  if (parameters.family == Family::rda) {
    json["alpha"] = number(parameters.alpha);
    json["gamma"] = number(parameters.gamma);
  }
  if (!parameters.shrinkage.empty()) json["shrinkage"] = numbers(parameters.shrinkage);
  if (parameters.raw_units) json["raw_units"] = true;
  return json;
}

Json block_json(const Model& model, const MixtureBlock& block) {
  const MixtureParameters& p = block.parameters();
  Json components = Json::array();
  for (std::size_t c = 0; c < p.weights.size(); ++c)
    components.push_back(
        {{"class", model.classes()[static_cast<std::size_t>(p.owner[c])]},
         {"weight", number(p.weights[c])},
         {"mean", numbers(p.components.means.row(static_cast<Index>(c)))},
         {"covariance", rows_of(block.components().covariance(static_cast<Index>(c)))}});
  Json json{{"type", "mixture"},
            {"model", "mda"},
            {"structure", name_of(p.components.family)},
            {"features", p.components.columns},
            {"shared", block.components().shared()},
            {"diagonal", block.components().diagonal()},
            {"components", std::move(components)}};
  if (p.components.raw_units) json["raw_units"] = true;
  return json;
}

Json tables_of(const std::vector<Matrix>& tables) {
  Json array = Json::array();
  for (const Matrix& table : tables) array.push_back(rows_of(table));
  return array;
}

Json block_json(const Model&, const CategoricalBlock& block) {
  const CategoricalParameters& p = block.parameters();
  return {{"type", name_of(p.kind)},
          {"model", name_of(p.kind)},
          {"features", p.columns},
          {"levels", p.levels},
          {"smoothing", number(p.smoothing)},
          {"probabilities", tables_of(p.probabilities)}};
}

Json block_json(const Model&, const JointBlock& block) {
  const JointParameters& p = block.parameters();
  return {{"type", "joint"},
          {"model", "joint"},
          {"features", p.columns},
          {"levels", p.levels},
          {"smoothing", number(p.smoothing)},
          {"probabilities", rows_of(p.probabilities)}};
}

Json block_json(const Model&, const CountBlock& block) {
  const CountParameters& p = block.parameters();
  Json json{{"type", name_of(p.kind)}, {"model", name_of(p.kind)}};
  if (!p.text.empty()) json["text"] = p.text;
  json["terms"] = p.terms;
  json["smoothing"] = number(p.smoothing);
  if (!p.lengths.empty()) json["lengths"] = numbers(p.lengths);
  json["probabilities"] = rows_of(p.probabilities);
  return json;
}

/// Mean and covariance of one class over all Gaussian columns: blocks are independent of each
/// other.
void add_moments(Json& json, const GaussianBlock& block, Index k) {
  Json mean = json.value("mean", Json::array());
  Json covariance = json.value("covariance", Json::array());
  const std::size_t before = mean.size();
  for (Json& row : covariance) {
    for (Index j = 0; j < block.dimension(); ++j) row.push_back(0.0);
  }
  for (const double value : block.parameters().means.row(k)) mean.push_back(number(value));
  Json rows = rows_of(block.covariance(k));
  for (Json& row : rows) {
    Json whole = Json::array();
    for (std::size_t j = 0; j < before; ++j) whole.push_back(0.0);
    for (Json& value : row) whole.push_back(std::move(value));
    covariance.push_back(std::move(whole));
  }
  json["mean"] = std::move(mean);
  json["covariance"] = std::move(covariance);
}

Json classes_json(const Model& model) {
  const std::vector<double> counts = class_counts(model);
  Json array = Json::array();
  for (std::size_t k = 0; k < model.classes().size(); ++k) {
    Json json{{"name", model.classes()[k]}};
    if (!counts.empty()) json["count"] = number(counts[k]);
    json["prior"] = number(model.prior().probabilities()[k]);
    for (const Block& block : model.blocks()) {
      if (const auto* gaussian = std::get_if<GaussianBlock>(&block))
        add_moments(json, *gaussian, static_cast<Index>(k));
    }
    array.push_back(std::move(json));
  }
  return array;
}

/// What was asked for besides: costs, rejection.
void add_decisions(Json& json, const Evaluation& evaluation) {
  if (evaluation.rule().costs) json["risk"] = number(evaluation.risk());
  if (!evaluation.rule().reject) return;
  const std::optional<double> selective = evaluation.selective_risk();
  json["rejected"] = evaluation.rejected();
  json["coverage"] = number(evaluation.coverage());
  json["selective_risk"] = selective ? number(*selective) : Json();
}

}  // namespace

std::string inspection_json(const Model& model) {
  const Model::ParameterCount count = model.free_parameters();
  Json parameters{
      {"priors", count.priors}, {"means", count.means}, {"covariances", count.covariances}};
  if (count.probabilities > 0) parameters["probabilities"] = count.probabilities;
  if (count.weights > 0) parameters["weights"] = count.weights;
  parameters["total"] = count.total();
  Json blocks = Json::array();
  for (const Block& block : model.blocks())
    blocks.push_back(std::visit([&](const auto& b) { return block_json(model, b); }, block));
  Json json{{"model", blocks.at(0).at("model")},   {"target", model.target()},
            {"features", feature_names(model)},    {"classes", classes_json(model)},
            {"parameters", std::move(parameters)}, {"blocks", std::move(blocks)}};
  if (const auto linear = discriminants(model))
    json["discriminants"] = {{"intercepts", numbers(linear->intercepts)},
                             {"coefficients", rows_of(linear->coefficients)}};
  json["notes"] = model.notes();
  return document(json);
}

std::string evaluation_json(const Evaluation& evaluation) {
  const std::vector<std::string>& classes = evaluation.classes();
  const Index count = static_cast<Index>(classes.size());
  Json confusion = Json::array(), per_class = Json::object();
  for (Index k = 0; k < count; ++k) {
    Json row = Json::array();
    for (Index l = 0; l < count; ++l) row.push_back(evaluation.confusion(k, l));
    confusion.push_back(std::move(row));
    const Evaluation::ClassScores scores = evaluation.scores(k);
    per_class[classes[static_cast<std::size_t>(k)]] = {{"precision", number(scores.precision)},
                                                       {"recall", number(scores.recall)},
                                                       {"f1", number(scores.f1)},
                                                       {"support", scores.support}};
  }
  Json json{
      {"rows", evaluation.rows()},
      {"accuracy", number(evaluation.accuracy())},
      {"error_rate", number(evaluation.error_rate())},
      {"errors", evaluation.errors()},
      {"log_loss", number(evaluation.log_loss())},
      {"brier", number(evaluation.brier())},
      {"log_likelihood",
       std::isnan(evaluation.log_likelihood()) ? Json() : number(evaluation.log_likelihood())}};
  add_decisions(json, evaluation);
  json["classes"] = classes;
  json["confusion"] = std::move(confusion);
  json["per_class"] = std::move(per_class);
  return document(json);
}

std::string statistics_json(const Statistics& statistics) {
  Json classes = Json::array();
  for (const ClassStatistics& entry : statistics.classes())
    classes.push_back({{"name", entry.name},
                       {"rows", entry.rows},
                       {"weight", number(entry.moments.weight)},
                       {"mean", numbers(entry.moments.mean)}});
  Json features = Json::array();
  for (const Column& column : statistics.schema().features)
    features.push_back({{"name", column.name}, {"type", name_of(column.type)}});
  return document({{"target", statistics.target()},
                   {"columns", statistics.columns()},
                   {"features", std::move(features)},
                   {"scatter", statistics.scatter() == Scatter::full       ? "full"
                               : statistics.scatter() == Scatter::diagonal ? "diagonal"
                                                                           : "none"},
                   {"weight", number(statistics.weight())},
                   {"classes", std::move(classes)}});
}

std::string datasets_json(const std::vector<BuiltinDataset>& datasets) {
  Json array = Json::array();
  for (const BuiltinDataset& dataset : datasets)
    array.push_back({{"name", dataset.name}, {"description", dataset.description}});
  return document(array);
}

std::string json_string(const std::string& text) { return leaf(Json(text)); }

void append_json_number(std::string& text, double value) {
  const char* quote = std::isfinite(value) ? "" : "\"";
  fmt::format_to(std::back_inserter(text), "{0}{1}{0}", quote, value);
}

void append_json_members(std::string& text, std::string_view key,
                         const std::vector<std::string>& names, std::span<const double> values) {
  fmt::format_to(std::back_inserter(text), ", \"{}\": {{", key);
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k > 0) text += ", ";
    text += names[k] + ": ";
    append_json_number(text, values[k]);
  }
  text += '}';
}

}  // namespace genera::cli
