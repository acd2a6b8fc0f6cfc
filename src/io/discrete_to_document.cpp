// Blocks of what is counted, as documents.
#include "io/block_documents.hpp"

namespace genera::io {
namespace {

Value lists_of_texts(const std::vector<std::vector<std::string>>& lists) {
  List result;
  for (const auto& list : lists) result.push_back(texts(list));
  return {std::move(result)};
}

Value lengths_document(const TextOptions::Lengths& lengths) {
  return {Numbers{static_cast<double>(lengths.least), static_cast<double>(lengths.most)}};
}

}  // namespace

Value text_document(const TextOptions& options) {
  Members members;
  if (options.chars)
    members["chars"] = lengths_document(*options.chars);
  else
    members["words"] = lengths_document(options.words);
  if (options.hash_bits > 0) members["hash_bits"] = Value{static_cast<double>(options.hash_bits)};
  return {std::move(members)};
}

Members block_document(const CategoricalBlock& block) {
  const CategoricalParameters& parameters = block.parameters();
  Members members;
  members["type"] = Value{std::string(name_of(parameters.kind))};
  members["features"] = texts(parameters.columns);
  members["levels"] = lists_of_texts(parameters.levels);
  List tables;
  for (const Matrix& table : parameters.probabilities) tables.push_back(rows_of(table));
  members["probabilities"] = Value{std::move(tables)};
  members["smoothing"] = Value{parameters.smoothing};
  return members;
}

Members block_document(const JointBlock& block) {
  const JointParameters& parameters = block.parameters();
  Members members;
  members["type"] = Value{"joint"};
  members["features"] = texts(parameters.columns);
  members["levels"] = lists_of_texts(parameters.levels);
  members["probabilities"] = rows_of(parameters.probabilities);
  members["smoothing"] = Value{parameters.smoothing};
  return members;
}

Members block_document(const CountBlock& block) {
  const CountParameters& parameters = block.parameters();
  Members members;
  members["type"] = Value{std::string(name_of(parameters.kind))};
  members["terms"] = texts(parameters.terms);
  if (!parameters.text.empty()) {
    members["text"] = Value{parameters.text};
    members["cut"] = text_document(parameters.text_options);
  }
  members["probabilities"] = rows_of(parameters.probabilities);
  members["smoothing"] = Value{parameters.smoothing};
  if (!parameters.lengths.empty()) members["lengths"] = Value{parameters.lengths};
  return members;
}

}  // namespace genera::io
