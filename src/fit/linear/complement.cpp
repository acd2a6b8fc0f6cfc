// Complement naive Bayes: scores each class by the terms of all other classes.
#include <algorithm>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/class_counts.hpp"
#include "blocks/kinds.hpp"
#include "blocks/table_sums.hpp"
#include "fit/linear/linear.hpp"
#include "fit/plan.hpp"
#include "fit/report.hpp"

namespace genera {
namespace {

using blocks::ClassCounts;

/// A recipe with the same counts; its numeric and categorical columns are only used to refuse them.
Recipe equivalent_counts(const ComplementOptions& options) {
  Recipe recipe = multinomial();
  recipe.gaussian.covariance = Covariance::diag;
  recipe.gaussian.on_singular = OnSingular::shrink;
  recipe.discrete.smoothing = options.smoothing;
  recipe.discrete.min_count = options.min_count;
  recipe.discrete.max_terms = options.max_terms;
  recipe.discrete.stop_words = options.stop_words;
  return recipe;
}

/// For each class: the sums of all others.
Matrix sums_of_others(const Matrix& sums) {
  Matrix rest(sums.rows(), sums.columns());
  for (Index j = 0; j < sums.columns(); ++j) {
    double total = 0;
    for (Index k = 0; k < sums.rows(); ++k) total += sums(k, j);
    for (Index k = 0; k < sums.rows(); ++k) rest(k, j) = std::max(0.0, total - sums(k, j));
  }
  return rest;
}

void refuse_other_columns(const std::vector<ClassCounts>& parts, bool others,
                          const Statistics& statistics, const Report& report) {
  if (parts.empty() && !others) fit_detail::require_blocks({}, statistics, report.notes);
  if (parts.empty())
    throw Error(Errc::bad_model,
                "complement needs count columns or texts, and the data have neither",
                {"use another {}, or columns of counts", {{"model"}}});
  if (parts.size() > 1 || others)
    throw Error(Errc::bad_model,
                "complement is a scorer, not a density: it cannot be mixed with other columns",
                {"use {}, or leave the other columns out ({}, {})",
                 {{"model", {"multinomial"}}, {"features"}, {"drop"}}});
}

LinearFeatures features_of(ClassCounts& part) {
  if (part.text.empty())
    return NumberFeatures{.columns = std::move(part.terms), .type = ColumnType::count};
  return TermFeatures{.column = std::move(part.text),
                      .text_options = part.text_options,
                      .terms = std::move(part.terms)};
}

ComplementParameters parameters_of(ClassCounts part, const ComplementOptions& options,
                                   const Vector& counts, int threads) {
  return {.features = features_of(part),
          .probabilities = blocks::smoothed(sums_of_others(part.sums), options.smoothing, threads),
          .lengths = blocks::mean_lengths(part.sums, part.weights, threads),
          .smoothing = options.smoothing,
          .counts = counts};
}

}  // namespace

Fitted<LinearModel> fit_detail::estimate_complement(const Statistics& statistics,
                                                    const ComplementOptions& options, int threads) {
  if (!(options.smoothing > 0))
    throw Error(Errc::bad_argument,
                "complement needs smoothing: a term that only one class has "
                "would decide everything",
                {"give a {} greater than 0", {{"smoothing"}}});
  sums::refuse_odd_classes(statistics);
  const sums::ClassList classes = sums::sorted_classes(statistics);
  const Recipe recipe = equivalent_counts(options);
  const blocks::PlanInput input{statistics, classes, recipe};
  Report report;
  report.rows = sums::rows_of(statistics);
  if (classes.size() == 1)
    report.notes.push_back({fmt::format(
        "there is only one class, '{}': every row is assigned to it", classes.names.front())});
  const std::size_t all = blocks::all_plans(input, report).size();
  Report of_counts;  // already in `report`
  std::vector<ClassCounts> parts = blocks::class_counts(input, of_counts);
  const bool others = all > parts.size();
  refuse_other_columns(parts, others, statistics, report);
  return with_report({classes.names,
                      resolve(PriorChoice{}, classes.names, classes.counts),
                      parameters_of(std::move(parts.front()), options, classes.counts, threads),
                      statistics.target(),
                      {},
                      threads},
                     std::move(report));
}

void validate(const ComplementOptions& options) { validate(equivalent_counts(options).discrete); }

LinearRecipe complement(const ComplementOptions& options) { return {options}; }

}  // namespace genera
