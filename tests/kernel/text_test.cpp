#include "kernel/text.hpp"

#include <gtest/gtest.h>

namespace genera::kernel {
namespace {

TEST(Nearest, FindsTypingErrorsWhateverTheCase) {
  EXPECT_EQ(nearest("speces", {"species", "sepal_width"}), std::vector<std::string>{"species"});
  EXPECT_EQ(nearest("Species", {"species"}), std::vector<std::string>{"species"});
  EXPECT_TRUE(nearest("zzz", {"species"}).empty());
}

TEST(DidYouMean, FallsBackWhenNothingIsNear) {
  EXPECT_EQ(did_you_mean("prdict", {"predict", "fit"}, "see help"), "did you mean 'predict'?");
  EXPECT_EQ(did_you_mean("xyz", {"predict"}, "see help"), "see help");
}

TEST(QuotedList, NamesSomeAndCountsTheRest) {
  EXPECT_EQ(quoted_list({"a", "b"}), "'a', 'b'");
  EXPECT_EQ(quoted_list({"a", "b", "c", "d"}, 3), "'a', 'b' and 2 more");
}

TEST(ArgumentList, CanBeTypedAtAShell) {
  EXPECT_EQ(argument_list({"a", "b_2"}), "a,b_2");
  EXPECT_EQ(argument_list({"a b", "c,d", "it's"}), "'a b,\"c,d\",it'\\''s'");
}

TEST(ParseWhole, TakesNumbersThatFillTheText) {
  double value = 0;
  EXPECT_TRUE(parse_whole(" +1.5 ", value));
  EXPECT_EQ(value, 1.5);
  for (const char* text : {"", "1.5x", "+-1", "1 2", "+"})
    EXPECT_FALSE(parse_whole(text, value)) << text;
}

}  // namespace
}  // namespace genera::kernel
