#include <algorithm>

#include <genera/explain.hpp>

#include "blocks/kinds.hpp"
#include "query/explain/largest.hpp"
#include "score/committee/bound_classifier.hpp"
#include "score/linear/features.hpp"
#include "score/linear/parts.hpp"

namespace genera {
namespace {

std::size_t size_of(const Model& model) { return model.blocks().size(); }
std::size_t size_of(const LinearModel& model) { return model.parts().size(); }

void class_evidence(const Model& model, std::size_t block, Index k,
                    std::vector<blocks::Share>& to) {
  blocks::visit(model.blocks()[block],
                [&](auto kind, const auto& b) { kind.class_evidence(b, model.prior(), k, to); });
}
void class_evidence(const LinearModel& model, std::size_t part, Index k,
                    std::vector<blocks::Share>& to) {
  score::class_evidence(model, part, k, to);
}

std::string name_in(const Model& model, const query::BlockShare& share, bool several_texts) {
  return blocks::visit(model.blocks()[share.block], [&](auto kind, const auto& block) {
    return kind.feature_name(block, share.share.feature, several_texts);
  });
}
std::string name_in(const LinearModel& model, const query::BlockShare& share, bool several_texts) {
  return score::feature_name(model.parts()[share.block], share.share.feature, several_texts);
}

template <class M>
std::vector<std::vector<Evidence>> strongest_of(const M& model, Index max) {
  const bool several_texts = std::ranges::count_if(model.features(), [](const Column& column) {
                               return column.type == ColumnType::text;
                             }) > 1;
  const auto name = [&](const query::BlockShare& share) {
    return name_in(model, share, several_texts);
  };
  std::vector<std::vector<Evidence>> strongest;
  for (Index k = 0; k < std::ssize(model.classes()) && model.classes().size() > 1; ++k) {
    query::Shares all;
    for (std::size_t b = 0; b < size_of(model); ++b) {
      std::vector<blocks::Share> shares;
      class_evidence(model, b, k, shares);
      for (const blocks::Share& share : shares) all.push_back({b, share});
    }
    if (all.empty()) return {};
    query::keep_largest(all, max, query::By::value, name, strongest.emplace_back());
  }
  return strongest;
}

}  // namespace

std::vector<std::vector<Evidence>> strongest_evidence(ClassifierRef model, Index max) {
  if (model.committee()) score::refuse_committee("strongest evidence of its own");
  return model.model() ? strongest_of(*model.model(), max) : strongest_of(*model.linear(), max);
}

}  // namespace genera
