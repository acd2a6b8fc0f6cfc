#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "support/laws_of_chance.hpp"
#include "support/problems.hpp"

namespace genera::kernels_test {
namespace {

using testing::error_of;
using testing::largest_difference;
using testing::random_table;
using testing::rows_of;

const double nan = std::nan("");

Table seven_rows() {
  return make_table({"x", "y"}, Matrix(7, 2, {1, 2, 2, 1.5, 3, 4, 4.5, 3, 6, 7, 7.5, 6, 7, 9}),
                    {"a", "a", "a", "a", "b", "b", "b"});
}
Model of_seven_rows() { return fit(seven_rows(), kernel_bayes({0.5, 0.25})).model; }

const MixtureParameters& kernels_of(const Model& model) {
  return std::get<MixtureBlock>(model.blocks().front()).parameters();
}

double log_density(const Model& model, Index k, const Vector& x) {
  const Matrix row(1, std::ssize(x), x);
  return log_joint(model, row)(0, k) - model.prior().log()[static_cast<std::size_t>(k)];
}

/// The same components as a mixture, which other code scores.
Model as_mixture(const Model& model) {
  MixtureParameters p = kernels_of(model);
  p.kernel.reset();
  return {model.classes(), model.prior(), {MixtureBlock(p)}, model.target()};
}

/// Numbers of scipy: log of the mean of multivariate_normal.pdf over the rows.
TEST(Kernels, DensityIsTheMeanOverTheRows) {
  const Model model = of_seven_rows();
  EXPECT_NEAR(log_density(model, 0, {3, 3}), -3.5948647735617327, 1e-12);
  EXPECT_NEAR(log_density(model, 1, {3, 3}), -36.547522182406574, 1e-11);
  EXPECT_NEAR(log_density(model, 0, {nan, 5}), -3.369785586322577, 1e-12);
  EXPECT_TRUE(model.keeps_rows());
  EXPECT_FALSE(fit(seven_rows(), lda()).model.keeps_rows());
  EXPECT_EQ(kernels_of(model).components.means, seven_rows().numbers);
}

TEST(Kernels, AreAMixtureOfTheirRows) {
  const Table table = random_table(150, 5, 3, 4);
  const Model model = fit(table, kernel_bayes()).model;
  const Table queries = testing::with_missing(random_table(70, 5, 3, 9), 0.2, 1);
  EXPECT_LT(largest_difference(log_joint(model, queries), log_joint(as_mixture(model), queries)),
            1e-9);
  EXPECT_LT(
      largest_difference(mahalanobis(model, queries), mahalanobis(as_mixture(model), queries)),
      1e-6);
}

TEST(Kernels, FarRowsAndOneRowAtATimeHaveTheSameBits) {
  const Model model = fit(random_table(150, 3, 3, 4), kernel_bayes()).model;
  Matrix rows = random_table(37, 3, 3, 5).numbers;
  for (Index j = 0; j < 3; ++j) rows(5, j) = 1e6;
  const Matrix all = log_joint(model, rows), threads = log_joint(model, rows, {.threads = 3});
  EXPECT_EQ(all, threads);
  for (Index i = 0; i < rows.rows(); ++i) {
    const Matrix one =
        log_joint(model, Matrix(1, 3, Vector(rows.row(i).begin(), rows.row(i).end())));
    for (Index k = 0; k < 3; ++k) EXPECT_EQ(one(0, k), all(i, k));
  }
  EXPECT_LT(largest_difference(Matrix(1, 3, Vector(all.row(5).begin(), all.row(5).end())),
                               log_joint(as_mixture(model), Matrix(1, 3, {1e6, 1e6, 1e6}))),
            1e-3);
}

TEST(Kernels, MarginalsIntegrate) {
  const Model model = of_seven_rows();
  constexpr double step = 0.01;
  double total = 0, marginal = 0;
  for (double x = -20; x < 30; x += step) {
    total += std::exp(log_density(model, 0, {x, nan})) * step;
    marginal += std::exp(log_density(model, 0, {2, x})) * step;
  }
  EXPECT_NEAR(total, 1, 1e-10);
  EXPECT_NEAR(std::log(marginal), log_density(model, 0, {2, nan}), 1e-9);
}

TEST(Kernels, WeightTwoIsTheRowTwiceAndOrderDoesNotMatter) {
  Table weighted = random_table(60, 3, 2, 7);
  weighted.weights.assign(60, 1);
  std::vector<Index> rows = testing::range(0, 60);
  for (Index i = 0; i < 60; i += 3) {
    weighted.weights[static_cast<std::size_t>(i)] = 2;
    rows.push_back(i);
  }
  Table twice = rows_of(weighted, rows);
  const Model a = fit(weighted, kernel_bayes()).model, b = fit(twice, kernel_bayes()).model;
  const Model c =
      fit(rows_of(twice, testing::permutation(std::ssize(rows), 3)), kernel_bayes()).model;
  EXPECT_EQ(kernels_of(a).kernel, kernels_of(b).kernel);
  EXPECT_LT(largest_difference(log_joint(a, twice), log_joint(b, twice)), 1e-9);
  EXPECT_LT(largest_difference(log_joint(c, twice), log_joint(b, twice)), 1e-9);
}

TEST(Kernels, UnitsDoNotMatter) {
  const Table table = random_table(60, 3, 2, 8);
  Table scaled = table;
  for (Index i = 0; i < 60; ++i) {
    scaled.numbers(i, 0) *= 1024;
    scaled.numbers(i, 2) = scaled.numbers(i, 2) / 4096 + 3;
  }
  EXPECT_LT(largest_difference(posterior(fit(table, kernel_bayes()).model, table),
                               posterior(fit(scaled, kernel_bayes()).model, scaled)),
            1e-8);
}

/// Bandwidth and gamma with the lowest loss, computed from the densities without one row.
TEST(Kernels, BandwidthHasTheLowestLeaveOneOutLoss) {
  const Table table = random_table(40, 2, 2, 3);
  const MixtureParameters best = kernels_of(fit(table, kernel_bayes()).model);
  double lowest = HUGE_VAL;
  MixtureParameters::Kernel expected;
  for (const double gamma : {0.1, 1.0}) {
    for (const double h : {0.25, 0.35, 0.5, 0.7, 1.0}) {
      const Model all = fit(table, kernel_bayes({h, gamma})).model;
      double loss = 0;
      for (Index i = 0; i < table.rows(); ++i) {
        MixtureParameters p = kernels_of(all);
        Vector sums(2);
        for (Index c = 0; c < std::ssize(p.weights); ++c) {
          // The rows of the model are sorted by class; the row itself is found by its numbers.
          if (p.components.means(c, 0) == table.numbers(i, 0) &&
              p.components.means(c, 1) == table.numbers(i, 1))
            p.weights[static_cast<std::size_t>(c)] = 1e-300;
          sums[static_cast<std::size_t>(p.component_class[static_cast<std::size_t>(c)])] +=
              p.weights[static_cast<std::size_t>(c)];
        }
        for (std::size_t c = 0; c < p.weights.size(); ++c)
          p.weights[c] /= sums[static_cast<std::size_t>(p.component_class[c])];
        const Model others(all.classes(), all.prior(), {MixtureBlock(p)});
        loss -= std::log(
            posterior(others, rows_of(table, {i}))(0, table.labels[static_cast<std::size_t>(i)]));
      }
      if (loss >= lowest) continue;
      lowest = loss;
      expected = {h, gamma};
    }
  }
  EXPECT_EQ(best.kernel, expected);
}

TEST(Kernels, DrawsFollowTheDensity) {
  const Model model = of_seven_rows();
  const Table drawn = sample(model, 4000, Rng(11));
  double below = 0;
  for (Index i = 0; i < 4000; ++i) below += drawn.numbers(i, 0) <= 3.5 ? 1.0 / 4000 : 0;
  const double p = probability(model, {.between = {{"x", -HUGE_VAL, 3.5}}}).all.value;
  EXPECT_NEAR(below, p, testing::share_error(p, 4000));
}

TEST(Kernels, LearnFromMissingCellsAndBesideOtherColumns) {
  const Table table = testing::with_missing(random_table(90, 3, 2, 6), 0.1, 2);
  const Fitted<Model> fitted = fit(table, kernel_bayes());
  EXPECT_LT(evaluate(fitted.model, table).error_rate(), 0.3);
  bool said = false;
  for (const Note& note : fitted.report.notes)
    said = said || in_words(note).find("replaced by their expectations") != std::string::npos;
  EXPECT_TRUE(said);
}

TEST(Kernels, AreNeverSingular) {
  const Table few = rows_of(random_table(60, 8, 3, 4), testing::range(0, 9));
  const Matrix joint = log_joint(fit(few, kernel_bayes()).model, few);
  for (const double x : joint.row(0)) EXPECT_TRUE(std::isfinite(x));
  EXPECT_NE(error_of([&] {
              (void)fit(few, kernel_bayes({0.5, 0.0}));
            }).find("kernel_gamma"),
            std::string::npos);
}

TEST(Kernels, SelectionByFoldsAndLeaveOneOut) {
  const Table table = random_table(60, 3, 2, 6);
  const Selection folds = cross_validate(table, {{"kernel", kernel_bayes(), {}}});
  EXPECT_TRUE(folds.candidates.front().usable);
  const Selection loo = leave_one_out(table, {{"kernel", kernel_bayes(), {}}});
  EXPECT_TRUE(loo.candidates.front().usable);
}

TEST(Kernels, FileGivesTheSameModel) {
  const Model model = of_seven_rows();
  EXPECT_EQ(model_from_bytes(to_bytes(model)), model);
  EXPECT_EQ(model_from_bytes(to_bytes(model, Format::cbor)), model);
  EXPECT_NE(to_bytes(model).find("\"keeps_rows\": true"), std::string::npos);
}

TEST(Kernels, RefuseImpossibleParametersAndOptions) {
  const MixtureParameters good = kernels_of(of_seven_rows());
  const auto refused = [&](auto change) {
    MixtureParameters p = good;
    change(p);
    return error_of([&] { (void)MixtureBlock(p); });
  };
  EXPECT_EQ(refused([](auto& p) { p.kernel->bandwidth = 0; }),
            "the bandwidth of kernels is 0 | give a finite number above 0");
  EXPECT_EQ(refused([](auto& p) { p.kernel->gamma = 2; }),
            "the gamma of kernels is 2 | give a number from 0 to 1");
  EXPECT_EQ(refused([](auto& p) {
              p.components.covariances.assign(7, p.components.covariances.front());
              p.components.structure = Covariance::full;
            }),
            "kernels share one full covariance | give one covariance");
  EXPECT_EQ(error_of([] { validate(KernelOptions{.bandwidth = -1}); }),
            "the bandwidth is -1 | give bandwidth a number above 0");
  Recipe both = kernel_bayes();
  both.mixture.emplace();
  EXPECT_NE(error_of([&] { (void)fit(seven_rows(), both); }).find("at once"), std::string::npos);
  EXPECT_NE(error_of([&] {
              (void)estimate(collect(seven_rows()).statistics, kernel_bayes());
            }).find("kernel needs the rows"),
            std::string::npos);
}

}  // namespace
}  // namespace genera::kernels_test
