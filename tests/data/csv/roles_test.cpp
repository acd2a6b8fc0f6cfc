#include <functional>
#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "data/csv_support.hpp"

namespace genera::csv_roles_test {
namespace {

using genera::testing::caught;
using genera::testing::labels_of;
using genera::testing::level_texts;
using genera::testing::notes_of;
using genera::testing::numbers_of;
using genera::testing::parse;
using genera::testing::parse_keeping;
using genera::testing::refused;
using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;

const std::string flowers = "width,length,species\n1,2,a\n3,4,b\n";

ExpectedRoles expected(const Texts& names) {
  std::vector<Column> columns;
  for (const std::string& name : names) columns.push_back({name, ColumnType::numeric});
  return ExpectedRoles(std::move(columns));
}

TEST(CsvTarget, IsTheLastColumn) {
  EXPECT_EQ(parse(flowers).target, "species");
  EXPECT_EQ(notes_of(flowers), Texts{"target: 'species' (the last column)"});
}

TEST(CsvTarget, IsTheOnlyColumnWithItsName) {
  for (const char* name : {"label", "CLASS", "Target", "y"}) {
    const std::string text = std::string(name) + ",a,b\nu,1,2\nv,3,4\n";
    EXPECT_EQ(parse(text).target, name);
    EXPECT_EQ(notes_of(text), Texts{"target: '" + std::string(name) + "' (by its name)"});
  }
  EXPECT_EQ(parse("label,y,b\n1,2,3\n4,5,6\n").target, "b");
}

const std::string with_row_names = "\"\",a,y\nr1,1,x\nr2,2,z\nr3,4,x\n";

TEST(CsvRowNames, AreAFirstColumnWithoutNameWhoseCellsDiffer) {
  EXPECT_EQ(parse(with_row_names).number_names(), Texts{"a"});
  EXPECT_EQ(parse(with_row_names).columns.size(), 1U);
  EXPECT_EQ(notes_of(with_row_names)[1],
            "the first column has no name and no two of its cells are equal: row names, which are "
            "left out; if it is a feature, use type = c1=numeric");
  EXPECT_EQ(parse(with_row_names, {.drop = {"c1"}}).columns.size(), 1U);
  const Table numbered = parse(",a,y\n1,1,x\n2,2,z\n", {.types = {{"c1", ColumnType::numeric}}});
  EXPECT_EQ(numbered.number_names(), (Texts{"c1", "a"}));
}

TEST(CsvRowNames, WithEqualCellsAreAColumn) {
  const std::string text = ",a,c1,y\n5,1,7,x\n5,2,8,z\n";
  EXPECT_EQ(parse(text).number_names(), (Texts{"c1_", "a", "c1"}));
  EXPECT_EQ(notes_of(text)[1], "the first column has no name and is called 'c1_'");
  EXPECT_EQ(parse(text, {.drop = {"c1_"}}).number_names(), (Texts{"a", "c1"}));
}

TEST(CsvRowNames, AreNeverTheTargetAndStayBlankWhenKept) {
  EXPECT_EQ(refused(",remark\n1,one two three\n2,four five six\n").what,
            "t.csv: no column can be the target");
  const Table kept = parse_keeping(with_row_names, expected({"a"}), KeptCells{});
  EXPECT_EQ(kept.kept_header, ",a,y");
  EXPECT_EQ(kept.kept, (Texts{"r1,1,x", "r2,2,z", "r3,4,x"}));
}

/// Rows whose last column holds these labels.
std::string with_labels(int rows, const std::function<std::string(int)>& label) {
  std::string text = "a,kind,price\n";
  for (int i = 0; i < rows; ++i)
    text += std::to_string(i * i % 17) + (i % 2 == 0 ? ",u," : ",v,") + label(i) + "\n";
  return text;
}

TEST(CsvMeasuredTarget, IsRefusedIfAsked) {
  const Roles roles{.refuse_measured_target = true};
  const std::string fractions =
      with_labels(400, [](int i) { return std::to_string(i % 11) + ".5"; });
  const auto error = refused(fractions, roles);
  EXPECT_EQ(error.what,
            "t.csv: the target 'price', the last column, looks like a measurement: 11 different "
            "numbers in 400 rows, such as '0.5', '1.5', '2.5'");
  EXPECT_EQ(error.hint,
            "use target = kind to predict a column of classes ('kind'), bins = 3 to predict ranges "
            "of the numbers, or type = price=categorical if each number is a class");
  EXPECT_EQ(parse(fractions).classes.size(), 11U);
  EXPECT_EQ(parse(fractions,
                  {.refuse_measured_target = true, .types = {{"price", ColumnType::categorical}}})
                .classes.size(),
            11U);
  EXPECT_EQ(refused(fractions, {.target = "price", .refuse_measured_target = true}).hint,
            "use bins = 3 to predict ranges of it, or type = price=categorical if each number is a "
            "class; or name a column of classes with target");
}

TEST(CsvMeasuredTarget, IsToldFromCodes) {
  const auto refuses = [](int rows, const std::function<int(int)>& label) {
    const std::string text = with_labels(rows, [&](int i) { return std::to_string(label(i)); });
    return refused(text, {.refuse_measured_target = true}).what != "(nothing was thrown)";
  };
  EXPECT_FALSE(refuses(60, [](int i) { return 3 * (i % 10); }));    // ten numbers
  EXPECT_FALSE(refuses(120, [](int i) { return i % 40; }));         // codes from 0
  EXPECT_FALSE(refuses(120, [](int i) { return 1 + i % 40; }));     // codes from 1
  EXPECT_FALSE(refuses(800, [](int i) { return 3 * (i % 40); }));   // 20 rows of each
  EXPECT_TRUE(refuses(799, [](int i) { return 3 * (i % 40); }));    // fewer
  EXPECT_TRUE(refuses(2020, [](int i) { return 3 * (i % 101); }));  // many
}

TEST(CsvTargetBins, DivideAtQuantiles) {
  // 1 to 12 in some order; a third of the rows is below 5, two thirds below 9.
  const genera::testing::TempFile file(
      with_labels(12, [](int i) { return std::to_string(1 + 5 * i % 12); }));
  const Vector edges = target_edges(file.path(), {}, {}, 3);
  EXPECT_EQ(edges, (Vector{5, 9}));
  EXPECT_EQ(names_of_bins(edges), (Texts{"1: below 5", "2: 5 to 9", "3: from 9"}));
  Texts many = names_of_bins({1, 2, 3, 4, 5, 6, 7, 8, 9.5, 10, 11});
  EXPECT_TRUE(std::ranges::is_sorted(many));
  EXPECT_EQ(many[9], "10: 9.5 to 10");
  const Table table = read_csv(file.path(), Roles{.target_edges = edges});
  std::map<std::string, int> rows;
  for (const std::string& label : labels_of(table)) ++rows[label];
  EXPECT_EQ(rows,
            (std::map<std::string, int>{{"1: below 5", 4}, {"2: 5 to 9", 4}, {"3: from 9", 4}}));
}

TEST(CsvTargetBins, WeightsAreRepetitions) {
  std::string weighted = "a,w,price\n", repeated = "a,price\n";
  for (int i = 0; i < 20; ++i) {
    const int value = i * 7 % 20, copies = 1 + i % 4;
    weighted += "1," + std::to_string(copies) + "," + std::to_string(value) + "\n";
    for (int c = 0; c < copies; ++c) repeated += "1," + std::to_string(value) + "\n";
  }
  const genera::testing::TempFile a(weighted), b(repeated);
  EXPECT_EQ(target_edges(a.path(), {.weights = "w", .frequencies = true}, {}, 4),
            target_edges(b.path(), {}, {}, 4));
}

TEST(CsvTargetBins, RefuseWhatCannotBeDivided) {
  const auto refusal = [](const std::string& text, Index bins) {
    return genera::testing::refused_by(
        [&](const std::string& path) { return target_edges(path, {}, {}, bins); }, text);
  };
  EXPECT_EQ(refusal(flowers, 3).what,
            "t.csv: the target 'species' does not hold numbers, so that it cannot be divided into "
            "bins");
  EXPECT_EQ(refusal(flowers, 3).hint, "leave bins out: its values are the classes");
  EXPECT_EQ(refusal("a,y\n1,7\n2,7\n", 2).what,
            "t.csv: the target 'y' has fewer than two different values");
  EXPECT_EQ(refusal("a,y\n1,7\n2,8\n", 1).what, "1 bins cannot be classes");
  EXPECT_EQ(
      caught([] { (void)target_edges(genera::Source::text("1 1:2\n", "a.svm"), {}, {}, 2); }).what,
      "a.svm: bins need a table with a target that can be read twice");
}

TEST(CsvTarget, NamesNumbersThatAreClasses) {
  EXPECT_EQ(notes_of("a,y\n1,3\n2,1\n3,2\n")[0],
            "target: 'y' (by its name), 3 numbers as classes: 1, 2, 3");
}

TEST(RowStream, FingerprintDependsOnTheRowsAlone) {
  const auto of = [](const std::string& text, int threads) {
    const genera::testing::TempFile file(text);
    RowStream stream(file.path(), {}, Roles{});
    EXPECT_EQ(stream.fingerprint(), "");
    (void)read_rows(stream, {.threads = threads});
    return stream.fingerprint();
  };
  std::string rows;
  for (int i = 0; i < 20000; ++i) {
    rows += std::to_string(i) + ",x" + std::string(static_cast<std::size_t>(i % 90), 'z') + "\n";
  }
  const std::string some = rows.substr(0, rows.find("\n200,") + 1);
  std::string backwards;
  for (std::size_t end = some.size(); end > 0;) {
    const std::size_t begin = some.rfind('\n', end - 2) + 1;
    backwards += some.substr(begin, end - begin);
    end = begin;
  }
  EXPECT_EQ(of("a,y\n" + some, 1), of("a,y\n" + backwards, 2));
  EXPECT_EQ(of("a,y\n" + rows, 1), of("a,y\n" + rows, 2));
  EXPECT_EQ(of("a,y\n1,x\n2,z\n", 1), of("a,y\r\n1,x\r\n2,z", 1));
  EXPECT_NE(of("a,y\n1,x\n2,z\n", 1), of("a,y\n1,x\n2,x\n", 1));
  EXPECT_NE(of("a,y\n1,x\n2,z\n", 1), of("a,y\n1,x\n2,z\n2,z\n", 1));
}

TEST(CsvTarget, IsNeverAGuessedText) {
  std::string text = "a,kind,comment\n";
  for (int i = 0; i < 9; ++i)
    text += std::to_string(i) + ",k,a longer remark number " + std::to_string(i) + "\n";
  EXPECT_EQ(parse(text).target, "kind");
  EXPECT_EQ(notes_of(text)[0], "target: 'kind' (the last column that is not text)");
  EXPECT_EQ(parse(text, {.target = "comment"}).target, "comment");
  EXPECT_EQ(refused("comment\none two three\nfour five six\n").what,
            "t.csv: there is only one column, 'comment', when lines are split at ','");
}

TEST(CsvTarget, MayBeMissingAmongTexts) {
  EXPECT_EQ(refused("remark,comment\none two three,x y z\nfour five six,u v w\n").what,
            "t.csv: no column can be the target");
}

TEST(CsvTarget, Named) {
  const Table table = parse(flowers, {.target = "width"});
  EXPECT_EQ(labels_of(table), (Texts{"1", "3"}));
  EXPECT_EQ(table.number_names(), Texts{"length"});
  const auto error = refused(flowers, {.target = "specis"});
  EXPECT_EQ(error.what, "t.csv: there is no column 'specis' (target)");
  EXPECT_EQ(error.hint, "did you mean 'species'?");
  EXPECT_EQ(error.code, Errc::bad_argument);
  EXPECT_EQ(refused(flowers, {.target = "zzzzzzzzz"}).hint,
            "the columns are 'width', 'length', 'species'");
}

TEST(CsvTarget, LabelsAreTrimmedText) {
  EXPECT_EQ(labels_of(parse("a,y\n1, big one \n2,1.0\n3,1\n")), (Texts{"big one", "1.0", "1"}));
}

TEST(CsvTarget, None) {
  const Table table = parse(flowers, {.target = Target::none(), .drop = {"species"}});
  EXPECT_TRUE(table.labels.empty());
  EXPECT_EQ(table.target, "");
  EXPECT_EQ(parse(flowers, {.target = Target::if_present("kind")}).target, "");
}

TEST(CsvRoles, FeaturesStayInFileOrder) {
  const Table table = parse(flowers, {.features = {"length", "width"}});
  EXPECT_EQ(table.number_names(), (Texts{"width", "length"}));
  EXPECT_EQ(parse(flowers, {.features = {"length"}}).number_names(), Texts{"length"});
  EXPECT_EQ(parse(flowers, {.drop = {"length"}}).number_names(), Texts{"width"});
}

TEST(CsvRoles, UnknownNamesAreRefusedWithTheNearest) {
  const auto expect = [](const Roles& roles, const std::string& option) {
    const auto error = refused(flowers, roles);
    EXPECT_EQ(error.what, "t.csv: there is no column 'widht' (" + option + ")");
    EXPECT_EQ(error.hint, "did you mean 'width'?");
    EXPECT_EQ(error.code, Errc::bad_argument);
  };
  expect({.features = {"widht"}}, "features");
  expect({.drop = {"widht"}}, "drop");
  expect({.weights = "widht"}, "weights");
  expect({.types = {{"widht", ColumnType::numeric}}}, "type");
  const auto error = testing::refused_by(
      [](const std::string& path) {
        return testing::read_keeping(path, Roles{}, KeptCells{{"widht"}});
      },
      flowers);
  EXPECT_EQ(error.what, "t.csv: there is no column 'widht' (keep)");
}

TEST(CsvRoles, OneColumnPlaysOnePart) {
  auto error = refused(flowers, {.features = {"species"}});
  EXPECT_EQ(error.what, "t.csv: column 'species' cannot be both a feature and the target");
  EXPECT_EQ(error.hint, "take it out of features, or name another column with target");
  error = refused(flowers, {.weights = "width", .features = {"width"}});
  EXPECT_EQ(error.what, "t.csv: column 'width' cannot be both a feature and the weights");
  EXPECT_EQ(error.hint, "take it out of features, or leave out weights");
  error = refused(flowers, {.drop = {"species"}});
  EXPECT_EQ(error.what, "t.csv: column 'species' cannot be dropped: it is the target");
  EXPECT_EQ(error.hint, "take it out of drop, or name another column with target");
  EXPECT_EQ(refused(flowers, {.target = "width", .weights = "width"}).what,
            "t.csv: column 'width' cannot be both the target and the weights");
  EXPECT_EQ(parse(flowers, {.target = "width", .drop = {"species"}}).number_names(),
            Texts{"length"});
  EXPECT_EQ(refused(flowers, {.drop = {"width", "length"}}).what,
            "t.csv: no column is left for the features");
}

TEST(CsvRoles, Weights) {
  const std::string text = "a,w,y\n1,2,p\n2,0.5,q\n";
  const Table table = parse(text, {.weights = "w"});
  EXPECT_EQ(table.weights, (Numbers{2, 0.5}));
  EXPECT_EQ(table.number_names(), Texts{"a"});
  for (const char* cell : {"-1", "", "inf", "much", "nan"}) {
    const auto error = refused(text + "3," + cell + ",p\n", {.weights = "w"});
    EXPECT_EQ(error.what,
              "t.csv:4: column 'w' holds '" + std::string(cell) + "', which is not a weight");
    EXPECT_EQ(error.hint, "weights are finite numbers >= 0, none of them missing");
  }
  EXPECT_EQ(parse("y,a,w\n1,1,2\n2,1,3\n", {.weights = "y"}).target, "w");
  const auto huge = refused(text + "3,1e308,p\n", {.weights = "w"});
  EXPECT_EQ(huge.what, "t.csv:4: column 'w' holds '1e308', which is too large for a weight");
  EXPECT_EQ(huge.hint, "divide all weights by the same number");
}

TEST(CsvExpected, MatchesByNameInTheOrderOfTheModel) {
  const Table table =
      parse("x,length,note,width\n9,2,n,1\n9,4,n,3\n", expected({"width", "length"}));
  EXPECT_EQ(table.number_names(), (Texts{"width", "length"}));
  EXPECT_EQ(numbers_of(table, 0), (Numbers{1, 3}));
  EXPECT_EQ(numbers_of(table, 1), (Numbers{2, 4}));
  EXPECT_EQ(table.rows(), 2);
}

TEST(CsvExpected, AMissingColumnIsNamedWithTheNearest) {
  const auto error = refused(flowers, expected({"widht"}));
  EXPECT_EQ(error.what, "t.csv: there is no column 'widht', which the model needs");
  EXPECT_EQ(error.hint, "did you mean 'width'?");
  EXPECT_EQ(error.code, Errc::bad_data);
}

TEST(CsvExpected, ANonNumberIsAnErrorAtOnce) {
  EXPECT_EQ(refused("a\n1\nx\n", expected({"a"})).what,
            "t.csv:3: column 'a' holds 'x', which is not a number");
  EXPECT_EQ(refused("a;b\n1;2\n1,5;2\n", expected({"a"}), {.decimal = '.'}).hint,
            "use decimal = , if that is the decimal sign");
}

TEST(CsvExpected, TwoColumnsOfOneNameMatterOnlyIfUsed) {
  const std::string text = "a,b,b,\n1,2,3,4\n";
  EXPECT_EQ(numbers_of(parse(text, expected({"a"})), 0), Numbers{1});
  EXPECT_EQ(refused(text, expected({"b"})).what, "t.csv:1: columns 2 and 3 are both named 'b'");
}

TEST(CsvExpected, TheLabelMayBeThereOrNot) {
  ExpectedRoles roles = expected({"width"});
  roles.target = Target::if_present("species");
  EXPECT_EQ(labels_of(parse(flowers, roles)), (Texts{"a", "b"}));
  EXPECT_TRUE(parse("width\n1\n", roles).labels.empty());
  ExpectedRoles needed = roles;
  needed.target = "species";
  EXPECT_EQ(refused("width\n1\n", needed).what, "t.csv: there is no column 'species' (target)");
  EXPECT_EQ(refused("width\n1\n", needed).code, Errc::bad_data);
}

TEST(CsvExpected, CategoriesAreCodes) {
  const Table table =
      parse("kind,a\nu,1\nv,2\n", ExpectedRoles({{"kind", ColumnType::categorical}}));
  EXPECT_EQ(level_texts(table, 0), (Texts{"u", "v"}));
}

TEST(CsvExpected, NothingIsGuessed) {
  const testing::TempFile file(flowers);
  RowStream stream(file.path(), {}, expected({"width"}));
  EXPECT_TRUE(stream.notes().empty());
}

TEST(CsvKeep, CarriesColumnsAsCommaSeparatedText) {
  const std::string text = "a;\"b,c\";d\n1,5;\"x;\"\"y\"\"\"; 5\" p\n2,5;plain;\"two\nlines\"\n";
  const Table all = parse_keeping(text, expected({"a"}), KeptCells{});
  EXPECT_EQ(all.kept_header, "a,\"b,c\",d");
  EXPECT_EQ(all.kept,
            (Texts{"\"1,5\",\"x;\"\"y\"\"\",\" 5\"\" p\"", "\"2,5\",plain,\"two\nlines\""}));
  const Table some = parse_keeping(text, expected({"a"}), KeptCells{{"d", "a"}});
  EXPECT_EQ(some.kept_header, "d,a");
  EXPECT_EQ(some.kept[0], "\" 5\"\" p\",\"1,5\"");
}

TEST(CsvKeep, ReadBackGivesTheSameCells) {
  const std::string text = "a,s\r\n1,\"x, \"\"y\"\"\"\r\n2, plain \r\n";
  const Roles roles{.target = Target::none()};
  const Table table = parse_keeping(text, roles, KeptCells{});
  const Table again = parse_keeping(table.kept_header + "\n" + table.kept[0] + "\n" + table.kept[1],
                                    roles, KeptCells{});
  testing::expect_same(again, table);
}

TEST(CsvRoles, NamesMayBePatterns) {
  const std::string text = "b1,b2,x,b*,y\n0,1,5,6,u\n1,0,7,8,v\n";
  const auto names = [](const Table& table) {
    Texts found;
    for (const Column& column : table.columns) found.push_back(column.name);
    return found;
  };
  EXPECT_EQ(names(parse(text, {.features = {"b?"}})), (Texts{"b1", "b2", "b*"}));
  EXPECT_EQ(names(parse(text, {.features = {"b*"}})), Texts{"b*"});  // a name comes first
  EXPECT_EQ(names(parse(text, {.drop = {"?1", "x*"}})), (Texts{"b2", "b*"}));
  EXPECT_EQ(names(parse(text, {.features = {"*"}})), (Texts{"b1", "b2", "x", "b*"}));  // no target
  const Table typed =
      parse(text, {.types = {{"b2", ColumnType::numeric}, {"b?", ColumnType::binary}}});
  EXPECT_EQ(typed.columns[0].type, ColumnType::binary);
  EXPECT_EQ(typed.columns[1].type, ColumnType::numeric);  // told by its name
  EXPECT_NE(refused(text, {.drop = {"z*"}}).what.find("no column matches 'z*' (drop)"),
            std::string::npos);
}

TEST(CsvNotes, TellOfManyColumnsOfZerosAndOnes) {
  const std::string text = "q1,q2,q3,q4,q5,z\n0,1,0,1,1,a\n1,0,1,0,0,b\n";
  EXPECT_EQ(notes_of(text).back(),
            "5 columns hold only 0 and 1: 'q1', 'q2', 'q3', 'q4', 'q5'; if these mean no and yes, "
            "use type = q*=binary");
  const std::string constant = "q1,q2,q3,q4,q5,q6,z\n0,1,0,1,1,0,a\n1,0,1,0,0,0,b\n";
  EXPECT_TRUE(notes_of(constant).back().ends_with("use type = q*=binary"));  // nor does it hurt q6
  const std::string varied = "q1,q2,q3,q4,q5,q6,z\n0,1,0,1,1,7,a\n1,0,1,0,0,9,b\n";
  EXPECT_TRUE(notes_of(varied).back().ends_with(
      "use type = q1=binary, q2=binary, q3=binary, q4=binary, q5=binary"));
  const std::string many = "a,b,c,d,e,f,g,h,i,z\n0,1,0,1,1,0,1,0,1,k\n1,0,1,0,0,1,0,1,0,l\n";
  EXPECT_TRUE(notes_of(many).back().ends_with("use type = COL=binary for each of them"));
  const std::string four = "q1,q2,q3,q4,q5,z\n0,1,0,1,2,a\n1,0,1,0,0,b\n";
  EXPECT_EQ(notes_of(four), Texts{"target: 'z' (the last column)"});
}

}  // namespace
}  // namespace genera::csv_roles_test
