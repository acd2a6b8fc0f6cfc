#include <genera/facts.hpp>

#include <limits>
#include <optional>

#include <gtest/gtest.h>

#include <genera/report.hpp>

namespace genera::facts_test {
namespace {

TEST(Facts, HaveNullWhereThereIsNoValue) {
  EXPECT_EQ(Fact::Value(std::numeric_limits<double>::quiet_NaN()), Fact::Value());
  EXPECT_EQ(Fact::Value(std::optional<double>()), Fact::Value());
  EXPECT_EQ(Fact::Value(std::optional(2.0)), Fact::Value(2.0));
  EXPECT_NE(Fact::Value(0.0), Fact::Value());
}

TEST(Facts, KeepTheTypeOfAValue) {
  EXPECT_TRUE(std::holds_alternative<bool>(Fact::Value(true).is));
  EXPECT_TRUE(std::holds_alternative<Index>(Fact::Value(3).is));
  EXPECT_TRUE(std::holds_alternative<double>(Fact::Value(3.0).is));
  EXPECT_TRUE(std::holds_alternative<std::string>(Fact::Value("a").is));
  EXPECT_TRUE(std::holds_alternative<Advice>(Fact::Value(Advice("a")).is));
  EXPECT_TRUE(std::holds_alternative<Vector>(Fact::Value(Vector{1}).is));
  EXPECT_EQ(Fact::Value(std::vector<Index>{1, 2}), Fact::Value(Fact::List{1, 2}));
  EXPECT_EQ(Fact::Value(std::variant<Matrix, Diagonal>(Diagonal{{1}})), Fact::Value(Diagonal{{1}}));
}

TEST(Facts, StayInTheirOrder) {
  Facts all{{"b", 1}};
  append(all, {{"a", 2}, {"c", 3}});
  EXPECT_EQ(all, (Facts{{"b", 1}, {"a", 2}, {"c", 3}}));
}

TEST(Facts, OfNotesTellWarningsApart) {
  const std::vector<Note> notes{{"one"}, {"two", Note::Kind::warning}};
  EXPECT_EQ(facts(notes),
            (Facts{{"notes", Fact::List{Advice("one")}}, {"warnings", Fact::List{Advice("two")}}}));
}

TEST(Facts, OfADiagonalMatrixAreThoseOfTheFullOne) {
  EXPECT_EQ(full_matrix({{2, 3}}), Matrix(2, 2, {2, 0, 0, 3}));
}

}  // namespace
}  // namespace genera::facts_test
