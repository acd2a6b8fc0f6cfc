// Lines that are not rows: the first ones, and comments.
#include <gtest/gtest.h>

#include "data/csv_support.hpp"

namespace genera::csv_comments_test {
namespace {

using testing::caught;
using testing::parse;

/// Apart from the numbers of their lines.
void expect_same(Table a, Table b) {
  a.lines = b.lines = {};
  testing::expect_same(a, b);
}

const CsvOptions hash{.comment = '#'};

TEST(CsvComments, AreNotRows) {
  const Table expected = parse("a,b,y\n1,2,u\n3,4,v\n");
  for (const char* text :
       {"# x\na,b,y\n1,2,u\n3,4,v\n", "a,b,y\n#1,2\n1,2,u\n  # 5,6,7,8\n3,4,v\n# end",
        "\n#\n#\na,b,y\n\n#,,,,,,\n1,2,u\n#\"\n3,4,v\n"})
    expect_same(parse(text, {}, hash), expected);
}

TEST(CsvComments, LinesAreStillCounted) {
  EXPECT_EQ(parse("# x\na,y\n#\n1,u\n#,,\n\n2,v\n", {}, hash).lines,
            (std::vector<std::int64_t>{4, 7}));
}

TEST(CsvComments, OnlyWhereARecordBegins) {
  const Table table = parse("a,y\n\"x\n# no comment\",#u\n#v\nz,w\n", {}, hash);
  EXPECT_EQ(testing::labels_of(table), (std::vector<std::string>{"#u", "w"}));
  EXPECT_EQ(table.levels.front().front(), "x\n# no comment");
}

TEST(CsvComments, InOneColumnBlankLinesAreRowsAndCommentsAreNot) {
  const Roles roles{.target = Target::none()};
  EXPECT_EQ(parse("a\n1\n#x\n\n2\n", roles, hash).rows(), 3);
}

TEST(CsvComments, SameInManyChunks) {
  std::string plain = "a,b,y\n", commented = plain;
  for (int i = 0; i < 50000; ++i) {
    const std::string row = std::to_string(i % 91) + "," + std::to_string(i % 7) + ",k\n";
    plain += row;
    commented += (i % 5 == 0 ? "# a,b\n" : "") + row;
  }
  Table expected = parse(plain), table = parse(commented, {}, hash, 3);
  EXPECT_EQ(table.numbers, expected.numbers);
  EXPECT_EQ(table.labels, expected.labels);
}

TEST(CsvSkip, LeavesTheFirstLinesOut) {
  const Table expected = parse("a,y\n1,u\n2,v\n");
  const std::string text = "made, by, R\n\na,y\n1,u\n2,v\n";
  const Table table = parse(text, {}, {.skip = 2});
  expect_same(table, expected);
  EXPECT_EQ(table.lines.front(), 4);
  expect_same(parse("\xEF\xBB\xBFx\nsep=;\na;y\n1;u\n2;v\n", {}, {.skip = 1}), expected);
  expect_same(parse("x\n1,u\n2,v\n", {}, {.header = false, .skip = 1}),
              parse("1,u\n2,v\n", {}, {.header = false}));
}

TEST(CsvSkip, IsRefusedBeyondTheEnd) {
  for (const Index skip : {2, 3, 100}) {
    const auto error = caught([&] { static_cast<void>(parse("a\n1\n", {}, {.skip = skip})); });
    EXPECT_TRUE(error.what.find("nothing is left after the first") != std::string::npos)
        << error.what;
  }
}

TEST(CsvComments, MustNotBeLettersOrDelimiters) {
  for (const CsvOptions& options :
       {CsvOptions{.comment = 'x'}, CsvOptions{.comment = ','}, CsvOptions{.comment = '"'},
        CsvOptions{.delimiter = ';', .comment = ';'}})
    EXPECT_EQ(caught([&] { static_cast<void>(parse("a,y\n1,u\n", {}, options)); }).code,
              Errc::bad_argument);
}

TEST(CsvComments, AreSuggested) {
  const auto error = caught([] { static_cast<void>(parse("# by R\na,y\n1,u\n")); });
  EXPECT_EQ(error.hint, "use comment = # if such lines are comments");
}

}  // namespace
}  // namespace genera::csv_comments_test
