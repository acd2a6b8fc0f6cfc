#include "query/generate/gaussian_parts.hpp"

#include <algorithm>

namespace genera::query {

GaussianParts::GaussianParts(const Model& model, For purpose) {
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    const auto* gaussian = std::get_if<GaussianBlock>(&model.blocks()[b]);
    const auto* mixture = std::get_if<MixtureBlock>(&model.blocks()[b]);
    if (!gaussian && !mixture) continue;
    Part& part = parts_.emplace_back(
        Part{b, gaussian ? components_of(*gaussian) : components_of(*mixture), std::nullopt});
    if (purpose == For::draws) part.colouring.emplace(*part.components.parameters);
  }
}

GaussianWorker::GaussianWorker(const GaussianParts& parts, OwnRows& rows)
    : parts_(parts.all()), rows_(rows) {
  Index widest = 0;
  for (const GaussianParts::Part& part : parts_) {
    rests_.emplace_back(part.components, part.colouring ? &*part.colouring : nullptr);
    widest = std::max(widest, part.components.dimension());
  }
  panel_.resize(static_cast<std::size_t>(widest * kernel::panel_rows));
}

void GaussianWorker::observe(std::span<const Index> columns) {
  Index first = 0;  // of the part's columns among all
  for (std::size_t i = 0; i < rests_.size(); ++i) {
    const Index dimension = parts_[i].components.dimension();
    own_.clear();
    for (const Index column : columns) {
      if (column >= first && column < first + dimension) own_.push_back(column - first);
    }
    rests_[i].observe(own_);
    first += dimension;
  }
}

}  // namespace genera::query
