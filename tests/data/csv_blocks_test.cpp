#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "data/csv_support.hpp"

namespace genera {
namespace {

using genera::testing::FedPipe;
using genera::testing::gzip;
using genera::testing::parse;
using genera::testing::refused;
using genera::testing::TempFile;

struct Shape {
  std::vector<Index> rows;
  std::vector<std::int64_t> first_lines;
  friend bool operator==(const Shape&, const Shape&) = default;
};

Shape blocks_of(const std::string& source, int threads) {
  RowStream stream(source, {}, {});
  Shape shape;
  stream.for_each_block(threads, [&](Table&& block) -> std::function<void()> {
    return [&shape, n = block.rows(), line = block.lines.front()] {
      shape.rows.push_back(n);
      shape.first_lines.push_back(line);
    };
  });
  return shape;
}

std::string many_rows(int rows) {
  std::string text = "a,b,y\n";
  for (int i = 0; i < rows; ++i)
    text += std::to_string(i) + ".25," + std::to_string(i * 7 % 11) + ",class " +
            std::to_string(i % 3) + "\n";
  return text;
}

TEST(CsvBlocks, HaveAFixedNumberOfRowsWhateverTheSource) {
  const std::string text = many_rows(10000);
  const TempFile file(text), packed(gzip(text));
  const Shape expected{{4096, 4096, 1808}, {2, 4098, 8194}};
  EXPECT_EQ(blocks_of(file.path(), 1), expected);
  EXPECT_EQ(blocks_of(file.path(), 4), expected);
  EXPECT_EQ(blocks_of(packed.path(), 2), expected);
  EXPECT_EQ(blocks_of(FedPipe({text.substr(0, 70000), text.substr(70000)}).path(), 2), expected);
}

TEST(CsvBlocks, AnyNumberOfThreadsGivesTheSameTable) {
  const std::string text = many_rows(20000);
  const Table one = parse(text, {}, {}, 1);
  testing::expect_same(parse(text, {}, {}, 4), one);
  EXPECT_EQ(one.rows(), 20000);
  EXPECT_EQ(one.numbers(19999, 0), 19999.25);
}

TEST(CsvBlocks, TheFirstErrorOfTheFileComesOut) {
  std::string text = many_rows(4096 * 6);
  text += "1\n" + std::string("1\n");
  EXPECT_EQ(refused(text).what, "t.csv:24578: 1 field, the header has 3");
}

TEST(CsvBlocks, AQuotedNewlineMayStandAtAnyBoundary) {
  for (const int before : {4094, 4095, 4096, 4097}) {
    std::string text = "a,b,y\n";
    for (int i = 0; i < before; ++i) text += "1,2,x\n";
    text += "3,4,\"x\n\n1,2,x\n\"\n5,6,z\n";
    const Table table = parse(text, {}, {}, 2);
    ASSERT_EQ(table.rows(), before + 2);
    EXPECT_EQ(table.classes, (std::vector<std::string>{"x", "x\n\n1,2,x\n", "z"}));
    EXPECT_EQ(table.numbers(before + 1, 0), 5);
  }
}

TEST(CsvBlocks, LargerThanTheBuffer) {
  std::string text = "a,y\n";
  const std::string padding(3000, ' ');
  for (int i = 0; i < 9000; ++i) text += std::to_string(i) + padding + ",x\n";
  const Table table = parse(text);
  ASSERT_EQ(table.rows(), 9000);
  for (Index i = 0; i < 9000; ++i) ASSERT_EQ(table.numbers(i, 0), static_cast<double>(i));
}

TEST(CsvBlocks, OfAnEvaluationAreFullWheneverTheRowsArrive) {
  FedPipe pipe({"a,y\n1,x\n", "2,x\n", "3,z\n"});
  RowStream stream(pipe.path(), {},
                   {.target = "y", .expected = std::vector<Column>{{"a", ColumnType::numeric}}});
  std::vector<Index> rows;
  stream.for_each_block(2, [&](Table&& block) -> std::function<void()> {
    return [&rows, n = block.rows()] { rows.push_back(n); };
  });
  EXPECT_EQ(rows, std::vector<Index>{3});
}

const std::string tricky =
    "\xEF\xBB\xBF\n\"a\",\"b, c\",y\r\n1.5,\"\",\"x\r\n\"\"z\"\"\"\r\n\r\n , 2 , \"u\" \n  "
    "\n3,-4e-1,5\" v";

TEST(CsvPieces, ACutAtEveryByteChangesNothing) {
  const Table expected = parse(tricky);
  ASSERT_EQ(expected.rows(), 3);
  EXPECT_EQ(expected.classes, (std::vector<std::string>{"x\r\n\"z\"", "u", "5\" v"}));
  for (std::size_t cut = 0; cut <= tricky.size(); ++cut) {
    SCOPED_TRACE(cut);
    testing::expect_same(read_csv(FedPipe({tricky.substr(0, cut), tricky.substr(cut)}).path()),
                         expected);
  }
}

TEST(CsvPieces, ACutAtEveryByteChangesNothingInAPrediction) {
  const Roles roles{
      .use_target = false,
      .expected = std::vector<Column>{{"b, c", ColumnType::numeric}, {"a", ColumnType::numeric}},
      .keep = std::vector<std::string>{}};
  const Table expected = parse(tricky, roles);
  for (std::size_t cut = 0; cut <= tricky.size(); ++cut) {
    SCOPED_TRACE(cut);
    FedPipe pipe({tricky.substr(0, cut), tricky.substr(cut)});
    testing::expect_same(read_csv(pipe.path(), roles), expected);
  }
}

std::string as_csv(const std::string& cell) {
  std::string text = "\"";
  for (const char c : cell) text.append(c == '"' ? 2 : 1, c);
  return text + "\"";
}

TEST(CsvRoundTrip, AnyLabelsComeBack) {
  EXPECT_TRUE(rc::check([] {
    const auto letter = rc::gen::element('a', 'b', ',', ';', '"', '\n', '\t', '|', ' ');
    const auto cells = *rc::gen::nonEmpty(
        rc::gen::container<std::vector<std::string>>(rc::gen::container<std::string>(letter)));
    std::string text = "number,y\n";
    for (const std::string& cell : cells) text += "1," + as_csv("<" + cell + ">") + "\n";
    const Table table = parse(text, {.target = "y"}, {.delimiter = ','});
    RC_ASSERT(table.rows() == static_cast<Index>(cells.size()));
    const auto labels = testing::labels_of(table);
    for (std::size_t i = 0; i < cells.size(); ++i) RC_ASSERT(labels[i] == "<" + cells[i] + ">");
  }));
}

TEST(CsvRoundTrip, AnyNumbersComeBack) {
  EXPECT_TRUE(rc::check([] {
    const auto values = *rc::gen::nonEmpty(rc::gen::arbitrary<std::vector<double>>());
    std::string text = "number,y\n";
    for (const double value : values) {
      char cell[40];
      std::snprintf(cell, sizeof cell, "%.17g", value);
      text += std::string(cell) + ",x\n";
    }
    const Table table = parse(text);
    for (std::size_t i = 0; i < values.size(); ++i)
      RC_ASSERT(table.numbers(static_cast<Index>(i), 0) == values[i]);
  }));
}

TEST(CsvRoundTrip, AnyBytesAreATableOrAnError) {
  EXPECT_TRUE(rc::check([](bool header, bool expected) {
    const auto letter = rc::gen::element('a', 'y', '1', '2', '.', ',', ',', ';', '"', '\n', '\n',
                                         '\r', ' ', '\xC3');
    const auto text = *rc::gen::container<std::string>(letter);
    Roles roles;
    if (expected) roles.expected = std::vector<Column>{{"a", ColumnType::numeric}};
    if (expected) roles.target_optional = true;
    roles.keep = std::vector<std::string>{};
    const TempFile file(text);
    Table table;
    const auto error =
        testing::caught([&] { table = read_csv(file.path(), roles, {.header = header}); });
    const bool refused = error.code == Errc::bad_data || error.code == Errc::bad_argument;
    RC_ASSERT(refused || static_cast<Index>(table.kept.size()) == table.rows());
  }));
}

}  // namespace
}  // namespace genera
