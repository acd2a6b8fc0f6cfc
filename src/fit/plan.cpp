#include "fit/plan.hpp"

#include <genera/error.hpp>

#include "blocks/kinds.hpp"
#include "kernel/text.hpp"
#include "sums/classes.hpp"

namespace genera::fit_detail {
void require_blocks(const Plan& plan, const Statistics& statistics,
                    const std::vector<Note>& notes) {
  if (!plan.blocks.empty()) return;
  if (statistics.columns().empty() && !notes.empty())
    throw Error(Errc::bad_model, "no usable column remains: " + in_words(notes.back()),
                {"give columns that have values; for text lower {} or name fewer {}",
                 {{"min_count"}, {"stop_words"}}});
  const std::string columns = kernel::quoted_list(statistics.columns());
  throw Error(Errc::bad_model,
              "every feature is constant" + (columns.empty() ? "" : ": " + columns),
              "give a column that varies");
}

Plan plan_of(const Statistics& statistics, const Recipe& recipe, Report& report) {
  const sums::ClassList classes = sums::sorted_classes(statistics);
  return {classes.names, statistics.target(), recipe.priors,
          blocks::all_plans({statistics, classes, recipe}, report)};
}

PlanSums::PlanSums(const Plan& plan) : class_weights(plan.classes.size()) {
  for (const auto& block : plan.blocks) blocks.push_back(block->no_sums());
}

PlanSums::PlanSums(const Plan& plan, const Statistics& statistics)
    : class_weights(sums::sorted_classes(statistics).counts) {
  for (const auto& block : plan.blocks) blocks.push_back(block->read(statistics));
}

PlanSums::PlanSums(const Plan& plan, Statistics&& statistics)
    : class_weights(sums::sorted_classes(statistics).counts) {
  for (const auto& block : plan.blocks) blocks.push_back(block->take(statistics));
}

PlanSums PlanSums::clone() const {
  PlanSums copy;
  for (const auto& block : blocks) copy.blocks.push_back(block->clone());
  copy.class_weights = class_weights;
  return copy;
}

void PlanSums::add(const PlanSums& other) {
  for (std::size_t b = 0; b < other.blocks.size(); ++b) {
    if (other.blocks[b]) blocks[b]->add(*other.blocks[b]);
  }
  for (std::size_t k = 0; k < other.class_weights.size(); ++k)
    class_weights[k] += other.class_weights[k];
}

Vector PlanSums::coordinates() const {
  Vector all = class_weights;
  for (const auto& block : blocks) block->write(all);
  return all;
}

Model estimate_model(const Plan& plan, const PlanSums& sums, blocks::Estimating how,
                     const CollapsePriors& priors, Report& report) {
  how.class_weights = sums.class_weights;
  std::vector<Block> blocks;
  for (std::size_t b = 0; b < plan.blocks.size(); ++b) {
    how.priors = {};
    if (b < priors.size()) how.priors = priors[b];
    blocks.push_back(plan.blocks[b]->estimate(*sums.blocks[b], how, report));
  }
  return {plan.classes, resolve(plan.priors, plan.classes, sums.class_weights), std::move(blocks),
          plan.target};
}

}  // namespace genera::fit_detail
