#include <cmath>

#include <gtest/gtest.h>

#include <genera/fit.hpp>
#include <genera/query.hpp>

#include "query/generate/draws.hpp"
#include "support/problems.hpp"

namespace genera::tail_test {
namespace {

Vector tails_of(const Model& model, const Matrix& rows, std::uint64_t seed = 1) {
  return OutlierTail(model, seed)(mahalanobis(model, rows), log_density(model, rows));
}

double share_below(const Vector& values, double level) {
  return static_cast<double>(
             std::count_if(values.begin(), values.end(), [&](double v) { return v <= level; })) /
         static_cast<double>(values.size());
}

TEST(OutlierTail, OfGivenParametersIsChiSquared) {  // P(chi^2_2 >= D^2) = exp(-D^2 / 2)
  const GaussianBlock block(
      {.columns = {"a", "b"}, .means = Matrix(1, 2), .covariances = {Matrix(2, 2, {4, 0, 0, 1})}});
  const Model model({"x"}, Prior({1}), {block});
  EXPECT_NEAR(tails_of(model, Matrix(1, 2, {4, 1}))[0], std::exp(-2.5), 1e-13);
  EXPECT_EQ(OutlierTail(model).resolution(), 0);
}

TEST(OutlierTail, OfOneEstimatedVarianceIsStudentsT) {
  // d = 1, n = 5 values 0..4: unbiased variance 2.5, nu = 4; F_{1,4} = t^2, P(|t_4| >= 2.7764451) =
  // 0.05.
  const Model model =
      fit(make_table({"a"}, Matrix(5, 1, {0, 1, 2, 3, 4}), std::vector<std::string>(5, "x")), qda())
          .model;
  const double d = 2.7764451051977987 * std::sqrt(2.5 * 6.0 / 5.0);
  EXPECT_NEAR(tails_of(model, Matrix(1, 1, {2 + d}))[0], 0.05, 1e-10);
}

TEST(OutlierTail,
     FreshRowsAreFlaggedAsOftenAsPromised) {  // d = 30, n = 60: plug-in chi^2 would flag most
  const Table train = testing::random_table(60, 30, 1, 1);
  const Model truth = fit(testing::random_table(20000, 30, 1, 1), qda()).model;
  const Matrix fresh = query::draw_rows(truth, {0, 4000}, Rng(9)).numbers;
  const Matrix learn = query::draw_rows(truth, {0, 60}, Rng(10)).numbers;
  const Model model =
      fit(make_table(train.number_names(), learn, std::vector<std::string>(60, "x")), qda()).model;
  EXPECT_NEAR(share_below(tails_of(model, fresh), 0.05), 0.05, 0.02);
}

TEST(OutlierTail, ByMonteCarloIsUniformOnDrawsOfTheModelAndRepeats) {
  const Model model = fit(testing::random_table(500, 4, 3, 2), gaussian_naive_bayes()).model;
  const Matrix rows = query::draw_rows(model, {0, 5000}, Rng(77)).numbers;
  const Vector tails = tails_of(model, rows);
  for (const double level : {0.01, 0.1, 0.5, 0.9})
    EXPECT_NEAR(share_below(tails, level), level,
                4 * std::sqrt(level * (1 - level) / 5000) + 0.002);
  EXPECT_EQ(tails_of(model, rows), tails);
  EXPECT_NEAR(OutlierTail(model).resolution(), 1e-5, 1e-9);
  EXPECT_EQ(tails_of(model, Matrix(1, 4, 1e9))[0], 1 / 100001.0);
}

TEST(DrawRows, AreTheSameForAnyNumberOfThreadsAndHaveTheMomentsOfTheModel) {
  const Model model = fit(testing::random_table(400, 3, 1, 3), qda()).model;
  const Matrix rows = query::draw_rows(model, {0, 20000}, Rng(5)).numbers;
  EXPECT_EQ(query::draw_rows(model, {0, 20000}, Rng(5), {.threads = 4}).numbers, rows);
  const Matrix later = query::draw_rows(model, {7000, 7003}, Rng(5)).numbers;
  EXPECT_TRUE(std::equal(later.row(1).begin(), later.row(1).end(), rows.row(7001).begin()));
  const Model again =
      fit(make_table({"x0", "x1", "x2"}, rows, std::vector<std::string>(20000, "c0")), qda()).model;
  const auto& a = std::get<GaussianBlock>(model.blocks()[0]);
  const auto& b = std::get<GaussianBlock>(again.blocks()[0]);
  for (Index i = 0; i < 3; ++i) {
    const double sd = std::sqrt(a.covariance(0)(i, i));
    EXPECT_NEAR(a.parameters().means(0, i), b.parameters().means(0, i),
                4 * sd / std::sqrt(20000.0));
    for (Index j = 0; j < 3; ++j) {
      const double scale = sd * std::sqrt(a.covariance(0)(j, j));
      EXPECT_NEAR(a.covariance(0)(i, j), b.covariance(0)(i, j), 6 * scale / std::sqrt(20000.0));
    }
  }
}

TEST(Rng,
     IsTheSameEverywhere) {  // SplitMix64 from seed 1234567: the reference sequence of its authors
  Rng rng(1234567);
  EXPECT_EQ(rng(), 6457827717110365317U);
  EXPECT_EQ(rng(), 3203168211198807973U);
  EXPECT_EQ(Rng(1).split(3)(), Rng(1).split(3)());
}

}  // namespace
}  // namespace genera::tail_test
