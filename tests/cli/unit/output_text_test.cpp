#include "csv_output.hpp"
#include "json_output.hpp"
#include "output.hpp"
#include "refusal.hpp"
#include "text_table.hpp"

#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <fstream>
#include <limits>

namespace genera::cli {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string cell_of(double value) {
  CsvRows rows;
  rows.begin({}, 0);
  rows.cell(value);
  return rows.take();
}

TEST(CsvCell, IsQuotedWhereAReaderWouldMisunderstand) {
  EXPECT_EQ(csv_cell("setosa"), "setosa");
  EXPECT_EQ(csv_cell("two words"), "two words");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csv_cell("a\nb"), "\"a\nb\"");
  EXPECT_EQ(csv_cell(" a"), "\" a\"");
  EXPECT_EQ(csv_cell(""), "\"\"");
  EXPECT_EQ(csv_cell("Ångström"), "Ångström");
}

TEST(CsvNumbers, AreShortAndInfinitiesAreWords) {
  EXPECT_EQ(cell_of(0.1), "0.1");
  EXPECT_EQ(cell_of(1), "1");
  EXPECT_EQ(cell_of(-infinity), "-inf");
  EXPECT_EQ(cell_of(infinity), "inf");
}

RC_GTEST_PROP(CsvNumbers, ReadBackAsTheSame, (double value)) {
  RC_ASSERT(std::strtod(cell_of(value).c_str(), nullptr) == value);
}

TEST(CsvRows, PutWhatIsKeptFirst) {
  Table table;
  table.kept_header = "id,name";
  table.kept = {"1,\"a,b\""};
  CsvRows rows;
  rows.begin(table, 0);
  rows.cell("x");
  rows.cell(0.5);
  rows.end();
  EXPECT_EQ(csv_header(table, {"prediction", "p(x)"}), "id,name,prediction,p(x)\n");
  EXPECT_EQ(rows.take(), "1,\"a,b\",x,0.5\n");
}

TEST(CsvHeader, QuotesNamesOfClasses) {
  EXPECT_EQ(csv_header({}, class_columns("p", {"a", "b, c"})), "p(a),\"p(b, c)\"\n");
}

TEST(JsonText, QuotesStringsAndWritesInfinitiesAsStrings) {
  EXPECT_EQ(json_string("a\"b\n"), R"("a\"b\n")");
  std::string text = "{\"x\": 1";
  append_json_members(text, "p", {"\"a\"", "\"b\""}, Vector{0.25, -infinity});
  EXPECT_EQ(text, R"({"x": 1, "p": {"a": 0.25, "b": "-inf"})");
}

TEST(TextTable, AlignsByCodePoints) {
  EXPECT_EQ(text_table(std::vector<std::vector<std::string>>{{"å", "1"}, {"bc", "10"}}),
            "  å    1\n  bc  10\n");
}

TEST(TextTable, ShowsManyColumnsSomeAtATime) {
  std::vector<std::string> columns;
  for (const char digit : std::string("012345678")) columns.push_back({'c', digit});
  const std::string text =
      text_table({{"r"}, columns, [](Index, Index j) { return static_cast<double>(j); }});
  EXPECT_EQ(text,
            "     c0  c1  c2  c3  c4  c5  c6  c7\n"
            "  r   0   1   2   3   4   5   6   7\n"
            "     c8\n"
            "  r   8\n");
}

TEST(Output, ThatIsReadTooIsRefused) {
  const std::string path = testing::TempDir() + "genera_output_test.csv";
  std::ofstream(path) << "x\n";
  Common common;
  common.output = testing::TempDir() + "./genera_output_test.csv";
  EXPECT_EQ(
      refusal_of([&] {
        refuse_output_onto(common, {"other.csv", path});
      }),
      (Refusal{"-o names '" + *common.output + "', which is also read", "write to another file"}));
  EXPECT_NO_THROW(refuse_output_onto(common, {"other.csv", "-", "@iris"}));
  common.output = "/dev/null";
  EXPECT_NO_THROW(refuse_output_onto(common, {"/dev/null"}));
  std::remove(path.c_str());
}

}  // namespace
}  // namespace genera::cli
