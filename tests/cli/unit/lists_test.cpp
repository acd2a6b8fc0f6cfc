#include "lists.hpp"

#include "csv_output.hpp"
#include "refusal.hpp"

#include <rapidcheck/gtest.h>

namespace genera::cli {
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

RC_GTEST_PROP(Lists, GiveBackWhatWasWrittenAsCells, ()) {
  const auto names = *rc::gen::nonEmpty<Items>();
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += ',';
    text += csv_cell(names[i]);
  }
  RC_ASSERT(split_list("--drop", text) == names);
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
}  // namespace genera::cli
