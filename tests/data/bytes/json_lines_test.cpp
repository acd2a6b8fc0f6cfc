// JSON lines: the same tables as the CSV that says the same.
#include <gtest/gtest.h>

#include "data/csv_support.hpp"

namespace genera::json_lines_test {
namespace {

using testing::caught;
using testing::FedPipe;
using testing::gzip;
using testing::parse;
using testing::TempFile;

/// Apart from the numbers of their lines.
void expect_same(Table a, Table b) {
  a.lines = b.lines = {};
  testing::expect_same(a, b);
}

Table read(const std::string& lines, const CsvOptions& csv = {}) {
  return read_csv(Source::text(lines, "t.jsonl"), Roles{}, csv);
}

testing::Caught refused(const std::string& lines, const CsvOptions& csv = {}) {
  return caught([&] { static_cast<void>(read(lines, csv)); });
}

TEST(JsonLines, EqualsTheSameCsv) {
  const Table table = read(
      "{\"x\": 1.5, \"k\": \"a, \\\"b\\\"\", \"y\": \"u\"}\n"
      "\n"
      "{\"k\": \"\\u00e9\", \"x\": null, \"y\": \"v\"}\r\n"
      "{\"y\": \"u\", \"x\": -2e3, \"z\": 18446744073709551615}");
  expect_same(table, parse("x,k,y,z\n1.5,\"a, \"\"b\"\"\",u,\n,\xC3\xA9,v,\n-2000,,u,"
                           "18446744073709551615\n"));
  EXPECT_EQ(table.lines, (std::vector<std::int64_t>{1, 3, 4}));  // those of the source
}

TEST(JsonLines, EmptyObjectsAreRowsAndTruthValuesAreWords) {
  expect_same(read("{\"a\": 1, \"b\": true}\n{}\n{\"a\": 2, \"b\": false}\n"),
              parse("a,b\n1,true\n,\n2,false\n"));
  const Roles roles{.target = Target::none()};
  EXPECT_EQ(read_csv(Source::text("{\"a\": 1}\n\n{}\n{\"a\": null}\n", "t.jsonl"), roles).rows(),
            3);
}

TEST(JsonLines, LineEndsInTextsAreBlanks) {
  EXPECT_EQ(read("{\"k\": \"a\\nb\", \"y\": 1}\n{\"k\": \"c\", \"y\": 2}\n").levels.front().front(),
            "a b");
}

TEST(JsonLines, SameFromFilesGzipAndPipes) {
  std::string lines, csv = "x,y\n";
  for (int i = 0; i < 60000; ++i) {
    lines += "{\"x\": " + std::to_string(i * 7 % 100) + ", \"y\": \"" + "ab"[i % 2] + "\"}\n";
    csv += std::to_string(i * 7 % 100) + "," + "ab"[i % 2] + "\n";
  }
  const Table expected = parse(csv);
  expect_same(read(lines), expected);
  expect_same(read_csv(TempFile(gzip(lines), "t.jsonl.gz").path()), expected);
  const FedPipe pipe(
      {lines.substr(0, 100), lines.substr(100, 1 << 20), lines.substr((1 << 20) + 100)});
  expect_same(read_csv(Source::path(pipe.path(), Source::Format::json_lines)), expected);
}

TEST(JsonLines, ErrorsNameTheLine) {
  EXPECT_EQ(refused("{\"a\": 1}\n[2]\n").what, "t.jsonl:2: it is an array");
  EXPECT_EQ(refused("{\"a\": {\"b\": 1}}\n").what, "t.jsonl:1: the value of 'a' is an object");
  EXPECT_EQ(refused("{\"a\": [1]}\n").what, "t.jsonl:1: the value of 'a' is an array");
  EXPECT_EQ(refused("3\n").what, "t.jsonl:1: it is not an object");
  EXPECT_EQ(refused("{\"a\": 1}\n{\"a\": \n").what, "t.jsonl:2: it is not JSON");
  EXPECT_EQ(refused("{}\n").what, "t.jsonl: there is no object with a key");
  EXPECT_EQ(refused("{\"a\": 1, \"y\": \"u\"}\n", {.delimiter = ';'}).code, Errc::bad_argument);
  std::string late;
  for (int i = 0; i < 60000; ++i) late += "{\"x\": 123456, \"y\": \"u\"}\n";
  const auto error = refused(late + "{\"z\": 1}\n");
  EXPECT_EQ(error.what, "t.jsonl:60001: the key 'z' is not in the first lines");
  EXPECT_EQ(read("{\"x\": 1, \"y\": \"u\", \"z\": null}\n" + late + "{\"z\": 1}\n").rows(), 60002);
}

}  // namespace
}  // namespace genera::json_lines_test
