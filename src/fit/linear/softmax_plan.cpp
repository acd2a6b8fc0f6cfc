// The features of softmax regression.
#include "fit/linear/softmax_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/class_counts.hpp"
#include "blocks/kinds.hpp"
#include "blocks/level_weights.hpp"
#include "blocks/second_pass.hpp"
#include "data/columns.hpp"
#include "fit/plan.hpp"
#include "kernel/index.hpp"
#include "kernel/text.hpp"
#include "sums/classes.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;

/// A recipe whose blocks select the same columns, levels and terms.
Recipe equivalent_recipe(const LogisticOptions& options, bool sparse_counts) {
  Recipe recipe = multinomial();
  recipe.gaussian.covariance = Covariance::diag;
  recipe.gaussian.on_singular = OnSingular::shrink;
  recipe.discrete.sparse_counts = sparse_counts;
  recipe.discrete.min_count = options.min_count;
  recipe.discrete.max_terms = options.max_terms;
  recipe.discrete.stop_words = options.stop_words;
  return recipe;
}

/// Chooses the features, part by part.
class Planner {
 public:
  Planner(const SoftmaxStatistics& seen, const LogisticOptions& options, Report& report)
      : seen_(seen),
        statistics_(seen.statistics),
        options_(options),
        report_(report),
        classes_(sums::sorted_classes(statistics_)),
        weight_(std::accumulate(classes_.counts.begin(), classes_.counts.end(), 0.0)),
        sparse_numbers_(statistics_.schema().sparse_matrix == SparseKind::numbers),
        recipe_(equivalent_recipe(options, !sparse_numbers_)) {
    (void)blocks::all_plans({statistics_, classes_, recipe_},
                            report_);  // notes the columns left out
  }

  SoftmaxLayout layout() && {
    add_numbers();
    add_counts();
    add_levels();
    add_terms();
    if (sparse_numbers_) add_sparse_numbers();
    if (parts_.empty()) require_blocks({}, statistics_, report_.notes);
    return {.classes = classes_.names,
            .parts = std::move(parts_),
            .sparse_matrix = statistics_.schema().sparse_matrix.has_value()};
  }

 private:
  /// The divisor of a numeric column.
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
  /// The means of features whose sums by class are the columns of a matrix.
  [[nodiscard]] Vector means_of(const Matrix& class_sums) const {
    Vector means(at(class_sums.columns()));
    for (Index j = 0; j < class_sums.columns(); ++j) {
      for (Index k = 0; k < class_sums.rows(); ++k) means[at(j)] += class_sums(k, j) / weight_;
    }
    return means;
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
    Vector spreads, scales;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const double spread = std::sqrt(all.scatter(0, static_cast<Index>(j)) / all.weight);
      if (is_left_out(columns[j]) || !(spread > 0)) continue;
      numbers.columns.push_back(columns[j]);
      numbers.centres.push_back(all.mean[j]);
      spreads.push_back(spread);
      scales.push_back(unit(spread));
    }
    if (numbers.columns.empty()) return;
    const std::size_t count = numbers.columns.size();
    parts_.push_back({numbers, scales, Vector(count)});
    if (options_.terms != LogisticTerms::linear) parts_.push_back(products_of(numbers, spreads));
  }

  void note_no_squares() {
    if (options_.terms != LogisticTerms::linear)
      report_.notes.push_back({"there are no numbers that could be squared"});
  }

  [[nodiscard]] SoftmaxPart products_of(const NumberFeatures& numbers,
                                        const Vector& spreads) const {
    const bool products = options_.terms == LogisticTerms::quadratic;
    refuse_large(std::ssize(numbers.columns), products);
    ProductFeatures features{.columns = numbers.columns,
                             .centres = numbers.centres,
                             .products = products,
                             .names = product_names(numbers.columns, products)};
    if (options_.raw_units) std::ranges::fill(features.centres, 0.0);
    for (const double spread : spreads) features.scales.push_back(unit(spread));
    Vector means;  // covariances are not known
    for (const auto& [a, b] : factors_of(features)) {
      const double variance = a == b ? spreads[at(a)] * spreads[at(a)] : 0;
      const double square = (numbers.centres[at(a)] - features.centres[at(a)]) *
                            (numbers.centres[at(b)] - features.centres[at(b)]);
      means.push_back((square + variance) / (features.scales[at(a)] * features.scales[at(b)]));
    }
    return {std::move(features), {}, std::move(means)};
  }

  /// Limit for one partition.
  void refuse_large(Index columns, bool products) const {
    const auto d = static_cast<double>(columns);
    const double bytes = 8 * static_cast<double>(seen_.max_rows) * (products ? d * (d + 1) / 2 : d);
    constexpr double max_bytes = 8e9;
    if (bytes > max_bytes)
      throw Error(Errc::bad_data,
                  fmt::format("the {} of {} columns need {:.0f} GB",
                              products ? "squares and products" : "squares", d, bytes / 1e9),
                  {"use {}, or fewer columns ({}, {})",
                   {{"terms", {products ? "squares" : "linear"}}, {"features"}, {"drop"}}});
  }

  void add_counts() {
    NumberFeatures counts{.type = ColumnType::count};
    Vector means;
    std::vector<std::string> constant;
    const std::vector<std::string> names = statistics_.schema().names_of(ColumnType::count);
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (seen_.count_min[j] == seen_.count_max[j]) {
        constant.push_back(names[j]);
        continue;
      }
      double sum = 0;
      for (const ClassStatistics* c : classes_.statistics) sum += c->counts.sums[j];
      counts.columns.push_back(names[j]);
      means.push_back(sum / weight_);
    }
    leave_out(constant);
    if (!counts.columns.empty()) parts_.push_back({std::move(counts), {}, std::move(means)});
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
      Vector means = means_of(blocks::level_weights(statistics_, classes_, i, part.levels));
      parts_.push_back({std::move(part), {}, std::move(means)});
    }
    leave_out(constant);
  }

  void add_terms() {
    Report known;  // the report already contains these notes
    const bool sparse_counts = statistics_.schema().sparse_matrix.has_value();
    for (blocks::ClassCounts& found :
         blocks::class_counts({statistics_, classes_, recipe_}, known)) {
      if (found.text.empty() && !sparse_counts) continue;
      LinearFeatures features;
      if (found.text.empty())
        features = NumberFeatures{.columns = std::move(found.terms), .type = ColumnType::count};
      else
        features = TermFeatures{.column = std::move(found.text),
                                .text_options = found.text_options,
                                .terms = std::move(found.terms)};
      parts_.push_back({std::move(features), {}, means_of(found.sums)});
    }
  }

  /// Divides them by their standard deviations over all rows.
  void add_sparse_numbers() {
    const NameSet places(statistics_.terms().front().names());
    NumberFeatures numbers;
    Vector scales, means;
    for (const std::string& name : blocks::columns_seen(statistics_)) {
      const Moments all = sparse_moments(static_cast<std::size_t>(*places.find(name)));
      const double spread = std::sqrt(all.scatter(0, 0) / weight_);
      if (is_left_out(name) || !(spread > 0)) continue;
      numbers.columns.push_back(name);
      scales.push_back(unit(spread));
      means.push_back(all.mean[0] / scales.back());
    }
    if (!numbers.columns.empty())
      parts_.push_back({std::move(numbers), std::move(scales), std::move(means)});
  }

  /// Of column j of the sparse matrix, zeros included.
  [[nodiscard]] Moments sparse_moments(std::size_t j) const {
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
    if (all.weight < weight_) {
      Moments zeros(1, Scatter::diagonal);
      zeros.weight = weight_ - all.weight;
      all.merge(zeros);
    }
    return all;
  }

  const SoftmaxStatistics& seen_;
  const Statistics& statistics_;
  const LogisticOptions& options_;
  Report& report_;
  sums::ClassList classes_;
  double weight_;
  bool sparse_numbers_;
  Recipe recipe_;
  std::vector<SoftmaxPart> parts_;
};

}  // namespace

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
  throw Error(
      Errc::bad_data, fmt::format("logistic cannot learn from missing values, in {}", columns),
      {"use a generative model such as {}, which marginalises them, impute them first, or use {}",
       {lda, drop}});
}

SoftmaxStatistics softmax_statistics(const Rows& rows, std::span<const Index> usable,
                                     Statistics statistics) {
  SoftmaxStatistics seen{.statistics = std::move(statistics), .max_rows = std::ssize(usable)};
  if (usable.empty()) return seen;
  const std::vector<std::string> names = seen.statistics.schema().names_of(ColumnType::count);
  const data::NumberColumns counts(rows.data(), data::number_places(rows.data(), names));
  seen.count_min.assign(names.size(), std::numeric_limits<double>::infinity());
  seen.count_max.assign(names.size(), -std::numeric_limits<double>::infinity());
  seen.min_weight = rows.weight(usable.front());
  for (const Index row : usable) {
    seen.min_weight = std::min(*seen.min_weight, rows.weight(row));
    for (std::size_t j = 0; j < names.size(); ++j) {
      const double value = counts(row, static_cast<Index>(j));
      seen.count_min[j] = std::min(seen.count_min[j], value);
      seen.count_max[j] = std::max(seen.count_max[j], value);
    }
  }
  return seen;
}

SoftmaxPlan make_plan(const SoftmaxStatistics& seen, const LogisticOptions& options,
                      Report report) {
  sums::refuse_odd_classes(seen.statistics);
  const sums::ClassList classes = sums::sorted_classes(seen.statistics);
  report.rows = sums::rows_of(seen.statistics);
  if (classes.size() == 1)
    report.notes.push_back({fmt::format(
        "there is only one class, '{}': every row is assigned to it", classes.names.front())});
  SoftmaxPlan plan{.class_weights = classes.counts,
                   .rows = report.rows,
                   .min_weight = seen.min_weight.value_or(0),
                   .target = seen.statistics.target(),
                   .options = options};
  plan.layout = Planner(seen, options, report).layout();
  plan.report = std::move(report);
  return plan;
}

}  // namespace genera::fit_detail

namespace genera {

Index SoftmaxLayout::columns() const {
  Index count = 1;
  for (const SoftmaxPart& part : parts) count += std::ssize(names_of(part.features));
  return count;
}

Index SoftmaxLayout::dense_columns() const {
  Index count = 1;
  for (const SoftmaxPart& part : parts)
    count += fit_detail::is_dense(part, *this) ? std::ssize(names_of(part.features)) : 0;
  return count;
}

void validate(const LogisticOptions& options) {
  validate(fit_detail::equivalent_recipe(options, true).discrete);
  if (!(options.ridge >= 0) || !std::isfinite(options.ridge))
    throw Error(Errc::bad_argument, fmt::format("the ridge is {}", options.ridge),
                {"give a {} of at least 0", {{"ridge"}}});
  if (options.max_iterations < 1)
    throw Error(Errc::bad_argument,
                fmt::format("the maximum number of iterations is {}", options.max_iterations),
                "give a whole number of at least 1");
  if (!(options.tolerance >= 0) || !std::isfinite(options.tolerance))
    throw Error(Errc::bad_argument, fmt::format("the tolerance is {}", options.tolerance),
                "give a number of at least 0");
}

}  // namespace genera
