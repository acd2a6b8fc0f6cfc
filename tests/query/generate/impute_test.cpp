#include <genera/impute.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include <genera/fit.hpp>
#include <genera/sample.hpp>

#include "support/discrete_tables.hpp"
#include "support/laws_of_chance.hpp"
#include "support/problems.hpp"

namespace genera::impute_test {
namespace {

using testing::Cells;
using testing::error_of;
using testing::mixed_columns;
using testing::mixed_rows;
using testing::mixed_table;
using testing::random_table;
using testing::table_of;

const double nan = std::nan("");

Recipe recipe_of(bool joint, CountModel counts = CountModel::multinomial) {
  Recipe recipe = qda();
  recipe.discrete = {.smoothing = 1, .counts = counts, .joint = joint};
  return recipe;
}

/// Two classes of two correlated columns.
Model pair_model() {
  GaussianParameters p{.structure = Covariance::full, .columns = {"a", "b"}};
  p.means = Matrix(2, 2, {0, 1, 4, -1});
  p.covariances = {Matrix(2, 2, {1, 1.6, 1.6, 4}), Matrix(2, 2, {1, -0.5, -0.5, 1})};
  return {{"k", "l"}, Prior({0.3, 0.7}), {GaussianBlock(p)}};
}

/// What a known cell far out makes of the others may be too large for a double: no cell is
/// infinite, and every missing one is either filled or counted.
TEST(Impute, LeavesWhatOverflowsMissing) {
  const Model model = pair_model();
  const Matrix x(5, 2, {1.5e308, nan, nan, -1.7e308, 1e300, nan, nan, nan, 2, 3});
  const Table table = make_table({"a", "b"}, x, {"k", "k", "k", "l", "k"});
  for (const Imputed& found : {impute(model, table), impute_by_draw(model, table, Rng(1))}) {
    Index missing = 0;
    for (Index i = 0; i < 5; ++i) {
      for (Index j = 0; j < 2; ++j) {
        const double cell = found.table.numbers(i, j);
        EXPECT_FALSE(std::isinf(cell)) << i << ' ' << j;
        missing += std::isnan(cell);
      }
    }
    EXPECT_EQ(found.beyond, missing);
    EXPECT_EQ(found.filled.cells + found.beyond, 5);
    EXPECT_GT(found.filled.cells, 0);
    EXPECT_GT(found.beyond, 0);
  }
}

TEST(Impute, LeavesACompleteTableAsItIs) {
  const std::vector<Cells> rows = mixed_rows(60, 1);
  std::vector<Cells> complete;
  for (const Cells& row : rows) {
    if (std::ranges::none_of(row, [](const std::string& cell) { return cell.empty(); }))
      complete.push_back(row);
  }
  const Table table = table_of(mixed_columns(), complete);
  const Model model = fit(mixed_table(60, 1), recipe_of(false)).model;
  for (const Imputed& found : {impute(model, table), impute_by_draw(model, table, Rng(1))}) {
    EXPECT_EQ(found.table.numbers, table.numbers);
    EXPECT_EQ(found.table.codes, table.codes);
    EXPECT_EQ(found.table.levels, table.levels);
    EXPECT_EQ(found.table.labels, table.labels);
    EXPECT_EQ(found.filled, MissingCells{});
  }
}

TEST(Impute, OfALabelledRowIsTheRegressionOfItsClass) {
  const Table table = make_table({"b", "a"}, Matrix(4, 2, {nan, 2, 3, nan, nan, nan, nan, 2}),
                                 {"k", "l", "l", "l"});
  const Imputed found = impute(pair_model(), table);
  EXPECT_NEAR(found.table.numbers(0, 0), 1 + 1.6 * 2, 1e-14);
  EXPECT_NEAR(found.table.numbers(1, 1), 4 - 0.5 * (3 + 1), 1e-14);
  EXPECT_NEAR(found.table.numbers(2, 0), -1, 1e-14);
  EXPECT_NEAR(found.table.numbers(2, 1), 4, 1e-14);
  EXPECT_NEAR(found.table.numbers(3, 0), -1 - 0.5 * (2 - 4), 1e-14);
  EXPECT_EQ(found.filled, (MissingCells{4, 5}));
  EXPECT_EQ(found.table.numbers(0, 1), 2);
  EXPECT_EQ(found.table.labels, table.labels);
}

TEST(Impute, TakesRowsWhereverTheyLie) {
  Table table = mixed_table(40, 3);
  for (Index i = 0; i < 40; i += 3) table.numbers(i, i % 2) = nan;
  const Model model = fit(mixed_table(60, 1), recipe_of(false)).model;
  const std::vector<Index> some{30, 3, 7, 9, 12};
  const Imputed all = impute(model, table);
  const Imputed drawn = impute_by_draw(model, table, Rng(1));
  const Imputed few = impute(model, Rows(table).only(some));
  const Imputed drawn_few = impute_by_draw(model, Rows(table).only(some), Rng(1));
  ASSERT_EQ(few.table.rows(), 5);
  for (std::size_t i = 0; i < some.size(); ++i) {
    for (Index j = 0; j < table.numbers.columns(); ++j) {
      EXPECT_EQ(few.table.numbers(static_cast<Index>(i), j), all.table.numbers(some[i], j));
      EXPECT_EQ(drawn_few.table.numbers(static_cast<Index>(i), j), drawn.table.numbers(some[i], j));
    }
  }
}

TEST(Impute, TakesNumbersInTheOrderOfTheModel) {
  const Matrix numbers(2, 2, {2, nan, 0, 1});
  const Imputed found = impute(pair_model(), numbers);
  EXPECT_EQ(found.table.numbers,
            impute(pair_model(), make_table({"a", "b"}, numbers)).table.numbers);
  EXPECT_EQ(found.table.number_names(), (Cells{"a", "b"}));
  EXPECT_EQ(
      error_of([] {
        const Table table = table_of({{"c", ColumnType::categorical}}, {{"u", "k"}, {"v", "l"}});
        (void)impute(fit(table, recipe_of(false)).model, Matrix(1, 1, {nan}));
      }),
      "'c' is not a number, and the rows have no names of columns | give a table, whose "
      "columns have names");
}

TEST(Impute, OfAnUnlabelledRowIsMixedOverThePosterior) {
  const Imputed found = impute(pair_model(), make_table({"a", "b"}, Matrix(1, 2, {2, nan})));
  const double odds = 0.3 / 0.7;  // a = 2 lies between both classes
  const double p = odds / (1 + odds);
  EXPECT_NEAR(found.table.numbers(0, 1), p * (1 + 1.6 * 2) + (1 - p) * (-1 - 0.5 * (2 - 4)), 1e-13);
  const Imputed nothing = impute(pair_model(), make_table({"a", "b"}, Matrix(1, 2, {nan, nan})));
  EXPECT_NEAR(nothing.table.numbers(0, 0), 0.7 * 4, 1e-14);
}

TEST(Impute, IsTheMeanOfConditionalDrawsInEveryFamily) {
  constexpr Index many = 40000;
  for (const Recipe& recipe : testing::whole_family()) {
    const Model model = fit(random_table(200, 4, 3, 5), recipe).model;
    std::vector<std::string> names;
    for (const Column& column : model.features()) names.push_back(column.name);
    const Imputed found = impute(model, make_table(names, Matrix(1, 4, {0.4, nan, 1.1, nan})));
    const Table drawn = sample(model, many, Rng(3), {.given = {{names[0], 0.4}, {names[2], 1.1}}});
    for (const Index j : {Index{1}, Index{3}}) {
      double sum = 0, squares = 0;
      for (Index i = 0; i < many; ++i) {
        sum += drawn.numbers(i, j);
        squares += drawn.numbers(i, j) * drawn.numbers(i, j);
      }
      const double mean = sum / many, variance = squares / many - mean * mean;
      EXPECT_NEAR(found.table.numbers(0, j), mean, 5 * std::sqrt(variance / many));
    }
  }
}

/// The table with one cell of one row replaced.
Table with_cell(std::vector<Cells> rows, std::size_t row, std::size_t column,
                const std::string& cell) {
  rows[row][column] = cell;
  return table_of(mixed_columns(), rows);
}

TEST(Impute, OfACategoryMakesTheRowMostProbable) {
  for (const bool joint : {false, true}) {
    const Model model = fit(mixed_table(80, 2), recipe_of(joint)).model;
    std::vector<Cells> rows = mixed_rows(40, 3);
    for (Cells& row : rows) row.back() = "";  // unlabelled
    for (const auto& [column, levels] :
         {std::pair{std::size_t{1}, Cells{"blue", "green", "red"}}, {6, {"1", "10", "2", "30"}}}) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i][1].empty() || rows[i][6].empty() || rows[i][3].empty()) continue;
        const Table found = impute(model, with_cell(rows, i, column, "")).table;
        const Index place = column == 1 ? 0 : 2;
        const auto code = found.codes(static_cast<Index>(i), place);
        const std::string filled =
            found.levels[static_cast<std::size_t>(place)][static_cast<std::size_t>(code)];
        const double best = log_density(model, with_cell(rows, i, column, filled))[i];
        for (const std::string& level : levels)
          EXPECT_LE(log_density(model, with_cell(rows, i, column, level))[i], best + 1e-12);
      }
    }
  }
}

TEST(Impute, OfJointCellsIsTheirMostProbableCombination) {
  JointParameters p{.columns = {"u", "v"}, .levels = {{"0", "1"}, {"0", "1"}}};
  p.probabilities = Matrix(1, 4, {0.3, 0.3, 0, 0.4});  // u = 0 more often than not, yet 11 is best
  const Model model({"k"}, Prior({1}), {JointBlock(p)});
  const Table found =
      impute(model, table_of({{"u", ColumnType::categorical}, {"v", ColumnType::categorical}},
                             {{"", "", ""}, {"0", "", ""}, {"", "0", ""}}))
          .table;
  const auto text = [&](Index i, Index j) {
    const auto column = static_cast<std::size_t>(j);
    return found.levels[column][static_cast<std::size_t>(found.codes(i, j))];
  };
  EXPECT_EQ(text(0, 0) + text(0, 1), "11");
  EXPECT_EQ(text(1, 0) + text(1, 1), "00");  // a tie goes to the first level
  EXPECT_EQ(text(2, 0) + text(2, 1), "00");
}

TEST(Impute, OfCountsIsInProportionToTheOthers) {
  const CountParameters p{.terms = {"i", "j", "k"},
                          .probabilities = Matrix(2, 3, {0.5, 0.3, 0.2, 0.1, 0.1, 0.8}),
                          .lengths = {6, 9}};
  const Model model({"s", "t"}, Prior({0.5, 0.5}), {CountBlock(p)});
  const std::vector<Column> columns{
      {"i", ColumnType::count}, {"j", ColumnType::count}, {"k", ColumnType::count}};
  const Imputed found = impute(
      model, table_of(columns, {{"", "3", "2", "s"}, {"", "", "8", "t"}, {"", "", "", "s"}}));
  EXPECT_NEAR(found.table.numbers(0, 0), 5, 1e-14);
  EXPECT_NEAR(found.table.numbers(1, 0), 1, 1e-14);
  EXPECT_NEAR(found.table.numbers(1, 1), 1, 1e-14);
  EXPECT_NEAR(found.table.numbers(2, 0), 3, 1e-14);  // nothing is known but the mean length
  EXPECT_NEAR(found.table.numbers(2, 2), 1.2, 1e-14);

  double sum = 0;
  constexpr int many = 4000;
  for (std::uint64_t m = 0; m < many; ++m)
    sum +=
        impute_by_draw(model, table_of(columns, {{"", "3", "2", "s"}}), Rng(m)).table.numbers(0, 0);
  EXPECT_NEAR(sum / many, 5, 5 * std::sqrt(10.0 / many));  // negative binomial: mean 5, variance 10
}

TEST(Impute, OfPresenceIsTheMoreProbable) {
  const CountParameters p{.kind = CountParameters::Kind::bernoulli,
                          .terms = {"i", "j"},
                          .probabilities = Matrix(1, 2, {0.7, 0.5})};
  const Model model({"s"}, Prior({1}), {CountBlock(p)});
  const Imputed found = impute(model, make_table({"i", "j"}, Matrix(1, 2, {nan, nan})));
  EXPECT_EQ(found.table.numbers(0, 0), 1);
  EXPECT_EQ(found.table.numbers(0, 1), 0);
}

TEST(Impute, LeavesLabelsTextsAndUnseenCategories) {
  const Model model = fit(mixed_table(60, 1), recipe_of(false)).model;
  Cells row = mixed_rows(1, 5).front();
  row[0] = row[4] = row.back() = "";
  row[1] = "violet";
  Cells other = mixed_rows(1, 6).front();
  other[0] = "";
  other.back() = "nobody";
  const Imputed found = impute(model, table_of(mixed_columns(), {row, other}));
  EXPECT_EQ(found.texts, 1);
  EXPECT_EQ(found.unknown_labels, 1);
  EXPECT_EQ(found.filled.rows, 2);
  EXPECT_EQ(found.table.labels.front(), -1);
  EXPECT_EQ(found.table.levels[0][static_cast<std::size_t>(found.table.codes(0, 0))], "violet");
  EXPECT_EQ(found.table.sparse.at(0).missing.at(0), 1);
  EXPECT_TRUE(std::isfinite(found.table.numbers(0, 0)));
}

TEST(Impute, HelpsItselfToAllOtherBlocks) {  // text and categories say which class, and so which x
  const Model model = fit(mixed_table(200, 8), recipe_of(true)).model;
  Table table = mixed_table(30, 9);
  table.labels.clear();
  for (Index i = 0; i < table.rows(); ++i) table.numbers(i, 0) = table.numbers(i, 1) = nan;
  // the numbers of a mixed table: x, hits, y, misses
  const Matrix p = posterior(model, table);
  const Imputed found = impute(model, table);
  const auto& block = std::get<GaussianBlock>(model.blocks().front());
  for (Index i = 0; i < table.rows(); ++i) {
    double mean = 0;
    for (Index k = 0; k < 3; ++k) {
      const Matrix s = block.covariance(k);
      mean +=
          p(i, k) * (block.parameters().means(k, 0) +
                     s(0, 1) / s(1, 1) * (table.numbers(i, 2) - block.parameters().means(k, 1)));
    }
    EXPECT_NEAR(found.table.numbers(i, 0), mean, 1e-12 * std::max(1.0, std::abs(mean)));
  }
}

TEST(Impute, RoundsWhereAsked) {
  const Table table = make_table({"a", "b"}, Matrix(1, 2, {2, nan}), {"k"});
  EXPECT_EQ(impute(pair_model(), table, {.integers = {"b"}}).table.numbers(0, 1), 4);
  EXPECT_EQ(
      whole_number_columns(make_table({"a", "b", "c"}, Matrix(2, 3, {2, nan, 1, nan, nan, 0.5}))),
      std::vector<std::string>{"a"});
}

TEST(Impute, ByDrawsFollowsTheConditionalNormal) {
  constexpr Index many = 20000;
  Matrix numbers(many, 2, nan);
  for (Index i = 0; i < many; ++i) numbers(i, 0) = 2;
  const Table table = make_table({"a", "b"}, numbers,
                                 std::vector<std::string>(static_cast<std::size_t>(many), "k"));
  const Imputed found = impute_by_draw(pair_model(), table, Rng(4));
  std::vector<double> b;
  for (Index i = 0; i < many; ++i) b.push_back(found.table.numbers(i, 1));
  const double sd = std::sqrt(4 - 1.6 * 1.6);
  EXPECT_LT(testing::ks_statistic(
                b, [&](double x) { return testing::normal_cdf((x - 1 - 1.6 * 2) / sd); }),
            testing::ks_limit);
}

TEST(Impute, HasTheSameBitsForAnyNumberOfThreads) {
  const Model model = fit(mixed_table(100, 3), recipe_of(true)).model;
  Table table = mixed_table(3000, 4);
  table.labels.clear();
  for (Index i = 0; i < table.rows(); i += 3) table.numbers(i, i % 4) = nan;
  const Imputed one = impute(model, table), drawn = impute_by_draw(model, table, Rng(5));
  for (const int threads : {2, 5}) {
    const Imputed again = impute(model, table, {}, {.threads = threads});
    EXPECT_EQ(again.table.numbers, one.table.numbers);
    EXPECT_EQ(again.table.codes, one.table.codes);
    const Imputed redrawn = impute_by_draw(model, table, Rng(5), {}, {.threads = threads});
    EXPECT_EQ(redrawn.table.numbers, drawn.table.numbers);
    EXPECT_EQ(redrawn.table.codes, drawn.table.codes);
  }
}

TEST(Impute, Refuses) {
  EXPECT_EQ(
      error_of([] {
        (void)impute(pair_model(), make_table({"a", "b"}, Matrix(1, 2, {nan, HUGE_VAL}), {"k"}));
      }),
      "row 1: 'b' is infinite | replace the value");
  EXPECT_EQ(
      error_of([] {
        (void)impute(pair_model(), make_table({"a", "b"}, Matrix(1, 2)), {.integers = {"bb"}});
      }),
      "'bb' is to be rounded, but is not a numeric feature | did you mean 'b'?");
  EXPECT_EQ(error_of([] {
              (void)impute(pair_model(), make_table({"a", "c"}, Matrix(1, 2)));
            }),
            "the table has no numeric column 'b' | the model needs all of its features");
}

}  // namespace
}  // namespace genera::impute_test
