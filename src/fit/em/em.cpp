#include "fit/em/em.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/query.hpp>

#include "data/join_tables.hpp"
#include "fit/em/expected_counts.hpp"
#include "fit/em/expected_moments.hpp"
#include "fit/em/latent_rows.hpp"
#include "fit/em/model_change.hpp"
#include "fit/estimate.hpp"
#include "kernel/index.hpp"
#include "kernel/progress.hpp"
#include "kernel/text.hpp"
#include "sums/count_rows.hpp"
#include "sums/schema.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;

/// An iteration that moves no parameter by more (in standard deviations, or as a probability) is
/// the last.
constexpr double tolerance = 1e-7;
constexpr int most_iterations = 1000;

const GaussianBlock* gaussian_of(const Model& model) {
  for (const Block& block : model.blocks()) {
    if (const auto* gaussian = std::get_if<GaussianBlock>(&block)) return gaussian;
  }
  return nullptr;
}

double log_sum(std::span<const double> logs) {
  const double most = *std::max_element(logs.begin(), logs.end());
  if (std::isinf(most)) return most;
  double sum = 0;
  for (const double l : logs) sum += std::exp(l - most);
  return most + std::log(sum);
}

class Em {
 public:
  Em(const Table& table, const Recipe& recipe, const FitOptions& options, const Control& control)
      : table_(table),
        recipe_(recipe),
        options_(options),
        threads_(control.threads),
        meter_(control, Progress::Task::iterating),
        rows_(table),
        data_{rows_.numbers, rows_.columns, scatter_needed(recipe), control.threads},
        schema_(sums::schema_of(Rows(table).data(), {data_.scatter, recipe.discrete.joint})),
        unlabelled_(data::selected(table, rows_.unlabelled)) {
    observed_ = observed_statistics(table, rows_, schema_);
    asked_ = numbers_alone() ? complete_rows() : all_rows();
    if (asked_.size() < at(table.rows())) asked_table_ = data::selected(table, asked_);
    const ExpectedMoments plain(data_, nullptr);
    for (std::size_t k = 0; k < table.classes.size(); ++k)
      complete_.push_back(plain.of(0, rows_.complete[k], table.weights).moments);
  }

  Fitted<Model> run() {
    Recipe mle = recipe_;
    mle.gaussian.divisor = Divisor::mle;
    Model model = estimated(observed_, mle).model;
    for (;;) {
      ++step_.iteration;
      weigh_rows(model);
      const Statistics expected = expect(model);
      Model next = estimated(expected, mle).model;
      step_.change = change_between(model, next);
      converged_ = step_.change <= tolerance;
      if (step_.iteration == 1) first_ = step_;
      meter_.advance(step_);
      if (converged_ || step_.iteration == most_iterations)
        return finished(estimated(expected, recipe_));
      model = std::move(next);
    }
  }

 private:
  [[nodiscard]] Fitted<Model> estimated(const Statistics& statistics, const Recipe& recipe) const {
    return estimate_valid(statistics, recipe, {}, threads_);
  }

  /// Responsibilities of the classes for the rows without a label, and the log-likelihood.
  void weigh_rows(const Model& model) {
    const Matrix joint =
        log_joint(model, asked_table_ ? *asked_table_ : table_, {.threads = threads_});
    const auto classes = model.classes().size();
    weights_.assign(classes, Vector(rows_.unlabelled.empty() ? 0 : at(table_.rows())));
    step_.log_likelihood = 0;
    std::vector<Index> places;
    for (const std::string& name : table_.classes)
      places.push_back(find_label(model.classes(), name).value_or(-1));
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      const Index row = asked_[i];
      const std::int32_t label = table_.labels[at(row)];
      if (label >= 0 && weight_of(row) > 0)
        step_.log_likelihood += weight_of(row) * joint(static_cast<Index>(i), places[at(label)]);
    }
    double certainty = 0;
    for (const Index row : rows_.unlabelled) {
      const double total = log_sum(joint.row(row));
      const double weight = options_.unlabelled_weight * weight_of(row);
      step_.log_likelihood += weight * total;
      double most = 0;
      for (std::size_t k = 0; k < classes; ++k) {
        const double share = std::isinf(total)
                                 ? model.prior().probabilities()[k]
                                 : std::exp(joint(row, static_cast<Index>(k)) - total);
        weights_[k][at(row)] = weight * share;
        most = std::max(most, share);
      }
      certainty += most / static_cast<double>(rows_.unlabelled.size());
    }
    if (!rows_.unlabelled.empty()) step_.certainty = certainty;
  }

  /// Rows of numbers with labels need not be asked about where they lack something: completing
  /// them finds their likelihood, too.
  [[nodiscard]] bool numbers_alone() const {
    const bool numeric = std::all_of(table_.columns.begin(), table_.columns.end(),
                                     [](const Column& c) { return c.type == ColumnType::numeric; });
    return numeric && table_.sparse.empty() && rows_.unlabelled.empty();
  }
  [[nodiscard]] std::vector<Index> all_rows() const {
    std::vector<Index> rows(at(table_.rows()));
    std::iota(rows.begin(), rows.end(), Index{0});
    return rows;
  }
  [[nodiscard]] std::vector<Index> complete_rows() const {
    std::vector<Index> rows;
    for (const auto& patterns : rows_.complete) {
      for (const kernel::Pattern& pattern : patterns)
        rows.insert(rows.end(), pattern.rows.begin(), pattern.rows.end());
    }
    return rows;
  }

  [[nodiscard]] double weight_of(Index row) const {
    return table_.weights.empty() ? 1 : table_.weights[at(row)];
  }

  /// Statistics in which every latent thing counts with its expectation.
  Statistics expect(const Model& model) {
    Statistics expected = observed_;
    const ExpectedMoments moments(data_, gaussian_of(model));
    for (std::size_t c = 0; c < table_.classes.size(); ++c) {
      if (rows_.labelled[c].empty()) continue;
      const Index k = *find_label(model.classes(), table_.classes[c]);
      if (!rows_.columns.empty()) {
        const auto lacking = moments.of(k, rows_.lacking[c], table_.weights);
        Moments& of_class = expected.of_class(table_.classes[c]).moments;
        of_class = complete_[c];
        of_class.merge(lacking.moments);
        if (asked_table_)
          step_.log_likelihood +=
              lacking.log_likelihood + lacking.moments.weight * model.prior().log()[at(k)];
      }
      add_expected_counts(model, table_, k, {rows_.labelled[c], table_.weights}, expected);
    }
    if (!rows_.unlabelled.empty()) expected.merge(of_unlabelled(model, moments));
    return expected;
  }

  Statistics of_unlabelled(const Model& model, const ExpectedMoments& moments) {
    Statistics part(schema_);
    std::vector<Index> all;
    for (Index i = 0; i < unlabelled_.rows(); ++i) all.push_back(i);
    unlabelled_.classes = model.classes();
    for (std::size_t k = 0; k < model.classes().size(); ++k) {
      ClassStatistics& of_class = part.of_class(model.classes()[k]);
      of_class.moments =
          moments.of(static_cast<Index>(k), rows_.unlabelled_patterns, weights_[k]).moments;
      unlabelled_.weights.clear();
      for (const Index row : rows_.unlabelled) unlabelled_.weights.push_back(weights_[k][at(row)]);
      sums::RowsByClass rows(model.classes().size());
      rows[k] = all;
      sums::count_rows(Rows(unlabelled_).data(), rows, sums::Entries::all, part);
      add_expected_counts(model, unlabelled_, static_cast<Index>(k), {all, unlabelled_.weights},
                          part);
    }
    return part;
  }

  /// With a report of how it went.
  Fitted<Model> finished(Fitted<Model> fitted) const {
    Report report = std::move(fitted.report);
    report.outcome = converged_ ? Outcome::converged : Outcome::iteration_limit;
    report.iterations = step_.iteration;
    report.log_likelihood_first = first_.log_likelihood;
    report.log_likelihood = step_.log_likelihood;
    report.certainty_first = first_.certainty;
    report.certainty = step_.certainty;
    report.rows = table_.rows();
    report.unlabelled_rows = std::ssize(rows_.unlabelled);
    report.missing_numbers = rows_.missing_cells;
    std::vector<Note> notes = notes_of(report);
    report.notes.insert(report.notes.begin(), notes.begin(), notes.end());
    return {std::move(fitted.model), std::move(report)};
  }

  [[nodiscard]] std::vector<Note> notes_of(const Report& report) const {
    std::vector<Note> notes;
    if (report.missing_numbers > 0)
      notes.push_back(
          {fmt::format("{} missing numbers are marginalised by EM", report.missing_numbers)});
    if (report.unlabelled_rows > 0)
      notes.push_back(
          {fmt::format("{} rows without a label take part with weight {:g}; their likeliest class "
                       "has a probability of {:.3f} on average ({:.3f} at first)",
                       report.unlabelled_rows, options_.unlabelled_weight, report.certainty,
                       report.certainty_first)});
    notes.push_back(
        {fmt::format("EM {} after {} iteration{}: log-likelihood {:.6f} ({:.6f} at first), last "
                     "change {:.1e}",
                     converged_ ? "converged" : "did not converge", report.iterations,
                     report.iterations == 1 ? "" : "s", report.log_likelihood,
                     report.log_likelihood_first, step_.change),
         converged_ ? Note::Kind::note : Note::Kind::warning});
    return notes;
  }

  const Table& table_;
  const Recipe& recipe_;
  const FitOptions& options_;
  int threads_;
  kernel::ProgressMeter meter_;
  LatentRows rows_;
  Incomplete data_;
  StatisticsSchema schema_;
  std::vector<Index> asked_;          // rows whose joint density the model is asked for
  std::optional<Table> asked_table_;  // these, unless they are all
  Table unlabelled_;                  // rows without a label; weights are those of a class
  Statistics observed_;               // discrete sums of labelled rows, columns alone
  std::vector<Moments> complete_;     // of each class of the table: its rows that lack nothing
  std::vector<Vector> weights_;       // of each class: of each row of the table
  EmStep step_, first_;
  bool converged_ = false;
};

void refuse_unfit(const Table& table, const Recipe& recipe) {
  if (recipe.gaussian.shrinkage.kind == Shrinkage::Kind::lw)
    throw Error(Errc::bad_argument,
                "Ledoit-Wolf shrinkage needs complete rows, but values are missing",
                {"use {}, or {}", {{"shrinkage", {"oas"}}, {"missing", {"drop"}}}});
  const bool labelled = std::any_of(table.labels.begin(), table.labels.end(),
                                    [](std::int32_t label) { return label >= 0; });
  if (!labelled)
    throw Error(Errc::bad_data, fmt::format("every label in '{}' is missing", table.target),
                "label some rows of each class, or find groups by clustering");
}

/// Columns without any value teach nothing.
Table without_empty_columns(const Table& table, std::vector<std::string>& empty) {
  Table rest = table;
  std::vector<Index> kept;
  Index place = 0;
  for (const Column& column : table.columns) {
    if (!data::kept_as_number(column.type)) continue;
    bool any = false;
    for (Index i = 0; i < table.rows() && !any; ++i) any = !std::isnan(table.numbers(i, place));
    if (any)
      kept.push_back(place);
    else
      empty.push_back(column.name);
    ++place;
  }
  if (empty.empty()) return rest;
  std::erase_if(rest.columns, [&](const Column& column) {
    return data::kept_as_number(column.type) &&
           std::find(empty.begin(), empty.end(), column.name) != empty.end();
  });
  rest.numbers = Matrix(table.rows(), std::ssize(kept));
  for (Index i = 0; i < table.rows(); ++i) {
    for (std::size_t j = 0; j < kept.size(); ++j)
      rest.numbers(i, static_cast<Index>(j)) = table.numbers(i, kept[j]);
  }
  return rest;
}

}  // namespace

Fitted<Model> fit_by_em(const Table& table, const Recipe& recipe, const FitOptions& options,
                        const Control& control) {
  refuse_unfit(table, recipe);
  std::vector<std::string> empty;
  const Table rest = without_empty_columns(table, empty);
  Fitted<Model> fitted = Em(rest, recipe, options, control).run();
  if (empty.empty()) return fitted;
  Report& report = fitted.report;
  report.columns_left_out.insert(report.columns_left_out.begin(), empty.begin(), empty.end());
  report.notes.insert(
      report.notes.begin(),
      Note{fmt::format("{} {} no value and {} left out", kernel::quoted_list(empty),
                       empty.size() == 1 ? "has" : "have", empty.size() == 1 ? "is" : "are")});
  return fitted;
}

}  // namespace genera::fit_detail
