#include <cstdio>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "data/csv_support.hpp"
#include "data/densified.hpp"
#include "data/svmlight/svmlight.hpp"

namespace genera::svmlight_test {
namespace {

using genera::testing::Caught;
using genera::testing::caught;
using genera::testing::gzip;
using genera::testing::labels_of;
using genera::testing::TempFile;

using Names = std::vector<std::string>;
/// A row as a dictionary: what it says, whatever the order and the places.
using Row = std::map<std::string, double>;

std::vector<Row> rows_of(const Table& table) {
  const SparseColumns& entries = table.sparse.at(0);
  std::vector<Row> rows(static_cast<std::size_t>(table.rows()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (auto e = static_cast<std::size_t>(entries.begins.at(i));
         e < static_cast<std::size_t>(entries.begins.at(i + 1)); ++e)
      rows[i][entries.terms.at(static_cast<std::size_t>(entries.places.at(e)))] =
          entries.values.at(e);
  return rows;
}

std::vector<Table> chunks_of(RowStream& stream, int threads = 1) {
  return stream.reduce(
      Control{.threads = threads}, [] { return std::vector<Table>(); },
      [](Table&& chunk) { return std::move(chunk); },
      [](std::vector<Table>& all, Table&& chunk) { all.push_back(std::move(chunk)); });
}

/// The only chunk of a short text.
template <class SomeRoles = Roles>
Table parse(const std::string& text, const SomeRoles& roles = {}) {
  const TempFile file(text, "t.svm");
  RowStream stream(file.path(), {}, roles);
  return chunks_of(stream).at(0);
}

template <class SomeRoles = Roles>
Caught refused(const std::string& text, const SomeRoles& roles = {}, const CsvOptions& options = {},
               const StreamOptions& stream_options = {}) {
  return genera::testing::refused_by(
      [&](const std::string& path) {
        RowStream stream(path, options, roles, stream_options);
        return read_rows(stream);
      },
      text, "t.svm");
}

template <class SomeRoles = Roles>
std::string what_of(const std::string& text, const SomeRoles& roles = {}) {
  return refused(text, roles).what;
}

ExpectedRoles model_roles(const Names& features, ColumnType type = ColumnType::numeric) {
  std::vector<Column> columns;
  for (const std::string& name : features) columns.push_back({.name = name, .type = type});
  return ExpectedRoles(std::move(columns));
}

TEST(Svmlight, IsKnownByItsName) {
  for (const char* name : {"a.svm", "a.libsvm", "x/a.svmlight", "a.svm.gz", "a.libsvm.gz"})
    EXPECT_EQ(Source(name).format(), Source::Format::svmlight) << name;
  for (const char* name : {"a.csv", "svm", "a.svm.csv", "-", "@iris", "a.gz", "a.svm.gz.gz"})
    EXPECT_EQ(Source(name).format(), Source::Format::csv) << name;
}

TEST(Svmlight, LinesBecomeRows) {
  const Table table = parse("1 1:0.5 0:2 126:-3e2\n-1 007:1\n+1\nspam\t1:+4\t\t2:1e-400\n");
  EXPECT_EQ(table.rows(), 4);
  EXPECT_TRUE(table.columns.empty());
  EXPECT_EQ(table.numbers.rows(), 4);
  EXPECT_EQ(table.codes.rows(), 4);
  EXPECT_EQ(table.target, "label");
  EXPECT_EQ(labels_of(table), (Names{"1", "-1", "1", "spam"}));
  EXPECT_EQ(table.classes, (Names{"1", "-1", "spam"}));
  ASSERT_EQ(table.sparse.size(), 1U);
  EXPECT_EQ(table.sparse[0].name, "");
  EXPECT_EQ(table.sparse[0].terms, (Names{"1", "0", "126", "7"}));
  EXPECT_EQ(rows_of(table),
            (std::vector<Row>{{{"1", 0.5}, {"0", 2}, {"126", -300}}, {{"7", 1}}, {}, {{"1", 4}}}));
  EXPECT_EQ(table.lines, (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(table.place(3), table.source + ":4");
}

TEST(Svmlight, ZerosAreLeftOut) {
  const Table table = parse("a 1:0 2:1 3:-0.0\nb 3:0.000 1:5\n");
  EXPECT_EQ(table.sparse[0].terms, (Names{"2", "1"}));
  EXPECT_EQ(table.sparse[0].begins, (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(table.sparse[0].values, (std::vector<double>{1, 5}));
}

TEST(Svmlight, CommentsAndBlankLinesAreSkipped) {
  const Table table = parse(
      "# head\n\n  # more\n1 1:2 # 3:4\n \t\n#\n2 5:6#7:8\r\n\r\n  3 9:1 \t\r\n4#5\n# end\n\n6 "
      "1:1");
  EXPECT_EQ(labels_of(table), (Names{"1", "2", "3", "4", "6"}));
  EXPECT_EQ(rows_of(table), (std::vector<Row>{{{"1", 2}}, {{"5", 6}}, {{"9", 1}}, {}, {{"1", 1}}}));
  EXPECT_EQ(table.lines, (std::vector<std::int64_t>{4, 7, 9, 10, 13}));
}

TEST(Svmlight, QuotesAndMarksMeanNothing) {
  const Table table = parse("\xEF\xBB\xBF\"a 1:2\nb\" 1:3\n");
  EXPECT_EQ(labels_of(table), (Names{"\"a", "b\""}));
}

TEST(Svmlight, LargeIndicesAreFoundAgain) {
  const Table table = parse(
      "a 1048575:1 1048576:2 2147483647:3 0:4 00000000000000000000000012:5\n"
      "b 2147483647:6 1048576:7 1048575:8 12:9\n");
  EXPECT_EQ(table.sparse[0].terms, (Names{"1048575", "1048576", "2147483647", "0", "12"}));
  EXPECT_EQ(rows_of(table)[1], (Row{{"2147483647", 6}, {"1048576", 7}, {"1048575", 8}, {"12", 9}}));
}

TEST(Svmlight, QidIsIgnoredAndNotedOnce) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "1 qid:" + std::to_string(i) + " 1:2\n";
  const TempFile file(text, "t.svm");
  RowStream stream(file.path(), {}, {});
  const Note target{"target: the first value of each line"};
  EXPECT_EQ(stream.notes(), std::vector<Note>{target});
  for (int pass = 0; pass < 2; ++pass) {
    EXPECT_EQ(chunks_of(stream).front().sparse[0].terms, Names{"1"});
    EXPECT_EQ(
        stream.notes(),
        (std::vector<Note>{target,
                           {"qid is ignored: rows are classified one by one, whatever their query",
                            Note::Kind::warning}}));
  }
}

TEST(Svmlight, TheStreamHasNoColumnsAndOneTarget) {
  const TempFile file("1 1:2\n", "t.svm");
  RowStream stream(file.path(), {}, {.target = "label"});
  EXPECT_TRUE(stream.columns().empty());
  EXPECT_EQ(stream.target(), "label");
  EXPECT_EQ(stream.name(), file.path());
  EXPECT_EQ(chunks_of(stream).size(), 1U);
}

std::string many_rows(int rows) {
  std::string text = "# many\n";
  for (int i = 0; i < rows; ++i) {
    text += std::to_string(i % 3) + " " + std::to_string(i % 5000) + ":0." + std::to_string(i + 1);
    text += i % 10 == 0 ? " 7000000:2.5\n\n" : " 6000:-17 # why\n";
  }
  return text;
}

TEST(SvmlightChunks, AreTheSameForAnyThreadsAndGzip) {
  const std::string text = many_rows(10000);
  const TempFile plain(text, "t.svm"), packed(gzip(text), "t.svm.gz");
  std::vector<Row> rows;
  for (const auto& [path, threads] :
       {std::pair(plain.path(), 1), std::pair(plain.path(), 3), std::pair(packed.path(), 2)}) {
    RowStream stream(path, {}, {});
    const std::vector<Table> chunks = chunks_of(stream, threads);
    ASSERT_EQ(chunks.size(), 3U);
    EXPECT_EQ(chunks[0].rows(), rows_per_chunk(0));
    EXPECT_EQ(chunks[1].rows(), rows_per_chunk(0));
    EXPECT_EQ(chunks[2].rows(), 10000 - 2 * rows_per_chunk(0));
    EXPECT_EQ(chunks[1].lines[0], 2 + 4096 + 410);  // one blank line after every tenth row
    std::vector<Row> here;
    for (const Table& chunk : chunks)
      for (Row& row : rows_of(chunk)) here.push_back(std::move(row));
    if (rows.empty()) rows = here;
    EXPECT_EQ(here, rows);
  }
  EXPECT_EQ(rows[9999], (Row{{"4999", 0.1}, {"6000", -17}}));
}

TEST(SvmlightChunks, OfAFileAreJoinedByTerm) {
  const TempFile file(many_rows(10000), "t.svm");
  RowStream stream(file.path(), {}, {});
  std::vector<Row> rows;
  for (const Table& chunk : chunks_of(stream))
    for (Row& row : rows_of(chunk)) rows.push_back(std::move(row));
  const Table whole = read_csv(file.path(), {}, {}, {.threads = 2});
  EXPECT_EQ(whole.rows(), 10000);
  EXPECT_EQ(whole.target, "label");
  ASSERT_EQ(whole.sparse.size(), 1U);
  EXPECT_EQ(rows_of(whole), rows);
}

TEST(SvmlightChunks, TheFirstErrorOfTheFileComesOut) {
  EXPECT_EQ(what_of(many_rows(9000) + "1 x\n1 y\n"),
            "t.svm:" + std::to_string(1 + 9000 + 900 + 1) +
                ": 'x' is not an entry, which would be index:value");
}

TEST(SvmlightExpected, OnlyTheFeaturesOfTheModelAreKept) {
  const ExpectedRoles roles = model_roles({"3", "2000000", "7"});
  const Table table = parse("1 1:2 3:4\n2000000:5 3000000:1\n7:7 8:8\nx\n", roles);
  EXPECT_EQ(table.target, "");
  EXPECT_TRUE(table.labels.empty());
  EXPECT_EQ(table.sparse[0].terms, (Names{"3", "2000000", "7"}));
  EXPECT_EQ(rows_of(table), (std::vector<Row>{{{"3", 4}}, {{"2000000", 5}}, {{"7", 7}}, {}}));
  EXPECT_EQ(what_of("1 5:1 5:2\n", roles), "t.svm:1: feature 5 has two values");
}

TEST(SvmlightExpected, LabelsAreReadIfWanted) {
  ExpectedRoles roles = model_roles({"1"});
  const std::string text = "a 1:1\n1:2\nnan 1:3\nb\n";
  EXPECT_EQ(parse(text, roles).target, "");
  roles.target = "species";  // of the table that the model was learned from
  EXPECT_EQ(parse("a 1:1\n", roles).target, "label");
  EXPECT_EQ(what_of(text, roles), "t.svm:2: the label is missing");
  roles.target = Target::if_present("species");
  const Table table = parse(text, roles);
  EXPECT_EQ(table.target, "label");
  EXPECT_EQ(labels_of(table), (Names{"a", "(missing)", "(missing)", "b"}));
}

TEST(SvmlightExpected, AModelOfATableDoesNotFit) {
  const Caught error = refused("1 1:1\n", model_roles({"1", "age", "02"}));
  EXPECT_EQ(error.what, "t.svm: there is no column 'age', '02', which the model needs");
  EXPECT_EQ(error.hint, "the features of an svmlight file have indices, not names; give a table");
  EXPECT_EQ(error.code, Errc::bad_data);
}

TEST(SvmlightCounts, AreWholeNumbers) {
  const Roles roles{.default_type = ColumnType::count};
  EXPECT_EQ(rows_of(parse("1 1:2 2:0 3:4.0 5:1e3\n", roles))[0],
            (Row{{"1", 2}, {"3", 4}, {"5", 1000}}));
  const Caught error = refused("1 1:2\n\n1 16:1 17:-1 18:2\n", roles);
  EXPECT_EQ(error.what, "t.svm:3: feature 17 is -1, which is not a count");
  EXPECT_EQ(error.hint,
            "counts are whole numbers >= 0; take another model, such as gnb, for other numbers");
  EXPECT_EQ(what_of("1 1:0.5\n", roles), "t.svm:1: feature 1 is 0.5, which is not a count");
  const Caught huge = refused("1 1:9007199254740992\n2 7:1e308\n", roles);
  EXPECT_EQ(huge.what, "t.svm:2: feature 7 is 1e308, which is too large for a count");
  EXPECT_EQ(huge.hint, "counts are whole numbers up to 2^53; measure the feature in a larger unit");
  EXPECT_EQ(what_of("1 4:-1\n"), "(nothing was thrown)");
  EXPECT_EQ(what_of("1 1:0.5\n", model_roles({"1"}, ColumnType::count)),
            "t.svm:1: feature 1 is 0.5, which is not a count");
}

TEST(SvmlightRefusal, OfOptionsThatSpeakOfColumns) {
  const auto expect = [](const Caught& error, const std::string& option, const std::string& why) {
    EXPECT_EQ(error.what, "t.svm: " + why);
    EXPECT_EQ(error.hint, "leave " + option + " out: it is for tables");
    EXPECT_EQ(error.code, Errc::bad_argument);
  };
  const std::string text = "1 1:1\n",
                    names = "the features of an svmlight file have indices, not names";
  expect(refused(text, Roles{.target = "y"}), "target",
         "the label of an svmlight file is the first value of each line");
  expect(refused(text, Roles{.weights = "w"}), "weights",
         "an svmlight file has no column of weights");
  expect(refused(text, Roles{.features = {"1"}}), "features", names);
  expect(refused(text, Roles{.drop = {"1"}}), "drop", names);
  expect(refused(text, Roles{.types = {{"1", ColumnType::count}}}), "type", names);
  expect(refused(text, Roles{}, {}, {.kept = KeptCells{}}), "keep",
         "an svmlight file has no columns to keep");
  expect(refused(text, Roles{}, {.delimiter = ' '}), "delimiter",
         "blanks and tabs separate the values of an svmlight file");
  expect(refused(text, Roles{}, {.decimal = '.'}), "decimal",
         "the decimal sign of an svmlight file is '.'");
  expect(refused(text, Roles{}, {.header = false}), "header = false",
         "an svmlight file never has a header");
  expect(refused(text, Roles{}, {.missing_tokens = {"?"}}), "missing_token",
         "what is left out of an svmlight file is 0, and nothing is missing");
}

TEST(SvmlightRefusal, OfFilesWithoutRows) {
  EXPECT_EQ(what_of(""), "t.svm: is empty");
  EXPECT_EQ(what_of(" \n\n"), "t.svm: is empty");
  const Caught error = refused("# nothing\n\n");
  EXPECT_EQ(error.what, "t.svm: there are no rows, only comments");
  EXPECT_EQ(error.hint, "give lines such as: 1 3:0.5 17:1");
}

TEST(SvmlightRefusal, OfLabels) {
  Caught error = refused("1 1:1\n1:1\n");
  EXPECT_EQ(error.what, "t.svm:2: the label is missing");
  EXPECT_EQ(error.hint, "begin every line with its label, as in: 1 3:0.5 17:1");
  EXPECT_EQ(error.code, Errc::bad_data);
  EXPECT_EQ(what_of("nan 1:1\n"), "t.svm:1: the label is missing");
  error = refused("# c\n1,3 1:1\n");
  EXPECT_EQ(error.what, "t.svm:2: the label '1,3' is a list");
  EXPECT_EQ(error.hint, "a row has one label: make a file for each of them, or choose one");
  error = refused("\xE9t\xE9 1:1\n");
  EXPECT_EQ(error.what, "t.svm:1: the label is a text that is not UTF-8");
  EXPECT_EQ(error.hint, "convert the file, for example with: iconv -f LATIN1 -t UTF-8");
}

TEST(SvmlightRefusal, OfEntries) {
  Caught error = refused("1 1:1 17\n");
  EXPECT_EQ(error.what, "t.svm:1: '17' is not an entry, which would be index:value");
  EXPECT_EQ(error.hint, "write entries such as 17:0.5, and only one label");
  error = refused("1 2:1 1:1\n\n1 2:1 1:1 02:0\n");
  EXPECT_EQ(error.what, "t.svm:3: feature 2 has two values");
  EXPECT_EQ(error.hint, "leave one of them out");
  EXPECT_EQ(what_of("1 3000000:1 3000000:1"), "t.svm:1: feature 3000000 has two values");
  for (const std::string index : {"-3", "1.5", "", "cost", "+1", "1\r2"}) {
    error = refused("1\n1 " + index + ":1\n");
    EXPECT_EQ(error.what, "t.svm:2: the feature index '" + index + "' is not a whole number >= 0");
    EXPECT_EQ(error.hint, "number the features 0, 1, 2, ...");
  }
  for (const std::string index : {"2147483648", "18446744073709551617", "100000000000000000000000"})
    EXPECT_EQ(what_of("1 " + index + ":1\n"),
              "t.svm:1: the feature index '" + index + "' is greater than 2147483647");
}

TEST(SvmlightRefusal, OfValues) {
  for (const std::string value : {"x", "1x", "nan", "-nan", "1,5", "1:2", "0x1", "--1", "1\r2"}) {
    const Caught error = refused("1\n1 17:" + value + "\n");
    EXPECT_EQ(error.what, "t.svm:2: feature 17 is '" + value + "', which is not a number");
    EXPECT_EQ(error.hint, "fix the entry, or leave it out if it is 0");
  }
  for (const std::string value : {"inf", "-inf", "+Infinity", "1e999"}) {
    const Caught error = refused("1 17:" + value + " 18:1\n");
    EXPECT_EQ(error.what, "t.svm:1: feature 17 is '" + value + "', which is not a finite number");
    EXPECT_EQ(error.hint, "fix the entry");
  }
  const Caught error = refused("1 17: 3\n");
  EXPECT_EQ(error.what, "t.svm:1: feature 17 has no value");
  EXPECT_EQ(error.hint, "write entries such as 17:0.5");
}

TEST(SvmlightRefusal, OfWhatIsNoText) {
  const Caught error = refused(std::string("1 1:1\n# c\n2 1:\0 3\n", 16));
  EXPECT_EQ(error.what, "t.svm:3: there is a NUL byte");
  EXPECT_EQ(error.hint, "this is not text, or it is damaged; tr -d '\\0' takes such bytes out");
  const Caught longest = refused("1 1:1\n1 2:" + std::string((std::size_t{64} << 20) + 1, '1'));
  EXPECT_EQ(longest.what, "t.svm:2: a record longer than 64 MiB begins here");
  EXPECT_EQ(longest.hint, "look for line ends other than LF or CRLF");
}

TEST(SvmlightDense, HasZerosWhereThereIsNoEntry) {
  const Table sparse = parse("# c\na 1:2 9:3\nb 4:5 1:6\na\n");
  const Table dense = data::densified(sparse, {"4", "77", "1"});
  EXPECT_EQ(dense.number_names(), (Names{"4", "77", "1"}));
  EXPECT_EQ(dense.numbers, Matrix(3, 3, {0, 0, 2, 5, 0, 6, 0, 0, 0}));
  EXPECT_TRUE(dense.sparse.empty());
  EXPECT_EQ(dense.codes.rows(), 3);
  EXPECT_EQ(dense.rows(), 3);
  EXPECT_EQ(labels_of(dense), labels_of(sparse));
  EXPECT_EQ(dense.target, "label");
  EXPECT_EQ(dense.place(1), sparse.place(1));
}

TEST(SvmlightRoundTrip, AnyEntriesComeBack) {
  EXPECT_TRUE(rc::check([] {
    const auto index = rc::gen::oneOf(rc::gen::inRange<int>(0, 50),
                                      rc::gen::inRange<int>(0, std::numeric_limits<int>::max()));
    const auto rows = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::map<int, double>>>(
        rc::gen::container<std::map<int, double>>(index, rc::gen::arbitrary<double>())));
    std::string text;
    std::vector<Row> expected;
    for (const auto& row : rows) {
      Row& kept = expected.emplace_back();
      text += *rc::gen::element<std::string>("1", " -1", "x\t", "# 1:1\n\n2");
      for (const auto& [feature, value] : row) {
        char number[40];
        std::snprintf(number, sizeof number, "%.17g", value);
        text += *rc::gen::element<std::string>(" ", "\t", "  ", " qid:7 ");
        text += std::to_string(feature) + ":" + number;
        if (value != 0) kept[std::to_string(feature)] = value;
      }
      text += *rc::gen::element<std::string>("\n", "\r\n", " \n", "# 1:2\n");
    }
    RC_ASSERT(rows_of(parse(text)) == expected);
  }));
}

TEST(SvmlightRoundTrip, AnyBytesAreATableOrAnError) {
  EXPECT_TRUE(rc::check([](bool optional) {
    const auto letter = rc::gen::element('1', '2', '7', ':', ':', ' ', ' ', '\t', '\n', '\n', '\r',
                                         '.', '-', 'e', 'q', '#', ',', '\xC3', '\0');
    const auto text = *rc::gen::container<std::string>(letter);
    const TempFile file(text, "t.svm");
    std::vector<Table> chunks;
    const Caught error = caught([&] {
      const Target label = optional ? Target::if_present("label") : Target();
      RowStream stream(file.path(), {}, {.target = label});
      chunks = chunks_of(stream);
    });
    RC_ASSERT(error.code == Errc::bad_data || chunks.size() == 1U);
    for (const Table& table : chunks) {
      RC_ASSERT(table.labels.size() == static_cast<std::size_t>(table.rows()));
      RC_ASSERT(table.sparse.at(0).begins.size() == static_cast<std::size_t>(table.rows()) + 1);
      RC_ASSERT(rows_of(table).size() == table.lines.size());
    }
  }));
}

}  // namespace
}  // namespace genera::svmlight_test
