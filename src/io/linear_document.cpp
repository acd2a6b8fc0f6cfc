// Linear models as documents: their one block is of type complement or logistic.
#include "io/model_fields.hpp"

#include <genera/recipe.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace genera::io {
namespace {

using blocks::at_place;
using blocks::DocumentClasses;
using blocks::read_text_options;
using blocks::rows_of;
using blocks::text_document;
using blocks::texts;

constexpr std::string_view column_type_hint =
    "numbers are numeric or count, levels are categorical or binary";

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

void put_terms(const TermFeatures& terms, Members& members) {
  members["text"] = Value{terms.column};
  members["cut"] = text_document(terms.text_options);
  members["terms"] = texts(terms.terms);
}

Members block_of(const ComplementParameters& p) {
  Members members;
  if (const auto* terms = std::get_if<TermFeatures>(&p.features))
    put_terms(*terms, members);
  else
    members["terms"] = texts(names_of(p.features));
  members["probabilities"] = rows_of(p.probabilities);
  members["smoothing"] = Value{p.smoothing};
  if (!p.lengths.empty()) members["lengths"] = Value{p.lengths};
  return members;
}

Value part_document(const LinearFeatures& part) {
  Members members;
  if (const auto* numbers = std::get_if<NumberFeatures>(&part)) {
    members["columns"] = texts(numbers->columns);
    members["type"] = Value{std::string(name_of(numbers->type))};
    if (!numbers->centres.empty()) members["centres"] = Value{numbers->centres};
  } else if (const auto* levels = std::get_if<LevelFeatures>(&part)) {
    members["column"] = Value{levels->column};
    members["levels"] = texts(levels->levels);
    members["type"] = Value{std::string(name_of(levels->type))};
  } else if (const auto* products = std::get_if<ProductFeatures>(&part)) {
    members["products_of"] = texts(products->columns);
    members["terms"] = Value{std::string(
        name_of(products->products ? LogisticTerms::quadratic : LogisticTerms::squares))};
    members["centres"] = Value{products->centres};
    members["scales"] = Value{products->scales};
  } else {
    put_terms(std::get<TermFeatures>(part), members);
  }
  return {std::move(members)};
}

Members block_of(const LogisticParameters& p) {
  List parts;
  for (const LinearFeatures& part : p.features) parts.push_back(part_document(part));
  Members members;
  members["parts"] = Value{std::move(parts)};
  members["intercepts"] = Value{p.intercepts};
  members["coefficients"] = rows_of(p.coefficients);
  if (!p.means.empty()) members["means"] = Value{p.means};
  if (p.ridge) members["ridge"] = Value{*p.ridge};
  return members;
}

TermFeatures read_terms(const Field& field) {
  TermFeatures terms{.column = field["text"].text(), .terms = field["terms"].distinct_texts()};
  if (field.has("cut")) terms.text_options = read_text_options(field["cut"]);
  return terms;
}

ComplementParameters read_complement(const Field& block, const DocumentClasses& classes) {
  block.allow_only(
      {"type", "text", "cut", "terms", "probabilities", "smoothing", "lengths", "counts"});
  ComplementParameters p;
  if (block.has("text"))
    p.features = read_terms(block);
  else
    p.features =
        NumberFeatures{.columns = block["terms"].distinct_texts(), .type = ColumnType::count};
  p.probabilities = block["probabilities"].matrix(classes.size(), std::ssize(names_of(p.features)));
  if (block.has("smoothing")) p.smoothing = block["smoothing"].number_at_least(0);
  if (block.has("lengths")) p.lengths = block["lengths"].numbers(classes.size());
  p.counts = read_counts(block, classes);
  return p;
}

ColumnType read_type(const Field& part, ColumnType usual, ColumnType other) {
  if (!part.has("type")) return usual;
  const Field type = part["type"];
  for (const ColumnType known : {usual, other}) {
    if (type.text() == name_of(known)) return known;
  }
  type.refuse(
      fmt::format("is '{}', expected '{}' or '{}'", type.text(), name_of(usual), name_of(other)),
      std::string(column_type_hint));
}

ProductFeatures read_products(const Field& part) {
  part.allow_only({"products_of", "terms", "centres", "scales"});
  ProductFeatures products{.columns = part["products_of"].distinct_texts()};
  const Field terms = part["terms"];
  products.products = terms.text() == name_of(LogisticTerms::quadratic);
  if (!products.products && terms.text() != name_of(LogisticTerms::squares))
    terms.refuse(fmt::format("is '{}', expected 'squares' or 'quadratic'", terms.text()),
                 "quadratic has the products of any two columns besides the squares");
  products.centres = part["centres"].numbers(std::ssize(products.columns));
  products.scales = part["scales"].numbers(std::ssize(products.columns));
  products.names = product_names(products.columns, products.products);
  return products;
}

LinearFeatures read_part(const Field& part) {
  if (part.has("columns")) {
    part.allow_only({"columns", "type", "centres"});
    NumberFeatures numbers{part["columns"].distinct_texts(),
                           read_type(part, ColumnType::numeric, ColumnType::count)};
    if (part.has("centres")) numbers.centres = part["centres"].numbers(std::ssize(numbers.columns));
    return numbers;
  }
  if (part.has("products_of")) return read_products(part);
  if (part.has("column")) {
    part.allow_only({"column", "levels", "type"});
    return LevelFeatures{part["column"].text(), part["levels"].distinct_texts(),
                         read_type(part, ColumnType::categorical, ColumnType::binary)};
  }
  part.allow_only({"text", "cut", "terms"});
  return read_terms(part);
}

LogisticParameters read_logistic(const Field& block, const DocumentClasses& classes) {
  block.allow_only({"type", "parts", "intercepts", "coefficients", "counts", "means", "ridge"});
  LogisticParameters p;
  Index features = 0;
  for (const Field& part : block["parts"].elements("an object")) {
    p.features.push_back(read_part(part));
    features += std::ssize(names_of(p.features.back()));
  }
  p.intercepts = block["intercepts"].numbers(classes.size());
  p.coefficients = block["coefficients"].matrix(classes.size(), features);
  if (block.has("means")) p.means = block["means"].numbers(features);
  if (block.has("ridge")) p.ridge = block["ridge"].number_at_least(0);
  p.counts = read_counts(block, classes);
  return p;
}

/// A scorer has no density that could be multiplied with that of another block.
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
  root.allow_only({"format", "version", "target", "classes", "blocks", "notes", "temperature"});
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
  return at_place(place + ": " + block.path(), [&] {
    return LinearModel(classes.names, prior, std::move(parameters), target, notes)
        .with_temperature(temperature);
  });
}

Classifier to_classifier(const Value& document, const std::string& place) {
  const Field root(document, place);
  check_format(root, model_format);
  if (!linear_kind(root)) return to_model(document, place);
  return to_linear_model(document, place);
}

}  // namespace genera::io
