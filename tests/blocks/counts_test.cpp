#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <genera/fit.hpp>
#include <genera/query.hpp>
#include <genera/select.hpp>

#include "data/csv_support.hpp"
#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::terms_test {
namespace {

using testing::Cells;
using testing::cells_at;
using testing::counted;
using testing::dense_table;
using testing::error_of;
using testing::largest_difference;
using testing::largest_log_difference;
using testing::matrix_table;
using testing::mixed_rows;
using testing::sparse_table;
using testing::table_of;

const std::vector<Column> text{{"t", ColumnType::text}};

Recipe counts_as(CountModel kind, double smoothing = 1) {
  Recipe recipe;
  recipe.discrete.counts = kind;
  recipe.discrete.smoothing = smoothing;
  recipe.discrete.sparse_counts = true;
  return recipe;
}

const CountParameters& terms_of(const Model& model) {
  return std::get<CountBlock>(model.blocks().at(0)).parameters();
}

/// Words of class k: eggs 1, ham 3, of rows 2 (a third has no text); of class l: eggs 2 in one row.
const std::vector<Cells> breakfast{
    {"ham ham eggs", "k"}, {"ham", "k"}, {"", "k"}, {"eggs eggs", "l"}};

TEST(Multinomial, IsTheSmoothedShareOfTheWords) {
  const CountParameters p =
      terms_of(fit(table_of(text, breakfast), counts_as(CountModel::multinomial)).model);
  EXPECT_EQ(p.terms, (Cells{"eggs", "ham"}));
  EXPECT_EQ(p.probabilities, Matrix(2, 2, {2 / 6.0, 4 / 6.0, 3 / 4.0, 1 / 4.0}));
  EXPECT_EQ(p.lengths, (Vector{2, 2}));
  EXPECT_EQ(p.counts, (Vector{3, 1}));
}

TEST(Multinomial, OfCountColumnsIsThatOfTheirSums) {
  const std::vector<Column> columns{{"b", ColumnType::count}, {"a", ColumnType::count}};
  const Model model = fit(table_of(columns, {{"1", "4", "k"}, {"0", "2", "k"}, {"3", "0", "l"}}),
                          counts_as(CountModel::multinomial, 0))
                          .model;
  EXPECT_EQ(terms_of(model).terms, (Cells{"b", "a"}));
  EXPECT_EQ(terms_of(model).probabilities, Matrix(2, 2, {1 / 7.0, 6 / 7.0, 1, 0}));
  EXPECT_EQ(terms_of(model).lengths, (Vector{3.5, 3}));
}

TEST(Bernoulli, OfWordsIsTheSmoothedShareOfTheTexts) {
  const CountParameters p =
      terms_of(fit(table_of(text, breakfast), counts_as(CountModel::bernoulli)).model);
  EXPECT_EQ(p.probabilities, Matrix(2, 2, {2 / 4.0, 3 / 4.0, 2 / 3.0, 1 / 3.0}));
  EXPECT_TRUE(p.lengths.empty());
}

TEST(Bernoulli, OfWordsInAClassWithoutTextsSaysNothing) {
  const Table table = table_of(text, {{"ham", "k"}, {"", "l"}});
  const CountParameters p = terms_of(fit(table, counts_as(CountModel::bernoulli, 0)).model);
  EXPECT_EQ(p.probabilities, Matrix(2, 1, {1, 0.5}));
}

TEST(Terms, SmoothingGoesToUniformAsItGrows) {
  const Table table = table_of(text, cells_at(mixed_rows(50, 1), {4}));
  for (const CountModel kind : {CountModel::multinomial, CountModel::bernoulli}) {
    const Matrix p = terms_of(fit(table, counts_as(kind, 1e15)).model).probabilities;
    const double same =
        kind == CountModel::bernoulli ? 0.5 : 1.0 / static_cast<double>(p.columns());
    EXPECT_LT(largest_difference(p, Matrix(p.rows(), p.columns(), same)), 1e-12);
  }
}

RC_GTEST_PROP(Terms, OfMergedShardsArePrunedAsThoseOfTheWhole, ()) {
  const auto rows = cells_at(mixed_rows(40, *rc::gen::inRange<std::uint64_t>(0, 1000)), {4});
  const auto cut = *rc::gen::inRange<Index>(1, 40);
  Recipe recipe = counts_as(*rc::gen::element(CountModel::multinomial, CountModel::bernoulli));
  recipe.discrete.min_count = *rc::gen::inRange(0, 20);
  recipe.discrete.max_terms = *rc::gen::inRange<Index>(0, 5);
  recipe.discrete.stop_words = *rc::gen::element(Cells{}, Cells{"now"});
  Statistics merged = counted(table_of(text, {rows.begin() + cut, rows.end()}));
  merged.merge(counted(table_of(text, {rows.begin(), rows.begin() + cut})));
  RC_ASSERT(estimate(merged, recipe).model ==
            estimate(counted(table_of(text, rows)), recipe).model);
}

TEST(Terms, AreLeftOutByCountRankAndWord) {
  const Table table = table_of(text, {{"cc cc aa aa bb bb bb", "k"}, {"dd dd ee", "l"}});
  const auto kept = [&](double min_count, Index max_terms, Cells stop_words) {
    Recipe recipe = counts_as(CountModel::multinomial);
    recipe.discrete.min_count = min_count;
    recipe.discrete.max_terms = max_terms;
    recipe.discrete.stop_words = std::move(stop_words);
    return terms_of(fit(table, recipe).model).terms;
  };
  EXPECT_EQ(kept(0, 0, {}), (Cells{"aa", "bb", "cc", "dd", "ee"}));
  EXPECT_EQ(kept(2, 0, {}), (Cells{"aa", "bb", "cc", "dd"}));
  EXPECT_EQ(kept(2.5, 0, {}), (Cells{"bb"}));
  EXPECT_EQ(kept(0, 2, {}), (Cells{"aa", "bb"}));  // of equals the one that sorts first
  EXPECT_EQ(kept(0, 99, {}).size(), 5U);
  EXPECT_EQ(kept(0, 0, {"bb", "e"}), (Cells{"aa", "cc", "dd", "ee"}));
  EXPECT_EQ(kept(0, 1, {"bb"}), (Cells{"aa"}));
  EXPECT_EQ(error_of([&] { (void)kept(50, 0, {}); }),
            "no usable column remains: no term of column 't' remains | give columns "
            "that have values; for text lower min_count or name fewer stop_words");
}

TEST(Terms, ThatContainAStopWordAreLeftOut) {
  Table table = table_of(text, {{"aa", "k"}, {"bb", "l"}});
  table.sparse[0].terms = {"to be", "be or not"};
  Recipe recipe = counts_as(CountModel::multinomial);
  recipe.discrete.stop_words = {"or", "t"};
  EXPECT_EQ(terms_of(fit(table, recipe).model).terms, (Cells{"to be"}));
}

TEST(Terms, OfAnSvmlightFileMayAllBeLeftOut) {
  Recipe recipe = counts_as(CountModel::multinomial);
  recipe.discrete.min_count = 9;
  EXPECT_EQ(error_of([&] { (void)fit(sparse_table(Matrix(1, 1, {1}), {"k"}), recipe); }),
            "no usable column remains: no column remains | give columns that have values; for "
            "text lower min_count or name fewer stop_words");
}

/// Counts with many zeros: n rows of 12 columns in two classes.
struct Numbers {
  Matrix x;
  std::vector<std::string> labels;
};

Numbers sparse_counts(Index n, bool signs = false) {
  Rng rng(5);
  Numbers made{Matrix(n, 12), {}};
  for (Index i = 0; i < n; ++i) {
    made.labels.push_back(i % 3 ? "k" : "l");
    for (Index j = 0; j < 12; ++j) {
      if (rng.uniform() < 0.7) continue;
      made.x(i, j) = std::floor(1 + 4 * rng.uniform() + static_cast<double>(i % 3));
      if (signs && rng.uniform() < 0.4) made.x(i, j) *= -0.37;
    }
  }
  return made;
}

/// A fit keeps of its rows only what its recipe needs.
TEST(Terms, AFitIsTheEstimateOfFullStatistics) {
  const Table table =
      table_of({{"t", ColumnType::text}},
               {{"one two two three", "a"}, {"two four", "b"}, {"one four four", "a"}});
  for (const CountModel kind : {CountModel::multinomial, CountModel::bernoulli}) {
    for (const double min : {0.0, 2.0}) {
      Recipe recipe = counts_as(kind);
      recipe.discrete.min_count = min;
      const Model whole = estimate(collect(table).statistics, recipe, {}, {.threads = 3}).model;
      EXPECT_EQ(fit(table, recipe).model, whole) << name_of(kind) << min;
    }
  }
}

TEST(SparseIsDense, ForDiagonalGaussians) {
  const auto [x, labels] = sparse_counts(60, true);
  const Table sparse = sparse_table(x, labels), dense = dense_table(x, labels);
  for (const Recipe& recipe : {gaussian_naive_bayes(), dlda(), spherical(), centroid()}) {
    const Model from_sparse = fit(sparse, recipe).model, from_dense = fit(dense, recipe).model;
    const Matrix expected = log_joint(from_dense, dense);
    EXPECT_LT(largest_log_difference(log_joint(from_sparse, sparse), expected), 1e-11);
    EXPECT_LT(largest_log_difference(log_joint(from_sparse, dense), expected), 1e-11);
    EXPECT_LT(largest_log_difference(log_joint(from_dense, sparse), expected), 1e-11);
    EXPECT_LT(largest_difference(posterior(from_dense, sparse), posterior(from_dense, dense)),
              1e-12);
  }
}

TEST(SparseIsDense, ForMultinomial) {
  const auto [x, labels] = sparse_counts(60);
  const Table sparse = sparse_table(x, labels), dense = dense_table(x, labels, ColumnType::count);
  const Model from_sparse = fit(sparse, counts_as(CountModel::multinomial)).model;
  const Model from_dense = fit(dense, counts_as(CountModel::multinomial)).model;
  EXPECT_EQ(terms_of(from_sparse), terms_of(from_dense));
  EXPECT_EQ(log_joint(from_sparse, sparse), log_joint(from_dense, dense));
  EXPECT_EQ(log_joint(from_sparse, dense), log_joint(from_dense, sparse));
}

TEST(SparseIsDense, ForBernoulli) {
  const auto [x, labels] = sparse_counts(60);
  std::vector<Column> columns;
  std::vector<Cells> rows;
  for (Index i = 0; i < x.rows(); ++i) {
    Cells& row = rows.emplace_back();
    for (Index j = 0; j < x.columns(); ++j) row.emplace_back(x(i, j) != 0 ? "1" : "0");
    row.push_back(labels[static_cast<std::size_t>(i)]);
  }
  for (Index j = 0; j < x.columns(); ++j)
    columns.push_back({std::to_string(j + 1), ColumnType::binary});
  const Table sparse = sparse_table(x, labels), coded = table_of(columns, rows);
  for (const double smoothing : {0.0, 1.0}) {
    const Model from_sparse = fit(sparse, counts_as(CountModel::bernoulli, smoothing)).model;
    const Matrix expected =
        log_joint(fit(coded, counts_as(CountModel::bernoulli, smoothing)).model, coded);
    EXPECT_LT(largest_log_difference(log_joint(from_sparse, sparse), expected), 1e-12);
    EXPECT_LT(largest_log_difference(log_joint(from_sparse, dense_table(x, labels)), expected),
              1e-12);
  }
}

TEST(SparseIsDense, WithColumnsThatAreZeroInEveryRow) {
  auto [x, labels] = sparse_counts(60);
  for (Index i = 0; i < x.rows(); ++i) x(i, 0) = x(i, x.columns() - 1) = 0;
  const Table sparse = matrix_table(x, labels), dense = dense_table(x, labels, ColumnType::count);
  const Recipe recipe = counts_as(CountModel::multinomial);
  EXPECT_EQ(log_joint(fit(sparse, recipe).model, sparse),
            log_joint(fit(dense, recipe).model, dense));
  EXPECT_EQ(posterior(fit(sparse, complement()).model, sparse),
            posterior(fit(dense, complement()).model, dense));
  const Model flags = fit(sparse, counts_as(CountModel::bernoulli)).model;
  EXPECT_EQ(std::ssize(flags.features()), x.columns());
  const Statistics statistics = collect(sparse, {.scatter = Scatter::diagonal}).statistics;
  EXPECT_EQ(without_unused_names(statistics), statistics);
}

std::string svmlight_text(const Numbers& made) {
  std::string lines;
  for (Index i = 0; i < made.x.rows(); ++i) {
    lines += made.labels[static_cast<std::size_t>(i)];
    for (Index j = 0; j < made.x.columns(); ++j) {
      if (made.x(i, j) != 0)
        lines += " " + std::to_string(j + 1) + ":" + std::to_string(made.x(i, j));
    }
    lines += "\n";
  }
  return lines;
}

TEST(SparseIsDense, ForFullCovariancesThatAreHeldOut) {
  const Numbers made = sparse_counts(60);
  const Table sparse = sparse_table(made.x, made.labels), dense = dense_table(made.x, made.labels);
  const std::vector<Candidate> candidates{
      {"lda", lda(), {}}, {"rda", rda(0.5, 0.2), {}}, {"dlda", dlda(), {}}};
  const Selection folds = cross_validate(sparse, candidates),
                  same = cross_validate(dense, candidates);
  const Selection each = leave_one_out(sparse, candidates),
                  of_dense = leave_one_out(dense, candidates);
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    ASSERT_EQ(folds.candidates[c].why_not, "") << candidates[c].name;
    EXPECT_NEAR(folds.candidates[c].log_loss, same.candidates[c].log_loss, 1e-9);
    EXPECT_NEAR(each.candidates[c].log_loss, of_dense.candidates[c].log_loss, 1e-9);
  }
}

TEST(SparseIsDense, ForFullCovariances) {
  const Numbers made = sparse_counts(80);
  const testing::TempFile file(svmlight_text(made), "t.svm");
  const Table sparse = sparse_table(made.x, made.labels), dense = dense_table(made.x, made.labels);
  for (const Recipe& recipe : {lda(), qda(), rda(0.5, 0.2)}) {
    RowStream rows(file.path(), {}, {});
    const Model from_sparse = fit(rows, recipe).model, from_dense = fit(dense, recipe).model;
    const Matrix expected = log_joint(from_dense, dense);
    EXPECT_LT(largest_log_difference(log_joint(from_sparse, sparse), expected), 1e-10);
    EXPECT_LT(largest_log_difference(log_joint(from_dense, sparse), expected), 1e-10);
  }
}

TEST(Sparse, FullCovariancesNeedRowsAndFewColumns) {
  const Numbers made = sparse_counts(20);
  const Table matrix = sparse_table(made.x, made.labels);
  EXPECT_EQ(
      error_of([&] { (void)estimate(collect(matrix).statistics, lda()); }),
      "lda needs full scatter matrices, but the statistics contain only variances | use model = "
      "gnb, dlda, spherical or centroid, or fit the rows themselves");
  std::string wide = "k";
  for (int j = 1; j <= 5001; ++j) wide += " " + std::to_string(j) + ":1";
  const testing::TempFile file(wide + "\nl 1:2\n", "t.svm");
  RowStream rows(file.path(), {}, {});
  EXPECT_EQ(error_of([&] { (void)fit(rows, lda()); }),
            file.path() +
                " has 5001 columns, too many for full covariances | use model = gnb, "
                "dlda, spherical or centroid, which keep variances only");
}

TEST(Estimate, RefusesFourthMomentsOfOtherClasses) {
  Recipe recipe = lda();
  recipe.gaussian.shrinkage.kind = Shrinkage::Kind::lw;
  const Statistics two = collect(testing::random_table(20, 2, 2, 1)).statistics;
  EXPECT_EQ(error_of([&] { (void)estimate(two, recipe, {FourthMoments{1}}); }),
            "1 fourth moment for 2 classes | give one per class");
  EXPECT_EQ(error_of([&] { (void)estimate(two, recipe); }),
            "Ledoit-Wolf shrinkage needs the rows again, not only their statistics | fit from the "
            "table, or use shrinkage = oas");
}

TEST(Estimate, SaysWhenThereIsOneClassOrNone) {
  EXPECT_EQ(fit(table_of(text, {{"ham", "k"}}), counts_as(CountModel::multinomial)).model.notes(),
            (Cells{"there is only one class, 'k': every row is assigned to it; densities and "
                   "outlier tails remain meaningful"}));
  EXPECT_EQ(error_of([] { (void)estimate(Statistics(), Recipe{}); }),
            "the statistics hold no rows | learn some rows first");
  EXPECT_EQ(error_of([] {
              (void)fit(make_table({"a"}, Matrix(3, 1, {2, 2, 2}), {"k", "l", "k"}), lda());
            }),
            "every feature is constant: 'a' | give a column that varies");
}

}  // namespace
}  // namespace genera::terms_test
