#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "fit/linear/newton.hpp"
#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::logistic_test {
namespace {

using testing::Cells;
using testing::cells_at;
using testing::error_of;
using testing::largest_difference;
using testing::mixed_columns;
using testing::mixed_rows;
using testing::random_table;
using testing::rows_of;
using testing::table_of;

const LogisticParameters& parameters_of(const LinearModel& model) {
  return std::get<LogisticParameters>(model.parameters());
}

/// Mixed rows in which nothing is missing.
std::vector<Cells> complete_rows(Index n, std::uint64_t seed) {
  std::vector<Cells> rows;
  for (const Cells& row : mixed_rows(n, seed)) {
    if (std::ranges::none_of(row, [](const std::string& cell) { return cell.empty(); }))
      rows.push_back(row);
  }
  return rows;
}
Table complete_table(Index n, std::uint64_t seed) {
  return table_of(mixed_columns(), complete_rows(n, seed));
}

/// The value of a feature, read apart from the library.
double at_feature(const LinearFeatures& part, std::size_t j, const Table& table, Index row) {
  const std::string& name = names_of(part)[j];
  if (const auto* levels = std::get_if<LevelFeatures>(&part)) {
    std::size_t code = 0;
    for (const Column& column : table.columns) {
      if (column.name == levels->column) break;
      code += column.type == ColumnType::categorical || column.type == ColumnType::binary ? 1 : 0;
    }
    const auto cell = table.codes(row, static_cast<Index>(code));
    return table.levels[code][static_cast<std::size_t>(cell)] == name ? 1 : 0;
  }
  if (std::holds_alternative<TermFeatures>(part)) {
    const SparseColumns& text = table.sparse.front();
    const auto at = static_cast<std::size_t>(row);
    for (Index e = text.begins[at]; e < text.begins[at + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      if (text.terms[static_cast<std::size_t>(text.places[entry])] == name)
        return text.values[entry];
    }
    return 0;
  }
  const auto names = table.number_names();
  return table.numbers(row, std::ranges::find(names, name) - names.begin());
}

/// sum w (-log p) + ridge / 2 sum (coefficient x sd)^2, with the gradient by the coefficients as
/// the penalty sees them; sd is 1 for numbers in raw units.
double gradient_norm(const LinearModel& model, const Table& table, double ridge,
                     bool raw_units = false) {
  const Matrix p = posterior(model, table);
  const LogisticParameters& fitted = parameters_of(model);
  const Index n = table.rows(), classes = p.columns();
  const auto weight = [&](Index i) {
    return table.weights.empty() ? 1 : table.weights[static_cast<std::size_t>(i)];
  };
  double total = 0, square = 0;
  for (Index i = 0; i < n; ++i) total += weight(i);
  Index feature = 0;
  for (const LinearFeatures& part : fitted.features) {
    const auto* numbers = std::get_if<NumberFeatures>(&part);
    const bool standardised = !raw_units && numbers && numbers->type == ColumnType::numeric;
    for (std::size_t j = 0; j < names_of(part).size(); ++j, ++feature) {
      double mean = 0, variance = 0;
      for (Index i = 0; i < n; ++i) mean += weight(i) * at_feature(part, j, table, i) / total;
      for (Index i = 0; i < n; ++i)
        variance += weight(i) * std::pow(at_feature(part, j, table, i) - mean, 2) / total;
      EXPECT_NEAR(fitted.means[static_cast<std::size_t>(feature)], mean, 1e-12);
      const double sd = standardised ? std::sqrt(variance) : 1;
      for (Index k = 0; k < classes; ++k) {
        double slope = ridge * fitted.coefficients(k, feature) * sd;
        for (Index i = 0; i < n; ++i) {
          const auto label =
              table.classes[static_cast<std::size_t>(table.labels[static_cast<std::size_t>(i)])];
          const double y = label == model.classes()[static_cast<std::size_t>(k)] ? 1 : 0;
          slope += weight(i) * (p(i, k) - y) * (at_feature(part, j, table, i) - mean) / sd;
        }
        square += slope * slope;
      }
    }
  }
  return std::sqrt(square);
}

TEST(Logistic, EndsWhereTheGradientIsNone) {
  Table weighted = complete_table(120, 3);
  weighted.weights.clear();
  for (Index i = 0; i < weighted.rows(); ++i)
    weighted.weights.push_back(0.5 + static_cast<double>(i % 3));
  for (const Table& table : {complete_table(150, 1), weighted, random_table(90, 3, 4, 2)}) {
    for (const double ridge : {1.0, 0.05}) {
      const auto [model, report] = fit(table, logistic({.ridge = ridge}));
      EXPECT_EQ(report.outcome, Outcome::converged);
      EXPECT_LE(report.newton.value().gradient, 1e-8);
      EXPECT_FALSE(report.em);
      EXPECT_LT(gradient_norm(model, table, ridge), 1e-5);
      const Matrix coefficients = model.coefficients();
      const Vector intercepts = model.intercepts();
      EXPECT_NEAR(std::accumulate(intercepts.begin(), intercepts.end(), 0.0), 0, 1e-10);
      for (Index j = 0; j < coefficients.columns(); ++j) {
        double sum = 0;
        for (Index k = 0; k < coefficients.rows(); ++k) sum += coefficients(k, j);
        EXPECT_NEAR(sum, 0, 1e-10);
      }
    }
  }
}

TEST(Logistic, PenalisesCoefficientsInRawUnits) {
  for (const Table& table : {complete_table(150, 1), random_table(90, 3, 4, 2)}) {
    const auto [model, report] = fit(table, logistic({.ridge = 0.5, .raw_units = true}));
    EXPECT_EQ(report.outcome, Outcome::converged);
    EXPECT_LT(gradient_norm(model, table, 0.5, true), 1e-5);
    EXPECT_GT(gradient_norm(model, table, 0.5, false), 1e-3);
  }
}

/// Squares in raw units are a column like any other.
TEST(Logistic, SquaresOfRawUnitsAreThoseOfTheColumns) {
  const Table table = random_table(90, 2, 3, 5);
  Table with_squares = table;
  with_squares.numbers = Matrix(table.rows(), 4);
  for (Index i = 0; i < table.rows(); ++i) {
    for (Index j = 0; j < 2; ++j) {
      with_squares.numbers(i, j) = table.numbers(i, j);
      with_squares.numbers(i, 2 + j) = table.numbers(i, j) * table.numbers(i, j);
    }
  }
  for (const char* name : {"a", "b"}) with_squares.columns.push_back({name, ColumnType::numeric});
  const Matrix expected = posterior(
      fit(with_squares, logistic({.raw_units = true, .tolerance = 0})).model, with_squares);
  const LogisticOptions squares{.terms = LogisticTerms::squares, .raw_units = true, .tolerance = 0};
  EXPECT_LT(largest_difference(posterior(fit(table, logistic(squares)).model, table), expected),
            1e-8);
}

/// A random design with dense and sparse columns.
fit_detail::Design random_design(Index rows, Index classes) {
  const Table table = complete_table(3 * rows, 7);
  std::vector<Index> usable(static_cast<std::size_t>(std::min(rows, table.rows())));
  std::iota(usable.begin(), usable.end(), Index{0});
  std::vector<std::string> names = table.classes;
  sort_labels(names);
  EXPECT_EQ(std::ssize(names), classes);
  const std::vector<std::string> numbers = table.number_names();
  fit_detail::Design design = fit_detail::make_design(
      table, usable,
      {names,
       {{NumberFeatures{.columns = numbers}, Vector(numbers.size(), 2.0)},
        {LevelFeatures{.column = "colour", .levels = table.levels[0]}},
        {TermFeatures{.column = table.sparse[0].name, .terms = table.sparse[0].terms}}}},
      1);
  fit_detail::centre(design, 1);
  return design;
}

TEST(SoftmaxLoss, HasTheDerivativesOfItsValues) {
  std::string colour;
  for (const Column& column : mixed_columns()) {
    if (column.type == ColumnType::categorical && colour.empty()) colour = column.name;
  }
  ASSERT_EQ(colour, "colour");
  const fit_detail::Design design = random_design(60, 3);
  fit_detail::InMemoryLoss loss(design, 1);
  Vector x(static_cast<std::size_t>(loss.size())), along(x.size()), gradient, up, down, product;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 0.3 * std::sin(static_cast<double>(3 * i + 1));
    along[i] = std::cos(static_cast<double>(5 * i));
  }
  constexpr double step = 1e-5;
  const auto shifted = [&](std::size_t i, double by) {
    Vector moved = x;
    moved[i] += by;
    return moved;
  };
  (void)loss.evaluate(x, gradient);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double slope =
        (loss.evaluate(shifted(i, step), up) - loss.evaluate(shifted(i, -step), down)) / (2 * step);
    EXPECT_NEAR(gradient[i], slope, 1e-6 * (1 + std::abs(slope)));
  }
  Vector ahead = x, behind = x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    ahead[i] += step * along[i];
    behind[i] -= step * along[i];
  }
  (void)loss.evaluate(ahead, up);
  (void)loss.evaluate(behind, down);
  (void)loss.evaluate(x, gradient);
  loss.hessian_product(along, product);
  const Matrix whole = loss.hessian(1).sums;
  const Vector diagonal = loss.hessian_diagonal();
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(product[i], (up[i] - down[i]) / (2 * step), 1e-5 * (1 + std::abs(product[i])));
  for (std::size_t i = 0; i < x.size(); ++i) {
    Vector unit(x.size());
    unit[i] = 1;
    loss.hessian_product(unit, product);
    EXPECT_NEAR(diagonal[i], product[i], 1e-10 * (1 + product[i]));
    const auto row = static_cast<Index>(i);
    for (std::size_t j = 0; j <= i; ++j) {
      EXPECT_NEAR(whole(row, static_cast<Index>(j)), product[j],
                  1e-10 * (1 + std::abs(product[j])));
    }
  }
}

TEST(Logistic, AWeightIsSoManyRows) {
  const Table table = random_table(60, 2, 3, 4);
  Table weighted = table;
  std::vector<Index> copies;
  for (Index i = 0; i < table.rows(); ++i) {
    weighted.weights.push_back(static_cast<double>(i % 3));
    for (Index c = 0; c < i % 3; ++c) copies.push_back(i);
  }
  const Matrix a = posterior(fit(weighted, logistic()).model, table);
  const Matrix b = posterior(fit(rows_of(table, copies), logistic()).model, table);
  EXPECT_LT(largest_difference(a, b), 1e-9);
}

TEST(Logistic, TheOrderOfRowsAndTheUnitsOfColumnsDoNotMatter) {
  const Table table = random_table(70, 3, 3, 5);
  std::vector<Index> order = testing::range(0, 70);
  std::reverse(order.begin(), order.end());
  Table scaled = table;
  for (Index i = 0; i < scaled.rows(); ++i) {
    scaled.numbers(i, 0) = 1e6 * scaled.numbers(i, 0);
    scaled.numbers(i, 1) = 1e-3 * scaled.numbers(i, 1) - 1e3;
  }
  for (const LogisticTerms terms : {LogisticTerms::linear, LogisticTerms::quadratic}) {
    const LinearRecipe recipe = logistic({.ridge = 0.3, .terms = terms});
    const Matrix p = posterior(fit(table, recipe).model, table);
    EXPECT_LT(largest_difference(posterior(fit(rows_of(table, order), recipe).model, table), p),
              1e-9);
    EXPECT_LT(largest_difference(posterior(fit(scaled, recipe).model, scaled), p), 1e-9);
  }
}

TEST(Logistic, HasTheSameBitsForAnyNumberOfThreads) {
  for (const Table& table : {random_table(5000, 4, 3, 6), complete_table(3000, 6)}) {
    const LinearModel one = fit(table, logistic()).model;
    EXPECT_EQ(fit(table, logistic(), {}, {.threads = 3}).model, one);
  }
}

TEST(Logistic, FindsTheSameMinimumWhereRowsAreManyAndCoefficientsAreMany) {
  const Table many = random_table(30000, 5, 4, 8);  // of some rows
  const auto [model, report] = fit(many, logistic(), {}, {.threads = 2});
  EXPECT_EQ(report.outcome, Outcome::converged);
  EXPECT_LT(gradient_norm(model, many, 1), 1e-4);
  std::vector<Cells> rows;
  for (Index i = 0; i < 300; ++i) {
    std::string text;
    for (Index w = 0; w < 6; ++w)
      text += fmt::format("w{} ", (i * (w + 3) * 7 + w * w * i % 11) % (150 + 60 * (i % 5)));
    rows.push_back({text, std::to_string(i % 5)});
  }
  const Table texts = table_of({{"t", ColumnType::text}}, rows);
  const auto wide = fit(texts, logistic({.ridge = 0.1}));  // by the diagonal
  EXPECT_GT(wide.model.coefficients().columns() * 5, 1500);
  EXPECT_EQ(wide.report.outcome, Outcome::converged);
  EXPECT_LT(gradient_norm(wide.model, texts, 0.1), 1e-5);
}

TEST(Logistic, SquaresAreOfTheStandardisedNumbers) {
  const Table table = random_table(80, 2, 2, 9);
  const LinearModel model = fit(table, logistic({.terms = LogisticTerms::quadratic})).model;
  ASSERT_EQ(model.parts().size(), 2U);
  const auto& products = std::get<ProductFeatures>(model.parts()[1]);
  EXPECT_EQ(products.names, (Cells{"x0^2", "x1^2", "x0*x1"}));
  EXPECT_EQ(model.features().size(), 2U);
  EXPECT_EQ(model.free_parameters(), 6);
  const Matrix p = posterior(model, table);
  for (Index i = 0; i < 5; ++i) {
    double scores[2];
    for (Index k = 0; k < 2; ++k) {
      const LogisticParameters& fitted = parameters_of(model);
      const double x = table.numbers(i, 0) - products.centres[0],
                   y = table.numbers(i, 1) - products.centres[1];
      const double a = x / products.scales[0], b = y / products.scales[1];
      const auto c = fitted.coefficients.row(k);
      scores[k] = fitted.intercepts[static_cast<std::size_t>(k)] + c[0] * x + c[1] * y +
                  c[2] * a * a + c[3] * b * b + c[4] * a * b;
    }
    EXPECT_NEAR(p(i, 0), 1 / (1 + std::exp(scores[1] - scores[0])), 1e-12);
  }
  const Matrix by_position = posterior(model, table.numbers);
  EXPECT_EQ(by_position, p);
  Predictor predictor(model);
  Vector one(2);
  (void)predictor.predict(table.numbers.row(3), one);
  EXPECT_EQ(one[0], p(3, 0));
}

TEST(Logistic, NumbersFarFromZeroLoseNoDigits) {
  const Table near = random_table(60, 2, 3, 10);
  Table far = near;
  for (Index i = 0; i < far.rows(); ++i)
    far.numbers(i, 0) = std::round(near.numbers(i, 0) * 64) / 64;
  Table shifted = far;
  for (Index i = 0; i < far.rows(); ++i) shifted.numbers(i, 0) += 1e8;
  EXPECT_LT(largest_difference(posterior(fit(shifted, logistic()).model, shifted),
                               posterior(fit(far, logistic()).model, far)),
            1e-8);
}

TEST(Logistic, ASparseMatrixIsItsDenseTwin) {
  const Matrix x(6, 3, {1, 0, 2, 0, -1, 1, 5, 1, 0, 0, 2, 0, 1, 1, 0, 3, 0, 1.5});
  const std::vector<std::string> labels{"k", "l", "k", "l", "l", "k"};
  const Table sparse = testing::sparse_table(x, labels), dense = testing::dense_table(x, labels);
  for (const LogisticTerms terms : {LogisticTerms::linear, LogisticTerms::squares}) {
    const LinearModel a = fit(sparse, logistic({.terms = terms})).model,
                      b = fit(dense, logistic({.terms = terms})).model;
    EXPECT_LT(largest_difference(posterior(a, sparse), posterior(b, dense)), 1e-9);
    EXPECT_LT(largest_difference(posterior(b, sparse), posterior(b, dense)), 1e-12);
    EXPECT_LT(largest_difference(posterior(a, dense), posterior(b, dense)), 1e-9);
  }
}

TEST(Logistic, WithoutAPenaltySaysThatClassesCanBeSeparated) {
  const Table separable = make_table({"x"}, Matrix(4, 1, {1, 2, 8, 9}), {"a", "a", "b", "b"});
  const auto [model, report] = fit(separable, logistic({.ridge = 0}));
  EXPECT_EQ(report.outcome, Outcome::degenerate);
  EXPECT_EQ(report.notes.back().kind, Note::Kind::warning);
  EXPECT_EQ(in_words(report.notes.back()),
            "warning: some classes can be separated: without a penalty their coefficients have no "
            "finite optimum, and these are where the search stopped; use ridge = 1");
  EXPECT_EQ(fit(separable, logistic()).report.outcome, Outcome::converged);
  const Table mixed = make_table({"x"}, Matrix(5, 1, {1, 2, 8, 9, 5}), {"a", "b", "a", "b", "b"});
  EXPECT_EQ(fit(mixed, logistic({.ridge = 0})).report.outcome, Outcome::converged);
  EXPECT_EQ(
      fit(random_table(200, 2, 2, 3), logistic({.ridge = 0})).report.newton.value().gradient < 1e-8,
      true);
}

TEST(Logistic, OfOneClassConstantColumnsAndMoreColumnsThanRows) {
  const auto one = fit(make_table({"x"}, Matrix(3, 1, {1, 2, 4}), {"k", "k", "k"}), logistic());
  EXPECT_EQ(one.report.outcome, Outcome::converged);
  EXPECT_EQ(one.model.notes().front(), "there is only one class, 'k': every row is assigned to it");
  EXPECT_EQ(one.model.coefficients(), Matrix(1, 1));
  const auto constant =
      fit(make_table({"x", "c"}, Matrix(4, 2, {1, 7, 2, 7, 4, 7, 3, 7}), {"k", "l", "k", "l"}),
          logistic());
  EXPECT_EQ(constant.report.columns_left_out, (Cells{"c"}));
  EXPECT_EQ(constant.model.features().size(), 1U);
  EXPECT_EQ(error_of([] {
              (void)fit(make_table({"c"}, Matrix(2, 1, {7, 7}), {"k", "l"}), logistic());
            }),
            "every feature is constant: 'c' | give a column that varies");
  const Table wide = random_table(12, 30, 3, 11);
  const auto fitted = fit(wide, logistic());
  EXPECT_EQ(fitted.report.outcome, Outcome::converged);
  EXPECT_LT(gradient_norm(fitted.model, wide, 1), 1e-5);
}

TEST(Logistic, CollinearColumnsShareTheirCoefficient) {
  const Table table = random_table(50, 1, 2, 12);
  Matrix twice(50, 2);
  std::vector<std::string> labels;
  for (Index i = 0; i < 50; ++i) {
    twice(i, 0) = table.numbers(i, 0);
    twice(i, 1) = 3 * table.numbers(i, 0);
    labels.push_back(
        table.classes[static_cast<std::size_t>(table.labels[static_cast<std::size_t>(i)])]);
  }
  const Table both = make_table({"a", "b"}, twice, labels);
  const auto [model, report] = fit(both, logistic());
  EXPECT_EQ(report.outcome, Outcome::converged);
  EXPECT_NEAR(model.coefficients()(0, 0), 3 * model.coefficients()(0, 1), 1e-7);
  EXPECT_EQ(fit(both, logistic({.ridge = 0})).report.outcome, Outcome::converged);
}

TEST(Logistic, RefusesWhatIsMissing) {
  Table table = random_table(20, 2, 2, 1);
  table.numbers(3, 1) = NAN;
  const std::string hint =
      " | use a generative model such as model = lda, which marginalises them, impute them first, "
      "or use missing = drop";
  EXPECT_EQ(error_of([&] { (void)fit(table, logistic()); }),
            "logistic cannot learn from missing values, in 'x1' (1)" + hint);
  EXPECT_EQ(fit(table, logistic(), {.missing = Missing::drop}).report.rows, 19);
  const LinearModel model = fit(random_table(20, 2, 2, 1), logistic()).model;
  EXPECT_EQ(
      error_of([&] { (void)predict(model, table); }),
      "row 4: 'x1' is missing, and logistic cannot answer without it | use a generative model "
      "such as model = lda, which marginalises what is missing, or impute it first");
  Table unlabelled = random_table(20, 2, 2, 1);
  unlabelled.labels[0] = -1;
  EXPECT_EQ(error_of([&] { (void)fit(unlabelled, logistic(), {.unlabelled_weight = 1}); }),
            "logistic cannot learn from the 1 row without a label in 'class' | use a generative "
            "model such as model = lda, which learns from them by EM, or missing = drop");
}

TEST(Logistic, RefusesOptionsOutOfRangeAndStatistics) {
  const Table table = random_table(20, 2, 2, 1);
  EXPECT_EQ(error_of([&] { (void)fit(table, logistic({.ridge = -1})); }),
            "the ridge is -1 | give a ridge of at least 0");
  EXPECT_EQ(error_of([&] { (void)estimate(collect(table).statistics, logistic()); }),
            "logistic needs the rows again, not only their statistics | fit from the table, or use "
            "model = lda");
  EXPECT_EQ(fit(table, logistic({.ridge = 1e-6, .max_iterations = 1})).report.outcome,
            Outcome::iteration_limit);
}

TEST(Logistic, StopsWhenItsCallerWantsNoMore) {
  const Control control{.threads = 1, .progress = [](const Progress& progress) {
                          return progress.task != Progress::Task::iterating;
                        }};
  EXPECT_THROW((void)fit(random_table(50, 2, 2, 1), logistic(), {}, control), Error);
}

TEST(Logistic, ToleranceIsThatOfTheGradient) {
  const Table table = random_table(150, 4, 3, 8);
  const auto at = [&](double tolerance) {
    return fit(table, logistic({.tolerance = tolerance})).report;
  };
  EXPECT_LE(at(1e-2).newton.value().gradient, 1e-2);
  EXPECT_GT(at(1e-2).newton.value().gradient, 1e-8);
  EXPECT_LE(at(1e-12).newton.value().gradient, 1e-12);
  EXPECT_EQ(at(0).outcome, Outcome::converged);
  EXPECT_EQ(error_of([&] { (void)at(-1); }), "the tolerance is -1 | give a number of at least 0");
}

}  // namespace
}  // namespace genera::logistic_test
