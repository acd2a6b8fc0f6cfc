#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "data/densified.hpp"
#include "data/few_values.hpp"
#include "data/join_tables.hpp"
#include "data/number_content.hpp"
#include "evaluate/reading.hpp"
#include "support/problems.hpp"

namespace genera::fit_auto_test {
namespace {

using testing::error_of;

const Model& model_of(const AutoFit& found) { return std::get<Model>(found.fitted.model); }
const Classifier& classifier_of(const AutoFit& found) { return found.fitted.model; }

std::string text_of(const Table& table) {
  std::string text;
  for (const Column& column : table.columns) text += column.name + ",";
  text += "class\n";
  for (Index i = 0; i < table.rows(); ++i) {
    for (const double x : table.numbers.row(i)) text += std::to_string(x) + ",";
    text +=
        table.classes[static_cast<std::size_t>(table.labels[static_cast<std::size_t>(i)])] + "\n";
  }
  return text;
}

TEST(FitAuto, TakesTheLeastHeldOutLoss) {
  const Table table = testing::random_table(120, 4, 3, 21);
  const AutoFit found = fit_auto(table);
  const Selection fixed = cross_validate(
      table, {{"lda", lda(), {}}, {"qda", qda(), {}}, {"gnb", gaussian_naive_bayes(), {}}});
  for (const HeldOut& one : fixed.candidates)
    EXPECT_LE(found.choice.log_loss, one.log_loss + 1e-12);
  EXPECT_LE(found.choice.log_loss, found.choice.runner_up_log_loss);
  ASSERT_TRUE(found.choice.calibration.has_value());
  EXPECT_NEAR(found.choice.calibration->log_loss_before, found.choice.log_loss, 1e-12);
  EXPECT_EQ(model_of(found).temperature(), found.choice.calibration->temperature);
  const Model again =
      fit(table, found.choice.recipe).model.with_temperature(model_of(found).temperature());
  EXPECT_EQ(posterior(again, table), posterior(model_of(found), table));
  EXPECT_NE(model_of(found).notes().back().find("auto: " + found.choice.name), std::string::npos);
}

TEST(FitAuto, WithoutCalibrationTheTemperatureIsOne) {
  const Table table = testing::random_table(60, 4, 3, 22);
  const AutoFit found = fit_auto(table, {.calibrate = false});
  EXPECT_EQ(model_of(found).temperature(), 1);
  EXPECT_FALSE(found.choice.calibration.has_value());
}

TEST(FitAuto, OfAStreamIsThatOfTheTable) {
  const std::string text = text_of(testing::random_table(90, 3, 3, 23));
  const Table table = read_csv(Source::text(text, "rows"));
  const AutoFit whole = fit_auto(table);
  RowStream rows(Source::text(text, "rows"), {}, Roles{});
  const AutoFit streamed = fit_auto(rows, {}, {.threads = 2});
  EXPECT_EQ(streamed.choice.name, whole.choice.name);
  EXPECT_EQ(streamed.choice.log_loss, whole.choice.log_loss);
  EXPECT_LT(testing::largest_difference(posterior(model_of(streamed), table),
                                        posterior(model_of(whole), table)),
            1e-12);
}

// A file and the same table in memory are chosen for alike, whatever became of whole numbers.
TEST(FitAuto, OfAStreamReadsWholeNumbersAsOfTheTable) {
  Rng rng(6);
  std::string text = "x,code,flag,class\n";
  for (int i = 0; i < 300; ++i) {
    const bool second = i % 2 == 1;
    const int code =
        rng.uniform() < 0.85 ? (second ? 3 : 7) : 1 + 2 * static_cast<int>(4 * rng.uniform());
    const int flag = rng.uniform() < (second ? 0.7 : 0.3) ? 1 : 0;
    text += (i == 11 ? std::string() : std::to_string(rng.normal() + (second ? 1 : 0))) + "," +
            std::to_string(code) + "," + std::to_string(flag) + (second ? ",b\n" : ",a\n");
  }
  const Table table = read_csv(Source::text(text, "rows"));
  RowStream rows(Source::text(text, "rows"), {}, Roles{});
  const AutoFit whole = fit_auto(table), streamed = fit_auto(rows);
  EXPECT_FALSE(whole.choice.types.empty());
  EXPECT_EQ(whole.choice.types, streamed.choice.types);
  EXPECT_EQ(whole.choice.name, streamed.choice.name);
  EXPECT_EQ(whole.choice.candidates, streamed.choice.candidates);
  EXPECT_NEAR(whole.choice.log_loss, streamed.choice.log_loss, 1e-12);
  EXPECT_LT(testing::largest_difference(posterior(classifier_of(whole), table),
                                        posterior(classifier_of(streamed), table)),
            1e-9);
}

TEST(FitAuto, OfManyRowsDecidesOnASample) {
  const Table table = testing::random_table(500, 3, 3, 24);
  const AutoFit found = fit_auto(table, {.max_rows = 200});
  EXPECT_GE(found.choice.rows, 200);  // shares of classes are rounded up
  EXPECT_LE(found.choice.rows, 202);
  EXPECT_EQ(found.choice.of, 500);
  double learned = 0;
  for (const double count : model_of(found).counts()) learned += count;
  EXPECT_EQ(learned, 500);
}

TEST(FitAuto, OfConstantsKnowsThePriors) {
  const Table table =
      make_table({"x", "y"}, Matrix(4, 2, {5, 1, 5, 1, 5, 1, 5, 1}), {"a", "b", "b", "b"});
  const AutoFit found = fit_auto(table);
  const Matrix p = posterior(model_of(found), table);
  for (Index i = 0; i < 4; ++i) EXPECT_NEAR(p(i, 0), 0.25, 1e-15);
  EXPECT_EQ(found.choice.name, "priors alone");
  EXPECT_EQ(model_from_bytes(to_bytes(model_of(found))), model_of(found));
}

TEST(FitAuto, RefusesWhatCannotBeLearnedFrom) {
  Table table = testing::random_table(10, 2, 2, 25);
  EXPECT_EQ(error_of([&] { (void)fit_auto(table, {.folds = 1}); }),
            "1 fold of 20000 rows leave nothing to choose by | give folds at least 2, and at least "
            "one row");
  table.labels.assign(10, -1);
  EXPECT_NE(error_of([&] { (void)fit_auto(table); }), "no error");
}

TEST(FitAuto, StopsWhenItIsTold) {
  const Table table = testing::random_table(200, 3, 3, 26);
  const Control stop{.threads = 1, .progress = [](const Progress&) { return false; }};
  EXPECT_THROW((void)fit_auto(table, {}, stop), Error);
}

TEST(FewValues, AreWholeNumbersOfWhichThereAreFew) {
  Matrix numbers(12, 4);
  for (Index i = 0; i < 12; ++i) {
    numbers(i, 0) = static_cast<double>(i % 2);
    numbers(i, 1) = static_cast<double>(i % 3) + 0.5;
    numbers(i, 2) = static_cast<double>(i);
    numbers(i, 3) = static_cast<double>(7 - i % 4);
  }
  numbers(5, 3) = std::nan("");
  const Table table =
      make_table({"flag", "half", "many", "code"}, numbers, std::vector<std::string>(12, "a"));
  const std::vector<Column> few = data::few_valued(table, 10);
  ASSERT_EQ(few.size(), 2U);
  EXPECT_EQ(few[0], (Column{"flag", ColumnType::binary}));
  EXPECT_EQ(few[1], (Column{"code", ColumnType::categorical}));
  const Table coded = data::table_of(data::as_codes(table, few));
  EXPECT_EQ(coded.numbers.columns(), 2);
  EXPECT_EQ(coded.numbers(4, 1), 4);
  EXPECT_EQ(coded.levels[0], (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(coded.levels[1], (std::vector<std::string>{"7", "6", "5", "4"}));
  EXPECT_EQ(coded.codes(5, 1), -1);
  EXPECT_EQ(coded.codes(2, 1), 2);
}

// A table is what its rows are, in whatever order: the choice, the temperature and the loss that is
// reported depend on nothing else. Sorted by class the first 1,000 rows would be of one class.
TEST(FitAuto, DoesNotDependOnTheOrderOfRows) {
  const Table plain = testing::random_table(150, 3, 3, 31);
  Table weighted = plain;
  for (Index i = 0; i < 150; ++i) weighted.weights.push_back(1 + static_cast<double>(i % 3));
  Table unlabelled = plain;
  for (std::size_t i = 0; i < 150; i += 2) unlabelled.labels[i] = -1;
  const std::vector<std::pair<Table, AutoOptions>> cases{
      {plain, {}},
      {weighted, {}},
      {unlabelled, {}},
      {testing::with_missing(testing::random_table(1200, 2, 3, 32), 0.01, 5), {}},
      {testing::random_table(400, 3, 3, 33), {.max_rows = 100}}};
  for (const auto& [table, options] : cases) {
    const AutoFit found = fit_auto(table, options);
    std::vector<Index> by_class = testing::range(0, table.rows());
    std::ranges::stable_sort(by_class, {}, [&table = table](Index i) {
      return table.labels[static_cast<std::size_t>(i)];
    });
    std::vector<Index> backwards = by_class;
    std::ranges::reverse(backwards);
    for (const auto& order : {by_class, backwards}) {
      const AutoFit again = fit_auto(data::selected(table, order), options);
      EXPECT_EQ(again.choice.name, found.choice.name);
      EXPECT_NEAR(again.choice.log_loss, found.choice.log_loss, 1e-7);
      ASSERT_EQ(again.choice.members.size(), found.choice.members.size());
      for (std::size_t m = 0; m < found.choice.members.size(); ++m) {
        EXPECT_EQ(again.choice.members[m].name, found.choice.members[m].name);
        EXPECT_NEAR(again.choice.members[m].weight, found.choice.members[m].weight, 1e-5);
      }
      ASSERT_EQ(again.choice.calibration.has_value(), found.choice.calibration.has_value());
      if (found.choice.calibration) {
        EXPECT_NEAR(again.choice.calibration->temperature, found.choice.calibration->temperature,
                    1e-5);
      }
      EXPECT_EQ(again.fitted.report.unlabelled_weight, found.fitted.report.unlabelled_weight);
      EXPECT_LT(testing::largest_difference(posterior(again.fitted.model, plain),
                                            posterior(found.fitted.model, plain)),
                1e-5);
    }
  }
}

// Classes that a caller declares to be whole numbers are classes, however many there are.
TEST(FitAuto, KeepsTheTypeOfLabels) {
  Table table = testing::random_table(800, 2, 200, 5);
  for (std::size_t k = 0; k < 200; ++k) table.classes[k] = std::to_string(k);
  for (std::size_t i = 0; i < 800; ++i) table.labels[i] = static_cast<std::int32_t>(i % 200);
  table.label_type = LabelType::integer;
  EXPECT_GT(fit_auto(table).choice.candidates, 0);
  EXPECT_GT(fit_auto(table, {.max_rows = 600}).choice.candidates, 0);
}

TEST(ReadSample, TakesTheSameRowsWhateverTheChunks) {
  std::string text = "x,class\n";
  for (int i = 0; i < 5000; ++i) text += std::to_string(i) + (i % 2 == 0 ? ",a\n" : ",b\n");
  RowStream rows(Source::text(text, "rows"), {}, Roles{});
  const RowSample one = read_sample(rows, 100, 3), two = read_sample(rows, 100, 3, {.threads = 3});
  EXPECT_EQ(one.of, 5000);
  EXPECT_EQ(one.rows.rows(), 100);
  EXPECT_EQ(one.rows.numbers, two.rows.numbers);
  double mean = 0;
  for (Index i = 0; i < 100; ++i) {
    mean += one.rows.numbers(i, 0) / 100;
    const double before = i > 0 ? one.rows.numbers(i - 1, 0) : -1;
    EXPECT_LT(before, one.rows.numbers(i, 0));  // in their order
  }
  EXPECT_NEAR(mean, 2500, 5 * 1443 / 10.0);  // five standard errors
  EXPECT_NE(read_sample(rows, 100, 4).rows.numbers, one.rows.numbers);
  EXPECT_EQ(read_sample(rows, 9000, 3).rows.rows(), 5000);
}

TEST(RowStreamRoles, CanBeToldAgain) {
  RowStream rows(Source::text("x,y,class\n1,5,a\n2,6,b\n1,7,a\n", "rows"), {}, Roles{});
  EXPECT_EQ(read_rows(rows).numbers.columns(), 2);
  Roles roles = *rows.roles();
  roles.types.emplace_back("x", ColumnType::categorical);
  rows.read_as(roles);
  const Table table = read_rows(rows);
  EXPECT_EQ(table.numbers.columns(), 1);
  EXPECT_EQ(table.levels.front(), (std::vector<std::string>{"1", "2"}));
  RowStream expected(Source::text("x,class\n1,a\n", "rows"), {},
                     ExpectedRoles({{"x", ColumnType::numeric}}));
  EXPECT_EQ(expected.roles(), nullptr);
  EXPECT_EQ(error_of([&] { expected.read_as({}); }),
            "rows: the columns are those that a model expects | open the source again to read it "
            "otherwise");
}

TEST(FitAuto, ArraysGiveWhatATableGives) {
  const Table table = testing::random_table(150, 3, 3, 23);
  const Rows arrays = labelled_rows(MatrixView(table.numbers), table.labels,
                                    {.names = table.number_names(), .classes = table.classes});
  const AutoFit found = fit_auto(table), same = fit_auto(arrays);
  EXPECT_EQ(found.choice.name, same.choice.name);
  EXPECT_EQ(posterior(found.fitted.model, table), posterior(same.fitted.model, table));
  const std::vector<Index> list = testing::range(0, 100);
  const AutoFit some = fit_auto(arrays.only(list), {.max_rows = 60});
  EXPECT_EQ(some.choice.rows, 62);  // shares are rounded up
  EXPECT_EQ(some.choice.of, 100);
}

/// Rows of which most cells are 0, as numbers that are whole or not.
Table mostly_zero(Index rows, Index columns, double nonzero, bool whole) {
  Rng rng(static_cast<std::uint64_t>(columns));
  Table table;
  for (Index j = 0; j < columns; ++j)
    table.columns.push_back({std::to_string(j + 1), ColumnType::numeric});
  table.row_count = rows;
  table.numbers = Matrix(rows, columns);
  table.codes = Codes(rows, 0);
  table.target = "class";
  table.classes = {"0", "1"};
  for (Index i = 0; i < rows; ++i) {
    table.labels.push_back(static_cast<std::int32_t>(i % 2));
    for (Index j = 0; j < columns; ++j) {
      const double share = nonzero * (j % 2 == i % 2 ? 1.4 : 0.6);
      const bool zero = i > 0 && rng.uniform() >= share;  // every column has an entry
      table.numbers(i, j) = zero ? 0 : std::ceil(4 * rng.uniform()) + (whole ? 0 : 0.25);
    }
  }
  return table;
}

Table as_sparse(const Table& table) {
  Table sparse = data::sparse_counts(table);
  sparse.sparse.front().kind = SparseKind::numbers;
  return sparse;
}

void expect_same(const AutoFit& one, const AutoFit& other, const Table& table) {
  EXPECT_EQ(one.choice.name, other.choice.name);
  EXPECT_EQ(one.choice.runner_up, other.choice.runner_up);
  EXPECT_EQ(one.choice.candidates, other.choice.candidates);
  EXPECT_EQ(one.choice.counts, other.choice.counts);
  EXPECT_NEAR(one.choice.log_loss, other.choice.log_loss, 1e-12);
  for (const Table& rows : {table, as_sparse(table)})
    EXPECT_LT(testing::largest_difference(posterior(classifier_of(one), rows),
                                          posterior(classifier_of(other), rows)),
              1e-12);
}

struct ZerosCase {
  Index columns;
  double nonzero;
  bool whole;
};

// What is tried depends on the numbers, not on whether zeros are stored.
TEST(FitAuto, OfASparseMatrixIsThatOfTheTable) {
  for (const auto& [columns, nonzero, whole] :
       {ZerosCase{12, 0.3, true}, ZerosCase{12, 0.3, false}, ZerosCase{12, 0.8, true},
        ZerosCase{1800, 0.05, true}, ZerosCase{1800, 0.05, false}}) {
    const Table table = mostly_zero(150, columns, nonzero, whole);
    const AutoFit found = fit_auto(table);
    expect_same(found, fit_auto(as_sparse(table)), table);
    expect_same(fit_auto(table, {.max_rows = 60}), fit_auto(as_sparse(table), {.max_rows = 60}),
                table);
  }
}

TEST(FitAuto, OfAnSvmlightFileIsThatOfACsvFile) {
  for (const bool whole : {true, false}) {
    const Table table = mostly_zero(150, 12, 0.3, whole);
    const std::string csv = text_of(table);
    std::string text;
    for (Index i = 0; i < table.rows(); ++i) {
      text += std::to_string(table.labels[static_cast<std::size_t>(i)]);
      for (Index j = 0; j < 12; ++j)
        if (const double x = table.numbers(i, j); x != 0)
          text += " " + std::to_string(j + 1) + ":" + std::to_string(x);
      text += "\n";
    }
    RowStream sparse(Source::text(text, "rows.svm"), {}, Roles{});
    RowStream dense(Source::text(csv, "rows"), {}, Roles{});
    const AutoFit found = fit_auto(dense);
    expect_same(found, fit_auto(sparse), table);
    expect_same(found, fit_auto(table), table);
  }
}

TEST(FitAuto, TriesCountsWhereMostCellsAreZero) {
  const auto candidates = [](double nonzero, bool whole) {
    return fit_auto(mostly_zero(150, 12, nonzero, whole)).choice.candidates;
  };
  // Numbers and categories; counts are six candidates.
  EXPECT_EQ(candidates(0.3, true), candidates(0.6, true) + 6);
  EXPECT_EQ(candidates(0.3, false), 71);
  // Full covariances of many columns are too slow.
  EXPECT_EQ(fit_auto(mostly_zero(60, 1800, 0.05, false)).choice.candidates, 5);
  EXPECT_EQ(fit_auto(mostly_zero(60, 1800, 0.05, true)).choice.candidates, 11);
}

/// As in memory: not x0, x1, x10, x11, x2, ...
TEST(ReadRows, OfAStreamedSparseMatrixKeepTheOrderOfItsColumns) {
  const Table table = testing::random_table(60, 12, 2, 3);
  const Table sparse = data::sparse_counts(table);
  ASSERT_EQ(sparse.sparse.front().terms.size(), 12U);
  Index next = 0;
  CallbackRows source(
      [&]() -> std::optional<RowChunk> {
        if (next == 60) return std::nullopt;
        next += 20;
        return RowChunk(data::table_of(Rows(sparse).between(next - 20, next)));
      },
      {.restart = [&] { next = 0; }});
  select_detail::ReadRows rows(source);
  rows.read_as({.storage = select_detail::Storage::dense}, {});
  EXPECT_EQ(rows.schema().columns, table.columns);
}

TEST(SparseCounts, HaveAllColumnsAndNoZeros) {
  const Table table = make_table({"a", "b", "c"}, Matrix(2, 3, {0, 2, 0, 1, 0, 0}), {"x", "y"});
  const Table counts = data::sparse_counts(table);
  const SparseColumns& matrix = counts.sparse.front();
  EXPECT_EQ(matrix.terms, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(matrix.all_columns);
  EXPECT_EQ(matrix.values, (std::vector<double>{2, 1}));
  EXPECT_EQ(counts.labels, table.labels);
  EXPECT_EQ(data::densified(counts, matrix.terms).numbers, table.numbers);
  const Table missing = make_table({"a"}, Matrix(1, 1, {std::nan("")}), {"x"});
  EXPECT_EQ(error_of([&] { (void)data::sparse_counts(missing); }),
            "row 1: a value is missing in the column of counts 'a' | leave these rows out");
}

TEST(NumberContent, DoesNotDependOnTheStorage) {
  const Table table = mostly_zero(50, 12, 0.3, true);
  const auto dense = data::content_of(table), sparse = data::content_of(as_sparse(table));
  ASSERT_TRUE(dense && sparse);
  EXPECT_EQ(dense->columns, sparse->columns);
  EXPECT_EQ(dense->nonzero, sparse->nonzero);
  EXPECT_NEAR(dense->nonzero, 0.3, 0.1);
  EXPECT_TRUE(dense->counts && sparse->counts);
  EXPECT_FALSE(data::content_of(mostly_zero(50, 12, 0.3, false))->counts);
  Table negative = table;
  negative.numbers(3, 3) = -1;
  EXPECT_FALSE(data::content_of(negative)->counts);
  negative.numbers(3, 3) = std::nan("");
  EXPECT_TRUE(data::content_of(negative)->missing);
  EXPECT_FALSE(dense->missing || data::content_of(negative)->counts);
  Table mixed = table;
  mixed.columns.front().type = ColumnType::count;
  EXPECT_FALSE(data::content_of(mixed).has_value());
}

}  // namespace
}  // namespace genera::fit_auto_test
