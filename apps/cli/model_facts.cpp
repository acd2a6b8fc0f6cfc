#include "model_facts.hpp"

#include <algorithm>

namespace genera::cli {

std::vector<double> class_counts(ClassifierRef model) {
  if (const LinearModel* linear = model.linear()) return linear->counts();
  for (const Block& block : model.model()->blocks()) {
    const auto counts = std::visit([](const auto& b) { return b.parameters().counts; }, block);
    if (!counts.empty()) return counts;
  }
  return {};
}

std::optional<GaussianBlock::Linear> discriminants(const Model& model) {
  const Index classes = static_cast<Index>(model.classes().size());
  GaussianBlock::Linear sum{model.prior().log(),
                            Matrix(classes, static_cast<Index>(model.features().size()))};
  Index column = 0;
  for (const Block& block : model.blocks()) {
    const auto* gaussian = std::get_if<GaussianBlock>(&block);
    const auto linear = gaussian ? gaussian->linear() : std::nullopt;
    if (!linear) return std::nullopt;
    for (Index k = 0; k < classes; ++k) {
      sum.intercepts[static_cast<std::size_t>(k)] +=
          linear->intercepts[static_cast<std::size_t>(k)];
      std::ranges::copy(linear->coefficients.row(k), sum.coefficients.row(k).begin() + column);
    }
    column += linear->coefficients.columns();
  }
  return sum;
}

std::vector<std::string> feature_names(ClassifierRef model) {
  std::vector<std::string> names;
  for (const Column& column : model.features()) names.push_back(column.name);
  return names;
}

}  // namespace genera::cli
