#include "show/csv_output.hpp"
#include "show/json.hpp"
#include "show/output.hpp"
#include "show/report.hpp"
#include "show/terminal.hpp"
#include "refusal.hpp"
#include "show/text_table.hpp"

#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <fstream>
#include <limits>

namespace genera::cli::output_text_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string cell_of(double value) {
  CsvWriter rows;
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

TEST(CsvWriter, PutWhatIsKeptFirst) {
  Table table;
  table.kept_header = "id,name";
  table.kept = {"1,\"a,b\""};
  CsvWriter rows;
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

TEST(JsonDocument, KeepsTheOrderAndFlatArraysOnOneLine) {
  const Facts facts{{"b", "x\n"},
                    {"a", Fact::Names{"u", "v"}},
                    {"list", Fact::List{Vector{1, 0.5}, Fact::List{}}},
                    {"empty", Facts{}},
                    {"none", Fact::Value()},
                    {"yes", true}};
  EXPECT_EQ(json_document(facts),
            "{\n"
            "  \"b\": \"x\\n\",\n"
            "  \"a\": [\"u\", \"v\"],\n"
            "  \"list\": [\n"
            "    [1, 0.5],\n"
            "    []\n"
            "  ],\n"
            "  \"empty\": {},\n"
            "  \"none\": null,\n"
            "  \"yes\": true\n"
            "}\n");
}

TEST(JsonDocument, WritesNumbersExactlyAndInfinitiesAsStrings) {
  const auto written = [](double value) { return json_document(value); };
  EXPECT_EQ(written(3), "3\n");
  EXPECT_EQ(written(0.1), "0.1\n");
  EXPECT_EQ(written(-0.0), "-0.0\n");
  EXPECT_EQ(written(1e300), "1e+300\n");
  EXPECT_EQ(written(-infinity), "\"-inf\"\n");
  EXPECT_EQ(json_document(Index{3}), "3\n");
  EXPECT_EQ(json_document(Matrix(1, 2, {1, 2})), "[\n  [1, 2]\n]\n");
  EXPECT_EQ(json_document(Diagonal{{1, 2}}), "[\n  [1, 0],\n  [0, 2]\n]\n");
}

TEST(JsonDocument, WritesOptionsAsTheyAreTyped) {
  EXPECT_EQ(json_document(Advice("try {}", {{"on_singular", {"shrink"}}})),
            "\"try --on-singular shrink\"\n");
}

TEST(TextTable, AlignsByCodePoints) {
  EXPECT_EQ(text_table(std::vector<std::vector<std::string>>{{"å", "1"}, {"bc", "10"}}),
            "  å    1\n  bc  10\n");
}

TEST(TextTable, ShowsManyColumnsSomeAtATime) {
  std::vector<std::string> columns;
  for (const char digit : std::string("012345678")) columns.push_back({'c', digit});
  const std::string text = text_table(NumberTable{
      .rows = {"r"}, .columns = columns, .values = Matrix(1, 9, {0, 1, 2, 3, 4, 5, 6, 7, 8})});
  EXPECT_EQ(text,
            "     c0  c1  c2  c3  c4  c5  c6  c7\n"
            "  r   0   1   2   3   4   5   6   7\n"
            "     c8\n"
            "  r   8\n");
}

TEST(TextTable, SaysWhereTheRestOfTheRowsIs) {
  NumberTable table{.corner = "row",
                    .rows = {"a", "b", "c"},
                    .columns = {"x"},
                    .values = Matrix(3, 1, {1, 2, 3}),
                    .max_rows = 1};
  EXPECT_EQ(text_table(table), "  row  x\n  a    1\n  … and 2 more rows (--json has all)\n");
  table.rest = {"… ({} has them)", {OptionUse{"json"}}};
  EXPECT_EQ(text_table(table), "  row  x\n  a    1\n… (--json has them)\n");
}

TEST(Output, ThatIsReadTooIsRefused) {
  const std::string path = ::testing::TempDir() + "genera_output_test.csv";
  std::ofstream(path) << "x\n";
  Common common;
  common.output = ::testing::TempDir() + "./genera_output_test.csv";
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

TEST(Digits, AreSignificantOnes) {
  EXPECT_EQ(cell_of(with_digits(0.123456789, 3)), "0.123");
  EXPECT_EQ(cell_of(with_digits(1e-9 / 3, 2)), "3.3e-10");
  EXPECT_EQ(cell_of(with_digits(0.1 + 0.2, std::nullopt)), "0.30000000000000004");
  EXPECT_EQ(with_digits(-infinity, 2), -infinity);
}

TEST(Coloured, HeadingsAreAboveIndentedLines) {
  EXPECT_EQ(coloured("means\n  a  1\n\nnote: x\nwarning: y\n"),
            "\033[1mmeans\033[0m\n  a  1\n\nnote: x\n\033[33mwarning:\033[0m y\n");
  EXPECT_EQ(coloured("{\n  \"a\": 1\n}\n"), "{\n  \"a\": 1\n}\n");
}

TEST(Progress, TellsWhatIsLeft) {
  using Task = Progress::Task;
  EXPECT_EQ(progress_text({.task = Task::drawing, .done = 20, .total = 100}, 10),
            "20 of 100 rows, about 40 s left");
  EXPECT_EQ(progress_text({.task = Task::reading, .done = 20, .share = 0.25}, 10),
            "20 rows, 25% of the file, about 30 s left");
  EXPECT_EQ(progress_text({.task = Task::reading, .done = 20}, 10), "20 rows");
  EXPECT_EQ(progress_text({.task = Task::searching, .done = 1, .total = 4}, 2),
            "1 of 4 candidates, about 6 s left");
  EXPECT_EQ(progress_text({.task = Task::searching, .done = 1, .total = 4, .share = 0.1}, 2),
            "1 of 4 candidates, about 18 s left");  // the others cost more
  EXPECT_EQ(progress_text({.task = Task::fitting, .done = 0, .total = 30, .share = 0.04}, 2),
            "0 of 30 fits, about 48 s left");
  EXPECT_EQ(progress_text({.task = Task::fitting, .done = 0, .total = 30, .share = 0.0}, 2),
            "0 of 30 fits");
  EXPECT_EQ(progress_text({.task = Task::iterating, .done = 3}, 2), "iteration 3");
  EmStep step{.iteration = 12, .log_likelihood = -1234.5, .change = 0.001};
  EXPECT_EQ(progress_text({.task = Task::iterating, .done = 12, .step = step}, 6),
            "EM, iteration 12, log-likelihood -1234.5, change 1.0e-03");
  step.iterations_left = 24;
  EXPECT_EQ(progress_text({.task = Task::iterating, .done = 12, .step = step}, 6),
            "EM, iteration 12, log-likelihood -1234.5, change 1.0e-03, about 12 s left");
}

TEST(Progress, IsTimedFromTheBeginningOfACall) {
  using Task = Progress::Task;
  using std::chrono::seconds;
  const CallClock::Time begin{};
  CallClock clock(begin);
  const auto given = [&](Progress progress, int after) {
    return progress_text(progress, clock.seconds(progress, begin + seconds(after)));
  };
  EXPECT_EQ(given({.task = Task::reading, .done = 10, .total = 20}, 4),
            "10 of 20 rows, about 4 s left");
  EXPECT_EQ(given({.task = Task::reading, .done = 20, .total = 20}, 8),
            "20 of 20 rows, about 0 s left");
  // Another task: its first tenth took 2 s, from the end of what was before.
  EXPECT_EQ(given({.task = Task::searching, .done = 1, .total = 10}, 10),
            "1 of 10 candidates, about 18 s left");
  EXPECT_EQ(given({.task = Task::searching, .done = 5, .total = 10}, 18),
            "5 of 10 candidates, about 10 s left");
  // The same task from its start.
  EXPECT_EQ(given({.task = Task::searching, .done = 0, .total = 4}, 19), "0 of 4 candidates");
  EXPECT_EQ(given({.task = Task::searching, .done = 1, .total = 4}, 21),
            "1 of 4 candidates, about 9 s left");
}

}  // namespace
}  // namespace genera::cli::output_text_test
