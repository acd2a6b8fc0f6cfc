// Softmax regression: what its features are, and what is made of the minimum.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/class_counts.hpp"
#include "blocks/kinds.hpp"
#include "blocks/level_weights.hpp"
#include "blocks/second_pass.hpp"
#include "data/columns.hpp"
#include "data/densified.hpp"
#include "fit/linear/linear.hpp"
#include "fit/linear/newton.hpp"
#include "fit/plan.hpp"
#include "fit/report.hpp"
#include "kernel/index.hpp"
#include "kernel/progress.hpp"
#include "kernel/text.hpp"
#include "score/linear/features.hpp"
#include "sums/collect.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;

/// The recipe whose blocks look for the same columns, levels and terms.
Recipe looking_alike(const LogisticOptions& options, bool sparse_counts) {
  Recipe recipe = multinomial();
  recipe.gaussian.family = Family::gnb;
  recipe.gaussian.on_singular = OnSingular::shrink;
  recipe.discrete.sparse_counts = sparse_counts;
  recipe.discrete.min_count = options.min_count;
  recipe.discrete.max_terms = options.max_terms;
  recipe.discrete.stop_words = options.stop_words;
  return recipe;
}

/// What is not there has no share in a likelihood that knows nothing of the features.
void refuse_missing(const sums::Summary& summary) {
  const std::string columns = sums::missing_columns(summary, sums::MissingAmong::all);
  const bool labels_help = summary.unlabelled_rows > 0 && summary.unlabelled_rows < summary.rows;
  if (columns.empty() && !labels_help) return;
  const OptionUse lda{"model", {"lda"}}, drop{"missing", {"drop"}};
  if (columns.empty())
    throw Error(
        Errc::bad_data,
        fmt::format("logistic cannot learn from the {} without a label in '{}'",
                    counted(summary.unlabelled_rows, "row"), summary.statistics.target()),
        {"use a generative model such as {}, which learns from them by EM, or {}", {lda, drop}});
  throw Error(Errc::bad_data,
              fmt::format("logistic cannot learn from what is missing, in {}", columns),
              {"use a generative model such as {}, which marginalises it, fill it in first with "
               "impute, or use {}",
               {lda, drop}});
}

/// What the features are about, part by part.
class Planner {
 public:
  Planner(const Rows& rows, std::span<const Index> usable, const Statistics& statistics,
          const LogisticOptions& options, Report& report)
      : rows_(rows),
        usable_(usable),
        statistics_(statistics),
        options_(options),
        report_(report),
        classes_(sums::sorted_classes(statistics)),
        sparse_numbers_(statistics.schema().sparse_matrix == SparseKind::numbers),
        recipe_(looking_alike(options, !sparse_numbers_)) {
    (void)blocks::all_plans({statistics_, classes_, recipe_}, report_);  // says what is left out
  }

  std::vector<PlannedPart> parts() && {
    add_numbers();
    add_counts();
    add_levels();
    add_terms();
    if (sparse_numbers_) add_sparse_numbers();
    if (parts_.empty()) require_blocks({}, statistics_, report_.notes);
    return std::move(parts_);
  }

 private:
  /// What numbers are divided by.
  [[nodiscard]] double unit(double spread) const { return options_.raw_units ? 1 : spread; }
  [[nodiscard]] bool is_left_out(const std::string& column) const {
    return std::ranges::find(report_.columns_left_out, column) != report_.columns_left_out.end();
  }
  void leave_out(const std::vector<std::string>& constant) {
    if (constant.empty()) return;
    report_.columns_left_out.insert(report_.columns_left_out.end(), constant.begin(),
                                    constant.end());
    report_.notes.push_back(
        {fmt::format("{} {} constant and left out", kernel::quoted_list(constant),
                     constant.size() == 1 ? "is" : "are")});
  }

  void add_numbers() {
    const std::vector<std::string>& columns = statistics_.columns();
    if (columns.empty()) {
      note_no_squares();
      return;
    }
    Moments all(std::ssize(columns), Scatter::diagonal);
    for (const ClassStatistics* c : classes_.statistics) all.merge(c->moments);
    NumberFeatures numbers;
    Vector scales;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const double spread = std::sqrt(all.scatter(0, static_cast<Index>(j)) / all.weight);
      if (is_left_out(columns[j]) || !(spread > 0)) continue;
      numbers.columns.push_back(columns[j]);
      numbers.centres.push_back(all.mean[j]);
      scales.push_back(unit(spread));
    }
    if (numbers.columns.empty()) return;
    parts_.push_back({numbers, scales});
    if (options_.terms != LogisticTerms::linear) parts_.push_back(products_of(numbers, scales));
  }

  void note_no_squares() {
    if (options_.terms != LogisticTerms::linear)
      report_.notes.push_back({"there are no numbers that could be squared"});
  }

  [[nodiscard]] PlannedPart products_of(const NumberFeatures& numbers, const Vector& scales) const {
    const bool products = options_.terms == LogisticTerms::quadratic;
    const auto d = static_cast<double>(numbers.columns.size());
    const double bytes = 8 * static_cast<double>(usable_.size()) * (products ? d * (d + 1) / 2 : d);
    constexpr double most_bytes = 8e9;
    if (bytes > most_bytes)
      throw Error(Errc::bad_data,
                  fmt::format("the {} of {} columns need {:.0f} GB",
                              products ? "squares and products" : "squares", d, bytes / 1e9),
                  {"use {}, or fewer columns ({}, {})",
                   {{"terms", {products ? "squares" : "linear"}}, {"features"}, {"drop"}}});
    return {ProductFeatures{.columns = numbers.columns,
                            .centres = options_.raw_units ? Vector(scales.size()) : numbers.centres,
                            .scales = scales,
                            .products = products,
                            .names = product_names(numbers.columns, products)}};
  }

  void add_counts() {
    NumberFeatures counts{.type = ColumnType::count};
    std::vector<std::string> constant;
    const std::vector<std::string> names = statistics_.schema().names_of(ColumnType::count);
    const data::NumberColumns columns(rows_.data(), data::number_places(rows_.data(), names));
    for (std::size_t j = 0; j < names.size(); ++j) {
      const auto value = [&](Index row) { return columns(row, static_cast<Index>(j)); };
      const bool varies = std::ranges::any_of(
          usable_, [&](Index row) { return value(row) != value(usable_.front()); });
      (varies ? counts.columns : constant).push_back(names[j]);
    }
    leave_out(constant);
    if (!counts.columns.empty()) parts_.push_back({std::move(counts)});
  }

  void add_levels() {
    std::vector<std::string> constant;
    const auto sets = statistics_.schema().coded();
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const std::string& column = sets[i].front();
      if (is_left_out(column)) continue;
      LevelFeatures part{.column = column,
                         .levels = blocks::levels_seen({statistics_, classes_, recipe_}, i)};
      if (part.levels.size() < 2) {
        constant.push_back(column);
        continue;
      }
      for (const Column& feature : statistics_.schema().features) {
        if (feature.name == column) part.type = feature.type;
      }
      parts_.push_back({std::move(part)});
    }
    leave_out(constant);
  }

  void add_terms() {
    Report known;  // what is left out has been said
    const bool sparse_counts = statistics_.schema().sparse_matrix.has_value();
    for (blocks::ClassCounts& found :
         blocks::class_counts({statistics_, classes_, recipe_}, known)) {
      if (!found.text.empty())
        parts_.push_back({TermFeatures{.column = std::move(found.text),
                                       .text_options = found.text_options,
                                       .terms = std::move(found.terms)}});
      else if (sparse_counts)
        parts_.push_back(
            {NumberFeatures{.columns = std::move(found.terms), .type = ColumnType::count}});
    }
  }

  /// Divided by their spread, zeros included.
  void add_sparse_numbers() {
    const std::vector<std::string> names = blocks::columns_seen(statistics_);
    const NameSet places(statistics_.terms().front().names());
    NumberFeatures numbers;
    Vector scales;
    double total = 0;
    for (const double weight : classes_.counts) total += weight;
    for (const std::string& name : names) {
      const auto j = static_cast<std::size_t>(*places.find(name));
      Moments all(1, Scatter::diagonal);
      for (const ClassStatistics* c : classes_.statistics) {
        const TermSums& terms = c->terms.front();
        if (j >= terms.present.size() || terms.present[j] == 0) continue;
        Moments entries(1, Scatter::diagonal);
        entries.weight = terms.present[j];
        entries.mean[0] = terms.sums[j] / terms.present[j];
        entries.scatter(0, 0) = terms.scatter[j];
        all.merge(entries);
      }
      if (all.weight < total) {
        Moments zeros(1, Scatter::diagonal);
        zeros.weight = total - all.weight;
        all.merge(zeros);
      }
      const double spread = std::sqrt(all.scatter(0, 0) / total);
      if (is_left_out(name) || !(spread > 0)) continue;
      numbers.columns.push_back(name);
      scales.push_back(unit(spread));
    }
    if (!numbers.columns.empty()) parts_.push_back({std::move(numbers), std::move(scales)});
  }

  const Rows& rows_;
  std::span<const Index> usable_;
  const Statistics& statistics_;
  const LogisticOptions& options_;
  Report& report_;
  sums::ClassList classes_;
  bool sparse_numbers_;
  Recipe recipe_;
  std::vector<PlannedPart> parts_;
};

/// In the units of the columns.
LogisticParameters parameters_of(const Design& design, const std::vector<PlannedPart>& parts,
                                 const Minimum& minimum, double ridge) {
  const Index classes = design.classes, features = design.features() - 1;
  LogisticParameters p{.intercepts = Vector(at(classes)),
                       .coefficients = Matrix(classes, features),
                       .counts = design.class_weights,
                       .ridge = ridge};
  for (Index k = 0; k < classes; ++k) {
    p.intercepts[at(k)] = minimum.at[at(k)];
    for (Index j = 0; j < features; ++j) {
      const double beta = minimum.at[at((j + 1) * classes + k)];
      p.intercepts[at(k)] -= beta * design.means[at(j)];
      p.coefficients(k, j) = beta / design.scales[at(j)];
    }
  }
  for (const PlannedPart& part : parts) {
    const auto numbers = score::numeric_features(part.features);
    const bool centred = numbers && !numbers->are_products() && !numbers->centres.empty();
    for (std::size_t j = 0; j < names_of(part.features).size(); ++j) {
      const std::size_t feature = p.means.size();
      const double centre = centred ? numbers->centres[j] : 0;
      p.means.push_back(centre + design.means[feature] * design.scales[feature]);
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

Fitted<LinearModel> learn(const Rows& rows, const Collected& seen, const LogisticOptions& options,
                          Missing missing, const Control& control) {
  sums::refuse_odd_classes(seen.statistics);
  const sums::ClassList classes = sums::sorted_classes(seen.statistics);
  const std::vector<Index> usable = sums::learnable_rows(rows, missing);
  Report report{.rows = sums::rows_of(seen.statistics),
                .dropped_rows = seen.dropped_rows,
                .unlabelled_left_out = seen.unlabelled_left_out,
                .missing_cells = seen.missing_cells,
                .notes = seen.notes};
  if (classes.size() == 1)
    report.notes.push_back({fmt::format(
        "there is only one class, '{}': every row will be given to it", classes.names.front())});
  const std::vector<PlannedPart> parts =
      Planner(rows, usable, seen.statistics, options, report).parts();
  const Design design = make_design(rows, usable, parts, classes.names, control.threads);
  SoftmaxLoss loss(design, options.ridge, control.threads);
  const Minimum minimum = minimise(loss, options, control);
  report_minimum(minimum, options.ridge, report);
  LinearModel model(classes.names, resolve(PriorChoice{}, classes.names, classes.counts),
                    parameters_of(design, parts, minimum, options.ridge), seen.statistics.target(),
                    {}, control.threads);
  return with_report(std::move(model), std::move(report));
}

/// Squares and products are of dense columns.
Table laid_out(const Rows& rows, const Statistics& statistics) {
  const std::vector<std::string> names = blocks::columns_seen(statistics);
  constexpr std::size_t most_columns = 5000;
  if (names.size() > most_columns)
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
  const Collected seen = sums::finish(std::move(pass), missing);
  const bool sparse_numbers = seen.statistics.schema().sparse_matrix == SparseKind::numbers;
  if (sparse_numbers && options.terms != LogisticTerms::linear) {
    const Table table = laid_out(rows, seen.statistics);
    return fit_logistic(table, options, how, control);
  }
  return learn(rows, seen, options, missing, control);
}

}  // namespace genera::fit_detail

namespace genera {

void validate(const LogisticOptions& options) {
  validate(fit_detail::looking_alike(options, true).discrete);
  if (!(options.ridge >= 0) || !std::isfinite(options.ridge))
    throw Error(Errc::bad_argument, fmt::format("the ridge is {}", options.ridge),
                {"give a {} of at least 0", {{"ridge"}}});
  if (options.most_iterations < 1)
    throw Error(Errc::bad_argument,
                fmt::format("the largest number of iterations is {}", options.most_iterations),
                "give a whole number of at least 1");
  if (!(options.tolerance >= 0) || !std::isfinite(options.tolerance))
    throw Error(Errc::bad_argument, fmt::format("the tolerance is {}", options.tolerance),
                "give a number of at least 0");
}

LinearRecipe logistic(const LogisticOptions& options) { return {options}; }

}  // namespace genera
