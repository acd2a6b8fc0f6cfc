// Softmax regression of rows in memory, and the model at a minimum.
#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/second_pass.hpp"
#include "data/densified.hpp"
#include "fit/linear/linear.hpp"
#include "fit/linear/softmax_plan.hpp"
#include "fit/needs.hpp"
#include "fit/report.hpp"
#include "kernel/index.hpp"
#include "kernel/progress.hpp"
#include "score/linear/features.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;

/// By feature.
Vector scales_of(const SoftmaxLayout& layout) {
  Vector scales;
  for (const SoftmaxPart& part : layout.parts) {
    for (std::size_t j = 0; j < names_of(part.features).size(); ++j)
      scales.push_back(part.scales.empty() ? 1 : part.scales[j]);
  }
  return scales;
}

LogisticParameters parameters_of(const SoftmaxPlan& plan, const Solution& solution) {
  const Vector scales = scales_of(plan.layout);
  const Index classes = std::ssize(plan.layout.classes), features = std::ssize(scales);
  LogisticParameters p{.intercepts = Vector(at(classes)),
                       .coefficients = Matrix(classes, features),
                       .counts = solution.class_weights,
                       .ridge = plan.options.ridge};
  for (Index k = 0; k < classes; ++k) {
    p.intercepts[at(k)] = solution.minimum.at[at(k)];
    for (Index j = 0; j < features; ++j) {
      const double beta = solution.minimum.at[at((j + 1) * classes + k)];
      p.intercepts[at(k)] -= beta * solution.means[at(j)];
      p.coefficients(k, j) = beta / scales[at(j)];
    }
  }
  for (const SoftmaxPart& part : plan.layout.parts) {
    const auto numbers = score::numeric_features(part.features);
    const bool centred = numbers && !numbers->are_products() && !numbers->centres.empty();
    for (std::size_t j = 0; j < names_of(part.features).size(); ++j) {
      const std::size_t feature = p.means.size();
      const double centre = centred ? numbers->centres[j] : 0;
      p.means.push_back(centre + solution.means[feature] * scales[feature]);
    }
    p.features.push_back(part.features);
  }
  return p;
}

void report_minimum(const Minimum& found, double ridge, Report& report) {
  report.newton = NewtonCourse{
      .iterations = found.iterations, .objective = found.value, .gradient = found.gradient};
  report.outcome = found.converged ? Outcome::converged : Outcome::iteration_limit;
  if (ridge == 0 && found.unbounded) {
    report.outcome = Outcome::degenerate;
    report.notes.push_back(
        {{"some classes can be separated: without a penalty their coefficients have no finite "
          "optimum, and these are where the search stopped; use {}",
          {{"ridge", {"1"}}}},
         Note::Kind::warning});
    return;
  }
  report.notes.push_back(
      {fmt::format("logistic {} after {}: the gradient is {:.1e} of that at zero coefficients",
                   found.converged ? "converged" : "did not converge",
                   counted(found.iterations, "iteration"), found.gradient),
       found.converged ? Note::Kind::note : Note::Kind::warning});
}

/// Drops incomplete rows; the caller has refused them unless the options drop them.
Fitted<LinearModel> learn(const Rows& rows, Collected&& seen, const LogisticOptions& options,
                          const Control& control) {
  const std::vector<Index> usable = sums::learnable_rows(rows, Missing::drop);
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

/// Squares and products need dense columns.
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

Fitted<LinearModel> model_of(const SoftmaxPlan& plan, const Solution& solution, int threads) {
  Report report = plan.report;
  report_minimum(solution.minimum, plan.options.ridge, report);
  const std::vector<std::string>& classes = plan.layout.classes;
  LinearModel model(classes, resolve(PriorChoice{}, classes, plan.class_weights),
                    parameters_of(plan, solution), plan.target, {}, threads);
  return with_report(std::move(model), std::move(report));
}

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
  return learn(rows, std::move(seen), options, control);
}

}  // namespace genera::fit_detail

namespace genera {

LinearRecipe logistic(const LogisticOptions& options) { return {options}; }

}  // namespace genera
