#include <gtest/gtest.h>

#include <genera/fit.hpp>
#include <genera/sample.hpp>

#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::sample_refusal_test {
namespace {

using testing::error_of;
using testing::mixed_table;
using testing::table_of;

Model mixed_model() { return fit(mixed_table(60, 1), qda()).model; }

std::string refusal(const Model& model, const SampleOptions& options) {
  return error_of([&] { (void)sample(model, 3, Rng(1), options); });
}

TEST(SampleRefuses, UnknownNames) {
  const Model model = mixed_model();
  EXPECT_EQ(refusal(model, {.of_class = "d"}),
            "there is no class 'd' | the classes are 'a', 'b', 'c'");
  EXPECT_EQ(refusal(model, {.given = {{"color", "red"}}}),
            "the model has no column 'color' | did you mean 'colour'?");
  EXPECT_EQ(refusal(model, {.given = {{"colour", "gren"}}}),
            "column 'colour' has no level 'gren' | did you mean 'green' or 'red'?");
  EXPECT_EQ(refusal(model, {.given = {{"flag", 7.0}}}).substr(0, 30),
            "column 'flag' has no level '7'");
  EXPECT_EQ(refusal(model, {.given = {{"class", "aa"}}}),
            "there is no class 'aa' | did you mean 'a'?");
}

TEST(SampleRefuses, ValuesThatCannotBe) {
  const Model model = mixed_model();
  EXPECT_EQ(refusal(model, {.given = {{"x", "wide"}}}),
            "'x' is given as 'wide', which is not a finite number | give a number such as 1.5");
  EXPECT_EQ(refusal(model, {.given = {{"x", HUGE_VAL}}}),
            "'x' is given as 'inf', which is not a finite number | give a number such as 1.5");
  EXPECT_EQ(refusal(model, {.given = {{"hits", 1.5}}}),
            "'hits' is given as 1.5, which is not a count | counts are whole numbers of at least "
            "0");
  EXPECT_EQ(refusal(model, {.given = {{"hits", "-1"}}}),
            "'hits' is given as -1, which is not a count | counts are whole numbers of at least 0");
  EXPECT_EQ(refusal(model, {.given = {{"words", "free"}}}),
            "column 'words' is text, which cannot be given | give numbers, counts and categories");
}

TEST(SampleRefuses, WhatIsSaidTwice) {
  const Model model = mixed_model();
  EXPECT_EQ(refusal(model, {.given = {{"x", 1.0}, {"x", 1.0}}}),
            "column 'x' is given twice | give each column once");
  EXPECT_EQ(refusal(model, {.of_class = "a", .given = {{"class", "b"}}}),
            "rows of class 'a' and of class 'b' are asked for at once | name the class once");
}

TEST(SampleRefuses, WhatIsImpossible) {
  Recipe recipe = qda();
  recipe.discrete.smoothing = 0;
  recipe.discrete.joint = true;
  const Model model = fit(table_of({{"u", ColumnType::categorical}, {"v", ColumnType::categorical}},
                                   {{"0", "0", "k"}, {"1", "1", "k"}, {"1", "1", "l"}}),
                          recipe)
                          .model;
  EXPECT_EQ(refusal(model, {.given = {{"u", "0"}, {"v", "1"}}}),
            "what is given is impossible under every class | give other values; levels never seen "
            "together are impossible without smoothing");
  EXPECT_EQ(refusal(model, {.of_class = "l", .given = {{"u", "0"}}}),
            "what is given is impossible in class 'l' | give other values, or another class");
  EXPECT_EQ(refusal(model, {.of_class = "k", .given = {{"u", "0"}}}), "no error");
}

TEST(SampleRefuses, LengthsThatDoNotFit) {
  const Model numbers = fit(testing::random_table(40, 2, 2, 1), lda()).model;
  EXPECT_EQ(refusal(numbers, {.length = 3}),
            "the model counts nothing, so that its rows have no length | leave the length out "
            "(length)");
  const Model model = mixed_model();
  EXPECT_EQ(refusal(model, {.length = -1}),
            "the length of a row is -1 | give a length of at least 0");
  EXPECT_EQ(refusal(model, {.given = {{"hits", 4.0}, {"misses", 3.0}}, .length = 6}),
            "the given counts sum to 7, more than the length 6 | give a larger length, or smaller "
            "counts");
  CountParameters unknown{.terms = {"i", "j"}, .probabilities = Matrix(1, 2, {0.5, 0.5})};
  const Model by_hand({"k"}, Prior({1}), {CountBlock(unknown)});
  EXPECT_EQ(refusal(by_hand, {}),
            "the model does not say how long its rows are | give the length of a row (length)");
  EXPECT_EQ(refusal(by_hand, {.length = 5}), "no error");
}

TEST(SampleRefuses, NegativeNumbersOfRows) {
  EXPECT_EQ(error_of([] { (void)sample(mixed_model(), -3, Rng(1)); }),
            "-3 rows are asked for | ask for 0 rows or more");
}

}  // namespace
}  // namespace genera::sample_refusal_test
