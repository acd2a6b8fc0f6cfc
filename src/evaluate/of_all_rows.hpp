#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include <genera/fit.hpp>
#include <genera/select.hpp>

#include "blocks/leave_one_out.hpp"
#include "fit/plan.hpp"
#include "kernel/index.hpp"
#include "score/bound_model.hpp"

namespace genera::select_detail {

/// The model of all rows, and what each of its blocks says of rows that are left out.
class OfAllRows {
 public:
  OfAllRows(const Statistics& statistics, const Rows& rows, const Recipe& recipe)
      : recipe_(recipe),
        model_(estimate(statistics, recipe).model),
        bound_(model_, rows),
        plan_(fit_detail::plan_of(statistics, recipe, ignored_)),
        sums_(plan_, statistics) {
    for (std::size_t b = 0; b < plan_.blocks.size(); ++b) {
      blocks_.push_back(plan_.blocks[b]->leave_one_out(
          {model_.blocks()[b], *sums_.blocks[b], bound_.bound_rows(), bound_.places(b)}));
    }
  }
  OfAllRows(const OfAllRows&) = delete;
  OfAllRows& operator=(const OfAllRows&) = delete;

  /// Whether any row can be told without a new fit.
  [[nodiscard]] bool is_closed() const {
    return std::ranges::all_of(blocks_, [](const auto& block) { return block != nullptr; });
  }
  [[nodiscard]] double operations() const {
    double sum = 0;
    for (const auto& block : blocks_) sum += block ? block->operations() : 0;
    return sum;
  }
  [[nodiscard]] std::vector<Note> notes() const {
    std::vector<Note> all;
    for (const auto& block : blocks_) {
      for (Note& note : block->notes()) all.push_back(std::move(note));
    }
    return all;
  }
  [[nodiscard]] const Model& model() const { return model_; }

  [[nodiscard]] Prior prior_without(const blocks::OneRow& one, LooPriors how) const {
    if (how == LooPriors::full) return model_.prior();
    Vector weights = sums_.class_weights;
    weights[kernel::at(one.of_class)] =
        std::max(0.0, weights[kernel::at(one.of_class)] - one.weight);
    return resolve(recipe_.priors, model_.classes(), weights);
  }

  /// The scratch of one thread.
  class Worker {
   public:
    explicit Worker(const OfAllRows& of) {
      for (const auto& block : of.blocks_) workers_.push_back(block->worker());
    }
    bool add(const blocks::OneRow& one, std::span<double> scores) {
      return std::ranges::all_of(workers_,
                                 [&](const auto& worker) { return worker->add(one, scores); });
    }

   private:
    std::vector<std::unique_ptr<blocks::LeaveOneOutWorker>> workers_;
  };

 private:
  Recipe recipe_;
  Model model_;
  score::BoundModel bound_;
  Report ignored_;  // which the model of all rows has had
  fit_detail::Plan plan_;
  fit_detail::PlanSums sums_;
  std::vector<std::unique_ptr<const blocks::LeaveOneOut>> blocks_;
};

}  // namespace genera::select_detail
