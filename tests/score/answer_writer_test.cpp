// Laws of posteriors, log posteriors and labels, for every model.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "support/every_model.hpp"

namespace genera::answer_writer_test {
namespace {

/// exp(log p) = p, they sum to one, and the label has the largest.
void expect_posteriors(ClassifierRef model, const Rows& rows, const std::string& what) {
  const Matrix p = posterior(model, rows), logs = log_posterior(model, rows);
  const std::vector<std::int32_t> labels = predict(model, rows);
  for (Index i = 0; i < p.rows(); ++i) {
    double sum = 0, worst = 0;
    for (Index k = 0; k < p.columns(); ++k) {
      sum += std::exp(logs(i, k));
      worst = std::max(worst, std::abs(p(i, k) - std::exp(logs(i, k))));
    }
    ASSERT_NEAR(sum, 1, 1e-12) << what << ", row " << i;
    ASSERT_LE(worst, 1e-12) << what << ", row " << i;
    ASSERT_EQ(p(i, labels[static_cast<std::size_t>(i)]), std::ranges::max(p.row(i)))
        << what << ", row " << i;
  }
}

/// The same rows with larger numbers; counts are at most 2^53.
Table larger(Table table, double factor) {
  Index number = 0;
  for (const Column& column : table.columns) {
    if (column.type != ColumnType::numeric && column.type != ColumnType::count) continue;
    for (Index i = 0; i < table.numbers.rows(); ++i)
      table.numbers(i, number) *=
          column.type == ColumnType::count ? std::min(factor, 1e15) : factor;
    ++number;
  }
  return table;
}

void expect_laws(ClassifierRef model, const Table& table, const std::string& what) {
  for (const double factor : {1.0, 1e3, 1e9, 1e15, 1e100, 1e149})
    expect_posteriors(model, larger(table, factor), what + " times " + std::to_string(factor));
  if (!model.model()) return;
  Table missing = larger(table, 1e6);
  for (Index i = 0; i < missing.numbers.rows() && missing.numbers.columns() > 0; i += 2)
    missing.numbers(i, i % missing.numbers.columns()) = std::nan("");
  expect_posteriors(model, missing, what + " with missing numbers");
}

TEST(Posteriors, OfEveryModelAreTheirLogarithms) {
  for (const auto& [kind, table] : testing::every_kind_of_table()) {
    for (const auto& [name, model] : testing::every_model_of(table)) {
      const ClassifierRef fitted = model;
      expect_laws(fitted, table, name + " of " + kind);
      if (const Model* joint = fitted.model()) {
        Vector prior(joint->classes().size(), 1e-3);
        prior.back() += 1 - 1e-3 * static_cast<double>(prior.size());
        expect_laws(joint->with_prior(Prior(prior)), table, name + " with another prior");
        expect_laws(joint->with_temperature(2.5), table, name + " at temperature 2.5");
      } else if (fitted.linear()) {
        expect_laws(fitted.linear()->with_temperature(2.5), table, name + " at temperature 2.5");
      }
    }
  }
}

/// Terms that all classes share cancel before they are added.
TEST(Posteriors, OfLargeCountsKeepWhatDiffers) {
  const Matrix rates(2, 2, {2.5, 3.1, 3.1, 2.4});
  const Model model({"a", "b"}, Prior({0.5, 0.5}), {PoissonBlock({{"n", "m"}, rates})});
  for (const double count : {1e3, 1e6, 1e9, 1e12, 1e15}) {
    long double odds =
        -(static_cast<long double>(rates(0, 0)) + rates(0, 1) - rates(1, 0) - rates(1, 1));
    const long double n = count, m = std::floor(0.84 * count);
    const long double first = n * std::log(static_cast<long double>(rates(0, 0)) / rates(1, 0));
    const long double second = m * std::log(static_cast<long double>(rates(0, 1)) / rates(1, 1));
    odds += first + second;
    const Matrix logs = log_posterior(model, Matrix(1, 2, {count, static_cast<double>(m)}));
    const double tolerance =
        4e-16 * static_cast<double>(std::abs(first) + std::abs(second)) + 1e-14;
    EXPECT_NEAR(logs(0, 0) - logs(0, 1), static_cast<double>(odds), tolerance) << count;
  }
  const Matrix mirrored(2, 2, {2, 1, 1, 2});
  const Model even({"a", "b"}, Prior({0.5, 0.5}), {PoissonBlock({{"n", "m"}, mirrored})});
  EXPECT_EQ(posterior(even, Matrix(1, 2, {1e15, 1e15}))(0, 0), 0.5);
}

}  // namespace
}  // namespace genera::answer_writer_test
