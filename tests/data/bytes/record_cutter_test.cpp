#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "data/bytes/record_cutter.hpp"
#include "data/csv_support.hpp"

namespace genera::csv_chunks_test {
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

Shape chunks_of(const std::string& source, int threads) {
  RowStream stream(source, {}, {});
  Shape shape;
  stream.for_each_chunk({.threads = threads}, [&](Table&& chunk) -> std::function<void()> {
    return [&shape, n = chunk.rows(), line = chunk.lines.front()] {
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

TEST(CsvChunks, HaveAFixedNumberOfRowsWhateverTheSource) {
  const std::string text = many_rows(10000);
  const TempFile file(text), packed(gzip(text));
  const Shape expected{{4096, 4096, 1808}, {2, 4098, 8194}};
  EXPECT_EQ(chunks_of(file.path(), 1), expected);
  EXPECT_EQ(chunks_of(file.path(), 4), expected);
  EXPECT_EQ(chunks_of(packed.path(), 2), expected);
  EXPECT_EQ(chunks_of(FedPipe({text.substr(0, 70000), text.substr(70000)}).path(), 2), expected);
}

TEST(CsvChunks, AnyNumberOfThreadsGivesTheSameTable) {
  const std::string text = many_rows(20000);
  const Table one = parse(text, {}, {}, 1);
  testing::expect_same(parse(text, {}, {}, 4), one);
  EXPECT_EQ(one.rows(), 20000);
  EXPECT_EQ(one.numbers(19999, 0), 19999.25);
}

TEST(CsvChunks, TheFirstErrorOfTheFileComesOut) {
  std::string text = many_rows(4096 * 6);
  text += "1\n" + std::string("1\n");
  EXPECT_EQ(refused(text).what, "t.csv:24578: 1 field, the header has 3");
}

TEST(CsvChunks, AQuotedNewlineMayStandAtAnyBoundary) {
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

TEST(CsvChunks, LargerThanTheBuffer) {
  std::string text = "a,y\n";
  const std::string padding(3000, ' ');
  for (int i = 0; i < 9000; ++i) text += std::to_string(i) + padding + ",x\n";
  const Table table = parse(text);
  ASSERT_EQ(table.rows(), 9000);
  for (Index i = 0; i < 9000; ++i) ASSERT_EQ(table.numbers(i, 0), static_cast<double>(i));
}

TEST(CsvChunks, KeepTheirBytesAsLongAsSomebodyHoldsThem) {
  std::string text;
  for (int i = 0; i < 4000; ++i) text += std::to_string(i) + ",x\n";
  data::RecordCutter cutter(Source::text(text), data::Reread::never,
                            data::RecordCutter::Pause::wait, {.storage = 1024, .at_once = 64});
  std::vector<std::pair<data::RecordChunk, std::string>> held;
  std::string all;
  for (int n = 0; auto chunk = cutter.next(5, {}); ++n) {
    all += chunk->text;
    if (n % 50 < 2) held.emplace_back(*chunk, chunk->text);
    if (n % 300 == 299) held.erase(held.begin(), held.begin() + 5);
  }
  EXPECT_EQ(all, text);
  for (const auto& [chunk, bytes] : held) EXPECT_EQ(chunk.text, bytes);
}

/// Gives `before`, then `count` newlines, then `after`.
Source::Read with_blank_lines(std::string before, std::size_t count, std::string after) {
  return [=, left = count, at = std::size_t{0}](char* to, std::size_t size) mutable {
    if (at < before.size()) {
      const std::size_t got = before.copy(to, size, at);
      at += got;
      return got;
    }
    const std::size_t lines = std::min(size, left);
    std::fill_n(to, lines, '\n');
    left -= lines;
    return lines > 0 ? lines : std::exchange(after, {}).copy(to, size);
  };
}

TEST(CsvChunks, StaySmallWhateverBlankLinesFollow) {
  constexpr std::size_t blank = std::size_t{80} << 20U;
  data::RecordCutter cutter(Source::callback(with_blank_lines("1,x\n", blank, "2,z\n")),
                            data::Reread::never, data::RecordCutter::Pause::wait);
  std::vector<std::int64_t> lines;
  while (const auto chunk = cutter.next(4096, {})) {
    EXPECT_LE(chunk->text.size(), data::RecordCutter::longest_chunk + (std::size_t{1} << 20U));
    lines.push_back(chunk->first_line);
  }
  EXPECT_EQ(lines, (std::vector<std::int64_t>{1, static_cast<std::int64_t>(blank) + 2}));
}

TEST(CsvChunks, MayBeginBehindAnyNumberOfBlankLines) {
  constexpr std::size_t blank = std::size_t{150} << 20U;
  const Table table = read_csv(Source::callback(with_blank_lines("a,y\n", blank, "2,z\n")),
                               ExpectedRoles({{"a", ColumnType::numeric}}));
  EXPECT_EQ(table.lines, std::vector<std::int64_t>{static_cast<std::int64_t>(blank) + 2});
}

TEST(CsvChunks, OfAnEvaluationAreFullWheneverTheRowsArrive) {
  FedPipe pipe({"a,y\n1,x\n", "2,x\n", "3,z\n"});
  ExpectedRoles roles({{"a", ColumnType::numeric}});
  roles.target = "y";
  RowStream stream(pipe.path(), {}, roles);
  std::vector<Index> rows;
  stream.for_each_chunk({.threads = 2}, [&](Table&& chunk) -> std::function<void()> {
    return [&rows, n = chunk.rows()] { rows.push_back(n); };
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
  const ExpectedRoles roles({{"b, c", ColumnType::numeric}, {"a", ColumnType::numeric}});
  const Table expected = testing::parse_keeping(tricky, roles, KeptCells{});
  for (std::size_t cut = 0; cut <= tricky.size(); ++cut) {
    SCOPED_TRACE(cut);
    FedPipe pipe({tricky.substr(0, cut), tricky.substr(cut)});
    testing::expect_same(testing::read_keeping(pipe.path(), roles, KeptCells{}), expected);
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
    const TempFile file(text);
    Table table;
    const auto read = [&](const auto& roles) {
      table = testing::read_keeping(file.path(), roles, KeptCells{}, {.header = header});
    };
    const auto error = testing::caught([&] {
      expected ? read(ExpectedRoles({{"a", ColumnType::numeric}})) : read(Roles{});
    });
    const bool refused = error.code == Errc::bad_data || error.code == Errc::bad_argument;
    RC_ASSERT(refused || static_cast<Index>(table.kept.size()) == table.rows());
  }));
}

TEST(CsvChunks, TellHowManyRowsAreReadAndStopWhenAsked) {
  std::string text = "a,y\n";
  for (int i = 0; i < 40000; ++i) text += std::to_string(i) + ",x\n";
  const TempFile file(text);
  for (const int threads : {1, 3}) {
    RowStream stream(file.path(), {}, {});
    std::vector<Index> rows, seen;
    Index count = 0;
    const auto take = [&](Table&& chunk) -> std::function<void()> {
      return [&, n = chunk.rows()] { rows.push_back(count += n); };
    };
    const auto note = [&](const Progress& progress) {
      EXPECT_EQ(progress.task, Progress::Task::reading);
      seen.push_back(progress.done);
      return true;
    };
    stream.for_each_chunk({threads, note}, take);
    EXPECT_EQ(seen, rows);  // after each chunk, in order
    ASSERT_GT(rows.size(), 2U);
    EXPECT_EQ(rows.back(), 40000);

    rows.clear();
    const auto stop = [](const Progress&) { return false; };
    const auto error = testing::caught([&] { stream.for_each_chunk({threads, stop}, take); });
    EXPECT_EQ(error.code, Errc::stopped);
    EXPECT_EQ(rows.size(), 1U);  // no chunk after the one that was told
  }
}

}  // namespace
}  // namespace genera::csv_chunks_test
