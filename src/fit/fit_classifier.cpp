// Rows or statistics -> linear models; fits of any recipe.
#include <type_traits>

#include <genera/error.hpp>
#include <genera/fit.hpp>

#include "data/memory_rows.hpp"
#include "fit/fit_keeping.hpp"
#include "fit/linear/linear.hpp"
#include "fit/needs.hpp"
#include "fit/report.hpp"
#include "sums/collect.hpp"

namespace genera {
namespace {

CollectOptions collect_options(const FitOptions& options, bool sparse) {
  return {.scatter = sparse ? Scatter::none : Scatter::diagonal, .missing = options.missing};
}

/// A scorer has no likelihood over which missing values could be integrated.
void refuse_latent(const sums::Summary& summary, const FitOptions& options) {
  if (options.missing != Missing::em) return;
  if (summary.incomplete_rows + summary.unlabelled_rows == 0) return;
  throw Error(Errc::bad_argument,
              "complement is a scorer, not a density: it cannot learn from missing values",
              {"use {}, or {}", {{"model", {"multinomial"}}, {"missing", {"drop"}}}});
}

/// Keeps `entries` of texts and of a sparse matrix.
Collected collected(RowSource& rows, const FitOptions& options, sums::Entries entries,
                    const Control& control) {
  const bool sparse = rows.schema().sparse_matrix.has_value();
  sums::Pass pass = sums::pass_over(rows, collect_options(options, sparse), entries, control);
  fit_detail::leave_out_unlabelled(pass, options);
  refuse_latent(pass.summary, options);
  return sums::finish(std::move(pass), options.missing);
}

Fitted<LinearModel> learned(const Collected& seen, const LinearRecipe& recipe,
                            const Control& control) {
  return fit_detail::with_collected(seen, estimate(seen.statistics, recipe, control));
}

void check(const LinearRecipe& recipe, const FitOptions& options) {
  std::visit([](const auto& known) { validate(known); }, recipe.options);
  validate(options);
}

template <class Fit>
Fitted<Classifier> as_classifier(const AnyRecipe& recipe, Fit fit) {
  return std::visit(
      [&](const auto& known) {
        auto fitted = fit(known);
        return Fitted<Classifier>{std::move(fitted.model), std::move(fitted.report)};
      },
      recipe);
}

}  // namespace

Fitted<LinearModel> estimate(const Statistics& statistics, const LinearRecipe& recipe,
                             const Control& control) {
  std::visit([](const auto& known) { validate(known); }, recipe.options);
  if (std::holds_alternative<LogisticOptions>(recipe.options))
    throw Error(Errc::bad_argument, "logistic needs the rows again, not only their statistics",
                {"fit from the table, or use {}", {{"model", {"lda"}}}});
  return fit_detail::estimate_complement(statistics, std::get<ComplementOptions>(recipe.options),
                                         control.threads);
}

Fitted<LinearModel> fit(RowsRef rows, const LinearRecipe& recipe, const FitOptions& options,
                        const Control& control) {
  check(recipe, options);
  if (const auto* softmax = std::get_if<LogisticOptions>(&recipe.options)) {
    data::KeptRows kept(*rows);
    kept.keep(control);
    return fit_detail::with_notes_before(
        kept->notes(), fit_detail::fit_logistic(kept.rows(), *softmax, options, control));
  }
  return learned(collected(*rows, options, sums::Entries::sums, control), recipe, control);
}

Fitted<Classifier> estimate(const Statistics& statistics, const AnyRecipe& recipe,
                            const Control& control) {
  return as_classifier(recipe, [&]<class R>(const R& known) {
    if constexpr (std::is_same_v<R, Recipe>)
      return estimate(statistics, known, {}, control);
    else
      return estimate(statistics, known, control);
  });
}

Fitted<Classifier> fit(RowsRef rows, const AnyRecipe& recipe, const FitOptions& options,
                       const Control& control) {
  return as_classifier(recipe,
                       [&](const auto& known) { return fit(rows, known, options, control); });
}

FittedStatistics fit_with_statistics(RowsRef rows, const AnyRecipe& recipe,
                                     const FitOptions& options, const Control& control) {
  std::optional<Statistics> kept;
  Fitted<Classifier> fitted = as_classifier(recipe, [&]<class R>(const R& known) {
    if constexpr (std::is_same_v<R, Recipe>) {
      return fit_detail::fit_keeping(*rows, known, options, control, &kept);
    } else {
      if (!std::holds_alternative<ComplementOptions>(known.options))
        return fit(rows, known, options, control);
      check(known, options);
      Collected seen = collected(*rows, options, sums::Entries::all, control);
      Fitted<LinearModel> scorer = learned(seen, known, control);
      kept = std::move(seen.statistics);
      return scorer;
    }
  });
  return {std::move(fitted), std::move(kept)};
}

}  // namespace genera
