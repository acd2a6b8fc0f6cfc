#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <genera/fit.hpp>
#include <genera/query.hpp>

#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::levels_test {
namespace {

using testing::Cells;
using testing::cells_at;
using testing::columns_at;
using testing::counted;
using testing::error_of;
using testing::largest_difference;
using testing::largest_log_difference;
using testing::mixed_columns;
using testing::mixed_rows;
using testing::table_of;

constexpr auto categorical = ColumnType::categorical;
constexpr auto binary = ColumnType::binary;

Recipe smoothed_by(double smoothing, bool joint = false) {
  Recipe recipe;
  recipe.discrete.smoothing = smoothing;
  recipe.discrete.joint = joint;
  return recipe;
}

const CategoricalParameters& levels_of(const Model& model, std::size_t block = 0) {
  return std::get<CategoricalBlock>(model.blocks().at(block)).parameters();
}

const JointParameters& joint_of(const Model& model) {
  return std::get<JointBlock>(model.blocks().at(0)).parameters();
}

/// The categorical columns of a mixed table, of this type.
Table categories(Index n, std::uint64_t seed, const std::vector<std::size_t>& places = {1, 3, 6}) {
  return table_of(columns_at(mixed_columns(), places), cells_at(mixed_rows(n, seed), places));
}

/// Two classes; the level "9" is seen in one of them, "10" in the other, one cell is missing.
const std::vector<Cells> grades{{"9", "k"},  {"9", "k"},  {"10", "k"}, {"", "k"},
                                {"10", "l"}, {"10", "l"}, {"100", "l"}};

TEST(Categorical, IsTheSmoothedShareOfTheObservedCells) {
  const Model model = fit(table_of({{"g", categorical}}, grades), smoothed_by(1)).model;
  const CategoricalParameters& p = levels_of(model);
  EXPECT_EQ(p.levels, (std::vector<Cells>{{"9", "10", "100"}}));  // as numbers
  EXPECT_EQ(p.probabilities[0], Matrix(2, 3,
                                       {3 / 6.0, 2 / 6.0, 1 / 6.0,  //
                                        1 / 6.0, 3 / 6.0, 2 / 6.0}));
  EXPECT_EQ(p.counts, (Vector{4, 3}));
  EXPECT_EQ(model.prior().probabilities(), (Vector{4 / 7.0, 3 / 7.0}));
  EXPECT_EQ(model.free_parameters().probabilities, 4);
}

TEST(Categorical, WithoutSmoothingWhatNeverHappenedIsImpossible) {
  const Model model = fit(table_of({{"g", categorical}}, grades), smoothed_by(0)).model;
  EXPECT_EQ(levels_of(model).probabilities[0], Matrix(2, 3,
                                                      {2 / 3.0, 1 / 3.0, 0,  //
                                                       0, 2 / 3.0, 1 / 3.0}));
}

TEST(Categorical, OfAClassThatShowedNothingIsTheSameForAll) {
  const Table table =
      table_of({{"g", categorical}}, {{"u", "k"}, {"v", "k"}, {"v", "k"}, {"", "l"}});
  EXPECT_EQ(levels_of(fit(table, smoothed_by(0)).model).probabilities[0],
            Matrix(2, 2, {1 / 3.0, 2 / 3.0, 0.5, 0.5}));
}

RC_GTEST_PROP(Categorical, TakesWeightsForRows, ()) {
  const auto rows = cells_at(mixed_rows(20, 3), {1, 3, 6});
  Table weighted = table_of(columns_at(mixed_columns(), {1, 3, 6}), rows);
  std::vector<Cells> repeated;
  for (const Cells& row : rows) {
    weighted.weights.push_back(static_cast<double>(*rc::gen::inRange(1, 4)));
    for (int i = 0; i < static_cast<int>(weighted.weights.back()); ++i) repeated.push_back(row);
  }
  const bool joint = *rc::gen::arbitrary<bool>();
  const FitOptions complete_cells{.missing = Missing::refuse};
  RC_ASSERT(fit(weighted, smoothed_by(0.5, joint), complete_cells).model.blocks() ==
            fit(table_of(weighted.columns, repeated), smoothed_by(0.5, joint), complete_cells)
                .model.blocks());
}

TEST(Smoothing, GoesToUniformAsItGrows) {
  const Model naive = fit(categories(60, 1), smoothed_by(1e15)).model;
  for (std::size_t b = 0; b < naive.blocks().size(); ++b) {
    for (const Matrix& table : levels_of(naive, b).probabilities) {
      const Matrix uniform(table.rows(), table.columns(),
                           1.0 / static_cast<double>(table.columns()));
      EXPECT_LT(largest_difference(table, uniform), 1e-12);
    }
  }
  const Matrix joint =
      joint_of(fit(categories(60, 1), smoothed_by(1e15, true)).model).probabilities;
  EXPECT_LT(largest_difference(
                joint, Matrix(3, joint.columns(), 1.0 / static_cast<double>(joint.columns()))),
            1e-12);
}

TEST(Bernoulli, IsACategoricalOfTwoLevels) {
  const auto rows = cells_at(mixed_rows(80, 2), {3});
  for (const double smoothing : {0.0, 0.3, 1.0}) {
    const Model two = fit(table_of({{"flag", binary}}, rows), smoothed_by(smoothing)).model;
    const Model many = fit(table_of({{"flag", categorical}}, rows), smoothed_by(smoothing)).model;
    EXPECT_EQ(levels_of(two).kind, CategoricalParameters::Kind::bernoulli);
    EXPECT_EQ(levels_of(many).kind, CategoricalParameters::Kind::categorical);
    EXPECT_EQ(levels_of(two).probabilities, levels_of(many).probabilities);
    EXPECT_EQ(log_joint(two, table_of({{"flag", binary}}, rows)),
              log_joint(many, table_of({{"flag", categorical}}, rows)));
    EXPECT_EQ(two.free_parameters().total(), many.free_parameters().total());
  }
}

TEST(Bernoulli, OfOneSeenLevelKnowsTheOther) {
  const auto levels_seen = [](const std::string& level) {
    return levels_of(
        fit(table_of({{"f", binary}}, {{level, "k"}, {level, "l"}}), smoothed_by(1)).model);
  };
  EXPECT_EQ(levels_seen("yes").levels[0], (Cells{"no", "yes"}));
  EXPECT_EQ(levels_seen("yes").probabilities[0](0, 1), 2 / 3.0);
  EXPECT_EQ(levels_seen("0").levels[0], (Cells{"0", "1"}));
  EXPECT_EQ(levels_seen("0").probabilities[0](1, 0), 2 / 3.0);
  EXPECT_EQ(levels_seen("up").levels[0], (Cells{"(not up)", "up"}));
}

TEST(Bernoulli, OfThreeLevelsIsCategorical) {  // merged shards may have two each
  Statistics s = counted(table_of({{"f", binary}}, {{"yes", "k"}, {"no", "l"}}));
  s.merge(counted(table_of({{"f", binary}}, {{"yes", "k"}, {"perhaps", "l"}})));
  const CategoricalParameters p = levels_of(estimate(s, smoothed_by(1)).model);
  EXPECT_EQ(p.kind, CategoricalParameters::Kind::categorical);
  EXPECT_EQ(p.levels[0], (Cells{"no", "perhaps", "yes"}));
}

TEST(Joint, OfOneColumnIsCategorical) {
  const Table table = categories(70, 4, {6});
  for (const double smoothing : {0.0, 1.0, 2.5}) {
    const Model joint = fit(table, smoothed_by(smoothing, true)).model;
    const Model naive = fit(table, smoothed_by(smoothing)).model;
    EXPECT_EQ(joint_of(joint).levels, levels_of(naive).levels);
    EXPECT_EQ(joint_of(joint).probabilities, levels_of(naive).probabilities[0]);
    EXPECT_LT(largest_log_difference(log_joint(joint, table), log_joint(naive, table)), 1e-15);
    EXPECT_EQ(joint.free_parameters().total(), naive.free_parameters().total());
  }
}

TEST(Joint, IsTheSmoothedShareOfEachCell) {
  const Table table = table_of(
      {{"a", categorical}, {"b", binary}},
      {{"u", "no", "k"}, {"u", "no", "k"}, {"v", "yes", "k"}, {"v", "", "k"}, {"u", "yes", "l"}});
  const JointParameters p =
      joint_of(fit(table, smoothed_by(1, true), {.missing = Missing::drop}).model);
  EXPECT_EQ(p.levels, (std::vector<Cells>{{"u", "v"}, {"no", "yes"}}));
  EXPECT_EQ(p.probabilities, Matrix(2, 4,
                                    {3 / 7.0, 1 / 7.0, 1 / 7.0, 2 / 7.0,  //
                                     1 / 5.0, 2 / 5.0, 1 / 5.0, 1 / 5.0}));
}

TEST(Levels, OfWhichAllRowsWereForgottenWereNeverSeen) {
  for (const bool joint : {false, true}) {
    const std::vector<Column> columns{{"a", categorical}, {"b", categorical}};
    const std::vector<Cells> kept{{"u", "x", "k"}, {"v", "y", "l"}, {"u", "y", "l"}};
    std::vector<Cells> all = kept;
    all.push_back({"odd", "x", "k"});
    Statistics s = counted(table_of(columns, all), joint);
    (void)s.subtract(counted(table_of(columns, {all.back()}), joint));
    EXPECT_EQ(estimate(s, smoothed_by(1, joint)).model,
              estimate(counted(table_of(columns, kept), joint), smoothed_by(1, joint)).model);
  }
}

TEST(Levels, OfMergedShardsAreThoseOfTheWhole) {
  for (const bool joint : {false, true}) {
    const auto rows = cells_at(mixed_rows(60, 8), {1, 3, 6});
    const auto columns = columns_at(mixed_columns(), {1, 3, 6});
    Statistics merged = counted(table_of(columns, {rows.begin(), rows.begin() + 5}), joint);
    merged.merge(counted(table_of(columns, {rows.begin() + 5, rows.end()}), joint));
    EXPECT_EQ(estimate(merged, smoothed_by(1, joint)).model,
              estimate(counted(table_of(columns, rows), joint), smoothed_by(1, joint)).model);
  }
}

TEST(Levels, AsManyAsRowsLookLikeAnIdentifier) {
  std::vector<Cells> rows;
  for (int i = 0; i < 21; ++i) rows.push_back({"id" + std::to_string(i), "u", i % 2 ? "k" : "l"});
  const std::vector<Column> columns{{"the id", categorical}, {"b", categorical}};
  EXPECT_EQ(fit(table_of(columns, rows), smoothed_by(1)).model.notes(),
            (Cells{"column 'the id' has as many levels as rows: it looks like an identifier; if it "
                   "is one, use drop = the id"}));
  rows.pop_back();  // twenty rows may well be all different
  EXPECT_TRUE(fit(table_of(columns, rows), smoothed_by(1)).model.notes().empty());
}

TEST(Levels, AColumnWithoutAValueIsLeftOut) {
  const std::vector<Cells> rows{{"", "u", "k"}, {"", "v", "l"}};
  const Model model =
      fit(table_of({{"a", categorical}, {"b", categorical}}, rows), smoothed_by(1)).model;
  EXPECT_EQ(levels_of(model).columns, (Cells{"b"}));
  EXPECT_EQ(model.notes().back(), "column 'a' has no value and is left out");
  EXPECT_EQ(error_of([&] {
              (void)fit(table_of({{"a", categorical}}, cells_at(rows, {0})), Recipe{});
            }),
            "no usable column remains: column 'a' has no value and is left out | give columns "
            "that have values; for text lower min_count or name fewer stop_words");
  EXPECT_EQ(
      error_of([&] {
        (void)fit(table_of({{"a", categorical}, {"b", categorical}}, rows), smoothed_by(1, true));
      }),
      "no usable column remains: no row has all of the categories: they are left out | "
      "give columns that have values; for text lower min_count or name fewer stop_words");
}

TEST(Joint, RefusesMoreCellsThanAnybodyCanUse) {
  const auto refusal = [](std::size_t columns, int levels) {
    std::vector<Column> names;
    std::vector<Cells> rows;
    for (std::size_t j = 0; j < columns; ++j)
      names.push_back({"c" + std::to_string(j), categorical});
    for (int v = 0; v < levels; ++v) {
      rows.emplace_back(columns, std::to_string(v));
      rows.back().emplace_back("k");
    }
    return error_of([&] { (void)fit(table_of(names, rows), smoothed_by(1, true)); });
  };
  const std::string hint =
      " for each class | use model = categorical, which takes the columns one by one, or fewer "
      "columns (features, drop)";
  EXPECT_EQ(refusal(3, 300),
            "the joint table of 3 columns has 27000000 cells (300 x 300 x 300)" + hint);
  EXPECT_EQ(refusal(10, 8),
            "the joint table of 10 columns has 1073741824 cells (8 x 8 x 8 x 8 x 8 x 8 x 8 x 8 x "
            "...)" +
                hint);
  EXPECT_EQ(refusal(7, 10), "no error");  // ten million are not too many
}

TEST(Estimate, RefusesStatisticsThatWereCountedOtherwise) {
  const Table table = categories(20, 1);
  EXPECT_EQ(error_of([&] { (void)estimate(counted(table, false), smoothed_by(1, true)); }),
            "the statistics count each column alone, and joint needs them together | make the "
            "statistics with model = joint");
  EXPECT_EQ(
      error_of([&] { (void)estimate(counted(table, true), smoothed_by(1, false)); }),
      "the statistics count the columns jointly, which only the joint model can use | fit them "
      "with model = joint, or make others");
}

TEST(DiscreteOptions, OutOfRangeAreRefused) {
  const auto refusal = [](const DiscreteOptions& options) {
    return error_of([&] { validate(options); });
  };
  EXPECT_EQ(refusal({.smoothing = -0.5}), "the smoothing is -0.5 | give a smoothing of at least 0");
  EXPECT_EQ(refusal({.smoothing = NAN}), "the smoothing is nan | give a smoothing of at least 0");
  EXPECT_EQ(refusal({.min_count = HUGE_VAL}),
            "the minimum count of a term is inf | give a min_count of at least 0");
  EXPECT_EQ(refusal({.max_terms = -3}),
            "the maximum number of terms is -3 | give max_terms a whole number of at least 1, or "
            "0 for all");
  EXPECT_EQ(refusal({.smoothing = 0, .min_count = 2.5, .max_terms = 1}), "no error");
}

}  // namespace
}  // namespace genera::levels_test
