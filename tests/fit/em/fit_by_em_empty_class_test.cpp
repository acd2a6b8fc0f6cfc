// EM of rows in which a class has no value in a column.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <gtest/gtest.h>

#include <genera/fit.hpp>

#include "support/problems.hpp"

namespace genera::em_empty_class_test {
namespace {

using testing::random_table;
using Texts = std::vector<std::string>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// EM stops within 1e-8 of its limit, in units of the covariances.
constexpr double limit = 1e-7;

const GaussianParameters& gaussian(const Model& model) {
  return std::get<GaussianBlock>(model.blocks().front()).parameters();
}

/// Two columns; the rows of class 0 have no value in the second.
Table with_empty_class() {
  Table table = random_table(90, 2, 3, 8);
  for (Index i = 0; i < 90; ++i)
    if (table.labels[static_cast<std::size_t>(i)] == 0) table.numbers(i, 1) = nan;
  return table;
}

/// The mean of the second column, and its variance within the classes that have it.
std::pair<double, double> pooled_of(const Table& table) {
  std::vector<Vector> values(3);
  for (Index i = 0; i < table.rows(); ++i)
    if (const double x = table.numbers(i, 1); !std::isnan(x))
      values[static_cast<std::size_t>(table.labels[static_cast<std::size_t>(i)])].push_back(x);
  double n = 0, sum = 0, within = 0;
  for (const Vector& own : values) {
    const double total = std::accumulate(own.begin(), own.end(), 0.0);
    n += static_cast<double>(own.size());
    sum += total;
    for (const double x : own) within += std::pow(x - total / static_cast<double>(own.size()), 2);
  }
  return {sum / n, within / n};
}

TEST(Em, ClassWithoutValuesInAColumnHasThePooledEstimate) {
  const Table table = with_empty_class();
  const auto [mean, variance] = pooled_of(table);
  for (const Recipe& recipe : {gaussian_naive_bayes(), dlda(), qda(), lda()}) {
    const Fitted<Model> fitted = fit(table, recipe);
    const GaussianParameters& p = gaussian(fitted.model);
    const std::string name = table.classes[0];
    const auto k = std::ranges::find(fitted.model.classes(), name) - fitted.model.classes().begin();
    EXPECT_NEAR(p.means(k, 1), mean, limit);
    if (p.covariances.empty()) {
      EXPECT_NEAR(p.variances(p.variances.rows() > 1 ? k : 0, 1), variance, limit * variance);
    }
    if (p.covariances.size() > 1) {
      const Matrix& own = p.covariances[static_cast<std::size_t>(k)];
      EXPECT_NEAR(own(1, 1), variance, limit * variance);
      EXPECT_NEAR(own(0, 1), 0, limit);
    }
    Texts notes;
    for (const Note& note : fitted.report.notes) notes.push_back(in_words(note));
    EXPECT_NE(std::ranges::find(notes, "class '" + name +
                                           "' has no value in 'x1': the pooled mean and variance "
                                           "are used there"),
              notes.end());
  }
}

TEST(Em, ClassWithoutValuesChangesNoOther) {  // of naive Bayes, whose classes are apart
  const Table table = with_empty_class();
  Table others = table;
  std::vector<Index> rows;
  for (Index i = 0; i < 90; ++i)
    if (table.labels[static_cast<std::size_t>(i)] != 0) rows.push_back(i);
  const Model all = fit(table, gaussian_naive_bayes()).model;
  const Model some = fit(Rows(others).only(rows), gaussian_naive_bayes()).model;
  for (const std::size_t label : {std::size_t{1}, std::size_t{2}}) {
    const auto place = [&](const Model& model) {
      return std::ranges::find(model.classes(), table.classes[label]) - model.classes().begin();
    };
    for (Index j = 0; j < 2; ++j) {
      EXPECT_NEAR(gaussian(all).means(place(all), j), gaussian(some).means(place(some), j), limit);
      EXPECT_NEAR(gaussian(all).variances(place(all), j), gaussian(some).variances(place(some), j),
                  limit);
    }
  }
}

}  // namespace
}  // namespace genera::em_empty_class_test
