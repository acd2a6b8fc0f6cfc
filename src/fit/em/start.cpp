#include "fit/em/start.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "blocks/kinds.hpp"
#include "fit/em/observed.hpp"
#include "fit/refuse.hpp"
#include "fit/report.hpp"
#include "kernel/text.hpp"
#include "sums/classes.hpp"

namespace genera::fit_detail {
namespace {

void note_empty(const std::vector<std::string>& empty, Report& report) {
  if (empty.empty()) return;
  report.notes.push_back(
      {fmt::format("{} {} no value and {} left out", kernel::quoted_list(empty),
                   empty.size() == 1 ? "has" : "have", empty.size() == 1 ? "is" : "are")});
}

/// Names all classes and columns: "class 'a' has no value in 'x', 'y'; class 'b' in 'x'".
void note_empty_cells(const std::vector<Observed::EmptyCell>& cells, Report& report) {
  constexpr std::size_t max_classes = 5;
  std::map<std::string, std::vector<std::string>> columns;
  for (const auto& [of_class, column] : cells) columns[of_class].push_back(column);
  if (columns.empty()) return;
  std::string text;
  std::size_t shown = 0;
  for (const auto& [of_class, names] : columns) {
    if (shown == max_classes) break;
    text += fmt::format("{}class '{}'{} in {}", shown == 0 ? "" : "; ", of_class,
                        shown == 0 ? " has no value" : "", kernel::quoted_list(names));
    ++shown;
  }
  if (columns.size() > shown) text += fmt::format("; {} more classes", columns.size() - shown);
  report.notes.push_back({text + ": the pooled mean and variance are used there"});
}

/// Identifies the parameters of a block: its name, the levels of its columns, its terms.
auto identity_of(const Block& block) {
  return blocks::visit(block, [](auto kind, const auto& known) {
    return std::tuple(std::string(kind.name(known)), kind.layout(known).levels,
                      kind.text_terms(known));
  });
}

}  // namespace

blocks::Estimating estimating(bool maximum_likelihood, int threads) {
  blocks::Estimating how;
  how.maximum_likelihood = maximum_likelihood;
  how.threads = threads;
  return how;
}

EmStart em_start(const ObservedStatistics& statistics, const Recipe& recipe,
                 const FitOptions& options, int threads) {
  refuse_missing(recipe);
  const Observed observed = available_case_estimate(statistics, recipe);
  refuse_unfit(observed.labelled, recipe, {});
  sums::refuse_odd_classes(observed.labelled);
  Report report, of_plan;
  note_one_class(observed.labelled, report);
  note_empty(observed.empty_columns, report);
  note_empty_cells(observed.empty_cells, report);
  of_plan.columns_left_out = observed.empty_columns;
  auto plan = naming_left_out(
      of_plan, [&] { return std::make_unique<Plan>(plan_of(observed.all, recipe, of_plan)); });
  require_blocks(*plan, observed.all, of_plan.notes);
  PlanSums first(*plan, observed.labelled);
  Model model = naming_left_out(of_plan, [&] {
    Report ignored;  // the last estimate reports the same notes
    return estimate_model(*plan, first, estimating(true, threads), {}, ignored);
  });
  const double unlabelled_weight = options.unlabelled_weight.value_or(0);
  const Index rows =
      sums::rows_of(statistics.labelled.counted) + sums::rows_of(statistics.unlabelled.counted);
  return {.plan = std::move(plan),
          .sums = std::move(first),
          .model = std::move(model),
          .unlabelled_weight = unlabelled_weight,
          .rows = rows,
          .weight = statistics.labelled.counted.weight() +
                    unlabelled_weight * statistics.unlabelled.counted.weight(),
          .report = std::move(report),
          .of_plan = std::move(of_plan)};
}

bool same_parameters(const Model& a, const Model& b) {
  return a.classes() == b.classes() && a.features() == b.features() &&
         std::ranges::equal(a.blocks(), b.blocks(), {}, identity_of, identity_of);
}

}  // namespace genera::fit_detail
