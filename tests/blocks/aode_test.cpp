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
const std::vector<Column> columns{
    {"x", ColumnType::numeric}, {"colour", ColumnType::categorical}, {"flag", ColumnType::binary}};

Recipe with(double smoothing, std::optional<Index> bins = {}) {
  Recipe recipe = aode();
  recipe.discrete.smoothing = smoothing;
  recipe.discrete.max_bins = bins;
  return recipe;
}

/// The columns of mixed_rows that it takes: x, colour, flag, y and grade.
const std::vector<std::size_t> taken{0, 1, 3, 5, 6};
std::vector<Cells> mixed_cells(Index n, std::uint64_t seed) {
  return testing::cells_at(testing::mixed_rows(n, seed), taken);
}
Table mixed(const std::vector<Cells>& rows) {
  return table_of(testing::columns_at(testing::mixed_columns(), taken), rows);
}
Table mixed(Index n, std::uint64_t seed) { return mixed(mixed_cells(n, seed)); }

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

const std::vector<Cells> nine{{"1", "r", "n", "k"}, {"2", "r", "y", "k"}, {"3", "g", "n", "k"},
                              {"5", "g", "n", "k"}, {"5", "r", "y", "k"}, {"1", "g", "y", "l"},
                              {"2", "g", "n", "l"}, {"3", "r", "y", "l"}, {"4", "g", "y", "l"}};

TEST(Aode, HasTheDensityOfItsDefinition) {
  const Table table = table_of(columns, nine);
  const Model model = model_of(table, with(0, 3));
  const AodeParameters& p = parameters_of(model);
  ASSERT_EQ(p.columns.front().cut->limits, (Vector{2, 4}));  // 2, 4 and 3 rows
  const Matrix found = log_joint(model, table);
  for (Index i = 0; i < 9; ++i) {
    const double x = table.numbers(i, 0), above = 2 / 3.0;  // mean of 4, 5 and 5, minus 4
    const Index bin = p.columns.front().cut->bin(x);
    const double width = bin == 1   ? 2
                         : bin == 0 ? 1 * std::exp((2 - x) / 1)
                                    : above * std::exp((x - 4) / above);
    for (Index k = 0; k < 2; ++k) {
      const double prior = k == 0 ? 5.0 / 9 : 4.0 / 9;
      const Index colour = nine[static_cast<std::size_t>(i)][1] == "g" ? 0 : 1;
      const Index flag = nine[static_cast<std::size_t>(i)][2] == "n" ? 0 : 1;
      EXPECT_NEAR(std::exp(found(i, k)), prior * density(p, k, {bin, colour, flag}, width), 1e-14)
          << i;
    }
  }
}

TEST(Aode, LevelsSumAndNumbersIntegrateToOne) {
  const Model model = model_of(table_of(columns, nine), with(1, 3));
  constexpr double step = 1.0 / 128;  // the limits are on the grid
  std::vector<Cells> rows;
  for (double x = -30; x < 30; x += step)
    for (const char* colour : {"r", "g"})
      for (const char* flag : {"n", "y"})
        rows.push_back({std::to_string(x + step / 2), colour, flag, "k"});
  double total = 0;
  for (const double log : log_density(model, table_of(columns, rows)))
    total += std::exp(log) * step;
  EXPECT_NEAR(total, 1, 1e-5);  // midpoints of exponential tails
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
  const Probability same = probability(model, {.equal = {{"colour", "r"}, {"flag", "n"}}});
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
  const std::vector<Cells> cells = mixed_cells(120, 3);
  const Table all = mixed(cells);
  const CollectOptions options{.pairs = true, .cuts = find_cuts(all)};
  const auto part = [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    return collect(mixed({cells.begin() + begin, cells.begin() + end}), options).statistics;
  };
  const Statistics whole = collect(all, {.pairs = true}).statistics;
  Statistics merged = part(0, 50);
  merged.merge(part(50, 120));
  const Matrix expected = log_joint(model_of(all), all);
  EXPECT_LT(difference(log_joint(estimate(whole, aode()).model, all), expected), 1e-13);
  EXPECT_LT(difference(log_joint(estimate(merged, aode()).model, all), expected), 1e-12);
  Statistics rest = whole;
  EXPECT_TRUE(rest.subtract(part(50, 120)).empty());
  EXPECT_LT(difference(log_joint(estimate(without_unused_names(rest), aode()).model, all),
                       log_joint(estimate(part(0, 50), aode()).model, all)),
            1e-12);
}

TEST(Aode, AWeightIsARepetition) {
  std::vector<Cells> cells = mixed_cells(40, 5);
  Table once = mixed(cells);
  for (std::size_t i = 0; i < 40; ++i) {
    once.weights.push_back(i % 3 == 0 ? 2 : 1);
    if (i % 3 == 0) cells.push_back(Cells(cells[i]));
  }
  const Table twice = mixed(cells);
  EXPECT_LT(difference(log_joint(model_of(once), twice), log_joint(model_of(twice), twice)), 1e-12);
}

TEST(Aode, OrderOfRowsDoesNotMatter) {
  const std::vector<Cells> cells = mixed_cells(90, 6);
  std::vector<Cells> shuffled;
  for (const Index i : testing::permutation(90, 2))
    shuffled.push_back(cells[static_cast<std::size_t>(i)]);
  const Table table = mixed(cells);
  EXPECT_LT(
      difference(log_joint(model_of(table), table), log_joint(model_of(mixed(shuffled)), table)),
      1e-13);
}

TEST(Aode, OrderOfColumnsDoesNotMatter) {
  const std::vector<Cells> rows = testing::mixed_rows(90, 6);
  const std::vector<std::size_t> turned{6, 3, 5, 1, 0};
  const Table a = mixed(testing::cells_at(rows, taken));
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
  const Vector a = log_density(model_of(table), table), b = log_density(model_of(changed), changed);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i] + std::log(8), 1e-11);
}

TEST(Aode, DrawsFollowTheDensity) {
  const Model model = model_of(mixed(150, 11));
  constexpr Index n = 20000;
  const Table drawn = sample(model, n, Rng(4));
  const AodeParameters& p = parameters_of(model);
  const std::string x = p.columns[0].name, colour = p.columns[1].name;
  const double at = p.columns[0].cut->limits.front();
  const std::string level = p.levels[1].front();
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
  const Vector means{2 - cut.below, 3, 4 + cut.above}, ends{-1e300, 2, 4, 1e300};
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
    EXPECT_EQ(std::get<AodeBlock>(model_from_bytes(to_bytes(model, format)).blocks().front())
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
  EXPECT_NE(error_of([&] {
              (void)fit(unlabelled, aode(), {.missing = Missing::em, .unlabelled_weight = 1});
            }).find("aode cannot learn from rows without a label"),
            std::string::npos);
  EXPECT_NO_THROW((void)fit(unlabelled, aode(), {.missing = Missing::em, .unlabelled_weight = 0}));
  EXPECT_NE(error_of([] {
              (void)estimate(collect(mixed(30, 1)).statistics, aode());
            }).find("the statistics count no pairs of columns, which aode needs"),
            std::string::npos);
  const Statistics pairs = collect(mixed(30, 1), {.pairs = true}).statistics;
  EXPECT_NE(error_of([&] {
              (void)estimate(pairs, gaussian_naive_bayes());
            }).find("the statistics contain bins of numbers, which only aode can use"),
            std::string::npos);
  EXPECT_NE(
      error_of([] { (void)fit(mixed(30, 1), with(1, 1)); }).find("the maximum number of bins is 1"),
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
  const Table table =
      table_of({{"a", ColumnType::categorical}, {"b", ColumnType::categorical}}, rows);
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

}  // namespace
}  // namespace genera::aode_test
