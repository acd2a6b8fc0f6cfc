#include <genera/rows.hpp>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "data/each_code.hpp"
#include "support/problems.hpp"

namespace genera::rows_test {
namespace {

using testing::error_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The same numbers in an array of any type, column after column.
template <class T>
std::vector<T> columns_of(const Table& table, double scale = 1) {
  std::vector<T> values;
  for (Index j = 0; j < table.numbers.columns(); ++j) {
    for (Index i = 0; i < table.rows(); ++i)
      values.push_back(static_cast<T>(std::round(table.numbers(i, j) * scale)));
  }
  return values;
}

Table rounded(Table table, double scale) {
  for (Index i = 0; i < table.rows(); ++i) {
    for (double& x : table.numbers.row(i)) x = std::round(x * scale);
  }
  return table;
}

TEST(Rows, OfATableAreItsRows) {
  const Table table = testing::random_table(50, 3, 2, 1);
  const Rows rows(table);
  EXPECT_EQ(rows.count(), 50);
  EXPECT_TRUE(rows.contiguous());
  EXPECT_EQ(rows.data().numbers.front()(7, 2), table.numbers(7, 2));
  EXPECT_EQ(rows.data().labels(7), table.labels[7]);
  EXPECT_EQ(rows.place(4), "row 5");
}

TEST(Rows, RangesOfRangesStayRangesAndListsReplace) {
  const Table table = testing::random_table(50, 3, 2, 1);
  const Rows middle = Rows(table).between(10, 40).between(5, 10);
  EXPECT_TRUE(middle.contiguous());
  EXPECT_EQ(middle.count(), 5);
  EXPECT_EQ(middle.row(2), 17);
  const std::vector<Index> list{3, 49, 4};
  const Rows some = middle.only(list).between(1, 3);
  EXPECT_FALSE(some.contiguous());
  EXPECT_EQ(some.count(), 2);
  EXPECT_EQ(some.row(0), 49);
}

TEST(Rows, OfAnEmptyListAreNone) {
  const Table table = testing::random_table(50, 3, 2, 1);
  EXPECT_EQ(Rows(table).only({}).count(), 0);
  EXPECT_FALSE(Rows(table).only({}).contiguous());
  EXPECT_EQ(posterior(fit(table, lda()).model, Rows(table).only({})).rows(), 0);
}

/// Answers and statistics of a list of rows are those of a table that holds nothing else.
TEST(Rows, OfAListAreLearnedFromAndAskedLikeATableOfThem) {
  const Table table = testing::random_table(300, 4, 3, 2);
  std::vector<Index> list;
  for (Index i = 299; i >= 0; i -= 3) list.push_back(i);
  const Table alone = testing::rows_of(table, list);
  const Rows some = Rows(table).only(list);
  for (const Recipe& recipe : testing::whole_family()) {
    const Model model = fit(some, recipe).model;
    EXPECT_EQ(model, fit(alone, recipe).model);
    EXPECT_EQ(log_joint(model, some), log_joint(model, alone));
    EXPECT_EQ(predict(model, some), predict(model, alone));
  }
}

TEST(Rows, OfAListMayLackNumbers) {
  const Table table = testing::with_missing(testing::random_table(200, 4, 3, 3), 0.2, 1);
  const Model model = fit(table, qda(), {.missing = Missing::drop}).model;
  std::vector<Index> list;
  for (Index i = 1; i < 200; i += 2) list.push_back(i);
  EXPECT_EQ(posterior(model, Rows(table).only(list)),
            posterior(model, testing::rows_of(table, list)));
}

template <class T>
class RowsOfElements : public ::testing::Test {};
using Elements =
    ::testing::Types<double, float, std::int64_t, std::int32_t, std::int16_t, std::int8_t>;
TYPED_TEST_SUITE(RowsOfElements, Elements);

/// Columns of any type and order give what a table of the same numbers gives.
TYPED_TEST(RowsOfElements, AreReadAsTheyAre) {
  constexpr double scale = 8;
  const Table table = rounded(testing::random_table(120, 3, 2, 4), scale);
  const std::vector<TypeParam> values = columns_of<TypeParam>(table);
  DataView data{.rows = 120, .columns = table.columns, .target = "class"};
  data.numbers.emplace_back(values.data(), 2, Strides{1, 120});        // two columns of one array
  data.numbers.emplace_back(values.data() + 240, 1, Strides{1, 120});  // and one of another
  data.labels = CodesView(table.labels.data(), table.classes);
  const Rows rows(std::move(data));
  const Model model = fit(rows, qda()).model;
  EXPECT_EQ(model, fit(table, qda()).model);
  EXPECT_EQ(posterior(model, rows), posterior(model, table));
}

TEST(Rows, OfNumbersWithABitForEachLackWhatIsNotValid) {
  Table table = testing::random_table(20, 2, 2, 5);
  const Model model = fit(table, qda()).model;
  std::vector<std::uint8_t> bits(3, 0xFF);
  bits[1] = 0xFE;  // row 8
  const Vector first = {table.numbers.data(), table.numbers.data() + 40};
  DataView data{.rows = 20, .columns = table.columns};
  data.numbers.emplace_back(first.data(), 1, Strides{2, 1}, bits.data());
  data.numbers.emplace_back(first.data() + 1, 1, Strides{2, 1});
  table.numbers(8, 0) = nan;
  EXPECT_EQ(posterior(model, Rows(std::move(data))), posterior(model, table));
}

template <class T>
class RowsOfCodes : public ::testing::Test {};
using Integers = ::testing::Types<std::int64_t, std::int32_t, std::int16_t, std::int8_t,
                                  std::uint64_t, std::uint32_t, std::uint16_t, std::uint8_t>;
TYPED_TEST_SUITE(RowsOfCodes, Integers);

TYPED_TEST(RowsOfCodes, OfAnyWidthAreMatchedByName) {
  const std::vector<std::string> colours{"red", "green", "blue"}, classes{"a", "b"};
  const std::vector<TypeParam> codes{0, 1, 2, 2, 1, 0, 0, 99};  // 99 is none of the names: missing
  const std::vector<TypeParam> labels{0, 0, 1, 1, 0, 1, 0, 1};
  DataView data{.rows = 8, .columns = {{"colour", ColumnType::categorical}}, .target = "class"};
  data.codes.emplace_back(codes.data(), colours);
  data.labels = CodesView(labels.data(), classes);
  const Rows rows(std::move(data));
  const Model model = fit(rows, lda()).model;
  Table table;
  table.columns = {{"colour", ColumnType::categorical}};
  table.row_count = 8;
  table.codes = Codes(8, 1);
  table.levels = {{"blue", "green", "red"}};
  const std::vector<std::int32_t> theirs{2, 1, 0, 0, 1, 2, 2, -1};
  for (Index i = 0; i < 8; ++i) table.codes(i, 0) = theirs[static_cast<std::size_t>(i)];
  table.target = "class";
  table.classes = classes;
  table.labels = {0, 0, 1, 1, 0, 1, 0, 1};
  EXPECT_EQ(model, fit(table, lda()).model);
  EXPECT_EQ(posterior(model, rows), posterior(model, table));
}

/// A sparse matrix from memory, with narrow and with wide indices, is an svmlight table.
template <class I>
class RowsOfSparse : public ::testing::Test {};
using Indices = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(RowsOfSparse, Indices);

TYPED_TEST(RowsOfSparse, AreCountsOrNumbers) {
  const std::vector<std::string> terms{"1", "2", "7"}, classes{"no", "yes"};
  const std::vector<TypeParam> begins{0, 2, 3, 5, 6}, places{0, 2, 1, 0, 1, 2};
  const std::vector<float> values{3, 1, 2, 1, 4, 5};
  const std::vector<std::int8_t> labels{0, 1, 0, 1};
  SparseView sparse;
  sparse.begins = begins.data();
  sparse.places = places.data();
  sparse.values = values.data();
  sparse.begin_type = sparse.place_type = element_of<TypeParam>();
  sparse.value_type = element_of<float>();
  sparse.terms = terms;
  Table table;
  table.row_count = 4;
  table.target = "class";
  table.classes = classes;
  table.labels = {0, 1, 0, 1};
  SparseColumns& columns = table.sparse.emplace_back();
  columns.terms = terms;
  columns.begins = {0, 2, 3, 5, 6};
  columns.places = {0, 2, 1, 0, 1, 2};
  columns.values = {3, 1, 2, 1, 4, 5};
  for (const SparseKind kind : {SparseKind::counts, SparseKind::numbers}) {
    sparse.kind = columns.kind = kind;
    DataView data{.rows = 4, .sparse = {sparse}, .target = "class"};
    data.labels = CodesView(labels.data(), classes);
    const Rows rows(std::move(data));
    const Recipe recipe = kind == SparseKind::counts ? multinomial() : gaussian_naive_bayes();
    const Model model = fit(rows, recipe).model;
    EXPECT_EQ(model, fit(table, recipe).model);
    EXPECT_EQ(posterior(model, rows), posterior(model, table));
  }
}

/// Three rows of a matrix of two columns, and where its entries are.
struct SmallMatrix {
  std::vector<std::int64_t> begins{0, 1, 2, 4};
  std::vector<std::int32_t> places{0, 1, 0, 1};
  std::vector<double> values{3, 2, 1, 4};
  std::vector<std::string> terms, classes{"ham", "spam"};
  std::vector<int> labels{0, 1, 1};

  [[nodiscard]] SparseView view(SparseKind kind) const {
    SparseView sparse;
    sparse.kind = kind;
    sparse.begins = begins.data();
    sparse.places = places.data();
    sparse.values = values.data();
    sparse.terms = terms;
    return sparse;
  }
  [[nodiscard]] DataView data(std::vector<SparseView> sparse) const {
    DataView view{.rows = 3, .sparse = std::move(sparse), .target = "class"};
    view.labels = CodesView(labels.data(), classes);
    return view;
  }
};

TEST(Rows, OfAMatrixMayCallItsColumnsAnything) {
  const SmallMatrix words{.terms = {"win", "free"}}, numbers{.terms = {"10", "9"}};
  const auto terms_of = [](const SmallMatrix& matrix) {
    const Model model =
        fit(Rows(matrix.data({matrix.view(SparseKind::counts)})), multinomial()).model;
    return std::get<CountBlock>(model.blocks().front()).parameters().terms;
  };
  EXPECT_EQ(terms_of(words), (std::vector<std::string>{"free", "win"}));
  EXPECT_EQ(terms_of(numbers), (std::vector<std::string>{"9", "10"}));
}

TEST(Rows, RefuseAMatrixBesideAnother) {
  const SmallMatrix matrix{.terms = {"1", "2"}};
  const SparseView one = matrix.view(SparseKind::counts);
  EXPECT_EQ(error_of([&] {
              (void)Rows(matrix.data({one, one}));
            }),
            "a sparse matrix stands beside another, or beside a text | join the matrices into one, "
            "or leave the text out");
  SparseView odd = one;
  odd.place_type = Element::i16;
  EXPECT_EQ(error_of([&] { (void)Rows(matrix.data({odd})); }),
            "the begins or places of a sparse matrix are not integers of 32 or 64 bits | convert "
            "them");
}

TEST(Rows, OfAMatrixOfNumbersAreLaidOutForFullCovariances) {
  const Table iris = read_csv("@iris");
  Table sparse = iris;
  sparse.columns.clear();
  sparse.numbers = Matrix(iris.rows(), 0);
  SparseColumns columns{.terms = {"1", "2", "3", "4"}, .begins = {0}, .kind = SparseKind::numbers};
  for (Index i = 0; i < iris.rows(); ++i) {
    for (Index j = 0; j < 4; ++j) {
      columns.places.push_back(static_cast<std::int32_t>(j));
      columns.values.push_back(iris.numbers(i, j));
    }
    columns.begins.push_back(std::ssize(columns.places));
  }
  sparse.sparse.push_back(std::move(columns));
  const auto same = [&](const FitOptions& options) {
    for (const Recipe& recipe : {lda(), qda()})
      EXPECT_EQ(log_joint(fit(sparse, recipe, options).model, sparse),
                log_joint(fit(iris, recipe, options).model, iris));
  };
  same({});
  Table half = iris;
  for (Index i = 0; i < iris.rows(); i += 3) half.labels[static_cast<std::size_t>(i)] = -1;
  sparse.labels = half.labels;
  EXPECT_EQ(log_joint(fit(sparse, qda()).model, sparse), log_joint(fit(half, qda()).model, iris));
}

TEST(Rows, WithoutNamesOfClassesCallThemByNumber) {
  const Matrix numbers(6, 1, {0, 1, 0.5, 5, 6, 7});
  const std::vector<std::uint8_t> labels{0, 0, 0, 2, 2, 2};
  const Rows rows = labelled_rows(numbers, labels);
  EXPECT_EQ(fit(rows, lda()).model.classes(), (std::vector<std::string>{"0", "2"}));
}

TEST(Rows, RefuseLabelsThatAreNotClasses) {
  const Matrix numbers(3, 1, 1.0);
  const std::vector<std::string> classes{"a", "b"};
  EXPECT_EQ(
      error_of([&] {
        (void)labelled_rows(numbers, std::vector<int>{1, 2, 1}, {.classes = classes});
      }),
      "row 2: the label 2 is not a place in the list of 2 classes | number the classes from 0");
  EXPECT_EQ(
      error_of([&] {
        (void)labelled_rows(numbers, std::vector<std::uint64_t>{1, 2, ~std::uint64_t{0}});
      }),
      "row 3: the label 9223372036854775807 is larger than 999999 | number the classes from 0");
}

TEST(Rows, OfFloatsAndWholeNumbersTakeThreeLines) {
  const std::vector<float> samples{0, 1, 0.5F, 2, 4, 5, 5, 4.5F, 0.25F, 1.5F, 4.5F, 5.25F};
  const std::vector<int> labels{0, 0, 1, 1, 0, 1};

  const std::vector<std::string> classes{"rest", "fist"};
  const Rows rows = labelled_rows({samples.data(), 6, 2}, labels, {.classes = classes});
  const auto [model, report] = fit(rows, lda());

  EXPECT_EQ(model.classes(), (std::vector<std::string>{"fist", "rest"}));
  EXPECT_EQ(report.outcome, Outcome::closed_form);
  EXPECT_EQ(predict(model, rows), (std::vector<std::int32_t>{1, 1, 0, 0, 1, 0}));
}

TEST(Rows, RefuseWhatDoesNotFitTogether) {
  const Matrix numbers(3, 2, 1.0);
  const std::vector<std::string> classes{"a", "b"};
  const std::vector<int> labels{0, 1};
  EXPECT_EQ(error_of([&] { (void)labelled_rows(numbers, labels, {.classes = classes}); }),
            "2 labels for 3 rows | give one label per row");
  EXPECT_EQ(error_of([&] {
              (void)labelled_rows(numbers, std::vector<int>{0, 1, 0},
                                  {.names = {"x"}, .classes = classes});
            }),
            "1 name for 2 columns | give one name per column, or none");
  EXPECT_EQ(error_of([&] {
              (void)Rows(DataView{.rows = 3, .columns = {{"x", ColumnType::numeric}}});
            }),
            "the columns are 1 number, 0 codes and 0 texts, but 0, 0 and 0 are given | give a view "
            "for every column");
  const Vector weights{1, 2};
  EXPECT_EQ(error_of([&] { (void)Rows(DataView{.rows = 3, .weights = weights}); }),
            "2 weights for 3 rows | give one weight per row, or none");
}

TEST(Rows, RefuseTwoColumnsOfOneName) {
  const Matrix numbers(3, 3);
  const std::string expected = "two columns are named 'b' | give every column its own name";
  EXPECT_EQ(error_of([&] {
              (void)labelled_rows(numbers, std::vector<int>{0, 1, 0}, {.names = {"a", "b", "b"}});
            }),
            expected);
  Table table = make_table({"a", "b", "c"}, numbers, {"x", "y", "x"});
  table.columns[2].name = "b";
  EXPECT_EQ(error_of([&] { (void)Rows(table); }), expected);
  const std::vector<std::string> levels{"u"};
  const std::vector<std::int32_t> codes{0, 0, 0};
  const DataView view{.rows = 3,
                      .columns = {{"b", ColumnType::numeric}, {"b", ColumnType::categorical}},
                      .numbers = {MatrixView(numbers.data(), 3, 1, {3, 1})},
                      .codes = {CodesView(codes.data(), levels)}};
  EXPECT_EQ(error_of([&] { (void)Rows(view); }), expected);
}

/// Codes of a column, read one by one and all at once.
template <class T>
void expect_same_codes(std::vector<T> raw) {
  const std::vector<std::string> names = {"a", "b", "c"};
  const std::uint8_t bits[] = {0b10110111, 0b1};
  const Matrix x(4, 1);
  const Rows rows(MatrixView{x});
  const std::vector<Index> some = {3, 0, 2};
  for (const Index stride : {Index{1}, Index{2}}) {
    for (const std::uint8_t* valid : {static_cast<const std::uint8_t*>(nullptr), bits}) {
      const CodesView column(raw.data(), names, stride, valid);
      for (const Rows& part : {rows, rows.between(1, 4), rows.only(some), rows.between(2, 2)}) {
        const std::vector<std::int32_t> codes = data::codes_of(column, part);
        ASSERT_EQ(std::ssize(codes), part.count());
        for (Index i = 0; i < part.count(); ++i)
          EXPECT_EQ(codes[static_cast<std::size_t>(i)], column(part.row(i)));
      }
    }
  }
}

TEST(Codes, OfSomeRowsAreThoseOfEach) {
  expect_same_codes<std::int64_t>({0, 2, -1, 3, 1, std::int64_t{1} << 40, 2, 1});
  expect_same_codes<std::int32_t>({0, 2, -1, 3, 1, 1 << 30, 2, 1});
  expect_same_codes<std::int8_t>({0, 2, -1, 3, 1, 127, 2, 1});
  expect_same_codes<std::uint64_t>({0, 2, ~std::uint64_t{0}, 3, 1, 1, 2, 1});
  expect_same_codes<std::uint8_t>({0, 2, 255, 3, 1, 1, 2, 1});
}

TEST(Folds, AreTheStatisticsOfTheirRowsInOnePass) {
  const Table table = testing::random_table(40'000, 3, 4, 6);
  std::vector<std::int32_t> fold_of;
  for (Index i = 0; i < table.rows(); ++i)
    fold_of.push_back(static_cast<std::int32_t>(i * 7 % 11) - 1);  // every eleventh is in none
  const std::vector<Statistics> folds = collect_folds(table, fold_of, 10, {}, {.threads = 3});
  ASSERT_EQ(folds.size(), 10U);
  EXPECT_EQ(folds, collect_folds(table, fold_of, 10));
  std::vector<Index> training;
  Statistics merged;
  for (std::size_t f = 0; f < 10; ++f) {
    if (f != 4) merged.merge(folds[f]);
  }
  for (Index i = 0; i < table.rows(); ++i) {
    const std::int32_t fold = fold_of[static_cast<std::size_t>(i)];
    if (fold >= 0 && fold != 4) training.push_back(i);
  }
  const Model from_folds = estimate(merged, qda()).model;
  const Model from_rows = fit(Rows(table).only(training), qda()).model;
  EXPECT_LT(testing::largest_difference(posterior(from_folds, table), posterior(from_rows, table)),
            1e-9);
}

TEST(Folds, RefuseNumbersThatAreNotAFold) {
  const Table table = testing::random_table(4, 2, 2, 7);
  const std::vector<std::int32_t> one_more{0, 1, 2, 0}, too_few{0, 1};
  EXPECT_EQ(error_of([&] { (void)collect_folds(table, one_more, 2); }),
            "fold 2 is not one of 2 | number the folds from 0; a negative number is in none");
  EXPECT_EQ(error_of([&] { (void)collect_folds(table, too_few, 2); }),
            "2 folds are named for 4 rows | name the fold of each row");
}

}  // namespace
}  // namespace genera::rows_test
