// How uncertain a model is: its parameters, drawn from their posterior.
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <genera/impute.hpp>

#include "blocks/dirichlet.hpp"
#include "blocks/kinds.hpp"
#include "kernel/text.hpp"

namespace genera {
namespace {

bool is_certain(const Block& block) {
  return blocks::visit(block, [](auto kind, const auto& known) { return kind.is_certain(known); });
}

Block drawn(const Block& block, Rng& rng) {
  return blocks::visit(
      block, [&](auto kind, const auto& known) -> Block { return kind.drawn(known, rng); });
}

/// Whether the priors are the shares of the classes among the rows, and not given.
bool estimated_prior(const Model& model) {
  const Vector& counts = model.counts();
  if (counts.empty()) return false;
  const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (std::abs(model.prior().probabilities()[k] - counts[k] / sum) > 1e-9) return false;
  }
  return true;
}

Prior drawn_prior(const Model& model, Rng& rng) {
  if (!estimated_prior(model)) return model.prior();
  Vector shares;
  for (const double count : model.counts()) shares.push_back(blocks::gamma_draw(count + 1, rng));
  return Prior(std::move(shares));
}

}  // namespace

Model draw_parameters(const Model& model, const Rng& rng) {
  Rng of_prior = rng.split(0);
  Prior prior = drawn_prior(model, of_prior);
  std::vector<Block> blocks;
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    Rng own = rng.split(b + 1);
    const Block& block = model.blocks()[b];
    blocks.push_back(is_certain(block) ? block : drawn(block, own));
  }
  return {model.classes(), std::move(prior), std::move(blocks), model.target(), model.notes()};
}

std::vector<Note> fixed_parameters(const Model& model) {
  std::vector<Note> notes;
  std::vector<std::string> columns;
  for (const Block& block : model.blocks()) {
    if (!is_certain(block)) continue;
    for (const Column& column : std::visit([](const auto& b) { return b.features(); }, block))
      columns.push_back(column.name);
  }
  if (!columns.empty())
    notes.push_back(
        {fmt::format("the density of {} is taken as certain: the model does not say how "
                     "many rows it was estimated from",
                     kernel::quoted_list(columns))});
  if (!estimated_prior(model) && model.classes().size() > 1)
    notes.push_back({"the priors are taken as certain: they were given, not estimated"});
  return notes;
}

}  // namespace genera
