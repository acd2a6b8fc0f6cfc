#include "evaluate/missing_cells.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include <genera/curves.hpp>

#include "support/problems.hpp"

namespace genera::missing_test {
namespace {

using curves_detail::filled_by_means;
using testing::error_of;

TEST(MissingCells, AreASharePerCellAndTheSameForOtherTypes) {
  const Table numbers = read_csv("@house_votes84", {.default_type = ColumnType::categorical});
  const Table flags = read_csv("@house_votes84", {.default_type = ColumnType::binary});
  const Table a = curves_detail::with_missing(numbers, 0.3, Rng(5));
  const Table b = curves_detail::with_missing(flags, 0.3, Rng(5));
  Index removed = 0, there = 0;
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.codes.columns(); ++j) {
      EXPECT_EQ(a.codes(i, j) < 0, b.codes(i, j) < 0);
      if (numbers.codes(i, j) < 0) continue;
      ++there;
      if (a.codes(i, j) < 0) ++removed;
    }
  }
  EXPECT_NEAR(static_cast<double>(removed) / static_cast<double>(there), 0.3, 0.02);
  const Table none = curves_detail::with_missing(numbers, 0, Rng(5));
  EXPECT_EQ(none.codes, numbers.codes);
  EXPECT_EQ(none.labels, numbers.labels);
}

TEST(MissingCells, AreFilledByWhatTheTrainingRowsHave) {
  const double missing_cell = std::nan("");
  Table table;
  table.row_count = 4;
  table.columns = {
      {"x", ColumnType::numeric}, {"n", ColumnType::count}, {"c", ColumnType::categorical}};
  table.numbers = Matrix(4, 2, {1, missing_cell, 4, 2, missing_cell, 3, 100, 100});
  table.codes = Codes(4, 1);
  table.levels = {{"a", "b"}};
  table.codes(0, 0) = 1, table.codes(1, 0) = 1, table.codes(3, 0) = 0;
  const Table filled = filled_by_means(table, std::vector<Index>{0, 1, 2});
  EXPECT_EQ(filled.numbers(2, 0), 2.5);
  EXPECT_EQ(filled.numbers(0, 1), 3);  // of a count the mean 2.5, rounded
  EXPECT_EQ(filled.codes(2, 0), 1);
  EXPECT_EQ(filled.numbers(3, 0), 100);
  const Table empty = filled_by_means(table, std::vector<Index>{2});
  EXPECT_EQ(empty.codes(2, 0), 0);
  EXPECT_EQ(empty.numbers(2, 0), 0);
}

TEST(MissingCells, LeaveNoColumnWithoutAValueOfSomeClass) {
  const double missing_cell = std::nan("");
  const Table table =
      make_table({"x", "y"}, Matrix(4, 2, {1, missing_cell, 2, missing_cell, 3, 5, 4, 6}),
                 {"a", "a", "b", "b"});
  const curves_detail::Population all{{"a", "b"}, {0, 0, 1, 1}, {2, 2}};
  const Table known = curves_detail::known_columns(table, all, std::vector<Index>{0, 2, 3});
  EXPECT_EQ(known.columns, (std::vector<Column>{{"x", ColumnType::numeric}}));
  EXPECT_EQ(known.numbers, Matrix(4, 1, {1, 2, 3, 4}));
  // With every cell but a few missing there are samples of which nothing is left.
  const LearningCurves found = learning_curves(read_csv("@iris"), {{"lda", lda(), {}}},
                                               {.sizes = {4}, .repeats = 4, .missing_share = 0.9});
  EXPECT_GT(found.curves[0].points[0].prior_only, 0);
}

TEST(LearningCurves, WithoutMissingCellsAreThoseOfCompleteRows) {
  const Table wine = read_csv("@wine");
  const std::vector<Candidate> candidates{{"lda", lda(), {}}, {"logistic", logistic(), {}}};
  CurveOptions options{.sizes = {30, 80}, .repeats = 3};
  const LearningCurves complete = learning_curves(wine, candidates, options);
  options.missing_share = 0;
  const LearningCurves none = learning_curves(wine, candidates, options);
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t s = 0; s < 2; ++s) {
      EXPECT_EQ(none.curves[c].points[s].errors, complete.curves[c].points[s].errors);
      EXPECT_NEAR(none.curves[c].points[s].log_loss.mean,
                  complete.curves[c].points[s].log_loss.mean, 1e-9);
    }
  }
  options.missing_share = 0.4;
  const LearningCurves incomplete = learning_curves(wine, candidates, options);
  for (std::size_t c = 0; c < 2; ++c)
    EXPECT_GT(incomplete.curves[c].points[1].log_loss.mean,
              complete.curves[c].points[1].log_loss.mean);
}

TEST(LearningCurves, OfRowsWithMissingCellsNeedAPolicyForLinearModels) {
  const Table penguins = read_csv("@penguins");
  const std::vector<Candidate> generative{{"lda", lda(), {}}};
  const std::vector<Candidate> both{{"lda", lda(), {}}, {"logistic", logistic(), {}}};
  CurveOptions options{.sizes = {50}, .repeats = 2};
  EXPECT_EQ(learning_curves(penguins, generative, options).rows, 344);
  const std::string error = error_of([&] { (void)learning_curves(penguins, both, options); });
  EXPECT_EQ(error.rfind("logistic cannot learn from missing values, in 'bill_length_mm' (2)", 0),
            0U)
      << error;
  EXPECT_NE(error.find("use missing = drop to leave such rows out, or missing_share = 0 to give it "
                       "the means instead"),
            std::string::npos)
      << error;
  options.missing = Missing::drop;
  const LearningCurves dropped = learning_curves(penguins, both, options);
  EXPECT_EQ(dropped.rows, 333);
  EXPECT_EQ(in_words(dropped.notes.at(0)), "11 rows are left out: a value is missing");
  options = {.sizes = {50}, .repeats = 2, .missing_share = 0};
  EXPECT_EQ(learning_curves(penguins, both, options).rows, 344);
}

TEST(LearningCurves, CannotRemoveCellsOfTexts) {
  const Table texts = make_text_table("t", {"a b", "c d", "a c", "b d"}, {"x", "y", "x", "y"});
  EXPECT_EQ(error_of([&] {
              (void)learning_curves(texts, {{"m", multinomial(), {}}},
                                    {.sizes = {3}, .missing_share = 0.1});
            }),
            "texts and sparse matrices have no cells that could be removed at random | leave "
            "missing_share out");
}

}  // namespace
}  // namespace genera::missing_test
