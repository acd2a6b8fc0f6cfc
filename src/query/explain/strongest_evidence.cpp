#include <algorithm>

#include <genera/explain.hpp>

#include "blocks/kinds.hpp"
#include "query/explain/largest.hpp"

namespace genera {

std::vector<std::vector<Evidence>> strongest_evidence(const Model& model, Index most) {
  const bool several_texts = std::ranges::count_if(model.features(), [](const Column& column) {
                               return column.type == ColumnType::text;
                             }) > 1;
  const auto name = [&](const query::BlockShare& share) {
    return blocks::visit(model.blocks()[share.block], [&](auto kind, const auto& block) {
      return kind.feature_name(block, share.share.feature, several_texts);
    });
  };
  std::vector<std::vector<Evidence>> strongest;
  for (Index k = 0; k < std::ssize(model.classes()) && model.classes().size() > 1; ++k) {
    query::Shares all;
    for (std::size_t b = 0; b < model.blocks().size(); ++b) {
      std::vector<blocks::Share> told;
      blocks::visit(model.blocks()[b], [&](auto kind, const auto& block) {
        kind.tell(block, model.prior(), k, told);
      });
      for (const blocks::Share& share : told) all.push_back({b, share});
    }
    if (all.empty()) return {};
    query::keep_largest(all, most, query::By::value, name, strongest.emplace_back());
  }
  return strongest;
}

}  // namespace genera
