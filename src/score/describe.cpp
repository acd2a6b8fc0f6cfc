#include <genera/description.hpp>

#include <algorithm>

#include "blocks/kinds.hpp"
#include "kernel/index.hpp"

namespace genera {
namespace {

using kernel::at;

/// The blocks are independent within a class: their scores add up.
std::optional<LinearScores> discriminants(const Model& model,
                                          const std::vector<BlockDescription>& blocks) {
  const Index classes = std::ssize(model.classes());
  LinearScores sum{model.prior().log(), Matrix(classes, std::ssize(model.features()))};
  Index column = 0;
  for (const BlockDescription& block : blocks) {
    if (!block.linear) return std::nullopt;
    const auto& [intercepts, coefficients] = *block.linear;
    for (Index k = 0; k < classes; ++k) {
      sum.intercepts[at(k)] += intercepts[at(k)];
      std::ranges::copy(coefficients.row(k), sum.coefficients.row(k).begin() + column);
    }
    column += coefficients.columns();
  }
  return sum;
}

}  // namespace

Description describe(const Model& model) {
  Description description;
  for (const Block& block : model.blocks())
    description.blocks.push_back(blocks::visit(block, [&](auto kind, const auto& b) {
      BlockDescription one = kind.describe(b, model.classes());
      one.model = kind.name(b);
      return one;
    }));
  description.discriminants = discriminants(model, description.blocks);
  return description;
}

std::string_view name_of(const Block& block) {
  return blocks::visit(block, [](auto kind, const auto& b) { return kind.name(b); });
}

}  // namespace genera
