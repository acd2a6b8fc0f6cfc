#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::softmax_partitions_test {
namespace {

using testing::Cells;
using testing::error_of;
using testing::largest_difference;
using testing::mixed_columns;
using testing::mixed_rows;
using testing::random_table;
using testing::table_of;

/// Fits over partitions that exchange nothing but bytes.
Fitted<LinearModel> fit_over(const std::vector<Rows>& partitions, const LogisticOptions& options,
                             Missing missing = Missing::refuse) {
  SoftmaxStatistics all;
  std::vector<Index> first_rows;
  for (const Rows& rows : partitions) {
    first_rows.push_back(all.rows());
    all.merge(softmax_statistics_from_bytes(to_bytes(collect_softmax(rows, missing))));
  }
  const SoftmaxPlan plan = plan_softmax(all, options);
  const std::string layout = to_bytes(plan.layout);
  std::vector<SoftmaxPartition> prepared;
  for (std::size_t p = 0; p < partitions.size(); ++p)
    prepared.emplace_back(softmax_layout_from_bytes(layout), partitions[p], first_rows[p]);
  return fit_softmax(plan, [&](const SoftmaxRequest& request) {
    const std::string asked = to_bytes(request);
    SoftmaxSums merged;
    for (SoftmaxPartition& partition : prepared) {
      const SoftmaxSums answer = partition.answer(softmax_request_from_bytes(asked));
      merged.merge(softmax_sums_from_bytes(to_bytes(answer)));
    }
    return merged;
  });
}

/// Contiguous partitions of about equal size.
std::vector<Rows> split(const Rows& rows, Index partitions) {
  std::vector<Rows> parts;
  for (Index p = 0; p < partitions; ++p)
    parts.push_back(
        rows.between(rows.count() * p / partitions, rows.count() * (p + 1) / partitions));
  return parts;
}

void expect_same(const Fitted<LinearModel>& found, const Fitted<LinearModel>& expected,
                 const Table& table, double tolerance) {
  EXPECT_LT(largest_difference(posterior(found.model, table), posterior(expected.model, table)),
            tolerance);
  EXPECT_EQ(found.report.outcome, expected.report.outcome);
  EXPECT_EQ(found.report.rows, expected.report.rows);
  EXPECT_EQ(found.report.columns_left_out, expected.report.columns_left_out);
  const auto& a = std::get<LogisticParameters>(found.model.parameters());
  const auto& b = std::get<LogisticParameters>(expected.model.parameters());
  ASSERT_EQ(a.features.size(), b.features.size());
  for (std::size_t i = 0; i < a.features.size(); ++i)
    EXPECT_EQ(names_of(a.features[i]), names_of(b.features[i]));
  ASSERT_EQ(a.means.size(), b.means.size());
  for (std::size_t j = 0; j < a.means.size(); ++j)
    EXPECT_NEAR(a.means[j], b.means[j], 1e-10 * (1 + std::abs(b.means[j])));
}

void expect_same_over_partitions(const Table& table, LogisticOptions options) {
  for (const double tolerance : {1e-8, 0.0}) {
    options.tolerance = tolerance;
    const auto expected = fit(table, logistic(options));
    for (const Index partitions : {1, 2, 7}) {
      SCOPED_TRACE(fmt::format("tolerance {}, {} partitions", tolerance, partitions));
      const std::vector<Rows> parts = split(table, partitions);
      const auto found = fit_over(parts, options);
      expect_same(found, expected, table, tolerance > 0 ? 1e-8 : 1e-9);
      EXPECT_EQ(fit_over(parts, options).model, found.model);
    }
  }
}

Table with_weights(Table table) {
  for (Index i = 0; i < table.rows(); ++i)
    table.weights.push_back(0.25 * static_cast<double>(i % 5));  // some are 0
  return table;
}

/// Numbers, categories, a binary column, counts and a text, of which nothing is missing.
std::vector<Cells> complete_rows(Index n, std::uint64_t seed) {
  std::vector<Cells> rows = mixed_rows(n, seed);
  std::erase_if(rows, [](const Cells& row) {
    return std::ranges::any_of(row, [](const std::string& cell) { return cell.empty(); });
  });
  return rows;
}
Table complete_table(Index n, std::uint64_t seed) {
  return table_of(mixed_columns(), complete_rows(n, seed));
}

TEST(SoftmaxPartitions, GiveTheModelOfAllNumbers) {
  expect_same_over_partitions(random_table(200, 3, 2, 1), {});
  expect_same_over_partitions(random_table(400, 4, 9, 2), {.ridge = 0.1});
  expect_same_over_partitions(with_weights(random_table(200, 3, 3, 3)), {});
  expect_same_over_partitions(random_table(200, 3, 3, 4), {.ridge = 0.5, .raw_units = true});
}

TEST(SoftmaxPartitions, GiveTheModelOfSquaresAndProducts) {
  for (const LogisticTerms terms : {LogisticTerms::squares, LogisticTerms::quadratic}) {
    for (const bool raw_units : {false, true})
      expect_same_over_partitions(random_table(200, 3, 3, 5),
                                  {.terms = terms, .raw_units = raw_units});
  }
}

TEST(SoftmaxPartitions, GiveTheModelOfMixedColumns) {
  expect_same_over_partitions(complete_table(200, 1), {});
  expect_same_over_partitions(with_weights(complete_table(200, 2)), {.ridge = 0.1});
  expect_same_over_partitions(complete_table(200, 3),
                              {.terms = LogisticTerms::quadratic, .max_terms = 5});
}

TEST(SoftmaxPartitions, GiveTheModelOfASparseMatrix) {
  Matrix x(60, 5);
  std::vector<std::string> labels;
  for (Index i = 0; i < 60; ++i) {
    x(i, i % 4) = 1 + std::sin(static_cast<double>(i));
    x(i, 4) = i < 30 ? 0 : 2.5 * static_cast<double>(i % 3);  // not in the first partitions
    labels.push_back(i * i % 7 < 3 ? "k" : "l");
  }
  const Table sparse = testing::sparse_table(x, labels);
  expect_same_over_partitions(sparse, {});
  EXPECT_EQ(error_of([&] { (void)fit_over({sparse}, {.terms = LogisticTerms::squares}); }),
            "squares of a sparse matrix are not computed over partitions | use terms = linear, or "
            "give dense columns");
}

/// Beyond 1500 coefficients only the diagonal of the Hessian is asked for.
TEST(SoftmaxPartitions, GiveTheModelOfManyCoefficients) {
  std::vector<Cells> rows;
  for (Index i = 0; i < 300; ++i) {
    std::string text;
    for (Index w = 0; w < 6; ++w)
      text += fmt::format("w{} ", (i * (w + 3) * 7 + w * w * i % 11) % (150 + 60 * (i % 5)));
    rows.push_back({text, std::to_string(i % 5)});
  }
  expect_same_over_partitions(table_of({{"t", ColumnType::text}}, rows), {.ridge = 0.1});
}

/// With many rows the Hessian is that of a sample, which is the same for all partitions together.
TEST(SoftmaxPartitions, GiveTheModelOfManyRows) {
  const Table table = random_table(20000, 3, 3, 6);
  expect_same_over_partitions(table, {});
  const SoftmaxPlan plan = plan_softmax(collect_softmax(table));
  const SoftmaxRequest request{
      .kind = SoftmaxRequest::Kind::hessian,
      .point = Vector(static_cast<std::size_t>(plan.layout.coefficients())),
      .step = 10};
  SoftmaxPartition first(plan.layout, Rows(table).between(0, 15)),
      second(plan.layout, Rows(table).between(15, 18), 15),
      third(plan.layout, Rows(table).between(18, 41), 18);
  EXPECT_EQ(first.answer(request).value, 2);
  EXPECT_EQ(second.answer(request).value, 0);
  EXPECT_EQ(third.answer(request).value, 3);
}

/// Each partition is a table of its own, with its own levels, terms and classes.
TEST(SoftmaxPartitions, MayDifferInLevelsTermsAndClasses) {
  const std::vector<Column> columns{{"x", ColumnType::numeric},
                                    {"colour", ColumnType::categorical},
                                    {"n", ColumnType::count},
                                    {"text", ColumnType::text}};
  std::vector<Cells> first, second, all;
  for (Index i = 0; i < 40; ++i) {
    const std::string x = fmt::format("{}", std::sin(static_cast<double>(3 * i)));
    first.push_back({x, i % 2 == 0 ? "red" : "green", "3", "one two", "a"});
    second.push_back({x, i % 3 == 0 ? "blue" : "red", "4", i % 5 == 0 ? "two four" : "three",
                      i % 4 < 2 ? "b" : "c"});
  }
  all = first;
  all.insert(all.end(), second.begin(), second.end());
  const Table table = table_of(columns, all);
  const Table none = table_of(columns, {}), one = table_of(columns, first),
              other = table_of(columns, second);
  const std::vector<Rows> parts{none, one, other, none};
  for (const double tolerance : {1e-8, 0.0}) {
    const LogisticOptions options{.tolerance = tolerance};
    expect_same(fit_over(parts, options), fit(table, logistic(options)), table,
                tolerance > 0 ? 1e-8 : 1e-9);
  }
}

TEST(SoftmaxPartitions, MayBeTablesOfMixedColumns) {
  const std::vector<Cells> rows = complete_rows(200, 7);
  const Table table = table_of(mixed_columns(), rows);
  std::vector<Table> tables;
  for (std::size_t begin = 0; begin < rows.size(); begin += 23) {
    const auto first = rows.begin() + static_cast<Index>(begin);
    const auto size = static_cast<Index>(std::min<std::size_t>(23, rows.size() - begin));
    tables.push_back(table_of(mixed_columns(), std::vector<Cells>(first, first + size)));
  }
  const std::vector<Rows> parts(tables.begin(), tables.end());
  const LogisticOptions options{.terms = LogisticTerms::squares, .tolerance = 0};
  expect_same(fit_over(parts, options), fit(table, logistic(options)), table, 1e-9);
}

TEST(SoftmaxPartitions, LeaveOutConstantCounts) {
  const std::vector<Column> columns{
      {"x", ColumnType::numeric}, {"same", ColumnType::count}, {"varies", ColumnType::count}};
  const std::vector<Cells> rows{{"1", "2", "2", "a"}, {"2", "2", "2", "b"}, {"4", "2", "2", "a"},
                                {"3", "2", "3", "b"}, {"5", "2", "3", "a"}, {"7", "2", "3", "b"}};
  const Table table = table_of(columns, rows);
  const auto found = fit_over(split(table, 2), {});  // each column is constant in either
  EXPECT_EQ(found.report.columns_left_out, (Cells{"same"}));
  expect_same(found, fit(table, logistic()), table, 1e-8);
}

TEST(SoftmaxPartitions, WithoutAPenaltyReportThatClassesCanBeSeparated) {
  const Table table = make_table({"x"}, Matrix(4, 1, {1, 2, 8, 9}), {"a", "a", "b", "b"});
  EXPECT_EQ(fit_over(split(table, 2), {.ridge = 0}).report.outcome, Outcome::degenerate);
  const Table overlapping = random_table(200, 2, 2, 3);
  expect_same(fit_over(split(overlapping, 2), {.ridge = 0}),
              fit(overlapping, logistic({.ridge = 0})), overlapping, 1e-6);
}

TEST(SoftmaxPartitions, DropOrRefuseMissingValues) {
  Table table = random_table(60, 2, 2, 1);
  table.numbers(3, 1) = NAN;
  table.labels[40] = -1;
  const std::vector<Rows> parts = split(table, 2);
  const auto found = fit_over(parts, {}, Missing::drop);
  EXPECT_EQ(found.report.dropped_rows, 2);
  EXPECT_EQ(found.model.notes().front(), "2 rows have a missing value or no label and are dropped");
  const Table complete = random_table(60, 2, 2, 1);
  expect_same(found, fit(table, logistic(), {.missing = Missing::drop}), complete, 1e-8);
  EXPECT_EQ(error_of([&] { (void)fit_over(parts, {}); }).substr(0, 54),
            "logistic cannot learn from missing values, in 'x1' (1)");
  EXPECT_EQ(fit_over({parts[1]}, {}).report.unlabelled_left_out, 1);
}

/// An answer depends on layout, rows and request alone: partitions can be prepared again.
TEST(SoftmaxPartitions, AnswerWithoutAHistory) {
  const Table table = complete_table(80, 4);
  const SoftmaxPlan plan = plan_softmax(collect_softmax(table));
  Vector point(static_cast<std::size_t>(plan.layout.coefficients())), along(point.size());
  for (std::size_t i = 0; i < point.size(); ++i) {
    point[i] = 0.1 * std::sin(static_cast<double>(i));
    along[i] = std::cos(static_cast<double>(i));
  }
  SoftmaxPartition used(plan.layout, table);
  (void)used.answer({.kind = SoftmaxRequest::Kind::gradient, .point = along});
  for (const SoftmaxRequest::Kind kind :
       {SoftmaxRequest::Kind::hessian_product, SoftmaxRequest::Kind::hessian,
        SoftmaxRequest::Kind::hessian_diagonal}) {
    const SoftmaxRequest request{.kind = kind, .point = point, .along = along};
    SoftmaxPartition fresh(plan.layout, table, 0, {.threads = 3});
    EXPECT_EQ(used.answer(request), fresh.answer(request));
  }
}

TEST(SoftmaxPartitions, RefuseWhatDoesNotFit) {
  const Table table = random_table(40, 2, 2, 1);
  const SoftmaxStatistics seen = collect_softmax(table);
  const SoftmaxPlan plan = plan_softmax(seen);
  SoftmaxPartition partition(plan.layout, table);
  EXPECT_EQ(error_of([&] {
              (void)partition.answer({SoftmaxRequest::Kind::gradient, {1, 2}});
            }),
            "'point' of a request has 2 numbers, expected 6 | prepare every partition from the "
            "layout of the plan that is fitted");
  EXPECT_EQ(error_of([&] { (void)fit_softmax(plan, [](const auto&) { return SoftmaxSums{}; }); }),
            "the answer to 'column_sums' is 0 sums of 'column_sums', expected 3 of 'column_sums' | "
            "merge the answers of all partitions to this request");
  const Table other = make_table({"x0", "x1"}, Matrix(2, 2, {1, 2, 3, 4}), {"z", "0"});
  EXPECT_EQ(error_of([&] { (void)SoftmaxPartition(plan.layout, other); }),
            "the label 'z' is not a class of the plan | merge the statistics of all partitions "
            "before the plan is made");
  SoftmaxSums sums{.sums = {1, 2}};
  EXPECT_EQ(error_of([&] { sums.merge({.sums = {1}}); }),
            "2 sums of 'column_sums' cannot be merged with 1 of 'column_sums' | merge the answers "
            "of all partitions to the same request");
  EXPECT_THROW((void)plan_softmax({}), Error);
  SoftmaxStatistics incomplete = collect_softmax(complete_table(40, 1));
  incomplete.count_min.clear();
  EXPECT_EQ(error_of([&] { (void)plan_softmax(incomplete); }),
            "2 count columns have 0 minima and 2 maxima | collect the statistics by "
            "collect_softmax");
  SoftmaxLayout layout = plan.layout;
  layout.parts.front().means.clear();
  EXPECT_EQ(error_of([&] { (void)SoftmaxPartition(layout, table); }),
            "a part of 2 features has 0 means and 2 scales | use the layout of plan_softmax");
  EXPECT_THROW((void)partition.answer({SoftmaxRequest::Kind::hessian, Vector(6), {}, 0}), Error);
}

TEST(SoftmaxPartitions, AreRefusedIfOneIsLost) {
  const Table table = random_table(60, 2, 2, 1);
  const std::vector<Rows> parts = split(table, 2);
  SoftmaxStatistics seen = collect_softmax(parts[0]);
  seen.merge(collect_softmax(parts[1]));
  const SoftmaxPlan plan = plan_softmax(seen);
  SoftmaxPartition first(plan.layout, parts[0]), second(plan.layout, parts[1], 30);
  for (const int lost_at : {0, 1, 4}) {  // from that request on
    int requests = 0;
    EXPECT_EQ(
        error_of([&] {
          (void)fit_softmax(plan, [&](const SoftmaxRequest& request) {
            SoftmaxSums merged = first.answer(request);
            if (requests++ < lost_at) merged.merge(second.answer(request));
            return merged;
          });
        }),
        "the sums are of rows of weight 30, those of the plan have 60 | merge the sums of all "
        "partitions, each once");
  }
}

TEST(SoftmaxPartitions, RefuseMatricesThatAreNeverNeeded) {
  const Table table = random_table(30, 1001, 2, 1);
  const SoftmaxPlan plan = plan_softmax(collect_softmax(table));
  SoftmaxPartition partition(plan.layout, table);
  const Vector point(static_cast<std::size_t>(plan.layout.coefficients()));
  EXPECT_EQ(error_of([&] {
              (void)partition.answer({SoftmaxRequest::Kind::hessian, point});
            }),
            "the Hessian has 2004 rows, but at most 1500 are needed | send the requests "
            "of fit_softmax");
  EXPECT_EQ(error_of([&] { (void)partition.answer({SoftmaxRequest::Kind::scatter}); }),
            "the scatter has 1001 rows, but at most 1000 are needed | send the requests "
            "of fit_softmax");
}

TEST(SoftmaxPartitions, RefuseALayoutWithASparsePartBeforeADenseOne) {
  const Table table = complete_table(80, 5);
  SoftmaxLayout layout = plan_softmax(collect_softmax(table)).layout;
  ASSERT_GT(layout.parts.size(), 1U);
  std::swap(layout.parts.front(), layout.parts.back());
  const SoftmaxLayout read = softmax_layout_from_bytes(to_bytes(layout));
  EXPECT_EQ(error_of([&] { (void)SoftmaxPartition(read, table); }),
            "a dense part of the layout follows a sparse one | use the layout of plan_softmax");
}

TEST(SoftmaxPartitions, HaveBytesThatAreChecked) {
  const Table table = complete_table(80, 5);
  for (const Rows& rows : {Rows(table), Rows(table).between(0, 0)}) {
    const SoftmaxStatistics seen = collect_softmax(rows);
    for (const Format format : {Format::json, Format::cbor})
      EXPECT_EQ(softmax_statistics_from_bytes(to_bytes(seen, format)), seen);
  }
  const SoftmaxLayout layout =
      plan_softmax(collect_softmax(table), {.terms = LogisticTerms::quadratic}).layout;
  const SoftmaxRequest request{SoftmaxRequest::Kind::hessian, {0.1, -0.0}, {}, 3};
  const SoftmaxSums sums{SoftmaxRequest::Kind::scatter, 0.3, {1e-300, 2}, 7};
  for (const Format format : {Format::json, Format::cbor}) {
    EXPECT_EQ(softmax_layout_from_bytes(to_bytes(layout, format)), layout);
    EXPECT_EQ(softmax_request_from_bytes(to_bytes(request, format)), request);
    EXPECT_EQ(softmax_sums_from_bytes(to_bytes(sums, format)), sums);
  }
  const std::string bytes = to_bytes(layout);
  for (std::size_t size = 0; size < bytes.size(); size += 7)
    EXPECT_THROW((void)softmax_layout_from_bytes(bytes.substr(0, size)), Error);
  EXPECT_THROW((void)softmax_sums_from_bytes(to_bytes(request)), Error);
  EXPECT_EQ(error_of([] {
              (void)softmax_request_from_bytes(
                  R"({"format": "genera-softmax-request", "version": 1, "kind": "gradients",
                      "point": [], "along": [], "step": 1})");
            }),
            "softmax request: 'kind' is 'gradients', which is not a kind of request | did you mean "
            "'gradient'?");
}

}  // namespace
}  // namespace genera::softmax_partitions_test
