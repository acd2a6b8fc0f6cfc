#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "support/laws_of_chance.hpp"
#include "support/problems.hpp"

namespace genera::student_test {
namespace {

using testing::error_of;
using testing::largest_difference;
using testing::random_table;
using testing::rows_of;

const double nan = std::nan("");

/// Four rows of class a, three of class b.
Table seven_rows() {
  return make_table({"x", "y"}, Matrix(7, 2, {1, 2, 2, 1.5, 3, 4, 4.5, 3, 6, 7, 7.5, 6, 7, 9}),
                    {"a", "a", "a", "a", "b", "b", "b"});
}

Model of_seven_rows() { return fit(seven_rows(), bqda({3, 0.25})).model; }

const StudentParameters& parameters_of(const Model& model) {
  return std::get<StudentBlock>(model.blocks().front()).parameters();
}

/// log p(x | k)
double log_density(const Model& model, Index k, const Vector& x) {
  const Matrix row(1, std::ssize(x), x);
  return log_joint(model, row)(0, k) - model.prior().log()[static_cast<std::size_t>(k)];
}

double probability_of(const Model& model, std::vector<Between> between,
                      std::vector<Given> given = {}) {
  return probability(model, {.between = std::move(between),
                             .given = std::move(given),
                             .of_class = "a",
                             .precision = 1e-13})
      .all.value;
}

/// Numbers of scipy.stats.multivariate_t with scales computed apart in NumPy.
TEST(Student, DensityIsThePosteriorPredictive) {
  const Model model = of_seven_rows();
  EXPECT_NEAR(log_density(model, 0, {3, 3}), -2.2356878912271814, 1e-13);
  EXPECT_NEAR(log_density(model, 1, {3, 3}), -8.439798013891993, 1e-13);
  EXPECT_NEAR(log_density(model, 0, {10, -2}), -13.626036305679897, 1e-12);
  EXPECT_NEAR(log_density(model, 1, {10, -2}), -11.82182743616403, 1e-12);
  EXPECT_EQ(parameters_of(model).degrees, (Vector{7, 6}));
}

/// In one column: scipy's double integral of likelihood x prior over mean and log variance, with
/// the new row over without it. A missing cell is left out.
TEST(Student, MarginalIsTheIntegralOverMeanAndVariance) {
  EXPECT_NEAR(log_density(of_seven_rows(), 0, {3, nan}), -1.2916264516705382, 1e-11);
  EXPECT_NEAR(log_density(of_seven_rows(), 1, {3, nan}), -5.2794169799783255, 1e-12);
  EXPECT_NEAR(log_density(of_seven_rows(), 1, {nan, nan}), 0, 1e-15);
}

TEST(Student, DensityIntegratesToOneAndToItsMarginal) {
  const Model model = of_seven_rows();
  constexpr Index n = 20000;
  const double step = std::numbers::pi / n;
  double total = 0, marginal = 0;  // x = 3 + tan(u)
  for (Index i = 0; i < n; ++i) {
    const double u = -std::numbers::pi / 2 + (static_cast<double>(i) + 0.5) * step;
    const double x = 3 + std::tan(u), slope = 1 + std::tan(u) * std::tan(u);
    total += std::exp(log_density(model, 0, {x, nan})) * slope * step;
    marginal += std::exp(log_density(model, 0, {2, x})) * slope * step;
  }
  EXPECT_NEAR(total, 1, 1e-9);
  EXPECT_NEAR(std::log(marginal), log_density(model, 0, {2, nan}), 1e-9);
}

/// scipy: t in one column, the double integral of multivariate_t in two, and a conditional t.
TEST(Student, ProbabilitiesOfBoxes) {
  const Model model = of_seven_rows();
  EXPECT_NEAR(probability_of(model, {{"x", 1, 4}}), 0.6982572772332306, 1e-12);
  EXPECT_NEAR(probability_of(model, {{"x", 60}}) / 4.943119273916009e-10, 1, 1e-10);
  EXPECT_NEAR(probability_of(model, {{"x", 1, 4}, {"y", 1, 4}}), 0.5722991941623474, 1e-10);
  EXPECT_NEAR(probability_of(model, {{"x", 1, 4}}, {{"y", "5"}}), 0.4976888617972838, 1e-12);
}

TEST(Student, ProbabilitiesOfBoxesWithoutWidthAreZero) {
  const Model model = of_seven_rows();
  EXPECT_EQ(probability_of(model, {{"x", 2, 2}, {"y", 1, 4}}), 0);
  EXPECT_EQ(probability_of(model, {{"x", 2, 2}}, {{"y", "5"}}), 0);
  for (const double width : {1e-12, 1e-160, 1e-300})
    EXPECT_LT(probability_of(model, {{"x", 0, width}, {"y", 0, width}}), width);
}

TEST(Student, ApproachesTheNormalDensityOfLdaWithAHeavyPrior) {
  const Table table = random_table(60, 3, 3, 4);
  const Matrix normal = posterior(fit(table, lda()).model, table);
  EXPECT_LT(largest_difference(posterior(fit(table, bqda({1e9, 0})).model, table), normal), 0.03);
  // Without the factor 1 + 1/n, as the density of the classes with the same covariance.
  const StudentParameters p = parameters_of(fit(table, bqda({1e12, 0})).model);
  GaussianParameters same = p.scales;
  const Model gaussian(fit(table, lda()).model.classes(), Prior::uniform(3), {GaussianBlock(same)});
  const Model student(gaussian.classes(), Prior::uniform(3), {StudentBlock(p)});
  EXPECT_LT(largest_difference(log_joint(student, table), log_joint(gaussian, table)), 1e-9);
}

TEST(Student, IsNeverSingular) {
  const Table few = rows_of(random_table(60, 8, 3, 4), testing::range(0, 9));
  const std::string error = error_of([&] { (void)fit(few, qda()); });
  EXPECT_NE(error.find("bqda"), std::string::npos) << error;
  const Matrix joint = log_joint(fit(few, bqda()).model, few);
  for (const double x : joint.row(0)) EXPECT_TRUE(std::isfinite(x));
  EXPECT_NE(error_of([&] { (void)fit(few, bqda({2, 0})); }).find("prior_gamma"), std::string::npos);
}

TEST(Student, WeightTwoIsTheRowTwiceAndOrderDoesNotMatter) {
  Table weighted = random_table(40, 3, 2, 7);
  weighted.weights.assign(40, 1);
  std::vector<Index> rows = testing::range(0, 40);
  for (Index i = 0; i < 40; i += 3) {
    weighted.weights[static_cast<std::size_t>(i)] = 2;
    rows.push_back(i);
  }
  Table twice = rows_of(weighted, rows);
  twice.weights.clear();
  const Model a = fit(weighted, bqda()).model, b = fit(twice, bqda()).model;
  const Model c = fit(rows_of(twice, testing::permutation(std::ssize(rows), 3)), bqda()).model;
  EXPECT_LT(largest_difference(log_joint(a, twice), log_joint(b, twice)), 1e-10);
  EXPECT_LT(largest_difference(log_joint(c, twice), log_joint(b, twice)), 1e-10);
}

TEST(Student, UnitsDoNotMatter) {
  const Table table = random_table(40, 3, 2, 8);
  Table scaled = table;
  for (Index i = 0; i < 40; ++i) {
    scaled.numbers(i, 0) *= 1024;
    scaled.numbers(i, 2) = scaled.numbers(i, 2) / 4096 + 3;
  }
  EXPECT_LT(largest_difference(posterior(fit(table, bqda()).model, table),
                               posterior(fit(scaled, bqda()).model, scaled)),
            1e-9);
}

TEST(Student, StatisticsMergeAndForget) {
  const Table table = random_table(60, 3, 2, 9);
  const Table first = rows_of(table, testing::range(0, 40)),
              last = rows_of(table, testing::range(40, 60));
  Statistics merged = collect(first).statistics;
  merged.merge(collect(last).statistics);
  const Model all = fit(table, bqda()).model;
  EXPECT_LT(
      largest_difference(log_joint(estimate(merged, bqda()).model, table), log_joint(all, table)),
      1e-10);
  (void)merged.subtract(collect(last).statistics);
  EXPECT_LT(largest_difference(log_joint(estimate(merged, bqda()).model, table),
                               log_joint(fit(first, bqda()).model, table)),
            1e-9);
}

TEST(Student, LeavesOneRowOutExactly) {
  const Table table = random_table(36, 3, 3, 5);
  for (const BayesianOptions& options : {BayesianOptions{}, BayesianOptions{4, 0.3}}) {
    const Recipe recipe = bqda(options);
    const Selection found = leave_one_out(table, {{"bqda", recipe, {}}}, {.keep_scores = true});
    ASSERT_EQ(found.candidates.front().refitted, 0);
    double loss = 0;
    for (Index i = 0; i < table.rows(); ++i) {
      std::vector<Index> others = testing::range(0, table.rows());
      others.erase(others.begin() + i);
      const Table one = rows_of(table, {i});
      loss -= std::log(posterior(fit(rows_of(table, others), recipe).model, one)(
          0, table.labels[static_cast<std::size_t>(i)]));
    }
    EXPECT_NEAR(found.candidates.front().log_loss, loss / static_cast<double>(table.rows()), 1e-10);
  }
}

/// D^2 / d of draws has an F distribution; with two columns, its distribution function is
/// elementary.
TEST(Student, DrawsFollowTheDensity) {
  const Model model = of_seven_rows();
  const Table drawn = sample(model, 20000, Rng(11));
  const Matrix squares = mahalanobis(model, drawn);
  for (const std::int32_t k : {0, 1}) {
    const double nu = parameters_of(model).degrees[static_cast<std::size_t>(k)];
    std::vector<double> own;
    for (Index i = 0; i < drawn.rows(); ++i)
      if (drawn.labels[static_cast<std::size_t>(i)] == k) own.push_back(squares(i, k));
    EXPECT_LT(
        testing::ks_statistic(own, [&](double d2) { return 1 - std::pow(1 + d2 / nu, -nu / 2); }),
        testing::ks_limit);
  }
}

/// Given y, x has a t density with d_o more degrees of freedom.
TEST(Student, ImputedDrawsFollowTheConditional) {
  const Model model = of_seven_rows();
  Matrix numbers(4000, 2, Vector(8000, 5.0));
  for (Index i = 0; i < 4000; ++i) numbers(i, 0) = nan;
  const Table table = make_table({"x", "y"}, numbers, {});
  const Table drawn = impute_by_draw(model, table, Rng(3)).table;
  double below = 0;
  for (Index i = 0; i < 4000; ++i) below += drawn.numbers(i, 0) <= 3.5 ? 1.0 / 4000 : 0;
  const double p =
      probability(model, {.between = {{"x", -HUGE_VAL, 3.5}}, .given = {{"y", "5"}}}).all.value;
  EXPECT_NEAR(below, p, testing::share_error(p, 4000));
}

TEST(Student, ContributionsAddUpToTheLogOdds) {
  const Table table = testing::with_missing(random_table(30, 4, 3, 2), 0.2, 1);
  const Model model = fit(random_table(60, 4, 3, 2), bqda()).model;
  for (const Explanation& one : explain(model, table, 10)) {
    double sum = one.base + one.rest;
    for (const auto& c : one.evidence) sum += c.log_odds;
    EXPECT_NEAR(sum, one.log_odds, 1e-10 * (1 + std::abs(one.log_odds)));
  }
}

TEST(Student, LearnsFromMissingCellsByEm) {
  const Table whole = random_table(200, 3, 2, 6);
  const Table holes = testing::with_missing(whole, 0.1, 2);
  const Fitted<Model> fitted = fit(holes, bqda({3, 0.1}));
  EXPECT_EQ(fitted.report.outcome, Outcome::converged);
  // A fixed point that does not depend on the order of rows or the number of threads.
  const Model again = fit(holes, bqda({3, 0.1}), {}, {.threads = 3}).model;
  EXPECT_EQ(fitted.model, again);
  const Matrix with = posterior(fitted.model, whole);
  const Matrix without = posterior(fit(whole, bqda({3, 0.1})).model, whole);
  EXPECT_LT(largest_difference(with, without), 0.5);
}

TEST(Student, FileGivesTheSameModel) {
  const Model model = of_seven_rows();
  EXPECT_EQ(model_from_bytes(to_bytes(model)), model);
  EXPECT_EQ(model_from_bytes(to_bytes(model, Format::cbor)), model);
}

TEST(Student, RefusesImpossibleParameters) {
  const StudentParameters good = parameters_of(of_seven_rows());
  const auto refused = [&](auto change) {
    StudentParameters p = good;
    change(p);
    return error_of([&] { (void)StudentBlock(p); });
  };
  EXPECT_EQ(refused([](auto& p) { p.degrees[1] = 0; }),
            "a t density has 0 degrees of freedom | give a finite number above 0");
  EXPECT_EQ(refused([](auto& p) { p.degrees.pop_back(); }),
            "1 degree of freedom for 2 classes | give the degrees of freedom of each class");
  EXPECT_EQ(refused([](auto& p) { p.scales.covariances.pop_back(); }),
            "1 scale matrix for 2 classes | give a scale matrix for each class");
  EXPECT_EQ(refused([](auto& p) {
              p.scales.counts = {1, 2};
            }),
            "the scale matrices of t densities have counts of their own | give the counts to the "
            "block");
  EXPECT_EQ(refused([](auto& p) { p.prior_rows = -1; }),
            "the prior has -1 rows | give a number of at least 0");
  EXPECT_EQ(refused([](auto& p) { p.prior_gamma = 2; }),
            "the gamma of the prior is 2 | give a number from 0 to 1");
}

TEST(Student, RefusesImpossibleOptions) {
  EXPECT_EQ(error_of([] {
              validate(bqda({-1.0, {}}).gaussian);
            }),
            "the prior has -1 rows | give prior_rows a number above 0");
  EXPECT_EQ(error_of([] {
              validate(bqda({1.0, 2.0}).gaussian);
            }),
            "prior_gamma is 2, which is not in [0, 1] | give a number from 0 to 1");
  GaussianOptions both = bqda().gaussian;
  both.rda.emplace();
  EXPECT_NE(error_of([&] { validate(both); }).find("it takes no other structure"),
            std::string::npos);
}

}  // namespace
}  // namespace genera::student_test
