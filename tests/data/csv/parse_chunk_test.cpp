#include <gtest/gtest.h>

#include "data/csv_support.hpp"

namespace genera::csv_counts_test {
namespace {

using genera::testing::numbers_of;
using genera::testing::parse;
using genera::testing::refused;

const Roles counts{.types = {{"n of it", ColumnType::count}}};

std::string table_with(const std::string& cell) { return "n of it,y\n3,k\n" + cell + ",l\n"; }

TEST(CsvCounts, AreWholeNumbersHoweverWritten) {
  for (const char* cell : {"4", "4.0", "+4", " 4 ", "\"4\"", "4e0", "0.4e1"})
    EXPECT_EQ(numbers_of(parse(table_with(cell), counts), 0), (std::vector<double>{3, 4})) << cell;
  EXPECT_EQ(numbers_of(parse(table_with("-0"), counts), 0), (std::vector<double>{3, 0}));
  EXPECT_EQ(parse(table_with("4"), counts).columns,
            (std::vector<Column>{{"n of it", ColumnType::count}}));
}

TEST(CsvCounts, MayBeMissing) {
  for (const char* cell : {"", "nan", "?"})
    EXPECT_EQ(numbers_of(parse(table_with(cell), counts, {.missing_tokens = {"?"}}), 0),
              (std::vector<double>{3, -77}));
}

TEST(CsvCounts, ThatAreNegativeOrFractionsAreRefusedWithTheirPlace) {
  for (const char* cell : {"-1", "2.5", "-1e-300", "1e-5", "\"-1\"", " -1 "}) {
    const auto error = refused(table_with(cell), counts);
    std::string shown(cell);
    std::erase_if(shown, [](char c) { return c == '"' || c == ' '; });
    EXPECT_EQ(error.code, Errc::bad_data);
    EXPECT_EQ(error.what, "t.csv:3: column 'n of it' holds '" + shown + "', which is not a count");
    EXPECT_EQ(error.hint,
              "counts are whole numbers of at least 0; if the column is measured, use type = n of "
              "it=numeric");
  }
}

TEST(CsvCounts, ThatAreTooLargeAreRefused) {
  const auto error = refused(table_with("1e308"), counts);
  EXPECT_EQ(error.what, "t.csv:3: column 'n of it' holds '1e308', which is too large for a count");
  EXPECT_EQ(error.hint,
            "counts are whole numbers up to 2^53; if the column is measured, use type = n of "
            "it=numeric");
}

TEST(CsvCounts, ThatAreNoNumbersAreRefused) {
  EXPECT_EQ(refused(table_with("many"), counts).what,
            "t.csv:3: column 'n of it' holds 'many', which is not a number");
  EXPECT_EQ(refused(table_with("1e999"), counts).what,
            "t.csv:3: column 'n of it' holds '1e999', which is not a finite number");
}

TEST(CsvCounts, OfAModelAreCheckedToo) {
  const ExpectedRoles roles({{"n of it", ColumnType::count}});
  EXPECT_EQ(refused(table_with("-3"), roles).what,
            "t.csv:3: column 'n of it' holds '-3', which is not a count");
}

}  // namespace
}  // namespace genera::csv_counts_test
