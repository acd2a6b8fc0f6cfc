#include <gtest/gtest.h>

#include "data/csv_support.hpp"

namespace genera::csv_text_test {
namespace {

using genera::testing::labels_of;
using genera::testing::level_texts;
using genera::testing::numbers_of;
using genera::testing::parse;
using genera::testing::refused;
using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;

TEST(CsvText, ReadsNumbersAndLabels) {
  const Table table = parse("a,b,species\n1,2.5,x\n-3,4e2,y\n");
  EXPECT_EQ(table.columns,
            (std::vector<Column>{{"a", ColumnType::numeric}, {"b", ColumnType::numeric}}));
  EXPECT_EQ(table.numbers, Matrix(2, 2, Vector{1, 2.5, -3, 400}));
  EXPECT_EQ(table.target, "species");
  EXPECT_EQ(labels_of(table), (Texts{"x", "y"}));
  EXPECT_EQ(table.lines.front(), 2);
}

TEST(CsvText, AnyLineEndAnyLastLine) {
  const Table expected = parse("a,y\n1,x\n2,z\n");
  testing::expect_same(parse("a,y\r\n1,x\r\n2,z\r\n"), expected);
  testing::expect_same(parse("a,y\n1,x\n2,z"), expected);
  testing::expect_same(parse("a,y\r\n1,x\r\n2,z"), expected);
  testing::expect_same(parse("y,a\r\nx,1\r\nz,2\r\n", {.features = {"a"}}), expected);
}

TEST(CsvText, ByteOrderMarkIsNoPartOfTheName) {
  EXPECT_EQ(parse("\xEF\xBB\xBF"
                  "a,y\n1,x\n")
                .columns[0]
                .name,
            "a");
}

TEST(CsvText, BlankLinesAreSkippedButCounted) {
  const Table table = parse("\n\na,y\n\n1,x\n  \n\r\n2,z\n\n");
  EXPECT_EQ(numbers_of(table, 0), (Numbers{1, 2}));
  EXPECT_EQ(table.lines.front(), 5);
  EXPECT_EQ(refused("\na,y\n\n1,x\n\n2\n").what, "t.csv:6: 1 field, the header has 2");
}

TEST(CsvText, BlankLinesOfOneColumnAreRows) {
  const Roles unlabelled{.target = Target::none()};
  const Table table = parse("\n\na\n1\n\n2\n  \n\r\n3", unlabelled);
  constexpr double missing = -77;  // as numbers_of shows it
  EXPECT_EQ(numbers_of(table, 0), (Numbers{1, missing, 2, missing, missing, 3}));
  EXPECT_EQ(table.lines, (std::vector<std::int64_t>{4, 5, 6, 7, 8, 9}));
  const Table headless = parse("\n1\n\nu\n\nv\nw\n", unlabelled, {.header = false});
  EXPECT_EQ(level_texts(headless, 0),
            (Texts{"(missing)", "1", "(missing)", "u", "(missing)", "v", "w"}));
  EXPECT_EQ(parse("\n\n1,x\n2,y\n", {}, {.header = false}).rows(), 2);
  const std::string wide(std::size_t{3} << 19U, 'w');  // longer than the first look
  EXPECT_EQ(parse("\n\n" + wide + "\nv\n", unlabelled, {.header = false}).rows(), 4);
  RowStream stream(Source::text("\n\n1\n2\n", "t.csv"), {.header = false}, unlabelled);
  for (int pass = 0; pass < 2; ++pass) EXPECT_EQ(read_rows(stream).rows(), 4);
}

TEST(CsvText, QuotesHoldDelimitersNewlinesAndQuotes) {
  const Table table = parse("a,y\n1,\"x, z\"\n2,\"say \"\"so\"\"\"\n3,\"two\nlines\"\n4, \"b\" \n");
  EXPECT_EQ(labels_of(table), (Texts{"x, z", "say \"so\"", "two\nlines", "b"}));
}

TEST(CsvText, AQuoteInsideACellIsAnOrdinaryCharacter) {
  EXPECT_EQ(labels_of(parse("a,y\n1,5\" pipe\n2,6\" pipe\n")), (Texts{"5\" pipe", "6\" pipe"}));
}

TEST(CsvText, QuotedNumbersAreNumbers) {
  EXPECT_EQ(numbers_of(parse("\"a\",\"y\"\n\"1.5\",\"x\"\n\" 2 \",\"z\"\n"), 0), (Numbers{1.5, 2}));
}

TEST(CsvText, LinesInsideQuotesCount) {
  EXPECT_EQ(refused("a,y\n1,\"x\nx\nx\"\n2\n").what, "t.csv:5: 1 field, the header has 2");
}

TEST(CsvText, RaggedRows) {
  const auto error = refused("a,b,y\n1,2,x\n1,2,x,3\n");
  EXPECT_EQ(error.what, "t.csv:3: 4 fields, the header has 3");
  EXPECT_EQ(error.hint, "fix the line; a cell that holds the delimiter must be quoted");
  EXPECT_EQ(error.code, Errc::bad_data);
  EXPECT_EQ(refused("a,b,y\n1,2\n").what, "t.csv:2: 2 fields, the header has 3");
  EXPECT_EQ(refused("a,y\n\"r1\",1,x\n").hint,
            "row names as R writes them? write the table without them, or add a name for them to "
            "the header");
}

TEST(CsvText, UnclosedQuotesNameTheLineWhereTheyOpen) {
  const auto error = refused("a,y\n1,x\n2,\"z\n3,x\n");
  EXPECT_EQ(error.what, "t.csv:3: a quote is opened here and never closed");
  EXPECT_EQ(error.hint, "close it, or double it (\"\") if it belongs to the text");
  EXPECT_EQ(refused("a,b,y\n1,\"2\n2\",\"x").what,
            "t.csv:3: a quote is opened here and never closed");
  EXPECT_EQ(refused("\"a,y\n1,x\n").what, "t.csv:1: a quote is opened here and never closed");
}

TEST(CsvText, UnclosedQuotesMayBeFollowedByMoreThanTheBufferHolds) {
  for (const std::size_t lines : {std::size_t{1} << 20U, std::size_t{3} << 20U}) {
    std::string text = "a,label\n1,x\n\"";
    for (std::size_t i = 0; i < lines; ++i) text += "y\n";
    EXPECT_EQ(refused(text).what, "t.csv:3: a quote is opened here and never closed");
  }
}

TEST(CsvText, TextAfterAClosingQuoteIsRefused) {
  const auto error = refused("a,y\n1,\"x\" z\n");
  EXPECT_EQ(error.what, "t.csv:2: column 'y' has text between a closing quote and the delimiter");
  EXPECT_EQ(error.hint, "double the quotes that belong to the text (\"\")");
  EXPECT_EQ(refused("\"a\"b,y\n1,x\n").what,
            "t.csv:1: there is text between a closing quote and the delimiter");
}

TEST(CsvText, RecognisesTheDelimiter) {
  const Table expected = parse("a,b,y\n1,2,x\n3,4,z\n");
  for (const char delimiter : {';', '\t', '|'}) {
    std::string text = "a,b,y\n1,2,x\n3,4,z\n";
    std::replace(text.begin(), text.end(), ',', delimiter);
    testing::expect_same(parse(text), expected);
  }
  EXPECT_EQ(labels_of(parse("a\ty\n1\tx, z\n2\tu, v\n")), (Texts{"x, z", "u, v"}));
  EXPECT_EQ(labels_of(parse("a y\n1 x\n2 z\n", {}, {.delimiter = ' '})), (Texts{"x", "z"}));
}

TEST(CsvText, DecimalCommaWithSemicolon) {
  EXPECT_EQ(numbers_of(parse("a;b;y\n1,5;2;x\n-0,25;3;z\n"), 0), (Numbers{1.5, -0.25}));
  EXPECT_EQ(numbers_of(parse("1,5;2,5;3\n1,5;3,5;4\n", {}, {.header = false}), 1),
            (Numbers{2.5, 3.5}));
  EXPECT_EQ(numbers_of(parse("a;b;y\n1.5;2;x\n-0.25;3;z\n"), 0), (Numbers{1.5, -0.25}));
  EXPECT_EQ(numbers_of(parse("a\ty\n1,5\tx\n2,5\tz\n", {}, {.decimal = ','}), 0),
            (Numbers{1.5, 2.5}));
}

TEST(CsvText, OptionsThatNoTextCanHave) {
  EXPECT_EQ(refused("a,y\n1,x\n", {}, {.delimiter = '"'}).what, "the delimiter cannot be '\"'");
  EXPECT_EQ(refused("a,y\n1,x\n", {}, {.delimiter = '1'}).code, Errc::bad_argument);
  EXPECT_EQ(refused("a,y\n1,x\n", {}, {.decimal = 'x'}).what, "the decimal sign cannot be 'x'");
  EXPECT_EQ(refused("a,y\n1,x\n", {}, {.delimiter = ',', .decimal = ','}).what,
            "the decimal sign and the delimiter cannot both be ','");
}

TEST(CsvText, WithoutAHeaderColumnsAreNumbered) {
  const Table table = parse("1,2,x\n3,4,z\n", {}, {.header = false});
  EXPECT_EQ(table.number_names(), (Texts{"c1", "c2"}));
  EXPECT_EQ(table.target, "c3");
  EXPECT_EQ(table.rows(), 2);
  EXPECT_EQ(table.lines.front(), 1);
  EXPECT_EQ(refused("1,2,x\n3,4\n", {}, {.header = false}).what,
            "t.csv:2: 2 fields, the first line has 3");
}

TEST(CsvText, NothingToRead) {
  EXPECT_EQ(refused("").what, "t.csv: is empty");
  EXPECT_EQ(refused("\n \r\n").what, "t.csv: is empty");
  const auto error = refused("a,b\n\n  \n");
  EXPECT_EQ(error.what, "t.csv: there are no rows after the header");
  EXPECT_EQ(error.hint, "give a table with rows, or use header = false if the first line is data");
}

TEST(CsvText, NamesMustBeThereAndDiffer) {
  EXPECT_EQ(refused("a,b,a\n1,2,3\n").what, "t.csv:1: columns 1 and 3 are both named 'a'");
  EXPECT_EQ(refused("a,b,a\n1,2,3\n").hint, "rename one of them");
  EXPECT_EQ(refused("0,0,1\n1,2,3\n").hint,
            "rename one of them, or use header = false if the first line is data");
  EXPECT_EQ(refused("a,,b\n1,2,3\n").what, "t.csv:1: column 2 has no name");
  EXPECT_EQ(refused("a,b,\n1,2,\n").hint,
            "give every column a name (a delimiter at the end of the line adds one)");
  EXPECT_EQ(refused("\"\",a,y\n1,2,x\n").what, "t.csv:1: column 1 has no name");
  EXPECT_EQ(refused(",a,y\n1,2,x\n").hint,
            "row names as R and pandas write them? write the table without them, or name the "
            "column and then leave it out with drop");
}

TEST(CsvText, OtherEncodingsAreNamed) {
  using namespace std::string_literals;
  EXPECT_EQ(refused("\xFF\xFE"
                    "a\0,\0y\0\n\0"s)
                .what,
            "t.csv: is UTF-16 text, not UTF-8 text");
  EXPECT_EQ(refused("\xFE\xFF\0a\0,\0y\0\n"s).what, "t.csv: is UTF-16 text, not UTF-8 text");
  EXPECT_EQ(refused("a\0,\0y\0\n\0001\0,\0x\0\n\0"s).what, "t.csv: is UTF-16 text, not UTF-8 text");
  EXPECT_EQ(refused("\0a\0,\0y\0\n"s).hint,
            "convert it, for example with: iconv -f UTF-16 -t UTF-8");
  EXPECT_EQ(refused("\xFF\xFE\0\0a\0\0\0"s).what, "t.csv: is UTF-32 text, not UTF-8 text");
  EXPECT_EQ(refused("a\0\0\0,\0\0\0y\0\0\0\n\0\0\0"s).what,
            "t.csv: is UTF-32 text, not UTF-8 text");
  EXPECT_EQ(refused("PK\x03\x04 and so on\n").what,
            "t.csv: is a zip archive or a spreadsheet, not UTF-8 text");
  EXPECT_EQ(refused("PK\x03\x04 and so on\n").hint, "unpack it or save it as CSV");
}

TEST(CsvText, NulBytesAreNoEncoding) {
  for (const std::size_t size : {1U, 3U, 1000U, 100000U}) {
    const auto error = refused(std::string(size, '\0'));
    EXPECT_EQ(error.what, "t.csv: holds NUL bytes, not text");
    EXPECT_EQ(error.hint, "it is damaged, or was never written: copy it or make it again");
  }
  const std::string rows = "a,y\n1,x\n2,z\n", missing_cell(1000, '\0');
  EXPECT_EQ(refused(rows + missing_cell + rows).what, "t.csv:4: there is a NUL byte");
  EXPECT_EQ(refused(missing_cell + rows).what, "t.csv:1: there is a NUL byte in the header");
}

TEST(CsvText, DocumentsAreNoTables) {
  for (const std::string text :
       {"{\n  \"classes\": [],\n  \"format\": \"genera-model\"\n}\n", "{\n\"a\": 1\n}\n",
        "\xEF\xBB\xBF{ \"format\": \"genera-statistics\" }\n", "{\"format\":\"genera-model\"}\n"}) {
    EXPECT_EQ(refused(text).what, "t.csv: is a JSON document, not a table");
    EXPECT_EQ(refused(text).hint,
              "give rows as CSV or svmlight; models and statistics are not rows");
  }
  for (const std::string text : {"\xA6\x67"
                                 "classes\x83\n",
                                 "\xA6\x66"
                                 "blocks\x83\n"})
    EXPECT_EQ(refused(text).what, "t.csv: is a CBOR document, not a table");
  EXPECT_EQ(labels_of(parse("{\"a\",y\n1,x\n")), Texts{"x"});
  EXPECT_EQ(refused("\xA3"
                    "abc,y\n1,x\n")
                .what,
            "t.csv:1: the header is not UTF-8");
}

TEST(CsvText, ALineThatNamesTheDelimiterIsNoHeader) {
  const Table expected = parse("a;b;y\n1,5;2;x\n2,5;3;z\n");
  const auto expect_same = [&](const Table& table) {
    EXPECT_EQ(table.number_names(), expected.number_names());
    EXPECT_EQ(table.numbers, expected.numbers);
    EXPECT_EQ(labels_of(table), labels_of(expected));
    EXPECT_EQ(table.lines, (std::vector<std::int64_t>{3, 4}));
  };
  const std::string rows = "a;b;y\n1,5;2;x\n2,5;3;z\n";
  for (const std::string line :
       {"sep=;\n", "SEP=;\n", "\"sep=;\"\n", "sep=;\r\n", "\xEF\xBB\xBFsep=;\n"})
    expect_same(parse(line + rows));
  expect_same(parse("sep=|\n" + rows, {}, {.delimiter = ';'}));
  // It is told, not recognised: a comma would fit, too.
  EXPECT_EQ(parse("sep=|\na,b|y\n1|x,z\n").columns[0].name, "a,b");
  const Table headless = parse("sep=,\n1,2,x\n3,4,z\n", {}, {.header = false});
  EXPECT_EQ(headless.number_names(), (Texts{"c1", "c2"}));
  EXPECT_EQ(headless.lines, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(refused("sep=,\na,y\n1,x\n2\n").what, "t.csv:4: 1 field, the header has 2");
  EXPECT_EQ(refused("sep=,\na,a\n1,x\n").what, "t.csv:2: columns 1 and 2 are both named 'a'");
  EXPECT_EQ(refused("sep=,\na,y\n1,x\n", {}, {.decimal = ','}).what,
            "the decimal sign and the delimiter cannot both be ','");
  // Only what can be a delimiter, and only in the first line.
  EXPECT_EQ(parse("sep=x,y\n1,x\n").columns[0].name, "sep=x");
  EXPECT_EQ(parse("sep=.\n1\n2\n", {.target = Target::none()}).columns[0].name, "sep=.");
  EXPECT_EQ(refused("a,y\nsep=;\n").what, "t.csv:2: 1 field, the header has 2");
}

TEST(CsvText, BytesThatAreNotUtf8) {
  EXPECT_EQ(refused("a,y\n1,caf\xE9\n").what, "t.csv:2: column 'y' holds a text that is not UTF-8");
  EXPECT_EQ(refused("a,caf\xE9\n1,x\n").what, "t.csv:1: the header is not UTF-8");
  EXPECT_EQ(labels_of(parse("a,y\n1,caf\xC3\xA9\n")), Texts{"caf\xC3\xA9"});
}

TEST(CsvText, NulBytesAreRefused) {
  using namespace std::string_literals;
  EXPECT_EQ(refused("a,y\n1,x\n2,x\0z\n"s).what, "t.csv:3: there is a NUL byte");
  EXPECT_EQ(refused("a,y\0\n1,x\n2,xz\n"s).what, "t.csv:1: there is a NUL byte in the header");
}

TEST(CsvText, LinesOfOldMacsAreNamed) {
  const auto error = refused("a,y\r1,x\r2,z\r");
  EXPECT_EQ(error.what, "t.csv: its lines end with CR alone, as on old Macs");
  EXPECT_EQ(error.hint, "convert it, for example with: tr '\\r' '\\n'");
}

TEST(CsvText, TwentyThousandColumns) {
  std::string header, row;
  for (int j = 0; j < 20000; ++j) {
    header += "column_" + std::to_string(j) + ",";
    row += std::to_string(j) + ".5,";
  }
  const Table table = parse(header + "y\n" + row + "a\n" + row + "b\n");
  EXPECT_EQ(table.numbers.columns(), 20000);
  EXPECT_EQ(table.numbers(1, 19999), 19999.5);
  EXPECT_EQ(refused(header + "y\n" + row + "a,b\n" + row + "b\n").what,
            "t.csv:2: 20002 fields, the header has 20001");
}

TEST(CsvText, RowsWiderThanTheSample) {
  const std::string wide(3 << 20, 'w');
  EXPECT_EQ(labels_of(parse("a,y\n1," + wide + "\n2,x\n")), (Texts{wide, "x"}));
  EXPECT_EQ(labels_of(parse("1," + wide + "\n2,x\n", {}, {.header = false})), (Texts{wide, "x"}));
  EXPECT_EQ(parse("a," + wide + "\n1,x\n2,z\n").target, wide);
  EXPECT_EQ(parse("a;" + wide + "\n1;x\n2;z\n").target, wide);
}

TEST(CsvText, ARecordLongerThan64MiBIsRefused) {
  const std::string endless(std::size_t{70} << 20, '1');
  const auto error = refused("a,y\n1,x\n" + endless);
  EXPECT_EQ(error.what, "t.csv:3: a record longer than 64 MiB begins here");
  EXPECT_EQ(error.hint,
            "look for a quote that is never closed, or for line ends other than LF or CRLF");
  EXPECT_EQ(refused(endless).what, "t.csv:1: a record longer than 64 MiB begins here");
  EXPECT_EQ(refused(endless + "\n1\n", {.target = Target::none()}, {.header = false}).what,
            "t.csv:1: a record longer than 64 MiB begins here");
}

}  // namespace
}  // namespace genera::csv_text_test
