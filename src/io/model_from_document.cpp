#include "io/model_fields.hpp"

#include "blocks/documents.hpp"
#include "blocks/kinds.hpp"
#include "io/origin.hpp"
#include "kernel/text.hpp"

#include <genera/error.hpp>
#include <genera/names.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

namespace genera::io {
namespace {

using blocks::at_place;
using blocks::DocumentClasses;

/// A number for every class, or for none.
Vector numbers_of_classes(const std::vector<Field>& classes, const std::string& key) {
  const bool any =
      std::any_of(classes.begin(), classes.end(), [&](const Field& one) { return one.has(key); });
  Vector numbers;
  if (any)
    for (const Field& one : classes) numbers.push_back(one[key].number_at_least(0));
  return numbers;
}

/// Sorts the classes, which may have any order in handwritten files; ties go to the first class.
void sort_by_name(std::vector<Field>& classes) {
  std::vector<std::string> names;
  for (const Field& one : classes) names.push_back(one["name"].text());
  sort_labels(names);
  const NameSet ranks(names);
  const auto rank = [&](const Field& one) { return *ranks.find(one["name"].text()); };
  std::stable_sort(classes.begin(), classes.end(),
                   [&](const Field& a, const Field& b) { return rank(a) < rank(b); });
}

Block read_block(const Field& block, const DocumentClasses& classes) {
  std::optional<Block> read;
  std::vector<std::string> known;
  blocks::for_each_kind([&]<class K>(K kind) {
    if (!read && kind.reads(block)) read = kind.from_document(block, classes);
    for (const std::string_view type : K::types)
      if (std::ranges::find(known, type) == known.end()) known.emplace_back(type);
  });
  if (read) return *std::move(read);
  for (const LinearModel::Kind kind : linear_kinds) known.emplace_back(name_of(kind));
  const std::string& name = block["type"].text();
  block["type"].refuse(fmt::format("is '{}', which is not a block of this version", name),
                       kernel::did_you_mean(name, known, "one of " + kernel::quoted_list(known)));
}

std::vector<Block> read_blocks(const Field& root, const DocumentClasses& classes) {
  root.allow_only({"format", "version", "target", "labels", "classes", "blocks", "columns", "notes",
                   "temperature", "origin"});
  for (const Field& one : classes.fields) one.allow_only({"name", "prior", "count"});
  std::vector<Block> blocks;
  for (const Field& block : root["blocks"].elements("an object"))
    blocks.push_back(read_block(block, classes));
  return blocks;
}

}  // namespace

DocumentClasses read_classes(const Field& root) {
  const Field list = root["classes"];
  DocumentClasses classes{.fields = list.elements("an object"), .names = {}, .counts = {}};
  if (classes.fields.empty()) list.refuse("is empty", "a model has at least one class");
  if (!root.has("blocks")) sort_by_name(classes.fields);
  std::set<std::string> seen;
  for (const Field& one : classes.fields) {
    const Field name = one["name"];
    if (!seen.insert(name.text()).second)
      name.refuse(fmt::format("is '{}', the name of another class", name.text()),
                  "give each class a name of its own");
    classes.names.push_back(name.text());
  }
  classes.counts = numbers_of_classes(classes.fields, "count");
  return classes;
}

double read_temperature(const Field& root) {
  return root.has("temperature") ? root["temperature"].number_at_least(1) : 1;
}

Prior read_prior(const DocumentClasses& classes, const std::string& file) {
  const Vector weights = numbers_of_classes(classes.fields, "prior");
  if (weights.empty()) return Prior::uniform(classes.size());
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  constexpr double tolerance = 1e-3;  // allows thirds written with a few digits
  if (!(std::abs(sum - 1) <= tolerance))
    throw Error(Errc::bad_model, fmt::format("{}: the priors sum to {:.9g}, expected 1", file, sum),
                "fix the priors, or leave them all out for equal ones");
  return at_place(file, [&] { return Prior(weights); });
}

/// Reads the order of features in the training table.
static std::vector<std::string> read_columns(const Field& field, const Model& model) {
  std::vector<std::string> names = field.texts();
  std::set<std::string> missing;
  for (const Column& column : model.features()) missing.insert(column.name);
  for (const std::string& name : names)
    if (missing.erase(name) == 0)
      field.refuse(
          fmt::format("holds '{}', which is not a column of a block, or comes twice", name),
          "name each column of the blocks once, or leave the list out");
  if (!missing.empty())
    field.refuse(fmt::format("lacks '{}', a column of a block", *missing.begin()),
                 "name each column of the blocks once, or leave the list out");
  return names;
}

Model to_model(const Value& document, const std::string& place) {
  const Field root(document, place);
  check_format(root, model_format);
  if (is_committee(root))
    throw Error(Errc::bad_model, fmt::format("{}: a committee is several models, not one", place),
                "read it with load_classifier");
  if (const auto kind = linear_kind(root))
    throw Error(Errc::bad_model,
                fmt::format("{}: {} is a scorer, not a density", place, name_of(*kind)),
                {"read it with load_classifier, or use {}",
                 {{"model", {std::string(generative_counterpart(*kind))}}}});
  const DocumentClasses classes = read_classes(root);
  std::vector<Block> blocks = root.has("blocks")
                                  ? read_blocks(root, classes)
                                  : std::vector<Block>{blocks::hand_written_block(root, classes)};
  const std::string target = root.has("target") ? root["target"].text() : "class";
  std::vector<std::string> notes;
  if (root.has("notes")) notes = root["notes"].texts();
  const Prior prior = read_prior(classes, place);
  const double temperature = read_temperature(root);
  const LabelType labels = read_label_type(root);
  std::vector<std::vector<std::string>> levels;
  for (const Block& block : blocks)
    std::ranges::move(
        blocks::visit(block, [](auto kind, const auto& b) { return kind.layout(b); }).levels,
        std::back_inserter(levels));
  const Origin origin = with_levels(read_origin(root), classes.names, levels);
  Model model = at_place(place, [&] {
    return Model(classes.names, prior, std::move(blocks), target, notes)
        .with_temperature(temperature)
        .with_label_type(labels)
        .with_origin(origin);
  });
  const bool ordered = root.has("blocks") && root.has("columns");
  return ordered ? model.with_column_order(read_columns(root["columns"], model)) : model;
}

}  // namespace genera::io
