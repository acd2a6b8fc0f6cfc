#include <cmath>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::complement_test {
namespace {

using testing::Cells;
using testing::cells_at;
using testing::columns_at;
using testing::dense_table;
using testing::error_of;
using testing::largest_difference;
using testing::mixed_columns;
using testing::mixed_rows;
using testing::mixed_table;
using testing::sparse_table;
using testing::table_of;

const std::vector<Column> text{{"t", ColumnType::text}};
const std::vector<Cells> breakfast{
    {"ham ham eggs", "k"}, {"ham", "k"}, {"", "k"}, {"eggs eggs", "l"}};

const ComplementParameters& parameters_of(const LinearModel& model) {
  return std::get<ComplementParameters>(model.parameters());
}

TEST(Complement, IsTheMultinomialOfAllOtherClasses) {
  std::vector<Cells> rows = breakfast;
  rows.push_back({"toast ham", "m"});
  const auto [model, report] = fit(table_of(text, rows), complement({.smoothing = 0.5}));
  const ComplementParameters& p = parameters_of(model);
  EXPECT_EQ(std::get<TermFeatures>(p.features).terms, (Cells{"eggs", "ham", "toast"}));
  // The others of k have eggs 2, ham 1, toast 1; those of l 1, 4, 1; those of m 3, 3, 0.
  EXPECT_EQ(p.probabilities, Matrix(3, 3,
                                    {2.5 / 5.5, 1.5 / 5.5, 1.5 / 5.5, 1.5 / 7.5, 4.5 / 7.5,
                                     1.5 / 7.5, 3.5 / 7.5, 3.5 / 7.5, 0.5 / 7.5}));
  EXPECT_EQ(p.counts, (Vector{3, 1, 1}));
  EXPECT_EQ(p.lengths, (Vector{2, 2, 2}));
  EXPECT_EQ(model.prior(), Prior({3, 1, 1}));
  EXPECT_EQ(report.rows, 5);
  const Matrix found = posterior(model, table_of(text, {{"ham toast toast", ""}}));
  const double k = std::pow(1.5 / 5.5, -3), l = 1 / (4.5 / 7.5 * std::pow(1.5 / 7.5, 2)),
               m = 1 / (3.5 / 7.5 * std::pow(0.5 / 7.5, 2));  // no prior in the score
  EXPECT_NEAR(found(0, 0), k / (k + l + m), 1e-15);
  EXPECT_NEAR(found(0, 1), l / (k + l + m), 1e-15);
  EXPECT_NEAR(found(0, 2), m / (k + l + m), 1e-15);
}

TEST(Complement, IsRefusedWithoutSmoothingAndBesideOtherColumns) {
  EXPECT_EQ(error_of([] { (void)fit(table_of(text, breakfast), complement({.smoothing = 0})); }),
            "complement needs smoothing: a term that only one class has would decide everything | "
            "give a smoothing greater than 0");
  EXPECT_EQ(error_of([] { (void)fit(table_of(text, breakfast), complement({.smoothing = -1})); }),
            "the smoothing is -1 | give a smoothing of at least 0");
  const std::string mixed =
      "complement is a scorer, not a density: it cannot be mixed with other columns | use "
      "model = multinomial, or leave the other columns out (features, drop)";
  const auto said = [](const std::vector<std::size_t>& places) {
    return error_of([&] {
      (void)fit(table_of(columns_at(mixed_columns(), places), cells_at(mixed_rows(30, 1), places)),
                complement());
    });
  };
  EXPECT_EQ(said({0, 4}), mixed);  // a measurement and a text
  EXPECT_EQ(said({1, 4}), mixed);  // a category and a text
  EXPECT_EQ(said({2, 4}), mixed);  // counts and a text
  EXPECT_EQ(error_of([] { (void)fit(mixed_table(30, 1), complement()); }), mixed);
  EXPECT_EQ(
      error_of([] { (void)fit(testing::random_table(20, 2, 2, 1), complement()); }),
      "complement needs count columns or texts, and the data have neither | use another model, or "
      "columns of counts");
}

TEST(Complement, IsRefusedWhereSomethingIsLatent) {
  Table rows = table_of(text, breakfast);
  rows.labels[1] = -1;
  EXPECT_EQ(error_of([&] { (void)fit(rows, complement(), {.unlabelled_weight = 1}); }),
            "complement is a scorer, not a density: it cannot learn from missing values | use "
            "model = multinomial, or missing = drop");
  EXPECT_EQ(fit(rows, complement(), {.missing = Missing::drop}).report.dropped_rows,
            2);  // and the row without a text
}

TEST(Complement, LeavesOutColumnsThatAreConstant) {
  const Table table = table_of({{"t", ColumnType::text}, {"x", ColumnType::numeric}},
                               {{"ham", "1", "k"}, {"eggs", "1", "l"}});
  const auto [model, report] = fit(table, complement());
  EXPECT_EQ(report.columns_left_out, (Cells{"x"}));
  EXPECT_EQ(model.notes().back(), "'x' is constant and left out");
  EXPECT_EQ(model.features(), text);
}

TEST(Complement, NeedsATermThatIsLeft) {
  EXPECT_EQ(error_of([] { (void)fit(table_of(text, breakfast), complement({.min_count = 99})); }),
            "no usable column remains: no term of column 't' remains | give columns "
            "that have values; for text lower min_count or name fewer stop_words");
  const auto stopped = fit(table_of(text, breakfast), complement({.stop_words = {"ham"}})).model;
  EXPECT_EQ(names_of(stopped.parts().front()), (Cells{"eggs"}));
  const auto max = fit(table_of(text, breakfast), complement({.max_terms = 1})).model;
  EXPECT_EQ(names_of(max.parts().front()), (Cells{"eggs"}));  // of equals the first
}

TEST(Complement, OfOneClassSaysSo) {
  EXPECT_EQ(fit(table_of(text, {{"ham", "k"}}), complement()).model.notes().back(),
            "there is only one class, 'k': every row is assigned to it");
}

TEST(Complement, SmoothingGoesToUniformAsItGrows) {
  const Table table = table_of(text, cells_at(mixed_rows(50, 1), {4}));
  const Matrix p = parameters_of(fit(table, complement({.smoothing = 1e15})).model).probabilities;
  const double same = 1.0 / static_cast<double>(p.columns());
  EXPECT_LT(largest_difference(p, Matrix(p.rows(), p.columns(), same)), 1e-12);
}

TEST(Complement, AFitIsTheEstimateOfFullStatistics) {
  const Table table =
      table_of(text, {{"one two two three", "a"}, {"two four", "b"}, {"one four four", "a"}});
  for (const double min : {0.0, 3.0}) {
    const LinearRecipe recipe = complement({.min_count = min});
    const LinearModel whole = estimate(collect(table).statistics, recipe, {.threads = 3}).model;
    EXPECT_EQ(fit(table, recipe).model, whole);
    EXPECT_EQ(estimate(collect(table).statistics, AnyRecipe(recipe)).model, Classifier(whole));
    EXPECT_EQ(fit(table, AnyRecipe(recipe)).model, Classifier(whole));
  }
  const AnyRecipe joint = multinomial();
  EXPECT_EQ(fit(table, joint).model, Classifier(fit(table, multinomial()).model));
  EXPECT_EQ(estimate(collect(table).statistics, joint).model, fit(table, joint).model);
}

TEST(Complement, OfASparseMatrixIsThatOfItsDenseTwin) {
  const Matrix x(4, 3, {1, 0, 2, 0, 0, 1, 5, 1, 0, 0, 2, 0});
  const std::vector<std::string> labels{"k", "l", "k", "l"};
  const Table sparse = sparse_table(x, labels), dense = dense_table(x, labels, ColumnType::count);
  const LinearModel model = fit(sparse, complement()).model;
  EXPECT_EQ(model, fit(dense, complement()).model);
  EXPECT_EQ(posterior(model, sparse), posterior(model, dense));
  EXPECT_EQ(posterior(model, x), posterior(model, dense));
}

TEST(Complement, IsEvaluatedWithoutALikelihood) {
  const Table table = table_of(text, breakfast);
  const Evaluation found = evaluate(fit(table, complement()).model, table);
  EXPECT_EQ(found.rows(), 4);
  EXPECT_TRUE(std::isnan(found.log_likelihood()));
  EXPECT_TRUE(std::isfinite(found.log_loss()));
}

}  // namespace
}  // namespace genera::complement_test
