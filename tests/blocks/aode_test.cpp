#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::aode_test {
namespace {

using testing::Cells;
using testing::error_of;
using testing::rows_of;
using testing::table_of;

const double nan = std::nan("");
const std::vector<Column> columns{{"x", ColumnType::numeric},
                                  {"colour", ColumnType::categorical},
                                  {"flag", ColumnType::binary}};

Recipe with(double smoothing, std::optional<Index> bins = {}) {
  Recipe recipe = aode();
  recipe.discrete.smoothing = smoothing;
  recipe.discrete.max_bins = bins;
  return recipe;
}

/// The columns of mixed_rows that it takes: two numbers, two categories and a flag.
const std::vector<std::size_t> taken{0, 1, 2, 3, 4};
Table mixed(Index n, std::uint64_t seed) {
  const std::vector<Cells> rows = testing::mixed_rows(n, seed);
  return table_of(testing::columns_at(testing::mixed_columns(), taken),
                  testing::cells_at(rows, taken));
}

Model model_of(const Table& table, const Recipe& recipe = aode()) {
  return fit(table, recipe).model;
}
const AodeParameters& parameters_of(const Model& model) {
  return std::get<AodeBlock>(model.blocks().front()).parameters();
}
double difference(const Matrix& a, const Matrix& b) {
  return testing::largest_log_difference(a, b);
}

/// p(row | k) by the definition, without logarithms: colours r, g; flags n, y; three bins of x.
double density(const AodeParameters& p, Index k, const std::vector<Index>& cells, double width) {
  const auto marginal = [&](std::size_t j, Index v) {  // smoothing 0
    double sum = 0;
    for (const double weight : p.weights[j].row(k)) sum += weight;
    return p.weights[j](k, v) / sum;
  };
  const auto pair = [&](std::size_t a, std::size_t b, Index u, Index v) {
    const std::size_t place = a == 0 ? b - 1 : 2;
    return p.pairs[place](k, u * std::ssize(p.levels[b]) + v);
  };
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    double product = marginal(i, cells[i]);
    for (std::size_t j = 0; j < 3; ++j) {
      if (j == i) continue;
      double all = 0, here = 0;
      for (Index v = 0; v < std::ssize(p.levels[j]); ++v) {
        const double weight = i < j ? pair(i, j, cells[i], v) : pair(j, i, v, cells[i]);
        all += weight;
        if (v == cells[j]) here = weight;
      }
      product *= all > 0 ? here / all : marginal(j, cells[j]);
    }
    sum += product;
  }
  return sum / 3 / width;
}

const std::vector<Cells> nine{
    {"1", "r", "n", "k"}, {"2", "r", "y", "k"}, {"3", "g", "n", "k"}, {"5", "g", "n", "k"},
    {"5", "r", "y", "k"}, {"1", "g", "y", "l"}, {"2", "g", "n", "l"}, {"3", "r", "y", "l"},
    {"4", "g", "y", "l"}};

TEST(Aode, HasTheDensityOfItsDefinition) {
  const Table table = table_of(columns, nine);
  const Model model = model_of(table, with(0, 3));
  const AodeParameters& p = parameters_of(model);
  ASSERT_EQ(p.columns.front().cut->limits, (Vector{3, 5}));  // two or three rows in each bin
  const Matrix found = log_joint(model, table);
  for (Index i = 0; i < 9; ++i) {
    const double x = table.numbers(i, 0);
    const Index bin = p.columns.front().cut->bin(x);
    // below: mean of 2, 1, 2, 1; above: the distance from 5 to 4, since 5 is the only value there
    const double width = bin == 1 ? 2 : bin == 0 ? 1.5 * std::exp((3 - x) / 1.5) : 1;
    for (Index k = 0; k < 2; ++k) {
      const double prior = k == 0 ? 5.0 / 9 : 4.0 / 9;
      const double expected =
          density(p, k, {bin, table.codes(i, 0) == 0 ? 1 : 0, table.codes(i, 1)}, width);
      EXPECT_NEAR(std::exp(found(i, k)), prior * expected, 1e-14) << i;
    }
  }
}

TEST(Aode, LevelsSumAndNumbersIntegrateToOne) {
  const Model model = model_of(table_of(columns, nine), with(1, 3));
  double total = 0;
  for (const char* colour : {"r", "g"}) {
    for (const char* flag : {"n", "y"}) {
      constexpr double step = 1e-3;  // the limits are on the grid, the tails end beyond 1e-15
      std::vector<double> x;
      for (double at = -60; at < 45; at += step) x.push_back(at + step / 2);
      Table rows = table_of(columns, {{"1", colour, flag, "k"}});
      Table all = rows_of(rows, std::vector<Index>(x.size(), 0));
      for (std::size_t i = 0; i < x.size(); ++i) all.numbers(static_cast<Index>(i), 0) = x[i];
      for (const double log : log_density(model, all)) total += std::exp(log) * step;
    }
  }
  EXPECT_NEAR(total, 1, 1e-6);
}

TEST(Aode, AMissingCellIsTheMarginal) {
  const Model model = model_of(table_of(columns, nine), with(0.5, 3));
  const auto logs = [&](const std::vector<Cells>& rows) {
    return log_joint(model, table_of(columns, rows));
  };
  const Matrix known = logs({{"2", "", "y", "k"}, {"2", "r", "y", "k"}, {"2", "g", "y", "k"}});
  const Matrix none = logs({{"2", "", "", "k"},
                            {"2", "r", "n", "k"},
                            {"2", "r", "y", "k"},
                            {"2", "g", "n", "k"},
                            {"2", "g", "y", "k"}});
  const Matrix nothing = logs({{"", "", "", "k"}});
  for (Index k = 0; k < 2; ++k) {
    EXPECT_NEAR(std::exp(known(0, k)), std::exp(known(1, k)) + std::exp(known(2, k)), 1e-15);
    double sum = 0;
    for (Index i = 1; i < 5; ++i) sum += std::exp(none(i, k));
    EXPECT_NEAR(std::exp(none(0, k)), sum, 1e-15);
    EXPECT_EQ(nothing(0, k), model.prior().log()[static_cast<std::size_t>(k)]);
  }
}

TEST(Aode, AMissingNumberIsTheSumOverItsBins) {
  const Model model = model_of(table_of(columns, nine), with(1, 3));
  const Table holes = table_of(columns, {{"", "r", "n", "k"}});
  const double whole = log_density(model, holes).front();
  const Probability same =
      probability(model, {.equal = {{"colour", "r"}, {"flag", "n"}}});
  EXPECT_NEAR(whole, std::log(same.all.value), 1e-12);
}

TEST(Aode, BoxesAddUpAndConditionsDivide) {
  const Model model = model_of(mixed(150, 7));
  const AodeParameters& p = parameters_of(model);
  const std::string x = p.columns[0].name;
  const double low = -1e300, high = 1e300, at = p.columns[0].cut->limits[1] + 0.01;
  const auto of = [&](double from, double to) {
    return probability(model, {.between = {{x, from, to}}}).all.value;
  };
  EXPECT_NEAR(of(low, at) + of(at, high), 1, 1e-12);
  EXPECT_NEAR(of(low, high), 1, 1e-12);
}

TEST(Aode, StatisticsOfPartsAreThoseOfAllRows) {
  const Table all = mixed(120, 3);
  const Cuts cuts = find_cuts(all);
  const CollectOptions options{.pairs = true, .cuts = cuts};
  const auto part = [&](Index begin, Index end) {
    return collect(rows_of(all, testing::range(begin, end)), options).statistics;
  };
  const Statistics whole = collect(all, {.pairs = true}).statistics;
  Statistics merged = part(0, 50);
  merged.merge(part(50, 120));
  const Matrix expected = log_joint(model_of(all), all);
  EXPECT_LT(difference(log_joint(estimate(whole, aode()).model, all), expected), 1e-13);
  EXPECT_LT(difference(log_joint(estimate(merged, aode()).model, all), expected), 1e-12);
  Statistics rest = whole;
  EXPECT_TRUE(rest.subtract(part(50, 120)).empty());
  const Statistics first = without_unused_names(part(0, 50));
  EXPECT_LT(difference(log_joint(estimate(without_unused_names(rest), aode()).model, all),
                       log_joint(estimate(first, aode()).model, all)),
            1e-12);
}

TEST(Aode, OtherLimitsDoNotMerge) {
  Statistics first = collect(mixed(60, 1), {.pairs = true}).statistics;
  const Statistics second = collect(mixed(60, 2), {.pairs = true}).statistics;
  const std::string said = error_of([&] { first.merge(second); });
  EXPECT_TRUE(said.ends_with("is cut into bins at other limits on each side | make the second "
                             "statistics with the limits of the first: --like FIRST") ||
              said.find("is cut into bins at other limits on each side") != std::string::npos)
      << said;
  const Statistics plain = collect(mixed(60, 2)).statistics;
  EXPECT_NE(error_of([&] { first.merge(plain); }), "no error");
}

TEST(Aode, AWeightIsARepetition) {
  Table once = mixed(40, 5);
  Table twice = rows_of(once, [] {
    std::vector<Index> rows = testing::range(0, 40);
    for (Index i = 0; i < 40; i += 3) rows.push_back(i);
    return rows;
  }());
  for (Index i = 0; i < 40; ++i) once.weights.push_back(i % 3 == 0 ? 2 : 1);
  const Matrix a = log_joint(model_of(once), twice), b = log_joint(model_of(twice), twice);
  EXPECT_LT(difference(a, b), 1e-12);
}

TEST(Aode, OrderOfRowsDoesNotMatter) {
  const Table table = mixed(90, 6);
  const Model shuffled = model_of(rows_of(table, testing::permutation(90, 2)));
  EXPECT_LT(difference(log_joint(model_of(table), table), log_joint(shuffled, table)), 1e-13);
}

TEST(Aode, OrderOfColumnsDoesNotMatter) {
  const std::vector<Cells> rows = testing::mixed_rows(90, 6);
  const std::vector<std::size_t> turned{4, 2, 1, 3, 0};
  const Table a = table_of(testing::columns_at(testing::mixed_columns(), taken),
                           testing::cells_at(rows, taken));
  const Table b = table_of(testing::columns_at(testing::mixed_columns(), turned),
                           testing::cells_at(rows, turned));
  EXPECT_LT(difference(log_joint(model_of(a), a), log_joint(model_of(b), b)), 1e-12);
}

TEST(Aode, IncreasingFunctionsOfAColumnKeepPosteriors) {
  const Table table = testing::random_table(200, 4, 3, 8);
  Table changed = table;
  for (Index i = 0; i < 200; ++i) {
    changed.numbers(i, 0) = std::exp(table.numbers(i, 0));
    changed.numbers(i, 1) = 1000 * table.numbers(i, 1) + 7;
    changed.numbers(i, 2) = std::pow(table.numbers(i, 2), 3);
  }
  EXPECT_LT(testing::largest_difference(posterior(model_of(table), table),
                                        posterior(model_of(changed), changed)),
            1e-12);
}

TEST(Aode, UnitsMoveTheDensityByTheirLogarithm) {
  const Table table = testing::random_table(150, 3, 2, 9);
  Table changed = table;
  for (Index i = 0; i < 150; ++i) changed.numbers(i, 1) *= 8;
  const Vector a = log_density(model_of(table), table),
               b = log_density(model_of(changed), changed);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i] + std::log(8), 1e-11);
}

TEST(Aode, DrawsFollowTheDensity) {
  const Model model = model_of(mixed(150, 11));
  constexpr Index n = 20000;
  const Table drawn = sample(model, n, Rng(4));
  const AodeParameters& p = parameters_of(model);
  const std::string x = p.columns[0].name, colour = p.columns[2].name;
  const double at = p.columns[0].cut->limits.front();
  const std::string level = p.levels[2].front();
  const double expected =
      probability(model, {.between = {{x, -1e300, at}}, .equal = {{colour, level}}}).all.value;
  Index hits = 0;
  for (Index i = 0; i < n; ++i) {
    const bool here = drawn.codes(i, 0) >= 0 &&
                      drawn.levels[0][static_cast<std::size_t>(drawn.codes(i, 0))] == level;
    hits += drawn.numbers(i, 0) < at && here ? 1 : 0;
  }
  const double deviation = std::sqrt(expected * (1 - expected) / n);
  EXPECT_NEAR(static_cast<double>(hits) / n, expected, 4 * deviation);
}

TEST(Aode, ImputesTheMeanOfTheConditionalDistribution) {
  const Model model = model_of(table_of(columns, nine), with(1, 3));
  const Table holes = table_of(columns, {{"", "r", "n", ""}, {"2", "", "y", ""}});
  const Imputed found = impute(model, holes);
  // E[x] = sum of means of bins x P(bin | r, n)
  const Cut& cut = *parameters_of(model).columns[0].cut;
  const Vector means{3 - cut.below, 4, 5 + cut.above}, ends{-1e300, 3, 5, 1e300};
  double mean = 0;
  for (std::size_t b = 0; b < 3; ++b)
    mean += means[b] * probability(model, {.between = {{"x", ends[b], ends[b + 1]}},
                                           .given = {{"colour", "r"}, {"flag", "n"}}})
                           .all.value;
  EXPECT_NEAR(found.table.numbers(0, 0), mean, 1e-12);
  EXPECT_GE(found.table.codes(1, 0), 0);
}

TEST(Aode, ContributionsAddUp) {
  const Table table = mixed(80, 12);
  const Model model = model_of(table);
  for (const Explanation& e : explain(model, table, 5)) {
    double sum = e.base + e.rest;
    for (const Evidence& one : e.evidence) sum += one.log_odds;
    EXPECT_NEAR(sum, e.log_odds, 1e-11);
  }
}

TEST(Aode, AFileKeepsTheModelAndTheStatistics) {
  const Table table = mixed(70, 13);
  const Model model = model_of(table);
  for (const Format format : {Format::json, Format::cbor}) {
    EXPECT_EQ(std::get<AodeBlock>(
                  model_from_bytes(to_bytes(model, format)).blocks().front())
                  .parameters(),
              parameters_of(model));
    const Statistics statistics = collect(table, {.pairs = true}).statistics;
    EXPECT_EQ(statistics_from_bytes(to_bytes(statistics, format)), statistics);
  }
  const AnyRecipe recipe = with(2, 7);
  EXPECT_EQ(to_bytes(recipe_from_bytes(to_bytes(recipe))), to_bytes(recipe));
}

TEST(Aode, TheSameForAnyNumberOfThreads) {
  const Table table = testing::random_table(3000, 4, 3, 14);
  EXPECT_EQ(to_bytes(fit(table, aode(), {}, {.threads = 1}).model, Format::cbor),
            to_bytes(fit(table, aode(), {}, {.threads = 4}).model, Format::cbor));
}

TEST(Aode, RefusesWhatItCannotDo) {
  Table unlabelled = mixed(30, 1);
  unlabelled.labels[3] = -1;
  EXPECT_NE(error_of([&] { (void)fit(unlabelled, aode(), {.unlabelled_weight = 1}); })
                .find("aode cannot learn from rows without a label"),
            std::string::npos);
  EXPECT_NO_THROW((void)fit(unlabelled, aode(), {.unlabelled_weight = 0}));
  EXPECT_NE(error_of([] { (void)estimate(collect(mixed(30, 1)).statistics, aode()); })
                .find("the statistics count no pairs of columns, which aode needs"),
            std::string::npos);
  const Statistics pairs = collect(mixed(30, 1), {.pairs = true}).statistics;
  EXPECT_NE(error_of([&] { (void)estimate(pairs, gaussian_naive_bayes()); })
                .find("the statistics contain bins of numbers, which only aode can use"),
            std::string::npos);
  EXPECT_NE(error_of([] { (void)find_cuts(mixed(30, 1), 1); }).find("1 bin cannot cut a column"),
            std::string::npos);
  EXPECT_NE(error_of([] { (void)fit(mixed(30, 1), with(1, 1)); })
                .find("the maximum number of bins is 1"),
            std::string::npos);
  Table odd = testing::random_table(30, 2, 2, 1);
  odd.numbers(4, 1) = HUGE_VAL;
  EXPECT_NE(error_of([&] { (void)fit(odd, aode()); }).find("is infinite"), std::string::npos);
}

TEST(Aode, RefusesMoreThanAGibibyte) {
  const Index levels = 6000;
  std::vector<Cells> rows;
  for (Index i = 0; i < levels; ++i)
    rows.push_back({std::to_string(i), std::to_string(i % 5999), i % 2 == 0 ? "k" : "l"});
  const Table table = table_of(
      {{"a", ColumnType::categorical}, {"b", ColumnType::categorical}}, rows);
  const std::string said = error_of([&] { (void)fit(table, aode()); });
  EXPECT_NE(said.find("aode needs 2.3 GB for 11999 levels and bins of 2 columns in 2 classes"),
            std::string::npos)
      << said;
}

TEST(Aode, RefusesWrongParameters) {
  const auto said = [](AodeParameters p) { return error_of([&] { (void)AodeBlock(p); }); };
  EXPECT_EQ(said({}), "a block of estimators needs a column | give at least one");
  const Column number{"x", ColumnType::numeric, Cut{.limits = {1}}};
  const AodeParameters good{
      .columns = {number}, .levels = {{"0", "1"}}, .weights = {Matrix(1, 2, {3, 4})}};
  EXPECT_EQ(said(good), "no error");
  AodeParameters bad = good;
  bad.columns[0].cut.reset();
  EXPECT_EQ(said(bad),
            "column 'x' is numeric and has no limits | give limits to numeric columns only");
  bad = good;
  bad.weights[0](0, 1) = -1;
  EXPECT_EQ(said(bad), "column 'x' has the weight -1 | weights are finite and at least 0");
  bad = good;
  bad.levels[0].push_back("2");
  EXPECT_EQ(said(bad), "column 'x' has 2 bins and 3 levels | give one more level than limits");
  bad = good;
  bad.smoothing = nan;
  EXPECT_EQ(said(bad), "the smoothing is nan | give at least 0");
}

TEST(Aode, LeavesOutConstantColumns) {
  Table table = testing::random_table(30, 3, 2, 1);
  for (Index i = 0; i < 30; ++i) table.numbers(i, 1) = 4;
  const Fitted<Model> fitted = fit(table, aode());
  EXPECT_EQ(fitted.report.columns_left_out.size(), 1u);
  EXPECT_EQ(parameters_of(fitted.model).columns.size(), 2u);
}

TEST(Aode, FrequentValuesHaveABinOfTheirOwn) {
  Table table = testing::random_table(400, 2, 2, 3);
  for (Index i = 0; i < 400; i += 3) table.numbers(i, 0) = 0;
  const Vector limits = find_cuts(table).begin()->second.limits;
  const auto zero = std::ranges::find(limits, 0.0);
  ASSERT_NE(zero, limits.end());
  ASSERT_NE(zero + 1, limits.end());
  Index inside = 0;
  for (Index i = 0; i < 400; ++i)
    inside += table.numbers(i, 0) > 0 && table.numbers(i, 0) < zero[1] ? 1 : 0;
  EXPECT_EQ(inside, 0);
}

}  // namespace
}  // namespace genera::aode_test
