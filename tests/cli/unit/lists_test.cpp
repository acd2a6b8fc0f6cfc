#include "lists.hpp"

#include "refusal.hpp"

#include <rapidcheck/gtest.h>

namespace genera::cli::lists_test {
namespace {

using Items = std::vector<std::string>;

TEST(Lists, AreCutAtCommasAndTrimmed) {
  EXPECT_EQ(split_list("--drop", "a"), Items{"a"});
  EXPECT_EQ(split_list("--drop", " a ,b c, d"), (Items{"a", "b c", "d"}));
}

TEST(Lists, KeepCommasQuotesAndBlanksWithinQuotes) {
  EXPECT_EQ(split_list("--drop", R"("a, b","say ""c"""," d ")"),
            (Items{"a, b", "say \"c\"", " d "}));
}

RC_GTEST_PROP(Lists, GiveBackWhatWasJoined, ()) {
  const auto names = *rc::gen::nonEmpty<Items>();
  RC_ASSERT(split_list("--drop", joined_list(names)) == names);
}

TEST(Lists, OfSeveralOptionsAreOneList) {
  EXPECT_EQ(split_lists("--drop", {"a,b", "c"}), (Items{"a", "b", "c"}));
  EXPECT_EQ(split_lists("--drop", {}), Items{});
}

TEST(Lists, RefuseAnEmptyItem) {
  for (const char* text : {"", "a,", ",a", "a,,b", "a, ,b"})
    EXPECT_EQ(refusal_of([&] { (void)split_list("--drop", text); }),
              (Refusal{"--drop: the list has an empty item",
                       "separate names by single commas, as in a,b"}));
}

TEST(Lists, RefuseAnOpenQuote) {
  EXPECT_EQ(
      refusal_of([] { (void)split_list("--drop", "a,\"b"); }),
      (Refusal{"--drop: a quote in the list is not closed",
               "write names that hold commas as \"x, y\", within single quotes of the shell"}));
}

TEST(AsTyped, IsAnOptionAndItsValuesForAShell) {
  EXPECT_EQ(as_typed({"variance_floor"}), "--variance-floor");
  EXPECT_EQ(as_typed({"shrinkage", {"oas"}}), "--shrinkage oas");
  EXPECT_EQ(as_typed({"header", {"false"}}), "--no-header");
  EXPECT_EQ(as_typed({"drop", {"a", "b_2"}}), "--drop a,b_2");
  EXPECT_EQ(as_typed({"drop", {"a b", "c,d", "it's"}}), "--drop 'a b,\"c,d\",it'\\''s'");
  EXPECT_EQ(as_typed({"type", {"n of x=count"}}), "--type 'n of x=count'");
  EXPECT_EQ(as_typed({"type", {"it's \\ a\t=count"}}), "--type $'\"it\\'s \\\\ a\t=count\"'");
}

TEST(AsTyped, QuotesWhatHoldsACommaUnlessTheOptionTakesNoList) {
  EXPECT_EQ(as_typed({"missing_token", {"?", "1,5"}}), "--missing-token '?,\"1,5\"'");
  EXPECT_EQ(as_typed({"decimal", {","}}), "--decimal ,");
}

TEST(Pairs, AreCutAtTheLastEquals) {
  const auto pairs = split_pairs("--priors", {R"(a=1,"x,y"=2,"p=q"=3,"r,s=4")"});
  const std::vector<std::pair<std::string, std::string>> expected{
      {"a", "1"}, {"x,y", "2"}, {"p=q", "3"}, {"r,s", "4"}};
  EXPECT_EQ(pairs, expected);
}

TEST(Pairs, RefuseAnItemWithoutNameOrValue) {
  for (const char* text : {"a", "=1", "a="})
    EXPECT_EQ(refusal_of([&] { (void)split_pairs("--type", {text}); }),
              (Refusal{std::string("--type: '") + text + "' is not of the form NAME=VALUE",
                       "write a name, '=' and its value; quote names that hold commas"}));
}

}  // namespace
}  // namespace genera::cli::lists_test
