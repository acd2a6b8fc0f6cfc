// Softmax regression of rows in memory.
#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/second_pass.hpp"
#include "data/densified.hpp"
#include "fit/linear/linear.hpp"
#include "fit/linear/softmax_plan.hpp"
#include "fit/needs.hpp"
#include "kernel/progress.hpp"

namespace genera::fit_detail {
namespace {

Fitted<LinearModel> learn(const Rows& rows, Collected&& seen, const LogisticOptions& options,
                          Missing missing, const Control& control) {
  const std::vector<Index> usable = sums::learnable_rows(rows, missing);
  Report report{.dropped_rows = seen.dropped_rows,
                .unlabelled_left_out = seen.unlabelled_left_out,
                .missing_cells = seen.missing_cells,
                .notes = std::move(seen.notes)};
  const SoftmaxPlan plan = make_plan(softmax_statistics(rows, usable, std::move(seen.statistics)),
                                     options, std::move(report));
  Design design = make_design(rows, usable, plan.layout, control.threads);
  centre(design, control.threads);
  InMemoryLoss loss(design, control.threads);
  Minimum minimum = minimise(loss, options, control);
  return model_of(plan, {std::move(minimum), design.class_weights, design.means}, control.threads);
}

/// Squares and products are of dense columns.
Table laid_out(const Rows& rows, const Statistics& statistics) {
  const std::vector<std::string> names = blocks::columns_seen(statistics);
  constexpr std::size_t max_columns = 5000;
  if (names.size() > max_columns)
    throw Error(Errc::bad_data,
                fmt::format("the rows have {} columns, too many for squares", names.size()),
                {"use {}", {{"terms", {"linear"}}}});
  return data::densified(rows, names);
}

}  // namespace

Fitted<LinearModel> fit_logistic(const Rows& rows, const LogisticOptions& options,
                                 const FitOptions& how, const Control& control) {
  const Missing missing = how.missing;
  const CollectOptions collecting{.scatter = Scatter::diagonal, .missing = missing};
  sums::Pass pass = sums::pass_over(rows, collecting, sums::Entries::all, kernel::silent(control));
  leave_out_unlabelled(pass, how);
  if (missing != Missing::drop) refuse_missing(pass.summary);
  Collected seen = sums::finish(std::move(pass), missing);
  const bool sparse_numbers = seen.statistics.schema().sparse_matrix == SparseKind::numbers;
  if (sparse_numbers && options.terms != LogisticTerms::linear) {
    const Table table = laid_out(rows, seen.statistics);
    return fit_logistic(table, options, how, control);
  }
  return learn(rows, std::move(seen), options, missing, control);
}

}  // namespace genera::fit_detail

namespace genera {

LinearRecipe logistic(const LogisticOptions& options) { return {options}; }

}  // namespace genera
