#include "show/printable.hpp"
#include "show/text_table.hpp"

#include <gtest/gtest.h>

namespace genera::cli::printable_test {
namespace {

TEST(Printable, KeepsWordsOfAnyLanguage) {
  for (const std::string text : {"", "a b", "Ångström", "日本語", "😀", "it's '{}' \\ \""})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, EscapesWhatATerminalObeys) {
  EXPECT_EQ(printable("\x1B[31mred"), "\\x1b[31mred");
  EXPECT_EQ(printable("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(printable(std::string_view("\0\x7F", 2)), "\\x00\\x7f");
  EXPECT_EQ(printable("\xC2\x9B"), "\\xc2\\x9b");           // CSI as one character
  EXPECT_EQ(printable("\xE2\x80\xAE"), "\\xe2\\x80\\xae");  // from right to left from here on
}

TEST(Printable, EscapesWhatIsNotUtf8) {
  EXPECT_EQ(printable("\xFF"), "\\xff");
  EXPECT_EQ(printable("\xC3"), "\\xc3");
  EXPECT_EQ(printable("\xC3(\xA9"), "\\xc3(\\xa9");
  EXPECT_EQ(printable("\xED\xA0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(printable("\xE0\x80\xAF"), "\\xe0\\x80\\xaf");           // longer than need be
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond the last character
}

TEST(Shortened, TellsTheLengthAndCutsBetweenCharacters) {
  EXPECT_EQ(shortened("abcd", 4), "abcd");
  EXPECT_EQ(shortened("0123456789", 8), "012345 … (10 bytes) … 89");
  EXPECT_EQ(printable(shortened("éééééééééé", 9)), "ééé … (20 bytes) … é");
}

TEST(ReadableSentence, ShortensWhatIsQuoted) {
  const std::string name(1 << 20, 'n');
  const std::string text = readable_sentence("f.csv: there is no column '" + name + "' in it");
  EXPECT_TRUE(text.starts_with("f.csv: there is no column 'nnn"));
  EXPECT_TRUE(text.ends_with("nnn' in it"));
  EXPECT_NE(text.find(" … (1048576 bytes) … "), std::string::npos);
  EXPECT_LT(text.size(), 700U);
  EXPECT_LT(readable_sentence(std::string(1 << 20, '\'')).size(), 9000U);
  EXPECT_EQ(readable_sentence("class 'a\x1B' is rare"), "class 'a\\x1b' is rare");
}

TEST(TextTable, IsPrintableAndBrief) {
  EXPECT_EQ(text_table(std::vector<std::vector<std::string>>{{"a\x1B[2J\n", "1"}}),
            "  a\\x1b[2J\\n  1\n");
  EXPECT_LT(text_table(std::vector<std::vector<std::string>>{{std::string(100000, 'a')}}).size(),
            300U);
}

TEST(Clipped, CountsPlaces) {
  EXPECT_EQ(clipped("abc", 3), "abc");
  EXPECT_EQ(clipped("abcd", 3), "a…d");
  EXPECT_EQ(clipped("class number 12", 8), "clas… 12");
  EXPECT_EQ(clipped("ééé", 3), "ééé");
  EXPECT_EQ(clipped("éééé", 3), "é…é");
  EXPECT_EQ(clipped("a\nbc", 4), "a\\…c");
  EXPECT_EQ(places_of("é1"), 2U);
}

}  // namespace
}  // namespace genera::cli::printable_test
