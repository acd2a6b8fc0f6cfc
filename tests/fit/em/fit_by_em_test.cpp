#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include <genera/evaluate.hpp>
#include <genera/fit.hpp>

#include "blocks/gaussian/estimate/sums.hpp"
#include "fit/em/fit_by_em.hpp"
#include "fit/em/iteration.hpp"
#include "fit/em/latent_rows.hpp"
#include "fit/em/observed.hpp"
#include "sums/summarise.hpp"
#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::em_test {
namespace {

using testing::error_of;
using testing::largest_difference;
using testing::mixed_table;
using testing::random_table;
using testing::table_of;
using testing::whole_family;
using testing::with_missing;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// EM stops within 1e-8 of its limit, in units of the covariances.
constexpr double limit = 1e-7;

const GaussianParameters& gaussian(const Model& model) {
  return std::get<GaussianBlock>(model.blocks().front()).parameters();
}

Vector likelihoods(const Table& table, const Recipe& recipe) {
  Vector values;
  (void)fit(table, recipe, {.unlabelled_weight = 1}, {.progress = [&](const Progress& progress) {
              if (progress.step) values.push_back(progress.step->log_likelihood);
              return true;
            }});
  return values;
}

TEST(Em, NeverLowersTheLikelihood) {
  Table table = with_missing(random_table(200, 4, 3, 2), 0.15, 3);
  for (std::size_t i = 0; i < 200; i += 3) table.labels[i] = -1;
  for (const Recipe& recipe : {qda(), lda(), gaussian_naive_bayes(), dlda()}) {
    const Vector values = likelihoods(table, recipe);
    ASSERT_GT(values.size(), 3U);
    for (std::size_t i = 1; i < values.size(); ++i)
      EXPECT_GE(values[i], values[i - 1] - 1e-9 * std::abs(values[i]));
    EXPECT_GT(values.back(), values.front());
  }
}

TEST(Em, OfDiagonalCovariancesIsWhatEachColumnSays) {  // columns are independent within a class
  const Table table = with_missing(random_table(120, 3, 2, 5), 0.3, 6);
  const GaussianParameters p = gaussian(fit(table, gaussian_naive_bayes()).model);
  for (Index k = 0; k < 2; ++k) {
    for (Index j = 0; j < 3; ++j) {
      Vector seen;
      for (Index i = 0; i < 120; ++i) {
        const auto label = static_cast<std::size_t>(table.labels[static_cast<std::size_t>(i)]);
        const bool own = table.classes[label] == std::to_string(k) ||
                         table.classes[label] == "c" + std::to_string(k);
        if (own && !std::isnan(table.numbers(i, j))) seen.push_back(table.numbers(i, j));
      }
      ASSERT_GT(seen.size(), 10U);
      const double n = static_cast<double>(seen.size());
      const double mean = std::accumulate(seen.begin(), seen.end(), 0.0) / n;
      double variance = 0;
      for (const double x : seen) variance += (x - mean) * (x - mean) / n;
      EXPECT_NEAR(p.means(k, j), mean, limit);
      EXPECT_NEAR(p.variances(k, j), variance, limit * variance);
    }
  }
}

/// The second column misses where the first is large; the likelihood factors into that of the first
/// column and a regression on it (Anderson 1957).
TEST(Em, OfManyDiagonalColumnsMakesNoMatrix) {
  constexpr Index columns = 20000;  // whose covariance would take 3 GB
  Matrix x(8, columns);
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < columns; ++j) x(i, j) = static_cast<double>((i * i + 3 * j + i * j) % 11);
  }
  x(0, 0) = nan;
  std::vector<std::string> names;
  for (Index j = 0; j < columns; ++j) names.push_back("x" + std::to_string(j));
  const Table table = make_table(names, x, {"a", "a", "a", "a", "b", "b", "b", "b"});
  EXPECT_EQ(fit(table, dlda()).report.outcome, Outcome::converged);
}

TEST(Em, OfAMonotonePatternIsTheFactoredLikelihood) {
  Table table = random_table(90, 2, 1, 9);
  double m1 = 0, v1 = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0, n = 0;
  for (Index i = 0; i < 90; ++i) m1 += table.numbers(i, 0) / 90;
  for (Index i = 0; i < 90; ++i) {
    if (table.numbers(i, 0) > m1) table.numbers(i, 1) = nan;
    v1 += std::pow(table.numbers(i, 0) - m1, 2) / 90;
    if (std::isnan(table.numbers(i, 1))) continue;
    n += 1;
    x += table.numbers(i, 0);
    y += table.numbers(i, 1);
  }
  ASSERT_LT(n, 60);
  for (Index i = 0; i < 90; ++i) {
    if (std::isnan(table.numbers(i, 1))) continue;
    const double a = table.numbers(i, 0) - x / n, b = table.numbers(i, 1) - y / n;
    xx += a * a;
    xy += a * b;
    yy += b * b;
  }
  const double slope = xy / xx;
  const GaussianParameters p = gaussian(fit(table, qda()).model);
  EXPECT_NEAR(p.means(0, 0), m1, limit);
  EXPECT_NEAR(p.means(0, 1), y / n + slope * (m1 - x / n), limit);
  EXPECT_NEAR(p.covariances[0](0, 0), v1, limit);
  EXPECT_NEAR(p.covariances[0](0, 1), slope * v1, limit);
  EXPECT_NEAR(p.covariances[0](1, 1), (yy - slope * xy) / n + slope * slope * v1, 2 * limit);
}

/// Without extrapolation, until nothing moves.
Model at_the_limit(const Table& table, const Recipe& recipe) {
  using namespace fit_detail;
  const LearnedRows learned(table);
  const Observed observed = available_case_estimate(learned.observe(recipe, 1), recipe);
  Report report;
  const Plan plan = plan_of(observed.all, recipe, report);
  const PlanSums start(plan, observed.labelled);
  blocks::Estimating how;
  how.maximum_likelihood = true;
  Model model = estimate_model(plan, start, how, {}, report);
  const LatentRows rows(learned, plan, model, 1, 1);
  EmIteration em(plan, std::move(model), rows.complete(),
                 {.max_iterations = 100000, .tolerance = 1e-12, .accelerated = false}, &start);
  run(em, rows, 1, [] {});
  return estimate_model(plan, em.sums(), how, em.priors(), report);
}

TEST(Em, StopsWithinItsToleranceOfTheLimit) {
  Table table = with_missing(random_table(200, 4, 3, 2), 0.3, 3);
  for (std::size_t i = 0; i < 200; i += 4) table.labels[i] = -1;
  for (const Recipe& recipe : {qda(), lda(), gaussian_naive_bayes()}) {
    const GaussianParameters found = gaussian(fit(table, recipe, {.unlabelled_weight = 1}).model);
    const GaussianParameters last = gaussian(at_the_limit(table, recipe));
    EXPECT_LT(largest_difference(found.means, last.means), 1e-7);
    for (std::size_t k = 0; k < last.covariances.size(); ++k)
      EXPECT_LT(largest_difference(found.covariances[k], last.covariances[k]), 2e-7);
  }
}

double complete_log_loss(const Table& whole, const Table& missing, const Recipe& recipe,
                         Index weak_priors) {
  const auto [model, report] = fit(missing, recipe);
  EXPECT_EQ(report.outcome, Outcome::converged);
  EXPECT_TRUE(weak_priors > 0 || report.weak_priors == 0);
  return evaluate(model, whole).log_loss();
}

/// Hardly a row of a class has all columns: a covariance that vanishes across these rows would have
/// any likelihood.
TEST(Em, KeepsCovariancesFromCollapsing) {
  const Table iris = read_csv("@iris", {.target = "species"});
  const Table wine = read_csv("@wine", {.target = "cultivar"});
  std::vector<Index> half;
  for (Index i = 0; i < wine.rows(); i += 2) half.push_back(i);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    EXPECT_LT(complete_log_loss(iris, with_missing(iris, 0.45, seed), qda(), 1), 0.5) << seed;
    EXPECT_LT(
        complete_log_loss(wine, with_missing(testing::rows_of(wine, half), 0.3, seed), qda(), 1), 1)
        << seed;
    EXPECT_LT(complete_log_loss(iris, with_missing(iris, 0.1, seed), qda(), 0), 0.2) << seed;
  }
}

TEST(Em, SaysWhichColumnsDependOnEachOther) {
  Table table = with_missing(random_table(120, 3, 2, 5), 0.05, 6);
  for (Index i = 0; i < 120; ++i) table.numbers(i, 2) = 2 * table.numbers(i, 0);
  const std::string error = error_of([&] { (void)fit(table, qda()); });
  EXPECT_NE(error.find("singular"), std::string::npos) << error;
  EXPECT_NE(error.find("x2"), std::string::npos) << error;
}

/// The sums of the rows that are complete are known after the first pass: EM does not need these
/// rows again.
TEST(Em, FromSumsOfTheCompleteRowsIsThatOfAllRows) {
  const std::vector<std::size_t> no_text{0, 1, 2, 3, 5, 6, 7};
  Table table = table_of(testing::columns_at(testing::mixed_columns(), no_text),
                         testing::cells_at(testing::mixed_rows(400, 2), no_text));
  table = with_missing(std::move(table), 0.05, 3);
  for (std::size_t i = 0; i < 400; i += 7) table.labels[i] = -1;
  for (std::size_t i = 0; i < 400; ++i) table.weights.push_back(static_cast<double>(i % 4));
  for (Recipe recipe : {qda(), lda(), gaussian_naive_bayes(), joint()}) {
    const FitOptions options{.unlabelled_weight = 0.5};
    const Statistics complete =
        sums::summarise(table, {{scatter_needed(recipe), recipe.discrete.joint}, Missing::em})
            .statistics;
    const fit_detail::EmFit whole = fit_detail::fit_by_em(Rows(table), recipe, options, {});
    const fit_detail::LearnedRows summed(table, complete);
    ASSERT_NE(summed.summed(), nullptr);
    const fit_detail::EmFit found = fit_detail::fit_by_em(summed, recipe, options, {});
    const Vector a = whole.sums.coordinates(), b = found.sums.coordinates();
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-8 * 400);
    EXPECT_EQ(whole.report.em->iterations, found.report.em->iterations);
    EXPECT_NEAR(whole.report.em->log_likelihood, found.report.em->log_likelihood, 1e-8);
  }
}

TEST(Em, OfFrequenciesCountsEachRow) {
  Table table = with_missing(random_table(60, 3, 2, 2), 0.1, 3), repeated = table;
  table.frequencies = true;
  std::vector<Index> rows;
  for (Index i = 0; i < 60; ++i) {
    if (i % 6 == 0) table.labels[static_cast<std::size_t>(i)] = -1;
    table.weights.push_back(static_cast<double>(1 + i % 3));
    for (Index copy = 0; copy <= i % 3; ++copy) rows.push_back(i);
  }
  repeated.labels = table.labels;
  const FitOptions options{.unlabelled_weight = 1};
  const Report counted = fit(table, qda(), options).report;
  const Report written = fit(Rows(repeated).only(rows), qda(), options).report;
  EXPECT_EQ(counted.unlabelled_rows, written.unlabelled_rows);
  EXPECT_EQ(counted.missing_numbers, written.missing_numbers);
  EXPECT_NEAR(counted.em->certainty, written.em->certainty, 1e-9);
}

/// A model that was extrapolated may expect sums that no model has: the step is taken back.
TEST(Em, FallsBackFromAnExtrapolationThatCannotBeEstimated) {
  const Table table = with_missing(random_table(300, 3, 2, 2), 0.3, 3);
  const fit_detail::LearnedRows rows(table);
  const fit_detail::EmStart start = fit_detail::em_start(rows.observe(qda(), 1), qda(), {}, 1);
  const fit_detail::LatentRows latent(rows, *start.plan, start.model, 0, 1);
  const auto singular = [](fit_detail::Expected expected) {  // moments of one point
    for (Moments& m : blocks::sums_as<blocks::ComponentSums>(*expected.sums.blocks[0]).moments)
      m.scatter = Matrix(m.scatter.rows(), m.scatter.columns());
    expected.log_likelihood += 1e6;  // it looks as if it had succeeded
    return expected;
  };
  int refused = 0, taken_back = 0;
  for (int steps = 0; steps < 12; ++steps) {
    fit_detail::EmIteration em(*start.plan, start.model, latent.complete(), {.tolerance = 1e-12});
    for (int step = 0; step < steps && !em.done(); ++step)
      (void)em.accept(latent.expect(em.model(), 1));
    if (em.done()) break;
    try {
      taken_back += em.accept(singular(latent.expect(em.model(), 1))) ? 0 : 1;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);     // of plain steps
  EXPECT_GT(taken_back, 0);  // of extrapolations
}

TEST(Em, OfNothingMissingIsTheClosedForm) {
  const Table table = random_table(60, 3, 2, 4);
  Table missing = table;
  missing.numbers(0, 0) = nan;
  for (const Recipe& recipe : whole_family()) {
    EXPECT_EQ(
        fit(table, recipe).model,
        estimate(collect(table, {.scatter = scatter_needed(recipe)}).statistics, recipe).model);
    EXPECT_FALSE(fit(missing, recipe).model == fit(table, recipe).model);
  }
}

TEST(Em, IsTheSameForWeightsOfAnyScale) {
  Table table = with_missing(random_table(200, 3, 2, 9), 0.2, 4);
  table.weights.assign(200, 1);
  for (const Recipe& recipe : {qda(), gaussian_naive_bayes()}) {
    table.weights.assign(200, 1);
    const GaussianParameters expected = gaussian(fit(table, recipe).model);
    table.weights.assign(200, std::ldexp(1.0, -200));
    const GaussianParameters found = gaussian(fit(table, recipe).model);
    EXPECT_EQ(found.means, expected.means);
    EXPECT_EQ(found.covariances, expected.covariances);
  }
}

TEST(Em, HasTheSameBitsOnAnyNumberOfThreads) {
  Table table = with_missing(random_table(3000, 4, 2, 7), 0.2, 8);
  for (std::size_t i = 0; i < 3000; i += 5) table.labels[i] = -1;
  for (const Recipe& recipe : {qda(), lda(), rda(0.5, 0.2)})
    EXPECT_EQ(fit(table, recipe, {}, {.threads = 3}).model,
              fit(table, recipe, {}, {.threads = 1}).model);
}

TEST(Em, OfWideRowsHasTheSameBitsOnAnyNumberOfThreads) {
  Table table = with_missing(random_table(900, 36, 2, 7), 0.05, 8);
  for (std::size_t i = 0; i < 900; i += 5) table.labels[i] = -1;
  for (const Recipe& recipe : {qda(), lda()})
    EXPECT_EQ(fit(table, recipe, {}, {.threads = 3}).model,
              fit(table, recipe, {}, {.threads = 1}).model);
}

TEST(Em, RescalesUnbiasedCovariancesAtTheEnd) {
  const Table table = with_missing(random_table(80, 3, 2, 7), 0.2, 8);
  Recipe unbiased = lda();
  unbiased.gaussian.divisor = Divisor::unbiased;
  const Matrix mle = gaussian(fit(table, lda()).model).covariances[0];
  const Matrix rescaled = gaussian(fit(table, unbiased).model).covariances[0];
  for (Index j = 0; j < 3; ++j) EXPECT_NEAR(rescaled(j, j), mle(j, j) * 80 / 78, 1e-9);
}

TEST(Em, OfJointCellsIsItsOwnExpectation) {
  const std::vector<Column> columns{{"u", ColumnType::categorical}, {"v", ColumnType::categorical}};
  std::vector<testing::Cells> rows;
  const auto add = [&](const char* u, const char* v, int times) {
    for (int i = 0; i < times; ++i) rows.push_back({u, v, "k"});
  };
  add("a", "x", 12), add("a", "y", 6), add("b", "x", 3), add("b", "y", 9);
  add("a", "", 10), add("", "y", 5);
  rows.push_back({"a", "x", "l"});
  Recipe recipe = joint();
  recipe.discrete.smoothing = 0;
  const Model model = fit(table_of(columns, rows), recipe).model;
  const Matrix& p = std::get<JointBlock>(model.blocks().front()).parameters().probabilities;
  const double ax = p(0, 0), ay = p(0, 1), bx = p(0, 2), by = p(0, 3);
  EXPECT_NEAR(ax * 45, 12 + 10 * ax / (ax + ay), 45 * limit);
  EXPECT_NEAR(ay * 45, 6 + 10 * ay / (ax + ay) + 5 * ay / (ay + by), 45 * limit);
  EXPECT_NEAR(bx * 45, 3, 45 * limit);
  EXPECT_NEAR(by * 45, 9 + 5 * by / (ay + by), 45 * limit);
}

TEST(Em, OfCountsSpreadsWhatIsThere) {
  const std::vector<Column> columns{
      {"u", ColumnType::count}, {"v", ColumnType::count}, {"w", ColumnType::count}};
  Recipe recipe = multinomial();
  recipe.discrete.smoothing = 0;
  const Model model =
      fit(table_of(columns, {{"4", "2", "2", "k"}, {"3", "", "3", "k"}, {"1", "1", "1", "l"}}),
          recipe)
          .model;
  const Matrix& p = std::get<CountBlock>(model.blocks().front()).parameters().probabilities;
  const double more = 6 * p(0, 1) / (p(0, 0) + p(0, 2));
  EXPECT_NEAR(p(0, 0), 7 / (14 + more), limit);
  EXPECT_NEAR(p(0, 1), (2 + more) / (14 + more), limit);
}

TEST(Em, RefusesWhatCannotBeLearned) {
  Table table = random_table(40, 2, 2, 3);
  table.numbers(3, 1) = nan;
  Table unlabelled = table;
  std::fill(unlabelled.labels.begin(), unlabelled.labels.end(), -1);
  EXPECT_EQ(error_of([&] { (void)fit(unlabelled, lda()); }),
            "every label in 'class' is missing | label some rows of each class, or find groups "
            "by clustering");
  Recipe lw = lda();
  lw.gaussian.shrinkage.kind = Shrinkage::Kind::lw;
  EXPECT_EQ(error_of([&] { (void)fit(table, lw); }),
            "Ledoit-Wolf shrinkage needs complete rows, but values are missing | use shrinkage = "
            "oas, or missing = drop");
  EXPECT_EQ(error_of([&] { (void)fit(table, lda(), {.unlabelled_weight = -1}); }),
            "the weight of unlabelled rows is -1 | give a number of at least 0");
  Table counts = mixed_table(20, 1);
  counts.labels[0] = -1;
  EXPECT_EQ(error_of([&] { (void)fit(counts, complement(), {.unlabelled_weight = 1}); }),
            "complement is a scorer, not a density: it cannot learn from missing values | use "
            "model = multinomial, or missing = drop");
}

TEST(Em, RefusesWhatTheClosedFormRefuses) {
  Table measured = random_table(60, 2, 60, 3);
  for (std::size_t i = 0; i < 60; ++i) {
    measured.classes[i] = std::to_string(i) + ".5";
    measured.labels[i] = static_cast<std::int32_t>(i);
  }
  measured.labels[0] = -1;
  EXPECT_NE(error_of([&] { (void)fit(measured, lda()); }).find("it looks continuous"),
            std::string::npos);
  Table sparse = make_table({}, Matrix(6, 0), {"a", "a", "a", "b", "b", "b"});
  sparse.sparse.push_back({.terms = {"1", "2"},
                           .begins = {0, 2, 4, 6, 8, 10, 12},
                           .places = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1},
                           .values = {1, 2, 2, 1, 3, 5, 4, 4, 1, 6, 7, 2},
                           .kind = SparseKind::numbers});
  sparse.labels[0] = -1;
  EXPECT_EQ(fit(sparse, gaussian_naive_bayes(), {.unlabelled_weight = 1}).report.unlabelled_rows,
            1);
}

TEST(Em, LeavesOutAColumnWithoutValues) {
  Table table = random_table(40, 3, 2, 3);
  for (Index i = 0; i < 40; ++i) table.numbers(i, 1) = nan;
  const auto [model, report] = fit(table, qda());
  EXPECT_EQ(gaussian(model).columns, (std::vector<std::string>{"x0", "x2"}));
  EXPECT_EQ(model.notes().front(), "'x1' has no value and is left out");
  EXPECT_EQ(report.columns_left_out, std::vector<std::string>{"x1"});
}

TEST(Em, StopsAfterAnIterationWhenAsked) {
  const Table table = with_missing(random_table(200, 4, 3, 2), 0.25, 3);
  std::vector<Index> iterations;
  const auto three = [&](const Progress& progress) {
    if (progress.task != Progress::Task::iterating) return true;
    EXPECT_EQ(progress.step->iteration, progress.done);
    EXPECT_FALSE(progress.total);
    iterations.push_back(progress.done);
    return progress.done < 3;
  };
  EXPECT_EQ(error_of([&] { (void)fit(table, lda(), {}, {.threads = 2, .progress = three}); }),
            "the call was stopped, as its caller asked for | nothing was changed: call again to "
            "start over");
  EXPECT_EQ(iterations, (std::vector<Index>{1, 2, 3}));
}

TEST(Em, ReportsHowItWent) {
  const Table table = with_missing(random_table(200, 4, 3, 2), 0.25, 3);
  const Vector values = likelihoods(table, lda());
  const auto [model, report] = fit(table, lda());
  EXPECT_EQ(report.outcome, Outcome::converged);
  EXPECT_EQ(report.em.value().iterations, std::ssize(values));
  EXPECT_EQ(report.em.value().log_likelihood_first, values.front());
  EXPECT_EQ(report.em.value().log_likelihood, values.back());
  EXPECT_EQ(report.rows, 200);
  EXPECT_GT(report.missing_numbers, 100);
  ASSERT_EQ(report.notes.size(), model.notes().size());
  for (std::size_t i = 0; i < report.notes.size(); ++i) {
    EXPECT_EQ(report.notes[i].kind, Note::Kind::note);
    EXPECT_EQ(in_words(report.notes[i]), model.notes()[i]);
  }
  EXPECT_FALSE(report.newton);
  const Report closed = fit(random_table(50, 2, 2, 1), lda()).report;
  EXPECT_EQ(closed.outcome, Outcome::closed_form);
  EXPECT_FALSE(closed.em || closed.newton);
}

TEST(Em, TellsAboutHowManyIterationsAreLeft) {
  const Table table = with_missing(random_table(2000, 6, 2, 21), 0.4, 22);
  std::vector<std::optional<double>> left;
  (void)fit(table, lda(), {}, {.progress = [&](const Progress& progress) {
              if (progress.step) left.push_back(progress.step->iterations_left);
              return true;
            }});
  ASSERT_GT(left.size(), 14U);
  EXPECT_FALSE(left.front().has_value());
  const std::size_t half = left.size() / 2;
  const auto rest = static_cast<double>(left.size() - half - 1);
  ASSERT_TRUE(left[half].has_value());
  EXPECT_GT(*left[half], rest / 4);
  EXPECT_LT(*left[half], rest * 4);
}

}  // namespace
}  // namespace genera::em_test
