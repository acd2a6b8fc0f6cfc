#include "sums/class_moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <genera/random.hpp>

#include "sums/row_moments.hpp"

namespace genera::sums {
namespace {

constexpr Index classes = 3;

/// Rows of three classes in any order, some of none.
struct Problem {
  Matrix x;
  Vector weights{};
  std::vector<std::int32_t> of{};  ///< their classes

  Problem(Index n, Index d, double mean) : x(n, d) {
    Rng rng(5);
    for (Index i = 0; i < n; ++i) {
      const auto k = static_cast<std::int32_t>(rng.uniform() * (classes + 1)) - 1;
      of.push_back(k);
      const double common = rng.normal();
      for (double& value : x.row(i)) value = mean + k + rng.normal() + 0.5 * common;
    }
  }
  [[nodiscard]] Rows rows() const {
    DataView data{.rows = x.rows(), .numbers = {MatrixView(x)}, .by_position = true};
    data.weights = weights;
    return Rows(data);
  }
  [[nodiscard]] std::vector<Index> rows_of(Index k) const {
    std::vector<Index> own;
    for (std::size_t i = 0; i < of.size(); ++i)
      if (of[i] == k) own.push_back(static_cast<Index>(i));
    return own;
  }
  /// What those of the class give by themselves.
  [[nodiscard]] Moments alone(Index k, Scatter kind) const {
    return RowMoments(data::NumberColumns(MatrixView(x)), weights, kind).of(rows_of(k));
  }
};

void expect_near(const Moments& found, const Moments& expected) {
  EXPECT_NEAR(found.weight, expected.weight, 1e-13 * expected.weight);
  const bool full = expected.scatter.rows() > 1;
  const auto variance = [&](Index j) { return expected.scatter(full ? j : 0, j); };
  for (Index j = 0; j < expected.scatter.columns(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    const double sd = std::sqrt(variance(j) / expected.weight);
    EXPECT_NEAR(found.mean[at] - expected.mean[at] + (found.mean_low[at] - expected.mean_low[at]),
                0, 1e-13 * sd);
    for (Index i = 0; i < expected.scatter.rows(); ++i)
      EXPECT_NEAR(found.scatter(i, j), expected.scatter(i, j),
                  1e-13 * std::sqrt(variance(full ? i : j) * variance(j)));
  }
}

class AnyWidth : public ::testing::TestWithParam<Index> {};
INSTANTIATE_TEST_SUITE_P(Columns, AnyWidth, ::testing::Values(1, 2, 7, 8, 9, 24, 25, 50));

TEST_P(AnyWidth, AreThoseOfEachClassByItself) {
  for (const double mean : {0.0, 1e8}) {
    Problem problem(2500, GetParam(), mean);
    for (const bool weighted : {false, true}) {
      if (weighted) {
        Rng rng(6);
        for (Index i = 0; i < 2500; ++i) problem.weights.push_back(0.1 + rng.uniform());
      }
      for (const Scatter kind : {Scatter::full, Scatter::diagonal}) {
        ClassMoments all(data::NumberColumns(MatrixView(problem.x)), kind, classes);
        for (int time = 0; time < 2; ++time) {  // what was there before is forgotten
          all.sum_up(problem.rows(), problem.of);
          for (Index k = 0; k < classes; ++k) {
            EXPECT_EQ(all.counts()[static_cast<std::size_t>(k)], std::ssize(problem.rows_of(k)));
            expect_near(all.of_class(k, {}).value(), problem.alone(k, kind));
          }
        }
      }
    }
  }
}

TEST(ClassMoments, OfRowsThatAreSortedOrLeftOutForLongAreTheSame) {
  Problem problem(3000, 9, 1);
  std::fill(problem.of.begin(), problem.of.begin() + 1000, -1);  // whole batches of no class
  std::fill(problem.of.begin() + 1000, problem.of.begin() + 2500, 1);
  std::fill(problem.of.begin() + 2500, problem.of.end(), 2);
  for (const Scatter kind : {Scatter::full, Scatter::diagonal}) {
    ClassMoments all(data::NumberColumns(MatrixView(problem.x)), kind, classes);
    all.sum_up(problem.rows(), problem.of);
    EXPECT_EQ(all.counts()[0], 0);
    for (const Index k : {1, 2}) expect_near(all.of_class(k, {}).value(), problem.alone(k, kind));
  }
}

TEST(ClassMoments, OfFloatsAndOfSomeRowsAreTheSame) {
  const Problem problem(600, 5, 2);
  std::vector<float> floats;
  Matrix rounded(600, 5);
  for (Index i = 0; i < 600; ++i) {
    for (Index j = 0; j < 5; ++j) {
      floats.push_back(static_cast<float>(problem.x(i, j)));
      rounded(i, j) = floats.back();
    }
  }
  const MatrixView views[] = {MatrixView(rounded), MatrixView(floats.data(), 600, 5, {5, 1})};
  std::vector<Index> every_second;
  std::vector<std::int32_t> of;
  for (Index i = 0; i < 600; i += 2) {
    every_second.push_back(i);
    of.push_back(problem.of[static_cast<std::size_t>(i)]);
  }
  for (const Scatter kind : {Scatter::full, Scatter::diagonal}) {
    std::vector<Moments> found;
    for (const MatrixView& view : views) {
      ClassMoments all(data::NumberColumns(view), kind, classes);
      all.sum_up(Rows(view).only(every_second), of);
      for (Index k = 0; k < classes; ++k) found.push_back(all.of_class(k, {}).value());
    }
    for (std::size_t k = 0; k < classes; ++k) EXPECT_EQ(found[k], found[k + classes]);
  }
}

TEST(ClassMoments, AreNotGivenIfTheFirstRowsAreFarFromTheOthers) {
  Problem problem(2000, 4, 0);
  const std::vector<Index> own = problem.rows_of(1);
  for (std::size_t i = 0; i < 40; ++i) problem.x(own[i], 2) += 1e6;
  for (const Scatter kind : {Scatter::full, Scatter::diagonal}) {
    ClassMoments all(data::NumberColumns(MatrixView(problem.x)), kind, classes);
    all.sum_up(problem.rows(), problem.of);
    EXPECT_FALSE(all.of_class(1, {}).has_value());
    expect_near(all.of_class(2, {}).value(), problem.alone(2, kind));
  }
}

TEST(ClassMoments, TellConstantColumnsFromThoseWhoseSquaresVanish) {
  Problem problem(500, 2, 0);
  const std::vector<Index> own = problem.rows_of(0);
  for (const Index row : own) problem.x(row, 0) = 0.1;
  for (const Index row : own) problem.x(row, 1) = 0;
  problem.x(own.back(), 1) = 1e-200;
  for (const Scatter kind : {Scatter::full, Scatter::diagonal}) {
    ClassMoments all(data::NumberColumns(MatrixView(problem.x)), kind, classes);
    all.sum_up(problem.rows(), problem.of);
    const Moments found = all.of_class(0, {}).value();
    EXPECT_EQ(found.scatter(0, 0), 0);
    EXPECT_GT(found.scatter(kind == Scatter::full ? 1 : 0, 1), 0);
    EXPECT_EQ(found.mean[0], 0.1);
  }
}

TEST(ClassMoments, ShowWhatIsMissingInTheMeanOfItsClassAlone) {
  Problem problem(500, 3, 0);
  problem.x(problem.rows_of(1)[100], 1) = std::numeric_limits<double>::quiet_NaN();
  for (const Scatter kind : {Scatter::full, Scatter::diagonal}) {
    ClassMoments all(data::NumberColumns(MatrixView(problem.x)), kind, classes);
    all.sum_up(problem.rows(), problem.of);
    EXPECT_TRUE(std::isnan(all.of_class(1, {}).value().mean[1]));
    expect_near(all.of_class(0, {}).value(), problem.alone(0, kind));
  }
}

TEST(ClassMoments, SuitRowsThatLieInMemoryAndFewSums) {
  const Matrix x(10, 50);
  const data::NumberColumns columns{MatrixView(x)};
  EXPECT_TRUE(ClassMoments::suit(columns, Scatter::full, 10));
  EXPECT_FALSE(ClassMoments::suit(columns, Scatter::full, 100));
  EXPECT_TRUE(ClassMoments::suit(columns, Scatter::diagonal, 70));
  EXPECT_FALSE(ClassMoments::suit(columns, Scatter::diagonal, 1000));
  EXPECT_FALSE(ClassMoments::suit(columns, Scatter::diagonal, 0));
  const data::NumberColumns apart{MatrixView(x.data(), 50, 10, {1, 50})};
  EXPECT_FALSE(ClassMoments::suit(apart, Scatter::diagonal, 2));
}

}  // namespace
}  // namespace genera::sums
