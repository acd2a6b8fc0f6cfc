#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <genera/genera.hpp>

#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::poisson_test {
namespace {

using testing::Cells;
using testing::counted;
using testing::error_of;
using testing::table_of;

const double nan = std::nan("");
constexpr double infinity = std::numeric_limits<double>::infinity();
const std::vector<Column> columns{{"a", ColumnType::count}, {"b", ColumnType::count}};

Recipe smoothed(double smoothing) {
  Recipe recipe = poisson();
  recipe.discrete.smoothing = smoothing;
  return recipe;
}

const PoissonParameters& rates_of(const Model& model) {
  return std::get<PoissonBlock>(model.blocks().front()).parameters();
}

Model model_of(Matrix rates, Prior prior = Prior({0.25, 0.75})) {
  return {{"k", "l"},
          std::move(prior),
          {PoissonBlock({.columns = {"a", "b"}, .rates = std::move(rates)})}};
}

/// By sums of logarithms: nothing of the library.
double log_poisson(int x, double rate) {
  double log = -rate;
  for (int i = 1; i <= x; ++i) log += std::log(rate / i);
  return log;
}

double difference(const Matrix& a, const Matrix& b) { return testing::largest_difference(a, b); }

/// n rows of counts in classes k and l, which differ by their rates.
Table random_counts(Index n, std::uint64_t seed, Index first = 0) {
  const Model model = model_of(Matrix(2, 2, {3, 1, 1, 4}), Prior({0.5, 0.5}));
  return sample(model, n, Rng(seed), {.first = first});
}

const std::vector<Cells> three{{"2", "4", "k"}, {"4", "", "k"}, {"0", "1", "l"}};

TEST(Poisson, RatesAreMeansMovedTowardsThatOfTheColumn) {  // means of all rows: 2 and 5/2
  const PoissonParameters p = rates_of(fit(table_of(columns, three), smoothed(1)).model);
  EXPECT_EQ(p.columns, (Cells{"a", "b"}));
  EXPECT_LT(difference(p.rates, Matrix(2, 2, {8 / 3.0, 6.5 / 2, 1, 3.5 / 2})), 1e-15);
  EXPECT_EQ(p.counts, (Vector{2, 1}));
  const PoissonParameters plain = rates_of(fit(table_of(columns, three), smoothed(0)).model);
  EXPECT_EQ(plain.rates, Matrix(2, 2, {3, 4, 0, 1}));
}

TEST(Poisson, OfAClassWithoutAnyValueIsTheMeanOfTheColumn) {
  const Table table = table_of(columns, {{"2", "4", "k"}, {"3", "", "l"}});
  for (const double smoothing : {0.0, 2.0})
    EXPECT_EQ(rates_of(fit(table, smoothed(smoothing)).model).rates(1, 1), 4);
}

TEST(Poisson, LeavesOutColumnsWithoutAnyEvent) {
  const Fitted<Model> fitted =
      fit(table_of(columns, {{"2", "0", "k"}, {"3", "0", "l"}}), poisson());
  EXPECT_EQ(rates_of(fitted.model).columns, Cells{"a"});
  EXPECT_EQ(fitted.report.columns_left_out, Cells{"b"});
  EXPECT_EQ(in_words(fitted.report.notes.front()), "column 'b' is 0 in every row and is left out");
  const std::string said = error_of([] {
    (void)fit(table_of(columns, {{"0", "0", "k"}, {"0", "0", "l"}}), poisson());
  });
  EXPECT_TRUE(said.starts_with("no usable column remains: column 'b' is 0 in")) << said;
}

TEST(Poisson, HasTheDensityOfIndependentCounts) {
  const Matrix rates(2, 2, {0.5, 20, 3, 1e-3});
  const Model model = model_of(rates);
  const Matrix rows(5, 2, {0, 0, 3, 17, 120, 1, nan, 2, nan, nan});
  const Matrix joint = log_joint(model, rows);
  for (Index i = 0; i < rows.rows(); ++i) {
    for (Index k = 0; k < 2; ++k) {
      double expected = std::log(k == 0 ? 0.25 : 0.75);
      for (Index j = 0; j < 2; ++j) {
        if (!std::isnan(rows(i, j)))
          expected += log_poisson(static_cast<int>(rows(i, j)), rates(k, j));
      }
      EXPECT_NEAR(joint(i, k), expected, 1e-12 * std::abs(expected));
    }
  }
  EXPECT_NEAR(posterior(model, rows)(4, 0), 0.25, 1e-15);
}

TEST(Poisson, ProbabilitiesOfAllCountsSumToOne) {
  const Model model = model_of(Matrix(2, 2, {0.5, 4, 3, 0}));
  double total = 0;
  for (int a = 0; a < 40; ++a) {
    for (int b = 0; b < 40; ++b)
      total += std::exp(log_density(model, Matrix(1, 2, {double(a), double(b)})).front());
  }
  EXPECT_NEAR(total, 1, 1e-13);
}

TEST(Poisson, OfRateZeroMakesAnEventImpossible) {
  const Model model = model_of(Matrix(2, 2, {0, 2, 1, 0}));
  const Matrix joint = log_joint(model, Matrix(3, 2, {0, 0, 1, 0, 1, 1}));
  EXPECT_NEAR(joint(0, 0), std::log(0.25) - 2, 1e-15);
  EXPECT_NEAR(joint(0, 1), std::log(0.75) - 1, 1e-15);
  EXPECT_EQ(joint(1, 0), -infinity);
  EXPECT_EQ(joint(2, 0), -infinity);
  EXPECT_EQ(joint(2, 1), -infinity);
  const Matrix p = posterior(model, Matrix(2, 2, {1, 0, 1, 1}));
  EXPECT_EQ(p(0, 1), 1);
  EXPECT_EQ(p(1, 0), 0.25);  // impossible under every class: the prior
  const Explanation e = explain(model, make_table({"a", "b"}, Matrix(1, 2, {1, 0})), 2).front();
  EXPECT_EQ(e.evidence.front().feature, "a");
  EXPECT_EQ(e.log_odds, infinity);
}

TEST(Poisson, RefusesWhatIsNoCount) {
  const Model model = model_of(Matrix(2, 2, {1, 2, 1, 3}));
  for (const double odd : {-1.0, infinity, 1e300}) {
    EXPECT_NE(error_of([&] { (void)log_joint(model, Matrix(1, 2, {odd, 0})); }), "no error") << odd;
  }
  EXPECT_TRUE(std::isfinite(log_density(model, Matrix(1, 2, {2.5, 0})).front()));
}

TEST(Poisson, RefusesWrongParameters) {
  const auto said = [](PoissonParameters p) { return error_of([&] { (void)PoissonBlock(p); }); };
  EXPECT_EQ(said({}), "a Poisson block needs a column | give at least one");
  EXPECT_EQ(said({.columns = {"a"}, .rates = Matrix(2, 2)}),
            "the Poisson block has 2 rates per class, expected 1 | give one for each column");
  for (const double odd : {-0.5, nan, infinity})
    EXPECT_TRUE(said({.columns = {"a"}, .rates = Matrix(1, 1, {odd})})
                    .starts_with("column 'a' has the rate "))
        << odd;
  EXPECT_EQ(said({.columns = {"a"}, .rates = Matrix(1, 1, {1.0}), .counts = {-1}}),
            "a class has the count -1 | counts are numbers >= 0");
}

TEST(Poisson, RefusesTextsAndSparseMatrices) {
  const std::vector<Column> with_text{{"a", ColumnType::count}, {"t", ColumnType::text}};
  EXPECT_EQ(error_of([&] {
              (void)fit(table_of(with_text, {{"1", "ham", "k"}, {"2", "eggs", "l"}}), poisson());
            }),
            "poisson needs columns of counts, and 't' is a text | leave it out (drop = t), or use "
            "model = multinomial");
  EXPECT_EQ(error_of([] {
              (void)fit(testing::sparse_table(Matrix(2, 2, {1, 0, 2, 1}), {"k", "l"}), poisson());
            }),
            "poisson needs columns of counts, and these rows are a sparse matrix | use model = "
            "multinomial");
}

TEST(Poisson, StandsBesideOtherBlocks) {
  std::vector<std::size_t> places;  // of all columns but the text
  for (std::size_t j = 0; j < testing::mixed_columns().size(); ++j) {
    if (testing::mixed_columns()[j].type != ColumnType::text) places.push_back(j);
  }
  const Table table = table_of(testing::columns_at(testing::mixed_columns(), places),
                               testing::cells_at(testing::mixed_rows(80, 4), places));
  const Model model = fit(table, smoothed(1)).model;
  ASSERT_TRUE(std::holds_alternative<PoissonBlock>(model.blocks().back()));
  EXPECT_EQ(std::get<PoissonBlock>(model.blocks().back()).parameters().columns.size(), 2U);
  EXPECT_EQ(model_from_bytes(to_bytes(model)), model);
  const Answers said = answers(model, testing::with_missing(table, 0.3, 5));
  for (const double density : said.log_density) EXPECT_TRUE(std::isfinite(density));
}

RC_GTEST_PROP(Poisson, OfMergedStatisticsIsThatOfAllRows, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
  const Table all = random_counts(40, seed);
  const Table first = random_counts(15, seed), rest = random_counts(25, seed, 15);
  Statistics merged = counted(first);
  merged.merge(counted(rest));
  const Model whole = fit(all, poisson()).model;
  const Model of_parts = estimate(merged, poisson()).model;
  RC_ASSERT(difference(rates_of(of_parts).rates, rates_of(whole).rates) < 1e-13);
  (void)merged.subtract(counted(rest));
  if (merged.classes().size() == 2)  // else a class has no row among the first
    RC_ASSERT(difference(rates_of(estimate(merged, poisson()).model).rates,
                         rates_of(fit(first, poisson()).model).rates) < 1e-13);
}

TEST(Poisson, OfMissingCountsIsOfThoseThatAreThere) {  // EM has nothing to do
  const Table table = testing::with_missing(random_counts(60, 2), 0.3, 3);
  const Fitted<Model> fitted = fit(table, smoothed(0));
  for (Index k = 0; k < 2; ++k) {
    for (Index j = 0; j < 2; ++j) {
      double sum = 0, rows = 0;
      for (Index i = 0; i < 60; ++i) {
        const auto label = static_cast<std::size_t>(table.labels[static_cast<std::size_t>(i)]);
        if (table.classes[label] != (k == 0 ? "k" : "l") || std::isnan(table.numbers(i, j)))
          continue;
        sum += table.numbers(i, j);
        rows += 1;
      }
      EXPECT_NEAR(rates_of(fitted.model).rates(k, j), sum / rows, 1e-14);
    }
  }
  EXPECT_EQ(fitted.report.em.value().iterations, 1);
  EXPECT_EQ(fitted.report.outcome, Outcome::converged);
}

/// log p(what is there) and what smoothing adds.
double objective(const Model& model, const Table& table, double smoothing, const Vector& means) {
  const Matrix joint = log_joint(model, table);
  const Vector density = log_density(model, table);
  double total = 0;
  for (Index i = 0; i < joint.rows(); ++i) {
    const std::int32_t label = table.labels[static_cast<std::size_t>(i)];
    total += label < 0 ? density[static_cast<std::size_t>(i)]
                       : joint(i, *find_label(model.classes(),
                                              table.classes[static_cast<std::size_t>(label)]));
  }
  const Matrix& rates = rates_of(model).rates;
  for (Index k = 0; k < rates.rows(); ++k) {
    for (Index j = 0; j < rates.columns(); ++j)
      total +=
          smoothing * (means[static_cast<std::size_t>(j)] * std::log(rates(k, j)) - rates(k, j));
  }
  return total;
}

TEST(Poisson, LearnsFromRowsWithoutLabels) {
  Table table = testing::with_missing(random_counts(300, 7), 0.1, 8);
  for (std::size_t i = 0; i < 300; ++i) {
    if (i % 10 != 0) table.labels[i] = -1;
  }
  Vector values;
  const auto keep = [&](const Progress& progress) {
    if (progress.step) values.push_back(progress.step->log_likelihood);
    return true;
  };
  const Fitted<Model> fitted =
      fit(table, smoothed(0), {.unlabelled_weight = 1}, {.progress = keep});
  ASSERT_GT(values.size(), 2U);
  for (std::size_t i = 1; i < values.size(); ++i)
    EXPECT_GE(values[i], values[i - 1] - 1e-9 * std::abs(values[i]));
  EXPECT_EQ(fitted.report.outcome, Outcome::converged);
  EXPECT_NEAR(fitted.report.em.value().log_likelihood, objective(fitted.model, table, 0, {0, 0}),
              1e-8);

  // With smoothing: no other rates are better, those of all labels are near.
  const double s = 5;
  const Model model = fit(table, smoothed(s), {.unlabelled_weight = 1}).model;
  Vector means(2);
  for (Index j = 0; j < 2; ++j) {
    double sum = 0, rows = 0;
    for (Index i = 0; i < 300; ++i) {
      if (std::isnan(table.numbers(i, j))) continue;
      sum += table.numbers(i, j);
      rows += 1;
    }
    means[static_cast<std::size_t>(j)] = sum / rows;
  }
  const double best = objective(model, table, s, means);
  for (Index k = 0; k < 2; ++k) {
    for (Index j = 0; j < 2; ++j) {
      for (const double factor : {0.99, 1.01}) {
        PoissonParameters p = rates_of(model);
        p.rates(k, j) *= factor;
        EXPECT_LT(objective({model.classes(), model.prior(), {PoissonBlock(p)}}, table, s, means),
                  best);
      }
      EXPECT_NEAR(rates_of(model).rates(k, j), Matrix(2, 2, {3, 1, 1, 4})(k, j), 0.5);
    }
  }
}

TEST(Poisson, HasTheSameBitsOnAnyNumberOfThreads) {
  Table table = testing::with_missing(random_counts(9000, 9), 0.1, 10);
  for (std::size_t i = 0; i < 9000; i += 2) table.labels[i] = -1;
  const Model one = fit(table, poisson(), {}, {.threads = 1}).model;
  EXPECT_EQ(fit(table, poisson(), {}, {.threads = 3}).model, one);
  EXPECT_EQ(log_joint(one, table, {.threads = 3}), log_joint(one, table, {.threads = 1}));
}

TEST(Poisson, DrawsHaveItsMeansAndVariances) {
  const Matrix rates(2, 2, {0.7, 0, 12, 300});
  const Model model = model_of(rates);
  constexpr Index many = 20000;
  for (Index k = 0; k < 2; ++k) {
    const std::string name = k == 0 ? "k" : "l";
    const Table drawn = sample(model, many, Rng(3), {.of_class = name});
    for (Index j = 0; j < 2; ++j) {
      double sum = 0, squares = 0;
      for (Index i = 0; i < many; ++i) {
        const double x = drawn.numbers(i, j);
        ASSERT_EQ(x, std::floor(x));
        sum += x / many;
        squares += (x - rates(k, j)) * (x - rates(k, j)) / many;
      }
      EXPECT_NEAR(sum, rates(k, j), 5 * std::sqrt(rates(k, j) / many));
      EXPECT_NEAR(squares, rates(k, j), 0.1 * rates(k, j));
    }
  }
}

TEST(Poisson, FillsMissingCellsWithTheMeansOfTheClasses) {
  const Model model = model_of(Matrix(2, 2, {3, 1, 1, 4}));
  const Table missing = table_of(columns, {{"", "2", "k"}, {"", "2", ""}, {"", "", ""}});
  const Table found = impute(model, missing).table;
  EXPECT_NEAR(found.numbers(0, 0), 3, 1e-15);
  const double k = 0.25 * std::exp(-1.0) / 2, l = 0.75 * std::exp(-4.0) * 16 / 2;
  EXPECT_NEAR(found.numbers(1, 0), (k * 3 + l * 1) / (k + l), 1e-13);
  EXPECT_NEAR(found.numbers(2, 1), 0.25 * 1 + 0.75 * 4, 1e-14);
  EXPECT_EQ(impute(model, missing, {.integers = {"a"}}).table.numbers(0, 0), 3);
  const Table drawn = impute_by_draw(model, missing, Rng(1)).table;
  for (Index i = 0; i < 3; ++i) EXPECT_EQ(drawn.numbers(i, 0), std::floor(drawn.numbers(i, 0)));
}

TEST(Poisson, ExplanationsAddUp) {
  const Model model = model_of(Matrix(2, 2, {3, 1, 1, 4}));
  const Table rows = table_of(columns, {{"5", "0", ""}, {"", "2", ""}, {"0", "9", ""}});
  const auto explanations = explain(model, rows, 10);
  const Matrix joint = log_joint(model, rows);
  for (std::size_t i = 0; i < 3; ++i) {
    const Explanation& e = explanations[i];
    double sum = e.base + e.rest;
    for (const Evidence& one : e.evidence) sum += one.log_odds;
    const auto row = static_cast<Index>(i);
    EXPECT_NEAR(sum, joint(row, e.best) - joint(row, e.second), 1e-13);
  }
  EXPECT_EQ(explanations[1].evidence.size(), 1U);  // nothing of what is missing
  EXPECT_EQ(explanations[1].evidence.front().feature, "b");
}

TEST(Poisson, ParametersAreDrawnFromAGammaLaw) {
  const Table table = random_counts(30, 4);
  const Model model = fit(table, smoothed(2)).model;
  const PoissonParameters p = rates_of(model);
  constexpr std::uint64_t many = 20000;
  double sum = 0, squares = 0;
  for (std::uint64_t m = 0; m < many; ++m) {
    const double rate = rates_of(draw_parameters(model, Rng(5).split(m))).rates(0, 1);
    sum += rate / many;
    squares += (rate - p.rates(0, 1)) * (rate - p.rates(0, 1)) / many;
  }
  const double variance = p.rates(0, 1) / (p.counts[0] + 2);  // Gamma(rate n, n)
  EXPECT_NEAR(sum, p.rates(0, 1), 5 * std::sqrt(variance / many));
  EXPECT_NEAR(squares, variance, 0.1 * variance);
}

TEST(Poisson, DescribesItsRates) {
  const Model model = fit(table_of(columns, three), poisson()).model;
  const Description said = describe(model);
  ASSERT_EQ(said.blocks.size(), 1U);
  EXPECT_EQ(said.blocks.front().type, "poisson");
  EXPECT_EQ(said.blocks.front().model, "poisson");
  EXPECT_EQ(name_of(model.blocks().front()), "poisson");
  const NumberTable& table = said.blocks.front().tables.front();
  EXPECT_EQ(table.rows, (Cells{"a", "b"}));
  EXPECT_EQ(table.columns, (Cells{"k", "l"}));
  EXPECT_EQ(table.values(0, 1), rates_of(model).rates(1, 0));
  EXPECT_EQ(model.free_parameters().means, 4);
}

}  // namespace
}  // namespace genera::poisson_test
