#include "io/document.hpp"

#include <algorithm>

#include "blocks/documents.hpp"
#include "blocks/kinds.hpp"
#include "io/origin.hpp"

namespace genera::io {
namespace {

const std::vector<double>& counts_of(const Block& block) {
  return std::visit(
      [](const auto& b) -> const std::vector<double>& { return b.parameters().counts; }, block);
}

/// Counts are stored with the classes unless blocks have different counts.
bool counts_agree(const Model& model) {
  return std::all_of(model.blocks().begin(), model.blocks().end(), [&](const Block& block) {
    return counts_of(block) == counts_of(model.blocks().front());
  });
}

Value classes_document(const Model& model) {
  const bool with_counts =
      !model.blocks().empty() && counts_agree(model) && !counts_of(model.blocks().front()).empty();
  List list;
  for (std::size_t k = 0; k < model.classes().size(); ++k) {
    Members one;
    one["name"] = Value{model.classes()[k]};
    one["prior"] = Value{model.prior().probabilities()[k]};
    if (with_counts) one["count"] = Value{counts_of(model.blocks().front())[k]};
    list.push_back(Value{std::move(one)});
  }
  return {std::move(list)};
}

Value blocks_document(const Model& model) {
  const bool own_counts = !counts_agree(model);
  List list;
  for (const Block& block : model.blocks()) {
    Members one =
        blocks::visit(block, [](auto kind, const auto& b) { return kind.to_document(b); });
    if (own_counts && !counts_of(block).empty()) one["counts"] = Value{counts_of(block)};
    list.push_back(Value{std::move(one)});
  }
  return {std::move(list)};
}

/// Features in the order of the training table; empty if it equals the order of the blocks.
std::vector<std::string> ordered_columns(const Model& model) {
  const std::vector<Index> order = model.column_order();
  if (std::ranges::is_sorted(order)) return {};
  std::vector<std::string> names;
  for (const Index place : order)
    names.push_back(model.features()[static_cast<std::size_t>(place)].name);
  return names;
}

}  // namespace

Value to_document(const Model& model) {
  Members root;
  root["format"] = Value{std::string(model_format)};
  root["version"] = Value{format_version};
  root["target"] = Value{model.target()};
  put_label_type(model.label_type(), root);
  put_origin(model.origin(), root);
  root["classes"] = classes_document(model);
  root["blocks"] = blocks_document(model);
  root["notes"] = blocks::texts(model.notes());
  if (std::vector<std::string> columns = ordered_columns(model); !columns.empty())
    root["columns"] = blocks::texts(columns);
  if (model.temperature() != 1) root["temperature"] = Value{model.temperature()};
  return {std::move(root)};
}

}  // namespace genera::io
