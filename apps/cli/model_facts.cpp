#include "model_facts.hpp"

namespace genera::cli {

std::vector<double> class_counts(ClassifierRef model) {
  if (const LinearModel* linear = model.linear()) return linear->counts();
  for (const Block& block : model.model()->blocks()) {
    const auto counts = std::visit([](const auto& b) { return b.parameters().counts; }, block);
    if (!counts.empty()) return counts;
  }
  return {};
}

std::vector<std::string> feature_names(ClassifierRef model) {
  std::vector<std::string> names;
  for (const Column& column : model.features()) names.push_back(column.name);
  return names;
}

}  // namespace genera::cli
