#include <genera/sample.hpp>

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include <genera/fit.hpp>
#include <genera/query.hpp>

#include "query/generate/draws.hpp"
#include "support/discrete_tables.hpp"
#include "support/laws_of_chance.hpp"
#include "support/problems.hpp"

namespace genera::sample_test {
namespace {

using testing::ks_limit;
using testing::ks_statistic;
using testing::mixed_table;
using testing::normal_cdf;
using testing::random_table;
using testing::share_error;
using testing::table_of;

constexpr Index many = 20000;

Recipe recipe_of(bool joint, CountModel counts = CountModel::multinomial) {
  Recipe recipe = qda();
  recipe.discrete = {.smoothing = 1, .counts = counts, .joint = joint};
  return recipe;
}

std::vector<double> column(const Table& table, Index j, std::int32_t of_class = -1) {
  std::vector<double> values;
  for (Index i = 0; i < table.rows(); ++i) {
    if (of_class < 0 || table.labels[static_cast<std::size_t>(i)] == of_class)
      values.push_back(table.numbers(i, j));
  }
  return values;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double class_share(const Table& table, std::int32_t k) {
  return static_cast<double>(std::count(table.labels.begin(), table.labels.end(), k)) /
         static_cast<double>(table.rows());
}

/// Two classes of two correlated columns.
Model pair_model(double correlation = 0.8) {
  GaussianParameters p{.structure = Covariance::full, .columns = {"a", "b"}};
  p.means = Matrix(2, 2, {0, 1, 4, -1});
  p.covariances = {Matrix(2, 2, {1, 2 * correlation, 2 * correlation, 4}),
                   Matrix(2, 2, {1, 0, 0, 1})};
  return {{"k", "l"}, Prior({0.3, 0.7}), {GaussianBlock(p)}};
}

TEST(Sample, WithoutConditionsIsADrawFromTheWholeModel) {
  const Model model = fit(mixed_table(60, 1), recipe_of(true)).model;
  const Table expected = query::draw_rows(model, {0, 500}, Rng(3));
  const Table found = sample(model, 500, Rng(3));
  EXPECT_EQ(found.columns, model.features());
  EXPECT_EQ(found.numbers, expected.numbers);
  EXPECT_EQ(found.codes, expected.codes);
  EXPECT_EQ(found.labels, expected.labels);
  EXPECT_EQ(found.sparse.at(0).places, expected.sparse.at(0).places);
}

TEST(Sample, OfEveryFamilyIsNormalInEachColumn) {
  for (const Recipe& recipe : testing::whole_family()) {
    const Model model = fit(random_table(200, 4, 3, 5), recipe).model;
    const auto& block = std::get<GaussianBlock>(model.blocks().front());
    const Table drawn = sample(model, many, Rng(11));
    for (std::int32_t k = 0; k < 3; ++k) {
      for (Index j = 0; j < 4; ++j) {
        const double sd = std::sqrt(block.covariance(k)(j, j));
        const auto cdf = [&](double x) {
          return normal_cdf((x - block.parameters().means(k, j)) / sd);
        };
        EXPECT_LT(ks_statistic(column(drawn, j, k), cdf), ks_limit)
            << name_of(block.parameters()) << ' ' << k << ' ' << j;
      }
    }
  }
}

TEST(Sample, RefittedGivesTheParametersWithinFourStandardErrors) {
  const Model model = fit(random_table(300, 4, 3, 6), qda()).model;
  const Model again = fit(sample(model, 50000, Rng(5)), qda()).model;
  const auto& before = std::get<GaussianBlock>(model.blocks().front());
  const auto& after = std::get<GaussianBlock>(again.blocks().front());
  for (Index k = 0; k < 3; ++k) {
    const double n = after.parameters().counts[static_cast<std::size_t>(k)];
    const double p = model.prior().probabilities()[static_cast<std::size_t>(k)];
    EXPECT_NEAR(n / 50000, p, share_error(p, 50000, 4));
    const Matrix s = before.covariance(k), t = after.covariance(k);
    for (Index i = 0; i < 4; ++i) {
      EXPECT_NEAR(after.parameters().means(k, i), before.parameters().means(k, i),
                  4 * std::sqrt(s(i, i) / n));
      for (Index j = 0; j < 4; ++j)
        EXPECT_NEAR(t(i, j), s(i, j), 4 * std::sqrt((s(i, i) * s(j, j) + s(i, j) * s(i, j)) / n));
    }
  }
}

TEST(Sample, OfAClassIsOfThatClassAlone) {
  const Model model = pair_model().with_prior(Prior({0, 1}));
  for (const SampleOptions& options :
       {SampleOptions{.of_class = "k"}, SampleOptions{.given = {{"class", "k"}}},
        SampleOptions{.of_class = "k", .given = {{"class", "k"}}}}) {
    const Table drawn = sample(model, many, Rng(2), options);  // though its prior is zero
    EXPECT_EQ(class_share(drawn, 0), 1);
    EXPECT_LT(ks_statistic(column(drawn, 1), [](double x) { return normal_cdf((x - 1) / 2); }),
              ks_limit);
  }
}

TEST(Sample, GivenANumberFollowsTheConditionalNormal) {
  const Model model = pair_model();
  const Table drawn = sample(model, many, Rng(4), {.given = {{"a", 1.5}}});
  const double odds = 0.3 * std::exp(-1.5 * 1.5 / 2) / (0.7 * std::exp(-2.5 * 2.5 / 2));
  const double p = odds / (1 + odds);
  EXPECT_NEAR(class_share(drawn, 0), p, share_error(p, many));
  for (const double a : column(drawn, 0)) EXPECT_EQ(a, 1.5);
  // b | a = 1 + 1.6 (a - 0), variance 4 - 1.6^2 in class k; a says nothing of b in class l
  const double sd = std::sqrt(4 - 1.6 * 1.6);
  EXPECT_LT(ks_statistic(column(drawn, 1, 0),
                         [&](double x) { return normal_cdf((x - 1 - 1.6 * 1.5) / sd); }),
            ks_limit);
  EXPECT_LT(ks_statistic(column(drawn, 1, 1), [](double x) { return normal_cdf(x + 1); }),
            ks_limit);
}

TEST(Sample, GivenNumbersRefitsToTheSchurComplement) {  // four columns, two of them given
  const Model model = fit(random_table(300, 4, 2, 8), lda()).model;
  const auto& block = std::get<GaussianBlock>(model.blocks().front());
  const std::vector<Column> names = model.features();
  const SampleOptions options{.of_class = "c1",
                              .given = {{names[1].name, 0.3}, {names[3].name, "-0.7"}}};
  const Table drawn = sample(model, many, Rng(6), options);
  const Index k = *find_label(model.classes(), "c1");
  const Matrix s = block.covariance(k), m = block.parameters().means;
  const double det = s(1, 1) * s(3, 3) - s(1, 3) * s(1, 3);
  const double u = 0.3 - m(k, 1), v = -0.7 - m(k, 3);
  for (const Index j : {Index{0}, Index{2}}) {
    const double c1 = (s(j, 1) * s(3, 3) - s(j, 3) * s(1, 3)) / det;
    const double c3 = (s(j, 3) * s(1, 1) - s(j, 1) * s(1, 3)) / det;
    const double mean = m(k, j) + c1 * u + c3 * v;
    const double sd = std::sqrt(s(j, j) - c1 * s(j, 1) - c3 * s(j, 3));
    EXPECT_LT(ks_statistic(column(drawn, j), [&](double x) { return normal_cdf((x - mean) / sd); }),
              ks_limit);
  }
}

TEST(Sample, GivenAnythingChoosesTheClassByItsPosterior) {
  for (const bool joint : {false, true}) {
    const Model model = fit(mixed_table(80, 3), recipe_of(joint)).model;
    const SampleOptions options{
        .given = {{"y", 0.4}, {"colour", "red"}, {"grade", 10.0}, {"hits", 1.0}}};
    const Table drawn = sample(model, many, Rng(7), options);
    const Matrix expected = posterior(
        model, table_of(testing::mixed_columns(), {{"", "red", "1", "", "", "0.4", "10", "", ""}}));
    for (std::int32_t k = 0; k < 3; ++k)
      EXPECT_NEAR(class_share(drawn, k), expected(0, k), share_error(expected(0, k), many));
  }
}

TEST(Sample, GivenLevelsFollowsTheRestOfTheJointTable) {
  const Model model = fit(mixed_table(80, 4), recipe_of(true)).model;
  const auto& p = std::get<JointBlock>(model.blocks().at(1)).parameters();
  ASSERT_EQ(p.columns.front(), "colour");
  const Table drawn =
      sample(model, many, Rng(8), {.of_class = "b", .given = {{"colour", p.levels[0][1]}}});
  const Index rest = std::ssize(p.levels[1]) * std::ssize(p.levels[2]);
  double sum = 0;
  for (Index cell = 0; cell < rest; ++cell) sum += p.probabilities(1, rest + cell);
  std::vector<double> hits(static_cast<std::size_t>(rest));
  for (Index i = 0; i < many; ++i) {
    ASSERT_EQ(drawn.codes(i, 0), 1);
    ++hits[static_cast<std::size_t>(drawn.codes(i, 1) * std::ssize(p.levels[2]) +
                                    drawn.codes(i, 2))];
  }
  for (Index cell = 0; cell < rest; ++cell) {
    const double expected = p.probabilities(1, rest + cell) / sum;
    EXPECT_NEAR(hits[static_cast<std::size_t>(cell)] / many, expected, share_error(expected, many));
  }
}

CountParameters three_counts() {
  return {.terms = {"i", "j", "k"},
          .probabilities = Matrix(2, 3, {0.5, 0.3, 0.2, 0.1, 0.1, 0.8}),
          .lengths = {6.4, 9}};
}

TEST(Sample, OfCountsHasTheLengthAskedFor) {
  const Model model({"s", "t"}, Prior({0.5, 0.5}), {CountBlock(three_counts())});
  for (const auto& [options, lengths] : {std::pair{SampleOptions{}, Vector{6, 9}},
                                         {SampleOptions{.length = 20}, Vector{20, 20}},
                                         {SampleOptions{.length = 100000}, Vector{1e5, 1e5}},
                                         {SampleOptions{.length = 0}, {0, 0}}}) {
    const Table drawn = sample(model, 200, Rng(9), options);
    for (Index i = 0; i < 200; ++i) {
      const auto row = drawn.numbers.row(i);
      EXPECT_EQ(row[0] + row[1] + row[2],
                lengths[static_cast<std::size_t>(drawn.labels[static_cast<std::size_t>(i)])]);
    }
  }
}

TEST(Sample, GivenCountsSharesOutWhatIsLeftOfTheLength) {
  const Model model({"s", "t"}, Prior({0.5, 0.5}), {CountBlock(three_counts())});
  for (const Index length : {Index{12}, Index{50000}}) {  // drawn one by one, and all at once
    const Table drawn =
        sample(model, many, Rng(10), {.of_class = "s", .given = {{"j", 2.0}}, .length = length});
    const double left = static_cast<double>(length - 2), p = 0.5 / 0.7;
    for (Index i = 0; i < many; ++i) {
      ASSERT_EQ(drawn.numbers(i, 1), 2);
      ASSERT_EQ(drawn.numbers(i, 0) + drawn.numbers(i, 2), left);
    }
    EXPECT_NEAR(mean_of(column(drawn, 0)), left * p, left * share_error(p, many * left));
  }
}

TEST(Sample, GivenMoreCountsThanTheMeanLengthLeavesNothing) {
  const Model model({"s", "t"}, Prior({0.5, 0.5}), {CountBlock(three_counts())});
  const Table drawn = sample(model, 50, Rng(1), {.of_class = "s", .given = {{"j", 30.0}}});
  for (const double i : column(drawn, 0)) EXPECT_EQ(i, 0);
}

TEST(Sample, GivenThePresenceOfSomeThingsTossesTheOtherCoins) {
  CountParameters p = three_counts();
  p.kind = CountParameters::Kind::bernoulli;
  const Model model({"s", "t"}, Prior({0.5, 0.5}), {CountBlock(p)});
  const Table drawn = sample(model, many, Rng(3), {.of_class = "t", .given = {{"i", 4.0}}});
  for (const double i : column(drawn, 0)) EXPECT_EQ(i, 4);
  EXPECT_NEAR(mean_of(column(drawn, 1)), 0.1, share_error(0.1, many));
  EXPECT_NEAR(mean_of(column(drawn, 2)), 0.8, share_error(0.8, many));
}

TEST(Sample, InPartsIsTheWhole) {
  const Model model = fit(mixed_table(60, 5), recipe_of(false)).model;
  const SampleOptions given{.given = {{"x", 0.2}}};
  for (SampleOptions options : {SampleOptions{}, given}) {
    const Table whole = sample(model, 9000, Rng(12), options);
    EXPECT_EQ(sample(model, 9000, Rng(12), options, {.threads = 3}).numbers, whole.numbers);
    Index at = 0;
    Sampler(model, options).for_each_chunk(9000, Rng(12), {.threads = 3}, [&](Table&& chunk) {
      return [&, table = std::move(chunk)] {
        for (Index i = 0; i < table.rows(); ++i, ++at) {
          EXPECT_EQ(table.labels[static_cast<std::size_t>(i)],
                    whole.labels[static_cast<std::size_t>(at)]);
          EXPECT_TRUE(std::ranges::equal(table.numbers.row(i), whole.numbers.row(at)));
        }
      };
    });
    EXPECT_EQ(at, 9000);
    options.first = 8990;
    const Table end = sample(model, 10, Rng(12), options);
    for (Index i = 0; i < 10; ++i)
      EXPECT_TRUE(std::ranges::equal(end.numbers.row(i), whole.numbers.row(8990 + i)));
  }
}

/// What is learned from drawn texts cuts others as the model does.
TEST(Sample, OfTextsKeepsHowTheyWereCut) {
  const std::vector<std::string> texts{"abba", "abab", "bcbc", "cbcb", "baba", "ccbb"};
  const Table table =
      make_text_table("t", texts, {"k", "k", "l", "l", "k", "l"}, {.chars = {{2, 3}}});
  const Model model = fit(table, multinomial()).model;
  ASSERT_EQ(model.text_options(), table.sparse.front().text_options);
  const Table drawn = sample(model, 60, Rng(1));
  EXPECT_EQ(drawn.sparse.front().text_options, model.text_options());
  EXPECT_EQ(fit(drawn, multinomial()).model.text_options(), model.text_options());
}

TEST(Sample, RefusesFewerRowsThanNone) {
  const Model model = pair_model();
  const std::string expected = "-1 rows are asked for | ask for 0 rows or more";
  EXPECT_EQ(testing::error_of([&] { (void)sample(model, -1, Rng(1)); }), expected);
  const auto nothing = [](Table&&) { return [] {}; };
  EXPECT_EQ(testing::error_of([&] { Sampler(model).for_each_chunk(-1, Rng(1), {}, nothing); }),
            expected);
}

TEST(Sample, OfNoRowsIsEmpty) { EXPECT_EQ(sample(pair_model(), 0, Rng(1)).rows(), 0); }

}  // namespace
}  // namespace genera::sample_test
