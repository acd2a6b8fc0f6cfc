#include <genera/table.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <genera/stream.hpp>
#include "data/csv_support.hpp"
#include "data/csv/fields.hpp"
#include "data/csv/short_number.hpp"
#include "support/problems.hpp"

namespace genera::table_test {
namespace {

using genera::testing::caught;
using genera::testing::error_of;
using genera::testing::labels_of;

TEST(Matrix, OfValuesKeepsTheirOrder) {
  const Matrix m(2, 3, Vector{1, 2, 3, 4, 5, 6});
  EXPECT_EQ(m(0, 2), 3);
  EXPECT_EQ(m(1, 0), 4);
}

TEST(Matrix, IsZeroUnlessItIsToBeOverwritten) {
  for (const Index rows :
       {3, 300'000}) {  // the larger one lies in large pages, where there are any
    EXPECT_EQ(Matrix(rows, 2), Matrix(rows, 2, Vector(static_cast<std::size_t>(rows * 2))));
    Matrix written = Matrix::for_overwrite(rows, 2);
    EXPECT_EQ(written.rows(), rows);
    EXPECT_EQ(written.columns(), 2);
    std::fill_n(written.data(), rows * 2, 1.5);
    EXPECT_EQ(written, Matrix(rows, 2, 1.5));
    const Matrix copy = written;
    written(rows - 1, 1) = 2;
    EXPECT_EQ(copy(rows - 1, 1), 1.5);
    const Matrix moved = std::move(written);
    EXPECT_EQ(moved(rows - 1, 1), 2);
  }
}

TEST(Matrix, RefusesTheWrongNumberOfValues) {
  const auto error = caught([] { static_cast<void>(Matrix(2, 3, Vector{1, 2})); });
  EXPECT_EQ(error.what, "2 values cannot fill a matrix of 2 x 3");
  EXPECT_EQ(error.hint, "give rows * columns values, row after row");
}

TEST(MatrixView, RowsBetweenAreTheSameNumbers) {
  const Matrix m(3, 2, Vector{1, 2, 3, 4, 5, 6});
  const MatrixView part = MatrixView(m).rows_between(1, 3);
  ASSERT_EQ(part.rows(), 2);
  EXPECT_EQ(part(0, 0), 3);
  EXPECT_EQ(part(1, 1), 6);
  const float columns[] = {1, 2, 3, 4, 5, 6};  // column-major 3 x 2
  const MatrixView floats = MatrixView(columns, 3, 2, {.row = 1, .column = 3}).rows_between(2, 3);
  EXPECT_EQ(floats(0, 0), 3);
  EXPECT_EQ(floats(0, 1), 6);
}

TEST(MakeTable, NumbersLabelsInOrderOfAppearance) {
  const Table table = make_table({"a"}, Matrix(4, 1, 0.0), {"x", "", "y", "x"});
  EXPECT_EQ(table.classes, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(table.labels, (std::vector<std::int32_t>{0, -1, 1, 0}));
  EXPECT_EQ(table.target, "class");
  EXPECT_EQ(table.number_names(), std::vector<std::string>{"a"});
  EXPECT_EQ(table.rows(), 4);
}

TEST(MakeTable, RefusesSizesThatDisagree) {
  EXPECT_EQ(caught([] {
              static_cast<void>(make_table({"a", "b"}, Matrix(1, 1)));
            }).what,
            "2 names for 1 column");
  EXPECT_EQ(caught([] { static_cast<void>(make_table({"a"}, Matrix(2, 1), {"x"})); }).what,
            "1 label for 2 rows");
  EXPECT_EQ(caught([] {
              static_cast<void>(make_table({"a", "a"}, Matrix(2, 2)));
            }).what,
            "two columns are named 'a'");
}

TEST(TableAppend, MatchesLabelsByName) {
  Table first = make_table({"a"}, Matrix(2, 1, Vector{1, 2}), {"x", "y"});
  first.append(make_table({"a"}, Matrix(2, 1, Vector{3, 4}), {"y", "z"}));
  EXPECT_EQ(labels_of(first), (std::vector<std::string>{"x", "y", "y", "z"}));
  EXPECT_EQ(first.numbers, Matrix(4, 1, Vector{1, 2, 3, 4}));
}

TEST(TableAppend, ToTheEmptyTableGivesTheOther) {
  const Table other = make_table({"a"}, Matrix(2, 1, Vector{1, 2}), {"x", "y"});
  Table table;
  table.append(other);
  genera::testing::expect_same(table, other);
  table.append(Table{});
  genera::testing::expect_same(table, other);
}

TEST(TableAppend, FillsWeightsAndLabelsThatOneSideLacks) {
  Table first = make_table({"a"}, Matrix(1, 1), {"x"});
  first.weights = {3};
  first.append(make_table({"a"}, Matrix(1, 1)));
  EXPECT_EQ(first.weights, (std::vector<double>{3, 1}));
  EXPECT_EQ(first.labels, (std::vector<std::int32_t>{0, -1}));
}

TEST(TableAppend, RefusesOtherColumns) {
  Table first = make_table({"a"}, Matrix(1, 1));
  EXPECT_EQ(caught([&] { first.append(make_table({"b"}, Matrix(1, 1))); }).what,
            "rows with other columns cannot be appended to a table");
}

TEST(SortLabels, AsNumbersIfAllAreNumbersElseAsText) {
  std::vector<std::string> numbers{"10", "9", "-1", "2.5"};
  sort_labels(numbers);
  EXPECT_EQ(numbers, (std::vector<std::string>{"-1", "2.5", "9", "10"}));
  std::vector<std::string> texts{"10", "9", "b", "a"};
  sort_labels(texts);
  EXPECT_EQ(texts, (std::vector<std::string>{"10", "9", "a", "b"}));
}

TEST(FindLabels, IsFindLabelOfEach) {
  const std::vector<std::string> classes{"1", "1.0", "2.50", "x", "nan", "-0"};
  const std::vector<std::string> labels{"1.0", "1", "2.5", "x", "X", "NaN", "nan", "0", ""};
  const std::vector<Index> places = find_labels(classes, labels);
  ASSERT_EQ(places.size(), labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i)
    EXPECT_EQ(places[i], find_label(classes, labels[i]).value_or(-1)) << labels[i];
}

TEST(FindLabels, WhatIsWrittenDifferentlyInOneListIsDifferent) {
  const std::vector<std::string> codes{"01234", "1234", "1e1", "10"};
  for (std::size_t k = 0; k < codes.size(); ++k) {
    std::vector<std::string> classes = codes;
    classes.erase(classes.begin() + static_cast<std::ptrdiff_t>(k));
    std::vector<Index> expected;
    for (const std::string& code : codes) {
      const auto found = std::ranges::find(classes, code);
      expected.push_back(found == classes.end() ? -1 : found - classes.begin());
    }
    EXPECT_EQ(find_labels(classes, codes), expected) << codes[k];
  }
}

TEST(FindLabel, OfNumbersThatADoubleCannotTellApartIsTheSameText) {
  const std::vector<std::string> classes{"1152921504606846977", "9007199254740991"};
  EXPECT_EQ(find_label(classes, "1152921504606846977"), 0);
  EXPECT_EQ(find_label(classes, "1152921504606846976"), std::nullopt);
  EXPECT_EQ(find_label(classes, "9007199254740991.0"), 1);
}

TEST(FindLabel, TheSameTextOrElseTheSameNumber) {
  const std::vector<std::string> classes{"1", "2.0", "x"};
  EXPECT_EQ(find_label(classes, "x"), 2);
  EXPECT_EQ(find_label(classes, "1.0"), 0);
  EXPECT_EQ(find_label(classes, "2"), 1);
  EXPECT_EQ(find_label(classes, "3"), std::nullopt);
  EXPECT_EQ(find_label(classes, "X"), std::nullopt);
}

TEST(RowsPerChunk, GrowsWithWidthAndIsBoundedInNumbers) {
  EXPECT_EQ(rows_per_chunk(0), 4096);
  EXPECT_EQ(rows_per_chunk(31), 4096);
  EXPECT_EQ(rows_per_chunk(32), 8192);
  EXPECT_EQ(rows_per_chunk(128), 8192);
  EXPECT_EQ(rows_per_chunk(256), 16384);
  EXPECT_EQ(rows_per_chunk(784), 16384);
  EXPECT_EQ(rows_per_chunk(20000), 838);
  EXPECT_EQ(rows_per_chunk(10000000), 64);
}

TEST(ShortNumber, HasTheBitsOfTheGeneralWay) {
  const auto distribution = [](std::int64_t digits, int decimals, bool negative) {
    char text[64];
    const int size =
        std::snprintf(text, sizeof text, "%s%.*f,                        ", negative ? "-" : "",
                      decimals, static_cast<double>(digits) / 1000);
    double value = 0;
    const char* const end = data::parse_short_number(text, text + size, '.', value);
    if (!end) return;
    const data::NumberCell general =
        data::read_number({text, static_cast<std::size_t>(end - text)}, {});
    RC_ASSERT(general.kind == data::NumberKind::number);
    RC_ASSERT(value == general.value);
    RC_ASSERT(std::signbit(value) == std::signbit(general.value));
    RC_ASSERT(*end == ',' || (*end >= '0' && *end <= '9'));
  };
  EXPECT_TRUE(rc::check([&](bool negative) {
    distribution(*rc::gen::inRange<std::int64_t>(0, 99999999999), *rc::gen::inRange(0, 12),
                 negative);
  }));
}

TEST(ShortNumber, LeavesEverythingElseToTheGeneralWay) {
  for (const char* text : {".5", "+1", "x", "", "-", "-.5", "12345678", "5.", "1..2"}) {
    const std::string padded = std::string(text) + ",                              ";
    double value = 0;
    EXPECT_EQ(data::parse_short_number(padded.data(), padded.data() + padded.size(), '.', value),
              nullptr)
        << text;
  }
}

TEST(IsUtf8, KnowsTextFromOtherBytes) {
  EXPECT_TRUE(data::is_utf8("plain, \xC3\xA9, \xE2\x82\xAC, \xF0\x9F\x8C\xB8"));
  EXPECT_FALSE(data::is_utf8("caf\xE9"));
  EXPECT_FALSE(data::is_utf8("\xC0\xAF"));
  EXPECT_FALSE(data::is_utf8("\xED\xA0\x80"));
  EXPECT_FALSE(data::is_utf8("\xF4\x90\x80\x80"));
  EXPECT_FALSE(data::is_utf8("cut \xE2\x82"));
}

TEST(Table, MadeByHandNeedsACodeInEachCell) {
  Table coded = make_table({}, Matrix(3, 0), {"x", "y", "x"});
  coded.columns = {{"c", ColumnType::categorical}};
  coded.levels = {{"u", "v"}};
  const auto refused = [](const Table& table) { return error_of([&] { (void)Rows(table); }); };
  const std::string hint = " | give every row a code for each list of levels";
  const std::string needed = ", but the rows and lists of levels ask for 3 x 1";
  EXPECT_EQ(refused(coded), "the codes are 3 x 0" + needed + hint);
  coded.codes = Codes(2, 1);
  EXPECT_EQ(refused(coded), "the codes are 2 x 1" + needed + hint);
  coded.codes = Codes(3, 2);
  EXPECT_EQ(refused(coded), "the codes are 3 x 2" + needed + hint);
  coded.codes = Codes(3, 1);
  EXPECT_EQ(refused(coded), "no error");
}

TEST(Table, MadeByHandNeedsWholeTexts) {
  const Table text = make_text_table("t", {"one two", "", "two two three"});
  const auto refused = [&](auto change) {
    Table changed = text;
    change(changed.sparse.front());
    return error_of([&] { (void)Rows(changed); });
  };
  using Columns = SparseColumns;
  EXPECT_EQ(refused([](Columns&) {}), "no error");
  EXPECT_EQ(refused([](Columns& c) { c.begins.pop_back(); }),
            "the text column 't' has 3 begins for 3 rows | give the begin of each row, and the end "
            "of the last one");
  EXPECT_EQ(refused([](Columns& c) { c.missing = {1}; }),
            "the text column 't' has marks of missing texts for 1 of 3 rows | give one mark per "
            "row, or none");
  EXPECT_EQ(refused([](Columns& c) { c.values.pop_back(); }),
            "the text column 't' has 4 places for 3 values | give the place of each value");
  const std::string order =
      " has begins that do not ascend from 0 to at most 4, the number of values | give the entries "
      "row by row";
  EXPECT_EQ(refused([](Columns& c) { c.begins[1] = 5; }), "the text column 't'" + order);
  EXPECT_EQ(refused([](Columns& c) { c.begins[0] = -1; }), "the text column 't'" + order);
  EXPECT_EQ(refused([](Columns& c) { c.begins[3] = 5; }), "the text column 't'" + order);
}

}  // namespace
}  // namespace genera::table_test
