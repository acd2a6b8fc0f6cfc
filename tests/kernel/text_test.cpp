#include "kernel/text.hpp"

#include <gtest/gtest.h>

#include <genera/error.hpp>

namespace genera::kernel::text_test {
namespace {

TEST(Nearest, FindsTypingErrorsWhateverTheCase) {
  EXPECT_EQ(nearest("speces", {"species", "sepal_width"}), std::vector<std::string>{"species"});
  EXPECT_EQ(nearest("Species", {"species"}), std::vector<std::string>{"species"});
  EXPECT_TRUE(nearest("zzz", {"species"}).empty());
}

TEST(Nearest, LeavesVeryLongNamesAlone) {
  const std::string limit(100, 'a'), longer(101, 'a');
  EXPECT_EQ(nearest(limit, {limit}), std::vector<std::string>{limit});
  EXPECT_TRUE(nearest(longer, {longer, limit}).empty());
  EXPECT_TRUE(nearest(limit, {longer}).empty());
  const std::string huge(200'000, 'b');  // would take minutes
  EXPECT_TRUE(nearest(huge, {huge}).empty());
}

TEST(DidYouMean, FallsBackWhenNothingIsNear) {
  EXPECT_EQ(did_you_mean("prdict", {"predict", "fit"}, "see help"), "did you mean 'predict'?");
  EXPECT_EQ(did_you_mean("xyz", {"predict"}, "see help"), "see help");
}

TEST(Counted, OneOfAThingHasNoPlural) {
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(1, "class is", "classes are"), "1 class is");
  EXPECT_EQ(counted(21, "class is", "classes are"), "21 classes are");
}

TEST(IsAllNul, LooksAtTheBeginning) {
  EXPECT_TRUE(is_all_nul(std::string(3, '\0')));
  EXPECT_TRUE(is_all_nul(std::string(100000, '\0')));
  EXPECT_FALSE(is_all_nul(""));
  EXPECT_FALSE(is_all_nul(std::string(100, '\0') + "a"));
}

TEST(QuotedList, NamesSomeAndCountsTheRest) {
  EXPECT_EQ(quoted_list({"a", "b"}), "'a', 'b'");
  EXPECT_EQ(quoted_list({"a", "b", "c", "d"}, 3), "'a', 'b' and 2 more");
}

TEST(AsUtf8, ReplacesWhatIsNotValid) {
  EXPECT_EQ(as_utf8("caf\u00e9"), "caf\u00e9");
  EXPECT_EQ(as_utf8("4.53\xbe,"), "4.53\uFFFD,");
  EXPECT_EQ(as_utf8("cut \xe2\x82"), "cut \uFFFD\uFFFD");
  EXPECT_EQ(as_utf8(""), "");
}

TEST(ParseWhole, TakesNumbersThatFillTheText) {
  double value = 0;
  EXPECT_TRUE(parse_whole(" +1.5 ", value));
  EXPECT_EQ(value, 1.5);
  for (const char* text : {"", "1.5x", "+-1", "1 2", "+"})
    EXPECT_FALSE(parse_whole(text, value)) << text;
}

TEST(Matches, StarsAndQuestionMarks) {
  EXPECT_TRUE(matches("b12", "b*"));
  EXPECT_TRUE(matches("b", "b*"));
  EXPECT_FALSE(matches("ab", "b*"));
  EXPECT_TRUE(matches("a_mean_b", "*_mean_*"));
  EXPECT_TRUE(matches("aab", "*ab"));
  EXPECT_FALSE(matches("aac", "*ab"));
  EXPECT_TRUE(matches("é1", "?1"));
  EXPECT_FALSE(matches("ab1", "?1"));
  EXPECT_TRUE(matches("", "*"));
  EXPECT_FALSE(matches("", "?"));
  EXPECT_FALSE(matches("ab", "a"));
}

}  // namespace
}  // namespace genera::kernel::text_test
