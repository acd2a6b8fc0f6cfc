#include <unistd.h>

#include <gtest/gtest.h>

#include "data/csv_support.hpp"

namespace genera::csv_records_test {
namespace {

std::string cell(const Table& table, std::size_t row, std::size_t column) {
  const Table::CellPlace place = table.cells.at(row * table.columns.size() + column);
  return table.kept.at(row).substr(place.begin, place.end - place.begin);
}

TEST(CsvRecords, AreKeptAsTheyStandInTheSource) {
  const testing::TempFile file(
      "note;\"a b\";x;w\r\n\"it; \"\"is\"\"\nso\"; +1,5 ;\"u\";\r\n;;;2\r\n");
  const ExpectedRoles roles(
      {{"x", ColumnType::categorical}, {"a b", ColumnType::numeric}, {"w", ColumnType::numeric}});
  const Table table = testing::read_keeping(file.path(), roles, KeptRecords{});
  EXPECT_EQ(table.kept_header, "note;\"a b\";x;w\r\n");
  EXPECT_EQ(table.kept,
            (std::vector<std::string>{"\"it; \"\"is\"\"\nso\"; +1,5 ;\"u\";\r\n", ";;;2\r\n"}));
  EXPECT_EQ(cell(table, 0, 0), "\"u\"");
  EXPECT_EQ(cell(table, 0, 1), " +1,5 ");
  EXPECT_EQ(cell(table, 0, 2), "");
  EXPECT_EQ(cell(table, 1, 2), "2");
  RowStream stream(file.path(), {}, roles);
  EXPECT_EQ(stream.format().delimiter, ';');
  EXPECT_EQ(stream.format().decimal, ',');
}

TEST(CsvRecords, AreReadAlikeWithAndWithoutQuotes) {
  const std::vector<std::string> cells{"1.5", "-0.25", "12345678.125", "1e-3",       "",
                                       " 7 ", "+2",    "3.",           ".5",         "0.1234567891",
                                       "NA",  "-0",    "100",          "0.000012345"};
  for (const std::string end : {"\n", "\r\n", "\n\n", "\n \n"}) {
    std::string plain = "x,y,label" + end, quoted = plain;
    for (std::size_t i = 0; i < 4000; ++i) {  // longer than what is looked at in one go
      const std::string row =
          cells[i % cells.size()] + "," + cells[(i / cells.size() + i) % cells.size()] + ",";
      plain += row + "a" + end;
      quoted += row + "\"a\"" + end;
    }
    CsvOptions options;
    options.missing_tokens = {"NA"};
    const Table one = read_csv(testing::TempFile(plain).path(), Roles{}, options);
    const Table other = read_csv(testing::TempFile(quoted).path(), Roles{}, options);
    ASSERT_EQ(one.rows(), 4000);
    EXPECT_EQ(one.lines, other.lines);
    EXPECT_EQ(one.labels, other.labels);
    for (Index i = 0; i < one.rows(); ++i) {
      for (Index j = 0; j < 2; ++j)
        EXPECT_TRUE(one.numbers(i, j) == other.numbers(i, j) ||
                    (std::isnan(one.numbers(i, j)) && std::isnan(other.numbers(i, j))))
            << i << ' ' << j;
    }
  }
}

TEST(CsvRecords, AreTheSourceByteByByte) {
  for (const std::string text : {"\xEF\xBB\xBF\r\nx,y\r\n\r\n1,2\r\n\n \n3,4", "x,y\n1,2\n\n\n",
                                 "\n\nx,y\n1,\n,2\r\n", "x,y\n\"1\",2\r"}) {
    const Table table = testing::read_keeping(
        testing::TempFile(text).path(),
        ExpectedRoles({{"x", ColumnType::numeric}, {"y", ColumnType::numeric}}), KeptRecords{});
    std::string again = table.kept_header;
    for (const std::string& record : table.kept) again += record;
    EXPECT_EQ(again, text);
  }
}

/// The first piece is there at once, the other when the rows of the first have been handed out.
std::string read_with_a_pause(const std::string& first, const std::string& second) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  const auto write = [&](const std::string& text) {
    EXPECT_EQ(::write(ends[1], text.data(), text.size()), std::ssize(text));
  };
  write(first);
  RowStream stream("/dev/fd/" + std::to_string(ends[0]), {},
                   ExpectedRoles({{"x", ColumnType::numeric}, {"y", ColumnType::numeric}}),
                   {.kept = KeptRecords{}});
  std::string again;
  stream.for_each_chunk({.threads = 1}, [&](Table&& chunk) -> std::function<void()> {
    return [&, chunk = std::move(chunk)] {
      if (again.empty()) {
        write(second);
        ::close(ends[1]);
        again = chunk.kept_header;
      }
      for (const std::string& record : chunk.kept) again += record;
      again += chunk.kept_rest;
    };
  });
  ::close(ends[0]);
  return again;
}

TEST(CsvRecords, AreTheSourceAlsoWhereItPauses) {
  const std::string first = "x,y\n1,2\n";
  for (const std::string second :
       {"", "\n", "\n\n  \n", "\r\n \t", "\n3,4", "\n3,4\n\n", "\n\n3,4\r\n \n"})
    EXPECT_EQ(read_with_a_pause(first, second), first + second);
  EXPECT_EQ(read_with_a_pause("x,y\n1,2\n ", "\n\n"), "x,y\n1,2\n \n\n");
}

TEST(CsvRecords, OfAllChunksAreJoined) {
  std::string text = "x,y\n";
  for (int i = 0; i < 10000; ++i) text += std::to_string(i) + ",1\n";
  const testing::TempFile file(text);
  const Table table = testing::read_keeping(
      file.path(), ExpectedRoles({{"y", ColumnType::numeric}, {"x", ColumnType::numeric}}),
      KeptRecords{});
  ASSERT_EQ(table.cells.size(), 20000U);
  for (std::size_t i = 0; i < 10000; i += 777) EXPECT_EQ(cell(table, i, 1), std::to_string(i));
}

}  // namespace
}  // namespace genera::csv_records_test
