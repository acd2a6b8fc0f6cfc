#include <algorithm>

#include <gtest/gtest.h>

#include "data/csv_support.hpp"

namespace genera::csv_types_test {
namespace {

using genera::testing::labels_of;
using genera::testing::level_texts;
using genera::testing::notes_of;
using genera::testing::numbers_of;
using genera::testing::parse;
using genera::testing::refused;
using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;

constexpr double missing = -77;  // as numbers_of shows it

/// A table of `rows` rows whose column `a` is `cell(i)`, with a number and a label beside it.
template <class Cell>
std::string column_of(int rows, Cell cell) {
  std::string text = "a,b,y\n";
  for (int i = 0; i < rows; ++i)
    text += std::string(cell(i)) + ",0.5," + (i % 2 ? "x" : "z") + "\n";
  return text;
}

TEST(CsvNumbers, AreConsumedWhole) {
  EXPECT_EQ(numbers_of(parse("a,y\n +1.5 ,x\n-2,x\n.5,x\n5.,x\n1E3,x\n1e-400,x\n-0,x\n"), 0),
            (Numbers{1.5, -2, 0.5, 5, 1000, 0, 0}));
  for (const char* odd :
       {"0x10", "1,5", "1 2", "1e", "--1", "+-1", "1_000", "5%%", "1.2.3", "1e5x"})
    EXPECT_EQ(refused("a;y\n" + std::string(odd) + ";x\n", {.types = {{"a", ColumnType::numeric}}},
                      {.decimal = '.'})
                  .what,
              "t.csv:2: column 'a' holds '" + std::string(odd) + "', which is not a number");
}

TEST(CsvNumbers, NeighboursInTextAreNeighboursInDoubles) {
  const Table table =
      parse("a,y\n0.1,x\n123456.12345678,x\n1234567.1234567890123,x\n9007199254740993,x\n");
  EXPECT_EQ(numbers_of(table, 0),
            (Numbers{0.1, 123456.12345678, 1234567.1234567890123, 9007199254740992.0}));
}

TEST(CsvNumbers, InfinityAndOverflowAreRefusedWithTheirPlace) {
  for (const char* cell : {"inf", "-Infinity", "INF", "1e400", "-1e400"}) {
    const auto error = refused("a,b,y\n1,2,x\n1," + std::string(cell) + ",x\n");
    EXPECT_EQ(error.what, "t.csv:3: column 'b' holds '" + std::string(cell) +
                              "', which is not a finite number");
    EXPECT_EQ(error.hint,
              "fix the cell, or use missing_token = " + std::string(cell) + " if it means missing");
  }
  EXPECT_EQ(numbers_of(parse("a,y\n1,x\ninf,x\n", {}, {.missing_tokens = {"inf"}}), 0),
            (Numbers{1, missing}));
}

TEST(CsvMissing, EmptyCellsInAnyColumnAndNanInNumbers) {
  const Table table = parse("a,s,y\n1,u,x\n,,\n  ,\"\",\"\"\nNaN,v,z\n-nan,u,x\n+NAN,w,x\n");
  EXPECT_EQ(numbers_of(table, 0), (Numbers{1, missing, missing, missing, missing, missing}));
  EXPECT_EQ(level_texts(table, 0), (Texts{"u", "(missing)", "(missing)", "v", "u", "w"}));
  EXPECT_EQ(labels_of(table), (Texts{"x", "(missing)", "(missing)", "z", "x", "x"}));
}

TEST(CsvMissing, NanIsANameInCategoriesAndLabels) {
  const Table table = parse("a,s,t,y\n1,de,u,x\n2,nan,v,NaN\n3,en,u,x\n4,nan,nan,nan\n");
  EXPECT_EQ(level_texts(table, 0), (Texts{"de", "nan", "en", "nan"}));
  EXPECT_EQ(level_texts(table, 1), (Texts{"u", "v", "u", "nan"}));  // not two-valued
  EXPECT_EQ(table.columns[2].type, ColumnType::categorical);
  EXPECT_EQ(labels_of(table), (Texts{"x", "NaN", "x", "nan"}));
  const Table token = parse("a,s,y\n1,de,x\n2,nan,nan\n", {}, {.missing_tokens = {"nan"}});
  EXPECT_EQ(level_texts(token, 0), (Texts{"de", "(missing)"}));
  EXPECT_EQ(labels_of(token), (Texts{"x", "(missing)"}));
}

TEST(CsvMissing, WhatLooksMissingIsSuggested) {
  std::string text = "a,s,y\n";
  for (int i = 0; i < 20000; ++i)
    text += std::string(i % 4 == 0 ? "1,NA,x\n" : "2,None,y\n") + "3,u,?\n";
  const genera::testing::TempFile file(text);
  RowStream stream(file.path(), {}, Roles{});
  stream.for_each_chunk({}, [](Table&&) -> std::function<void()> { return [] {}; });
  const Texts notes = genera::testing::words_of(stream.notes());
  EXPECT_NE(std::find(notes.begin(), notes.end(),
                      "column 's' holds 'NA' in 5000 cells, 'None' in 15000 cells, taken as a "
                      "category; if it means missing, use missing_token = NA, None"),
            notes.end());
  EXPECT_NE(std::find(notes.begin(), notes.end(),
                      "column 'y' holds '?' in 20000 cells, taken as a class; if it means missing, "
                      "use missing_token = ?"),
            notes.end());
}

TEST(CsvMissing, NanInAColumnToldToBeBinaryGetsTheHint) {
  const auto error = refused("a,y\n0,x\n1,y\nnan,x\n", {.types = {{"a", ColumnType::binary}}});
  EXPECT_EQ(error.what, "t.csv: column 'a' is declared binary but holds '0', '1', 'nan'");
  EXPECT_EQ(error.hint, "use missing_token = nan if it means missing, or type = a=categorical");
}

TEST(CsvMissing, TokensApplyToNumbersStringsAndLabels) {
  const Table table = parse("a,s,y\n1,u,x\n?,?,?\nNA,\" NA \",NA\n-999,v,z\n-999.0,w,x\n", {},
                            {.missing_tokens = {"?", "NA", " -999 "}});
  EXPECT_EQ(numbers_of(table, 0), (Numbers{1, missing, missing, missing, missing}));
  EXPECT_EQ(level_texts(table, 0), (Texts{"u", "(missing)", "(missing)", "v", "w"}));
  EXPECT_EQ(labels_of(table), (Texts{"x", "(missing)", "(missing)", "z", "x"}));
}

TEST(CsvTypes, AreGuessed) {
  std::string text = "number,whole,two,many,words,empty,y\n";
  for (int i = 0; i < 30; ++i) {
    const std::string n = std::to_string(i);
    text += n + ".5," + n + "," + (i % 2 ? "yes" : "no") + ",v" + std::to_string(i % 3) +
            ",this is text " + n + ",,x\n";
  }
  EXPECT_EQ(parse(text).columns, (std::vector<Column>{{"number", ColumnType::numeric},
                                                      {"whole", ColumnType::numeric},
                                                      {"two", ColumnType::binary},
                                                      {"many", ColumnType::categorical},
                                                      {"words", ColumnType::text},
                                                      {"empty", ColumnType::numeric}}));
}

TEST(CsvTypes, TextThatRepeatsIsCategorical) {
  const Table table = parse(column_of(30, [](int i) {
    return i % 3 == 0 ? "one of three" : i % 3 == 1 ? "two of three" : "three of three";
  }));
  EXPECT_EQ(table.columns[0].type, ColumnType::categorical);
}

TEST(CsvTypes, ToldTypesWin) {
  const Table table = parse("a,b,c,y\n1,2,3,x\n2,2,4,z\n",
                            {.types = {{"a", ColumnType::categorical}, {"c", ColumnType::count}}});
  EXPECT_EQ(level_texts(table, 0), (Texts{"1", "2"}));
  EXPECT_EQ(table.number_names(), (Texts{"b", "c"}));
  EXPECT_EQ(numbers_of(table, 1), (Numbers{3, 4}));
  const auto error = refused(column_of(100, [](int i) { return i == 97 ? "4O" : "4"; }),
                             {.types = {{"a", ColumnType::numeric}}});
  EXPECT_EQ(error.what, "t.csv:99: column 'a' holds '4O', which is not a number");
  EXPECT_EQ(error.hint, "fix the cell, or use missing_token = 4O if it means missing");
  EXPECT_EQ(refused("a,b,y\nu,1,x\nv,2,x\nw,3,x\n", {.types = {{"a", ColumnType::binary}}}).what,
            "t.csv: column 'a' is declared binary but holds 'u', 'v', 'w'");
}

TEST(CsvTypes, AFewNonNumbersAreAnErrorWithTheFirstThree) {
  const auto error = refused(column_of(100, [](int i) { return i % 25 == 3 ? "4O" : "4"; }));
  EXPECT_EQ(error.what,
            "t.csv: column 'a' looks numeric, but 4 of 100 cells are not numbers: t.csv:5 '4O', "
            "t.csv:30 '4O', t.csv:55 '4O', ...");
  EXPECT_EQ(error.hint,
            "fix them, or use missing_token = 4O if it means missing, type = a=categorical, or "
            "drop = a");
  EXPECT_EQ(error.code, Errc::bad_data);
}

TEST(CsvTypes, HintsNameCellAndColumnAsTheyAre) {
  std::string text = "a b,y\n";
  for (int i = 0; i < 99; ++i) text += "1,x\n";
  EXPECT_EQ(refused(text + "not known,x\n").hint,
            "fix them, or use missing_token = not known if it means missing, type = a "
            "b=categorical, or drop = a b");
}

TEST(CsvTypes, MissingCellsDoNotDiluteTheShare) {
  const auto cell = [](int i) { return i == 0 ? "x" : i < 10 ? "4" : ""; };
  EXPECT_EQ(parse(column_of(100, cell)).columns[0].type, ColumnType::categorical);
}

TEST(CsvTypes, ManyNonNumbersMakeACategory) {
  const auto cell = [](int i) { return i % 20 == 3 ? "4O" : "4"; };
  const Table table = parse(column_of(100, cell));
  EXPECT_EQ(table.columns[0].type, ColumnType::categorical);
  EXPECT_EQ(table.levels[0], (Texts{"4", "4O"}));
  const Texts notes = notes_of(column_of(100, cell));
  ASSERT_EQ(notes.size(), 3U);
  EXPECT_EQ(notes[1], "types: 'b' numeric; 'a' categorical");
  EXPECT_EQ(notes[2],
            "column 'a' is categorical: 5 of its first 100 cells are not numbers, such as '4O'; if "
            "that means missing, use missing_token = 4O");
}

/// Rows whose first MiB is numbers (or nothing) in column a, and words later.
std::string late_words(const std::string& early, int words) {
  std::string text = "a,b,y\n";
  const std::string b(50, '1');
  while (text.size() < (1U << 20)) text += early + "," + b + ",x\n";
  for (int i = 0; i < words; ++i) text += "word," + b + ",z\n";
  return text;
}

TEST(CsvTypes, ShownLateRestartTheReading) {
  const std::string text = late_words("7", 5000);
  const testing::TempFile file(text);
  RowStream stream(file.path(), {}, {});
  EXPECT_EQ(stream.columns()[0].type, ColumnType::numeric);
  std::vector<ColumnType> types_at_start;
  const Index rows = stream.reduce(
      Control{.threads = 2},
      [&] {
        types_at_start.push_back(stream.columns()[0].type);
        return Index{0};
      },
      [](Table&& chunk) { return chunk.rows(); }, [](Index& total, Index part) { total += part; });
  EXPECT_EQ(types_at_start, (std::vector{ColumnType::numeric, ColumnType::categorical}));
  EXPECT_EQ(rows, std::ranges::count(text, '\n') - 1);
  EXPECT_EQ(stream.columns()[0].type, ColumnType::categorical);
  const std::string note = in_words(stream.notes().back());
  EXPECT_EQ(note.substr(0, 46),
            "column 'a' is categorical: 5000 of " + std::to_string(rows) + " cells");
}

TEST(CsvTypes, ShownLateAreRefusedWhereNothingCanStartAgain) {
  const testing::TempFile file(late_words("7", 5000));
  RowStream stream(file.path(), {}, {});
  const auto error = testing::caught([&] {
    stream.for_each_chunk({.threads = 2}, [](Table&&) -> std::function<void()> { return [] {}; });
  });
  EXPECT_TRUE(error.what.starts_with(file.path() + ": column 'a' is categorical: 5000 of "));
  EXPECT_TRUE(error.what.ends_with(", ..., which showed after rows had been given out"));
  EXPECT_EQ(error.hint, "give the type of the column from the start");
}

TEST(CsvTypes, ShownLateAreTheSameFromAPipeAndGzip) {
  const std::string text = late_words("", 5000);
  const Table table = parse(text);
  EXPECT_EQ(table.columns[0].type, ColumnType::categorical);
  EXPECT_EQ(table.levels[0], Texts{"word"});
  testing::FedPipe pipe({text});
  testing::expect_same(read_csv(pipe.path(), {}, {}, {.threads = 2}), table);
  testing::FedPipe packed({testing::gzip(text)});
  testing::expect_same(read_csv(packed.path()), table);
}

TEST(CsvTypes, AFewLateNonNumbersAreAnError) {
  const auto error = refused(late_words("7", 2));
  EXPECT_NE(error.what.find("2 of "), std::string::npos);
  EXPECT_NE(error.what.find("cells are not numbers: "), std::string::npos);
}

TEST(CsvTypes, AThirdLevelMakesABinaryColumnCategorical) {
  std::string text = "a,b,y\n";
  const std::string b(50, '1');
  while (text.size() < (1U << 20)) text += "no," + b + ",x\nyes," + b + ",x\n";
  EXPECT_EQ(parse(text).columns[0].type, ColumnType::binary);
  const Table table = parse(text + "maybe,1,x\n");
  EXPECT_EQ(table.columns[0].type, ColumnType::categorical);
  EXPECT_EQ(table.levels[0], (Texts{"no", "yes", "maybe"}));
}

TEST(CsvNotes, WarnOfIdsAndDates) {
  std::string text = "id,down,key,day,when,x,y\n";
  for (int i = 0; i < 30; ++i) {
    const std::string n = std::to_string(i);
    text += n + "," + std::to_string(99 - i) + ",k" + n + ",2024-01-" +
            std::to_string(10 + i % 20) + "," + n + "/1/24," + n + ".5," + (i % 2 ? "p" : "q") +
            "\n";
  }
  const Texts notes = notes_of(text);
  const auto has = [&](const std::string& note) {
    return std::count(notes.begin(), notes.end(), note) == 1;
  };
  EXPECT_TRUE(
      has("column 'id' looks like an identifier (consecutive whole numbers); if it is one, use "
          "drop = id"));
  EXPECT_TRUE(
      has("column 'down' looks like an identifier (consecutive whole numbers); if it is one, use "
          "drop = down"));
  EXPECT_TRUE(
      has("column 'key' looks like an identifier (every cell a different word); if it is one, use "
          "drop = key; if the spelling tells the class, use type = key=text and chars = 2-4"));
  EXPECT_TRUE(has("column 'day' looks like a date; if it is one, use drop = day"));
  EXPECT_TRUE(has("column 'when' looks like a date; if it is one, use drop = when"));
  EXPECT_TRUE(has("target: 'y' (by its name)"));
  EXPECT_EQ(notes.size(), 7U);
  EXPECT_EQ(notes_of(text, {.drop = {"id", "down", "key", "day", "when"}}),
            Texts{"target: 'y' (by its name)"});
}

TEST(CsvTypes, MeasurementsThatAreToldToBeBinary) {
  EXPECT_EQ(refused("a,y\n1.5,x\n2.5,y\n3.5,x\n", {.types = {{"a", ColumnType::binary}}}).hint,
            "use type = a=numeric if it is measured, or type = a=categorical");
}

TEST(CsvTypes, AHeaderThatWasTakenForARow) {
  std::string text = "\nlength,kind\n";
  for (int i = 0; i < 30; ++i) text += std::to_string(i) + ".5," + (i % 2 ? "p" : "q") + "\n";
  const auto error = refused(text, {}, {.header = false});
  EXPECT_EQ(error.what,
            "t.csv: column 'c1' looks numeric, but 1 of 31 cells is not a number: "
            "t.csv:2 'length'");
  EXPECT_EQ(error.hint, "if line 2 is the header, leave header = false out; else fix the cell");
  EXPECT_EQ(refused(text.substr(1), {}, {.header = false}).hint,
            "if the first line is the header, leave header = false out; else fix the cell");
  EXPECT_EQ(refused(",\n \n" + text, {}, {.header = false}).hint,
            "if line 4 is the header, remove what stands before it and leave header = false out; "
            "else fix the cell");
  EXPECT_TRUE(
      refused("0,p\n" + text.substr(1), {}, {.header = false}).hint.starts_with("fix them"));
}

TEST(CsvNotes, WordsThatHardlyEverComeAgain) {
  const auto notes = [](int different) {
    std::string text = "name,y\n";
    for (int i = 0; i < 40; ++i)
      text += "n" + std::to_string(i % different) + "x," + (i % 2 ? "p" : "q") + "\n";
    return notes_of(text);
  };
  EXPECT_EQ(notes(30).back(),
            "column 'name' is categorical, but 30 of its first 40 cells are different: levels seen "
            "once say nothing about other rows; if the spelling tells the class, use type = "
            "name=text and chars = 2-4");
  EXPECT_EQ(notes(20).back(), "types: 'name' categorical");
}

TEST(CsvNotes, TwentyRowsAreTooFewForAnId) {
  std::string text = "id,y\n";
  for (int i = 0; i < 20; ++i) text += std::to_string(i) + ",x\n";
  EXPECT_EQ(notes_of(text).size(), 1U);
  EXPECT_EQ(notes_of(text + "20,x\n").size(), 2U);
}

TEST(CsvNotes, AHeaderOfNumbersIsDoubted) {
  EXPECT_EQ(notes_of("1,2,3\n4,5,6\n").back(),
            "the first line holds mostly numbers and is taken for the header; if it is data, "
            "use header = false");
}

}  // namespace
}  // namespace genera::csv_types_test
