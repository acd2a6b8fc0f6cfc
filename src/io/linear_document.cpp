// Linear models as documents: their single block has type complement or logistic.
#include "io/model_fields.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/origin.hpp"
#include "score/linear/features.hpp"
#include "score/linear/features_document.hpp"

namespace genera::io {
namespace {

using blocks::at_place;
using blocks::DocumentClasses;
using blocks::rows_of;
using blocks::texts;

std::optional<LinearModel::Kind> kind_named(const std::string& type) {
  for (const LinearModel::Kind kind : linear_kinds) {
    if (type == name_of(kind)) return kind;
  }
  return std::nullopt;
}

Value classes_document(const LinearModel& model) {
  List list;
  for (std::size_t k = 0; k < model.classes().size(); ++k) {
    Members one;
    one["name"] = Value{model.classes()[k]};
    one["prior"] = Value{model.prior().probabilities()[k]};
    if (!model.counts().empty()) one["count"] = Value{model.counts()[k]};
    list.push_back(Value{std::move(one)});
  }
  return {std::move(list)};
}

Members block_of(const ComplementParameters& p) {
  Members members;
  if (score::text_column(p.features))
    members = score::to_document(p.features);
  else
    members["terms"] = texts(names_of(p.features));
  members["probabilities"] = rows_of(p.probabilities);
  members["smoothing"] = Value{p.smoothing};
  if (!p.lengths.empty()) members["lengths"] = Value{p.lengths};
  return members;
}

Members block_of(const LogisticParameters& p) {
  List parts;
  for (const LinearFeatures& part : p.features) parts.push_back(Value{score::to_document(part)});
  Members members;
  members["parts"] = Value{std::move(parts)};
  members["intercepts"] = Value{p.intercepts};
  members["coefficients"] = rows_of(p.coefficients);
  if (!p.means.empty()) members["means"] = Value{p.means};
  if (p.ridge) members["ridge"] = Value{*p.ridge};
  return members;
}

ComplementParameters read_complement(const Field& block, const DocumentClasses& classes) {
  block.allow_only(
      {"type", "text", "cut", "terms", "probabilities", "smoothing", "lengths", "counts"});
  ComplementParameters p;
  if (block.has("text"))
    p.features = score::read_terms(block);
  else
    p.features =
        NumberFeatures{.columns = block["terms"].distinct_texts(), .type = ColumnType::count};
  p.probabilities = block["probabilities"].matrix(classes.size(), std::ssize(names_of(p.features)));
  if (block.has("smoothing")) p.smoothing = block["smoothing"].number_at_least(0);
  if (block.has("lengths")) p.lengths = block["lengths"].numbers(classes.size());
  p.counts = read_counts(block, classes);
  return p;
}

LogisticParameters read_logistic(const Field& block, const DocumentClasses& classes) {
  block.allow_only({"type", "parts", "intercepts", "coefficients", "counts", "means", "ridge"});
  LogisticParameters p;
  Index features = 0;
  for (const Field& part : block["parts"].elements("an object")) {
    p.features.push_back(score::read_features(part));
    features += std::ssize(names_of(p.features.back()));
  }
  p.intercepts = block["intercepts"].numbers(classes.size());
  p.coefficients = block["coefficients"].matrix(classes.size(), features);
  if (block.has("means")) p.means = block["means"].numbers(features);
  if (block.has("ridge")) p.ridge = block["ridge"].number_at_least(0);
  p.counts = read_counts(block, classes);
  return p;
}

/// Levels of all columns that have them.
std::vector<std::vector<std::string>> levels_of(const LinearModel::Parameters& parameters) {
  std::vector<std::vector<std::string>> levels;
  if (const auto* logistic = std::get_if<LogisticParameters>(&parameters)) {
    for (const LinearFeatures& part : logistic->features) {
      const ColumnType type = score::columns_of(part).front().type;
      if (type == ColumnType::categorical || type == ColumnType::binary)
        levels.push_back(names_of(part));
    }
  }
  return levels;
}

/// Throws: a linear model cannot be combined with other blocks.
[[noreturn]] void refuse_mixed(LinearModel::Kind kind, const std::string& place) {
  throw Error(
      Errc::bad_model,
      fmt::format("{}: {} is a scorer, not a density: it cannot be mixed with other columns", place,
                  name_of(kind)),
      {"use {}, or leave the other columns out ({}, {})",
       {{"model", {std::string(generative_counterpart(kind))}}, {"features"}, {"drop"}}});
}

}  // namespace

std::optional<LinearModel::Kind> linear_kind(const Field& root) {
  if (!root.has("blocks")) return std::nullopt;
  for (const Field& block : root["blocks"].elements("an object")) {
    if (const auto kind = kind_named(block["type"].text())) return kind;
  }
  return std::nullopt;
}

Value to_document(const LinearModel& model) {
  Members block = std::visit([](const auto& p) { return block_of(p); }, model.parameters());
  block["type"] = Value{std::string(name_of(model.kind()))};
  Members root;
  root["format"] = Value{std::string(model_format)};
  root["version"] = Value{format_version};
  root["target"] = Value{model.target()};
  put_label_type(model.label_type(), root);
  put_origin(model.origin(), root);
  root["classes"] = classes_document(model);
  root["blocks"] = Value{List{Value{std::move(block)}}};
  root["notes"] = texts(model.notes());
  if (model.temperature() != 1) root["temperature"] = Value{model.temperature()};
  return {std::move(root)};
}

Value to_document(const Classifier& classifier) {
  return std::visit([](const auto& model) { return to_document(model); }, classifier);
}

LinearModel to_linear_model(const Value& document, const std::string& place) {
  const Field root(document, place);
  const DocumentClasses classes = read_classes(root);
  root.allow_only({"format", "version", "target", "labels", "classes", "blocks", "notes",
                   "temperature", "origin"});
  for (const Field& one : classes.fields) one.allow_only({"name", "prior", "count"});
  const std::vector<Field> blocks = root["blocks"].elements("an object");
  const LinearModel::Kind kind = linear_kind(root).value();
  if (blocks.size() > 1) refuse_mixed(kind, place);
  const Field& block = blocks.front();
  LinearModel::Parameters parameters;
  if (kind == LinearModel::Kind::complement)
    parameters = read_complement(block, classes);
  else
    parameters = read_logistic(block, classes);
  const std::string target = root.has("target") ? root["target"].text() : "class";
  std::vector<std::string> notes;
  if (root.has("notes")) notes = root["notes"].texts();
  const Prior prior = read_prior(classes, place);
  const double temperature = read_temperature(root);
  const LabelType labels = read_label_type(root);
  const Origin origin = with_levels(read_origin(root), classes.names, levels_of(parameters));
  return at_place(place + ": " + block.path(), [&] {
    return LinearModel(classes.names, prior, std::move(parameters), target, notes)
        .with_temperature(temperature)
        .with_label_type(labels)
        .with_origin(origin);
  });
}

Classifier to_classifier(const Value& document, const std::string& place) {
  const Field root(document, place);
  check_format(root, model_format);
  if (is_committee(root)) return to_committee(document, place);
  if (!linear_kind(root)) return to_model(document, place);
  return to_linear_model(document, place);
}

}  // namespace genera::io
