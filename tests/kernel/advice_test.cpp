#include <genera/error.hpp>

#include <gtest/gtest.h>

namespace genera::advice_test {
namespace {

std::string as_keyword(const OptionUse& option) {
  return option.values.empty() ? option.name : option.name + "=\"" + option.values.front() + "\"";
}

TEST(Advice, WithoutOptionsIsVerbatim) {
  for (const char* text : {"", "fix the cell", "{} {{ }} {a}", "}", "ends with {"}) {
    EXPECT_EQ(in_words(text), text);
    EXPECT_EQ(in_words(std::string(text), as_keyword), text);
  }
}

TEST(Advice, IsWrittenInTheWordsOfCpp) {
  const Advice advice("use {}, {} or a larger {}",
                      {{"shrinkage", {"oas"}}, {"drop", {"a", "b c"}}, {"gamma"}});
  EXPECT_EQ(in_words(advice), "use shrinkage = oas, drop = a, b c or a larger gamma");
}

TEST(Advice, IsWrittenInTheWordsOfAnEdge) {
  const Advice advice("use {} or {}", {{"shrinkage", {"oas"}}, {"gamma"}});
  EXPECT_EQ(in_words(advice, as_keyword), "use shrinkage=\"oas\" or gamma");
}

TEST(Advice, IsJoinedOfPiecesWhateverTheyHold) {
  const std::string column = "{}";
  const Advice advice =
      Advice("column '" + column + "' looks like an identifier; if it is one, use ") +
      OptionUse{"drop", {column}} + ", or " + OptionUse{"features"};
  EXPECT_EQ(in_words(advice),
            "column '{}' looks like an identifier; if it is one, use drop = {}, or features");
  EXPECT_EQ(advice.options, (std::vector<OptionUse>{{"drop", {"{}"}}, {"features"}}));
}

TEST(Error, KeepsItsHintAsData) {
  const Error error(Errc::bad_model, "it is singular", {"use {}", {{"shrinkage", {"oas"}}}});
  EXPECT_EQ(error.hint().options, (std::vector<OptionUse>{{"shrinkage", {"oas"}}}));
  EXPECT_EQ(in_words(error.hint()), "use shrinkage = oas");
}

}  // namespace
}  // namespace genera::advice_test
