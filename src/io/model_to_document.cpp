#include "io/block_documents.hpp"

#include <algorithm>

namespace genera::io {
namespace {

Numbers row_of(const Matrix& matrix, Index i) {
  const std::span<const double> row = matrix.row(i);
  return {row.begin(), row.end()};
}

const std::vector<double>& counts_of(const Block& block) {
  return std::visit(
      [](const auto& b) -> const std::vector<double>& { return b.parameters().counts; }, block);
}

/// The counts stand with the classes, unless blocks disagree about them.
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
    Members one = std::visit([](const auto& b) { return block_document(b); }, block);
    if (own_counts && !counts_of(block).empty()) one["counts"] = Value{counts_of(block)};
    list.push_back(Value{std::move(one)});
  }
  return {std::move(list)};
}

}  // namespace

Value texts(std::span<const std::string> names) {
  List list;
  for (const std::string& name : names) list.push_back(Value{name});
  return {std::move(list)};
}

Value rows_of(const Matrix& matrix) {
  List list;
  for (Index i = 0; i < matrix.rows(); ++i) list.push_back(Value{row_of(matrix, i)});
  return {std::move(list)};
}

void put_covariances(const GaussianParameters& gaussian, Members& block) {
  if (gaussian.covariances.size() == 1) {
    block["covariance"] = rows_of(gaussian.covariances.front());
  } else if (!gaussian.covariances.empty()) {
    List list;
    for (const Matrix& covariance : gaussian.covariances) list.push_back(rows_of(covariance));
    block["covariances"] = Value{std::move(list)};
  } else if (gaussian.variances.rows() == 1) {
    block["variance"] = Value{row_of(gaussian.variances, 0)};
  } else {
    block["variances"] = rows_of(gaussian.variances);
  }
}

Members block_document(const GaussianBlock& gaussian) {
  const GaussianParameters& parameters = gaussian.parameters();
  Members block;
  block["type"] = Value{"gaussian"};
  block["model"] = Value{std::string(name_of(parameters.family))};
  block["features"] = texts(parameters.columns);
  block["means"] = rows_of(parameters.means);
  put_covariances(parameters, block);
  block["divisor"] = Value{parameters.unbiased ? "unbiased" : "mle"};
  const GaussianParameters plain;
  const bool rda = parameters.family == Family::rda;
  if (rda || parameters.alpha != plain.alpha) block["alpha"] = Value{parameters.alpha};
  if (rda || parameters.gamma != plain.gamma) block["gamma"] = Value{parameters.gamma};
  if (!parameters.shrinkage.empty()) block["shrinkage"] = Value{parameters.shrinkage};
  if (parameters.raw_units) block["raw_units"] = Value{true};
  return block;
}

Value to_document(const Model& model) {
  Members root;
  root["format"] = Value{std::string(model_format)};
  root["version"] = Value{format_version};
  root["target"] = Value{model.target()};
  root["classes"] = classes_document(model);
  root["blocks"] = blocks_document(model);
  root["notes"] = texts(model.notes());
  return {std::move(root)};
}

}  // namespace genera::io
