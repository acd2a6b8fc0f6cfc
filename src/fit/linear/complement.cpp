// Complement naive Bayes: each class is scored by what all the others have.
#include <algorithm>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "fit/discrete.hpp"
#include "fit/estimate.hpp"
#include "fit/gaussian_input.hpp"
#include "fit/linear/linear.hpp"

namespace genera {
namespace {

using fit_detail::DiscreteInput;
using fit_detail::TermTable;

/// What is counted in one column of text, or in all columns of counts.
struct Counted {
  LinearFeatures features;  // without their names, which are in the table
  TermTable table;
};

DiscreteOptions as_discrete(const ComplementOptions& options) {
  return {.smoothing = options.smoothing,
          .min_count = options.min_count,
          .max_terms = options.max_terms,
          .stop_words = options.stop_words};
}

/// Of each class: the sums of all the others.
Matrix sums_of_the_rest(const Matrix& sums) {
  Matrix rest(sums.rows(), sums.columns());
  for (Index j = 0; j < sums.columns(); ++j) {
    double total = 0;
    for (Index k = 0; k < sums.rows(); ++k) total += sums(k, j);
    for (Index k = 0; k < sums.rows(); ++k) rest(k, j) = std::max(0.0, total - sums(k, j));
  }
  return rest;
}

std::vector<Counted> counted_parts(const DiscreteInput& input, Report& report) {
  const StatisticsSchema& schema = input.statistics.schema();
  std::vector<Counted> parts;
  if (auto columns = fit_detail::counted_columns(input))
    parts.push_back({NumberFeatures{.type = ColumnType::count}, *std::move(columns)});
  const std::vector<std::string> names = schema.sparse();
  for (std::size_t s = 0; s < names.size(); ++s) {
    auto terms = fit_detail::counted_terms(input, s, report);
    if (!terms) continue;
    LinearFeatures features = TermFeatures{.column = names[s], .cut = schema.text};
    if (names[s].empty()) features = NumberFeatures{.type = ColumnType::count};
    parts.push_back({std::move(features), *std::move(terms)});
  }
  return parts;
}

/// Whether there are measurements or categories, besides those that are constant or empty and left
/// out.
bool has_other_columns(const DiscreteInput& input, Report& report) {
  const Statistics& statistics = input.statistics;
  GaussianOptions lenient;
  lenient.on_singular = OnSingular::shrink;
  const bool measured = !statistics.columns().empty() &&
                        !fit_detail::gaussian_input(statistics, lenient, report).columns.empty();
  if (statistics.schema().joint) return measured || !statistics.levels().empty();
  return !fit_detail::naive_blocks(input, report).empty() || measured;
}

void refuse_unfit(const std::vector<Counted>& parts, bool others, const Statistics& statistics,
                  const Report& report) {
  if (parts.empty() && !others) fit_detail::refuse_nothing_left(statistics, report.notes);
  if (parts.empty())
    throw Error(Errc::bad_model, "complement learns from counts and texts, and there are none",
                {"use another {}, or columns of counts", {{"model"}}});
  if (parts.size() > 1 || others)
    throw Error(Errc::bad_model,
                "complement is a scorer, not a density: it cannot be mixed with other columns",
                {"use {}, or leave the other columns out ({}, {})",
                 {{"model", {"multinomial"}}, {"features"}, {"drop"}}});
}

void put_names(LinearFeatures& features, std::vector<std::string> names) {
  if (auto* terms = std::get_if<TermFeatures>(&features))
    terms->terms = std::move(names);
  else
    std::get<NumberFeatures>(features).columns = std::move(names);
}

ComplementParameters parameters_of(Counted part, const DiscreteInput& input) {
  ComplementParameters p{.features = std::move(part.features),
                         .smoothing = input.options.smoothing,
                         .counts = input.classes.counts};
  p.lengths = fit_detail::mean_lengths(part.table, input.threads);
  p.probabilities =
      fit_detail::smoothed(sums_of_the_rest(part.table.sums), p.smoothing, input.threads);
  put_names(p.features, std::move(part.table.terms));
  return p;
}

Index rows_of(const Statistics& statistics) {
  Index rows = 0;
  for (const ClassStatistics& entry : statistics.classes()) rows += entry.rows;
  return rows;
}

}  // namespace

Fitted<LinearModel> fit_detail::noted(LinearModel model, Report report) {
  std::vector<std::string> words;
  for (const Note& note : report.notes) words.push_back(in_words(note));
  return {std::move(model).with_notes(std::move(words)), std::move(report)};
}

Fitted<LinearModel> fit_detail::estimate_complement(const Statistics& statistics,
                                                    const ComplementOptions& options, int threads) {
  if (!(options.smoothing > 0))
    throw Error(Errc::bad_argument,
                "complement needs smoothing: a term that only one class has "
                "would decide everything",
                {"give a {} greater than 0", {{"smoothing"}}});
  refuse_odd_classes(statistics);
  const ClassList classes = sorted_classes(statistics);
  const DiscreteOptions discrete = as_discrete(options);
  const DiscreteInput input{statistics, classes, discrete, threads};
  Report report;
  report.rows = rows_of(statistics);
  if (classes.size() == 1)
    report.notes.push_back({fmt::format(
        "there is only one class, '{}': every row will be given to it", classes.names.front())});
  const bool others = has_other_columns(input, report);
  std::vector<Counted> parts = counted_parts(input, report);
  refuse_unfit(parts, others, statistics, report);
  return noted({classes.names,
                resolve(PriorChoice{}, classes.names, classes.counts),
                parameters_of(std::move(parts.front()), input),
                statistics.target(),
                {},
                threads},
               std::move(report));
}

void validate(const ComplementOptions& options) { validate(as_discrete(options)); }

LinearRecipe complement(const ComplementOptions& options) { return {options}; }

}  // namespace genera
