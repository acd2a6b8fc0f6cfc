#include <genera/explain.hpp>

#include <cmath>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <genera/fit.hpp>

#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::explain_test {
namespace {

using testing::Cells;
using testing::mixed_table;
using testing::sparse_table;
using testing::table_of;

constexpr Index all = 1000000;
std::size_t at(Index i) { return static_cast<std::size_t>(i); }

Recipe recipe_of(Recipe recipe, CountModel counts = CountModel::multinomial, bool joint = false,
                 double smoothing = 1) {
  recipe.discrete = {
      .smoothing = smoothing, .counts = counts, .joint = joint, .sparse_counts = true};
  return recipe;
}

double sum_of(const Explanation& e) {
  double sum = e.base + e.rest;
  for (const Evidence& one : e.evidence) sum += one.log_odds;
  return sum;
}

void expect_exact(ClassifierRef model, const Table& table) {
  const Answers said = answers(model, table, {.log_joint = true, .labels = true});
  const auto explanations = explain(model, table, all);
  for (std::size_t i = 0; i < explanations.size(); ++i) {
    const Explanation& e = explanations[i];
    const auto row = static_cast<Index>(i);
    EXPECT_EQ(e.best, said.labels[i]);
    EXPECT_NEAR(e.log_odds, said.log_joint(row, e.best) - said.log_joint(row, e.second),
                1e-12 + 1e-15 * std::abs(said.log_joint(row, e.second)));
    EXPECT_NEAR(sum_of(e), e.log_odds, 1e-9);
    EXPECT_EQ(e.rest, 0);
    for (Index k = 0; k < said.log_joint.columns(); ++k) {
      if (k == e.best) continue;
      EXPECT_LE(said.log_joint(row, k), said.log_joint(row, e.second));
    }
  }
}

TEST(Explain, NeedsTheAnswersThatItRestsOn) {
  const Table iris = read_csv("@iris");
  const Model model = fit(iris, qda()).model;
  const Answers some = answers(model, iris, {.log_joint = true, .labels = true});
  EXPECT_TRUE(some.posterior.empty());
  EXPECT_EQ(some.log_joint, log_joint(model, iris));
  EXPECT_EQ(explain(model, iris, some, 2).size(), 150U);
  const Answers others = answers(model, iris, {.posterior = true});
  EXPECT_EQ(others.posterior, posterior(model, iris));
  EXPECT_EQ(testing::error_of([&] { (void)explain(model, iris, others, 2); }),
            "the answers do not hold log joints and labels of these rows | ask for both, of the "
            "same rows");
}

TEST(Explain, AddsUpToTheLogOdds) {
  const Table table = mixed_table(80, 1);
  for (const Recipe& gaussian : testing::whole_family()) {
    for (const CountModel kind : {CountModel::multinomial, CountModel::bernoulli}) {
      for (const bool joint : {false, true})
        expect_exact(fit(table, recipe_of(gaussian, kind, joint)).model, table);
    }
  }
}

TEST(Explain, AddsUpForRowsThatLackNumbersAndCounts) {
  const Table table = mixed_table(60, 9);
  const Table missing = testing::with_missing(table, 0.4, 2);
  for (const Recipe& recipe : {qda(), lda(), gaussian_naive_bayes(), spherical()})
    expect_exact(fit(table, recipe_of(recipe)).model, missing);
}

TEST(Explain, AddsUpForSparseRows) {
  const Matrix x(6, 3, {1, 0, 2, 0, 0, 1, 5, 1, 0, 0, 2, 0, 1, 1, 1, 0, 0, 3});
  const Table table = sparse_table(x, {"k", "l", "k", "l", "k", "l"});
  for (const CountModel kind : {CountModel::multinomial, CountModel::bernoulli})
    expect_exact(fit(table, recipe_of(lda(), kind)).model, table);
  expect_exact(fit(table, complement()).model, table);
  expect_exact(fit(table, gaussian_naive_bayes()).model, table);
}

RC_GTEST_PROP(Explain, KeepsTheLargestAndSumsUpTheRest, ()) {
  const Table table = mixed_table(30, 2);
  const Model model = fit(table, recipe_of(qda(), CountModel::bernoulli)).model;
  const auto max = *rc::gen::inRange<Index>(0, 20);
  const auto whole = explain(model, table, all), some = explain(model, table, max);
  for (std::size_t i = 0; i < some.size(); ++i) {
    const auto kept =
        std::min<std::size_t>(static_cast<std::size_t>(max), whole[i].evidence.size());
    RC_ASSERT(some[i].evidence.size() == kept);
    for (std::size_t j = 0; j < kept; ++j) {
      RC_ASSERT(some[i].evidence[j].feature == whole[i].evidence[j].feature);
      if (j > 0)
        RC_ASSERT(std::abs(some[i].evidence[j - 1].log_odds) >=
                  std::abs(some[i].evidence[j].log_odds));
    }
    RC_ASSERT(std::abs(sum_of(some[i]) - sum_of(whole[i])) < 1e-10);
  }
}

/// log N(x; mean_0) - log N(x; mean_1) of a shared covariance of two columns.
long double linear_odds(const GaussianParameters& p, const Matrix& x, Index row) {
  const Matrix& s = p.covariances.front();
  const long double det = static_cast<long double>(s(0, 0)) * s(1, 1) - s(0, 1) * s(0, 1);
  const long double a = p.means(0, 0) - p.means(1, 0), b = p.means(0, 1) - p.means(1, 1);
  const long double first = (s(1, 1) * a - s(0, 1) * b) / det,
                    second = (s(0, 0) * b - s(0, 1) * a) / det;
  return first * (x(row, 0) - (p.means(0, 0) + p.means(1, 0)) / 2) +
         second * (x(row, 1) - (p.means(0, 1) + p.means(1, 1)) / 2);
}

TEST(Explain, LogOddsOfRowsFarOutAreThoseOfTheFormula) {
  const GaussianParameters p{.structure = Covariance::tied,
                             .columns = {"x", "y"},
                             .means = Matrix(2, 2, {0, 1, 2, -1}),
                             .covariances = {Matrix(2, 2, {2, 0.5, 0.5, 1})}};
  const Model model({"a", "b"}, Prior({0.5, 0.5}), {GaussianBlock(p)});
  const Matrix x(5, 2, {1, 3, 1e5, 1e5, 1e7, -3e7, -1e9, 1e9, 1e100, 2e100});
  const Table table = make_table({"x", "y"}, x, {});
  const auto explained = explain(model, table, all);
  for (Index i = 0; i < x.rows(); ++i) {
    const Explanation& one = explained[static_cast<std::size_t>(i)];
    const long double odds = linear_odds(p, x, i) * (one.best == 0 ? 1 : -1);
    EXPECT_NEAR(static_cast<double>(one.log_odds / odds), 1, 1e-12) << i;
  }
}

/// Shares add up to 1e-12 of the largest, and the classes are those of the posterior, wherever the
/// row lies.
TEST(Explain, AddsUpForRowsFarOut) {
  const Table table = testing::random_table(200, 4, 3, 5);
  Matrix x(8, 4);
  Rng rng(3);
  for (Index i = 0; i < 8; ++i) {
    const double far = std::vector{1e3, 1e5, 1e7, 1e8, 1e9, 1e30, 1e100, 1e150}[at(i)];
    for (Index j = 0; j < 4; ++j) x(i, j) = far * rng.normal();
  }
  const Table rows = make_table({"x0", "x1", "x2", "x3"}, x, {});
  for (const Recipe& recipe : testing::whole_family()) {
    const Model model = fit(table, recipe).model;
    const Answers said = answers(model, rows, {.labels = true, .log_posterior = true});
    const auto explained = explain(model, rows, all);
    for (Index i = 0; i < 8; ++i) {
      const Explanation& one = explained[at(i)];
      double largest = std::abs(one.base);
      for (const Evidence& share : one.evidence)
        largest = std::max(largest, std::abs(share.log_odds));
      EXPECT_NEAR(sum_of(one), one.log_odds, 1e-12 * largest);
      EXPECT_EQ(one.best, said.labels[at(i)]);
      for (Index k = 0; k < 3; ++k) {
        if (k == one.best) continue;
        EXPECT_LE(said.log_posterior(i, k), said.log_posterior(i, one.second));
      }
    }
  }
}

// Found by fuzzing: 1 / variance overflows where the squared distance does not.
TEST(Explain, ColumnsOfTinyUnitsHaveNumbersAsEvidence) {
  const Table table = make_table({"x", "y"},
                                 Matrix(6, 2,
                                        {1e-150, 1, 2e-150, 3, 3e-150, 2,  //
                                         5e-150, 2, 6e-150, 4, 8e-150, 3.5}),
                                 {"a", "a", "a", "b", "b", "b"});
  Matrix far(1, 2, {1e-5, 2});
  for (const Recipe& recipe : {gaussian_naive_bayes(), qda()}) {
    const Model model = fit(table, recipe).model;
    const Explanation e = explain(model, far, all).front();
    EXPECT_TRUE(std::isfinite(e.log_odds)) << e.log_odds;
    EXPECT_NEAR(sum_of(e) / e.log_odds, 1, 1e-12);
    for (const Evidence& one : e.evidence) EXPECT_TRUE(std::isfinite(one.log_odds)) << one.feature;
  }
}

TEST(Explain, FewerThanNoneAreNone) {
  const Table table = mixed_table(10, 2);
  const Model model = fit(table, recipe_of(lda())).model;
  EXPECT_TRUE(explain(model, table, -1)[0].evidence.empty());
  EXPECT_TRUE(strongest_evidence(model, -1)[0].empty());
}

std::set<std::string> features_of(const Explanation& e) {
  std::set<std::string> names;
  for (const Evidence& one : e.evidence) names.insert(one.feature);
  return names;
}

TEST(Explain, NamesColumnsLevelsAndWords) {
  const Table table = mixed_table(60, 3);
  const Table row =
      table_of(table.columns, {{"1", "red", "2", "yes", "free now", "0", "10", "0", ""}});
  const auto named = [&](CountModel kind, bool joint) {
    return features_of(explain(fit(table, recipe_of(lda(), kind, joint)).model, row, all)[0]);
  };
  EXPECT_EQ(named(CountModel::multinomial, false),  // nothing of the count that is 0
            (std::set<std::string>{"x", "y", "colour=red", "flag=yes", "grade=10", "hits", "free",
                                   "now"}));
  EXPECT_EQ(
      named(CountModel::multinomial, true),
      (std::set<std::string>{"x", "y", "colour=red, flag=yes, grade=10", "hits", "free", "now"}));
  EXPECT_EQ(named(CountModel::bernoulli, false),
            (std::set<std::string>{"x", "y", "colour=red", "flag=yes", "grade=10", "hits", "free",
                                   "now", "!money", "!meeting", "!notes", "!zebra", "!lunch"}));
}

TEST(Explain, MarksTheWordsOfSeveralTextsByTheirColumn) {
  const std::vector<Column> texts{{"head", ColumnType::text}, {"body", ColumnType::text}};
  const Table table = table_of(texts, {{"ham", "ham eggs", "k"}, {"eggs", "toast", "l"}});
  EXPECT_EQ(features_of(explain(fit(table, recipe_of(lda())).model, table, all)[0]),
            (std::set<std::string>{"head:ham", "body:ham", "body:eggs"}));
}

TEST(Explain, LeavesOutWhatIsMissingOrUnseen) {
  const std::vector<Column> columns{{"c", ColumnType::categorical}, {"t", ColumnType::text}};
  const Table table = table_of(columns, {{"u", "ham", "k"}, {"v", "eggs", "l"}});
  const Table rows = table_of(columns, {{"", "", ""}, {"w", "toast", ""}});
  for (const bool joint : {false, true}) {
    for (const Explanation& e :
         explain(fit(table, recipe_of(lda(), CountModel::multinomial, joint)).model, rows, all)) {
      EXPECT_TRUE(e.evidence.empty());
      EXPECT_EQ(e.log_odds, 0);
    }
  }
}

TEST(Explain, OfOneClassOrAnImpossibleRowHasNoEvidence) {
  const std::vector<Column> columns{{"c", ColumnType::categorical}, {"d", ColumnType::categorical}};
  const Table one = table_of(columns, {{"u", "x", "k"}});
  EXPECT_EQ(explain(fit(one, recipe_of(lda())).model, one, all)[0].second, -1);
  const Table two = table_of(columns, {{"u", "x", "k"}, {"u", "x", "k"}, {"v", "y", "l"}});
  const Model model = fit(two, recipe_of(lda(), CountModel::multinomial, false, 0)).model;
  const Explanation e = explain(model, table_of(columns, {{"u", "y", ""}}), all)[0];
  EXPECT_EQ(e.best, 0);
  EXPECT_TRUE(e.evidence.empty());
  EXPECT_NEAR(e.log_odds, std::log(2), 1e-15);
  EXPECT_EQ(e.base, e.log_odds);
}

TEST(Explain, OfAClassThatIsImpossibleIsInfiniteAndNotNaN) {
  const Table table = mixed_table(12, 4);
  for (const CountModel kind : {CountModel::multinomial, CountModel::bernoulli}) {
    const Model model = fit(table, recipe_of(gaussian_naive_bayes(), kind, false, 0)).model;
    for (const Explanation& e : explain(model, mixed_table(100, 5), all)) {
      EXPECT_FALSE(std::isnan(e.log_odds));
      EXPECT_FALSE(std::isnan(sum_of(e)));
      EXPECT_EQ(std::isinf(sum_of(e)), std::isinf(e.log_odds));
    }
  }
}

TEST(Explain, IsTheSameForAnyNumberOfThreads) {
  const Table table = mixed_table(300, 6);
  const Model model = fit(table, recipe_of(qda())).model;
  const auto one = explain(model, table, 3), four = explain(model, table, 3, {.threads = 4});
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].log_odds, four[i].log_odds);
    EXPECT_EQ(features_of(one[i]), features_of(four[i]));
  }
}

TEST(StrongestEvidence, IsTheLogRatioToTheOtherClasses) {
  const CategoricalBlock block({.columns = {"c"},
                                .levels = {{"u", "v"}},
                                .probabilities = {Matrix(3, 2, {0.9, 0.1, 0.5, 0.5, 0, 1})}});
  const Model model({"k", "l", "m"}, Prior({0.5, 0.3, 0.2}), {block});
  const auto strongest = strongest_evidence(model, all);
  ASSERT_EQ(strongest.size(), 3U);
  EXPECT_EQ(strongest[0][0].feature, "c=u");  // the others: (0.3 * 0.5 + 0.2 * 0) / 0.5
  EXPECT_NEAR(strongest[0][0].log_odds, std::log(0.9 / 0.3), 1e-15);
  EXPECT_NEAR(strongest[0][1].log_odds, std::log(0.1 / 0.7), 1e-15);
  EXPECT_EQ(strongest[2][1].log_odds, -HUGE_VAL);
  EXPECT_EQ(strongest_evidence(model, 1)[1].size(), 1U);
}

TEST(StrongestEvidence, OfCellsWordsAndScorers) {
  const JointBlock joint({.columns = {"c", "d"},
                          .levels = {{"u", "v"}, {"x"}},
                          .probabilities = Matrix(2, 2, {0.25, 0.75, 0.5, 0.5})});
  const Model cells({"k", "l"}, Prior({0.5, 0.5}), {joint});
  EXPECT_EQ(strongest_evidence(cells, 1)[0][0].feature, "c=v, d=x");
  EXPECT_NEAR(strongest_evidence(cells, 1)[0][0].log_odds, std::log(1.5), 1e-15);
  const CountParameters words{
      .text = "t", .terms = {"ham", "eggs"}, .probabilities = Matrix(2, 2, {0.8, 0.2, 0.4, 0.6})};
  const Model text({"k", "l"}, Prior({0.5, 0.5}), {CountBlock(words)});
  EXPECT_EQ(strongest_evidence(text, 1)[1][0].feature, "eggs");
  EXPECT_NEAR(strongest_evidence(text, 1)[1][0].log_odds, std::log(3), 1e-15);
  const LinearModel scorer(  // coefficients are -log theta, less the mean over classes
      {"k", "l"}, Prior({0.5, 0.5}),
      ComplementParameters{.features = TermFeatures{.column = "t", .terms = words.terms},
                           .probabilities = words.probabilities});
  EXPECT_EQ(strongest_evidence(scorer, 1)[0][0].feature, "eggs");
  EXPECT_NEAR(strongest_evidence(scorer, 1)[0][0].log_odds, 0.5 * std::log(0.6 / 0.2), 1e-15);
}

TEST(StrongestEvidence, IsEmptyWithoutDiscreteBlocksOrWithOneClass) {
  EXPECT_TRUE(strongest_evidence(fit(testing::random_table(30, 2, 2, 1), lda()).model, 5).empty());
  const Table one = table_of({{"c", ColumnType::categorical}}, {{"u", "k"}});
  EXPECT_TRUE(strongest_evidence(fit(one, recipe_of(lda())).model, 5).empty());
}

TEST(StrongestNumbers, AreLogRatiosOfNormalsAtTheMean) {
  const GaussianBlock block({.structure = Covariance::diag,
                             .columns = {"near", "far"},
                             .means = Matrix(3, 2, {0, 0, 1, 6, 0, 6}),
                             .variances = Matrix(3, 2, {1, 4, 1, 1, 1, 1})});
  const Model model({"a", "b", "c"}, Prior(Vector{0.5, 0.3, 0.2}), {block}, "y");
  const auto found = strongest_numbers(model, 9);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0][0].column, "far");
  EXPECT_EQ(found[0][0].mean, 0);
  const auto density = [](double z, double v) {
    return std::exp(-0.5 * z * z / v) / std::sqrt(2 * M_PI * v);
  };
  EXPECT_NEAR(found[0][0].log_odds, std::log(density(0, 4) / density(6, 1)), 1e-12);
  const double others = 0.6 * density(1, 1) + 0.4 * density(0, 1);
  EXPECT_NEAR(found[0][1].log_odds, std::log(density(0, 1) / others), 1e-12);
  EXPECT_EQ(strongest_numbers(model, 1)[1].size(), 1U);
  EXPECT_TRUE(strongest_numbers(model, -1).empty());
}

}  // namespace
}  // namespace genera::explain_test
