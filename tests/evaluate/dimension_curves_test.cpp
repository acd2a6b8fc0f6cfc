#include <cmath>

#include <gtest/gtest.h>

#include <genera/curves.hpp>

#include "support/problems.hpp"

namespace genera::dimension_curves_test {
namespace {

using testing::error_of;

/// Two classes whose d independent columns of variance 1 are `apart` from each other.
Model two_classes(Index d, double apart) {
  Matrix numbers(4, d);
  std::vector<std::string> names;
  for (Index j = 0; j < d; ++j) {
    names.push_back("x" + std::to_string(j));
    for (Index i = 0; i < 4; ++i)
      numbers(i, j) = (i < 2 ? 0 : apart) + (i % 2 ? 1 : -1);  // mle variance 1
  }
  return fit(make_table(names, numbers, {"a", "a", "b", "b"}), dlda()).model;
}

double normal_tail(double z) { return std::erfc(z / std::sqrt(2.0)) / 2; }

TEST(DimensionCurves, HaveTheErrorsOfTheLaw) {
  const std::vector<Candidate> candidates{{"dlda", dlda(), {}}, {"logistic", logistic(), {}}};
  const auto found = dimension_curves(
      two_classes(4, 1), candidates,
      {.dimensions = {1, 4}, .within = 0.03, .pool = 8000, .asymptotic_rows = 8000},
      {.sizes = {5, 20, 80, 320}, .repeats = 10});
  ASSERT_EQ(found.size(), 2U);
  // The best error is that of a normal at half the distance sqrt(p) between the means.
  for (std::size_t i = 0; i < 2; ++i) {
    const double best = normal_tail(std::sqrt(static_cast<double>(found[i].dimension)) / 2);
    for (const DimensionCurves::Needed& needed : found[i].needed) {
      EXPECT_NEAR(needed.asymptotic_error, best, 4 * std::sqrt(best * (1 - best) / 8000));
      EXPECT_TRUE(needed.rows.size || needed.rows.below > 0.5);
      EXPECT_LT(needed.rows.size.value_or(5), 320);
    }
  }
  const CurvePoint& largest = found[1].curves.curves[0].points[3];
  EXPECT_NEAR(largest.error.mean, normal_tail(1), 0.02);
}

TEST(DimensionCurves, AreOfTheFirstColumns) {
  const auto found = dimension_curves(two_classes(3, 2), {{"dlda", dlda(), {}}},
                                      {.dimensions = {2}, .pool = 100, .asymptotic_rows = 100},
                                      {.sizes = {20}, .repeats = 1});
  EXPECT_EQ(found[0].curves.curves[0].parameters, 2 * 2 + 2 + 1);
}

TEST(DimensionCurves, RefuseWhatTheModelDoesNotHave) {
  const Model model = two_classes(3, 1);
  const std::vector<Candidate> one{{"dlda", dlda(), {}}};
  EXPECT_EQ(error_of([&] {
              (void)dimension_curves(model, one, {.dimensions = {2, 4}});
            }),
            "4 is not a number of columns of the model, which has 3 | give dimensions from 1 to 3");
  EXPECT_EQ(error_of([&] { (void)dimension_curves(model, one, {}); }),
            "no number of columns is given | give dimensions = 2, 4, 8");
  EXPECT_EQ(error_of([&] { (void)dimension_curves(model, one, {.dimensions = {2}, .within = 0}); }),
            "the distance is 0 | give within greater than 0");
  const Table table = read_csv("@iris");
  EXPECT_EQ(error_of([&] {
              (void)dimension_curves(model, {{"dlda", dlda(), Rows(table)}}, {.dimensions = {2}});
            }),
            "'dlda' has rows of its own, but rows are drawn | give recipes only");
  const Model words =
      fit(make_text_table("t", {"aa bb", "cc dd"}, {"x", "y"}), multinomial()).model;
  EXPECT_EQ(error_of([&] { (void)dimension_curves(words, one, {.dimensions = {1}}); }),
            "'t' is a text, whose words are not columns | draw from a model of numbers or "
            "categories");
}

}  // namespace
}  // namespace genera::dimension_curves_test
