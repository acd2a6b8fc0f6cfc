#include <cmath>

#include <boost/math/distributions/students_t.hpp>
#include <gtest/gtest.h>

#include <genera/fit.hpp>
#include <genera/impute.hpp>

#include "support/discrete_tables.hpp"
#include "support/laws_of_chance.hpp"
#include "support/problems.hpp"
#include "support/simulations.hpp"

namespace genera::parameters_test {
namespace {

using testing::random_table;

const GaussianBlock& gaussian(const Model& model) {
  return std::get<GaussianBlock>(model.blocks().front());
}

/// Mean and variance of what is added.
struct Sums {
  double n = 0, sum = 0, squares = 0;
  void add(double x) { ++n, sum += x, squares += x * x; }
  [[nodiscard]] double mean() const { return sum / n; }
  [[nodiscard]] double variance() const { return squares / n - mean() * mean(); }
  [[nodiscard]] double error() const { return 5 * std::sqrt(variance() / n); }
};

constexpr std::uint64_t many = 20000;

TEST(Parameters, OfAFullCovarianceFollowTheInverseWishartLaw) {
  for (const bool unbiased : {false, true}) {
    Recipe recipe = qda();
    recipe.gaussian.divisor = unbiased ? Divisor::unbiased : Divisor::mle;
    const Model model = fit(random_table(40, 3, 2, 1), recipe).model;
    const double n = gaussian(model).parameters().counts[0];
    Sums diagonal, mixed, mean;
    for (std::uint64_t m = 0; m < many; ++m) {
      const Model drawn = draw_parameters(model, Rng(7).split(m));
      diagonal.add(gaussian(drawn).covariance(0)(1, 1));
      mixed.add(gaussian(drawn).covariance(0)(0, 2));
      mean.add(gaussian(drawn).parameters().means(0, 1));
    }
    // E S = scatter / (nu - d - 1) with nu = n - 1
    const double scale = (unbiased ? n - 1 : n) / (n - 1 - 3 - 1);
    const Matrix s = gaussian(model).covariance(0);
    EXPECT_NEAR(diagonal.mean(), scale * s(1, 1), diagonal.error());
    EXPECT_NEAR(mixed.mean(), scale * s(0, 2), mixed.error());
    EXPECT_NEAR(mean.mean(), gaussian(model).parameters().means(0, 1), mean.error());
    EXPECT_NEAR(mean.variance(), scale * s(1, 1) / n, 0.1 * scale * s(1, 1) / n);
  }
}

TEST(Parameters, OfEveryFamilyKeepTheirStructureAndTheirCentre) {
  const Table table = random_table(300, 3, 2, 2);
  for (const Recipe& recipe : testing::whole_family()) {
    const Model model = fit(table, recipe).model;
    const GaussianParameters& p = gaussian(model).parameters();
    std::vector<Sums> ratio(2);
    Sums mean;
    for (std::uint64_t m = 0; m < 4000; ++m) {
      const Model drawn = draw_parameters(model, Rng(8).split(m));
      ASSERT_EQ(gaussian(drawn).parameters().covariances.size(), p.covariances.size());
      ASSERT_EQ(gaussian(drawn).parameters().variances.rows(), p.variances.rows());
      for (Index k = 0; k < 2; ++k)
        ratio[static_cast<std::size_t>(k)].add(gaussian(drawn).covariance(k)(2, 2) /
                                               gaussian(model).covariance(k)(2, 2));
      mean.add(gaussian(drawn).parameters().means(1, 0));
      if (p.structure == Covariance::spherical || p.structure == Covariance::tied_spherical) {
        EXPECT_NEAR(gaussian(drawn).covariance(1)(0, 0) / gaussian(drawn).covariance(1)(2, 2),
                    gaussian(model).covariance(1)(0, 0) / gaussian(model).covariance(1)(2, 2),
                    1e-12);
      }
    }
    EXPECT_NEAR(mean.mean(), p.means(1, 0), mean.error()) << name_of(p);
    for (const Sums& one : ratio) EXPECT_NEAR(one.mean(), 1, 0.08) << name_of(p);
  }
}

TEST(Parameters, OfVariancesFollowTheScaledInverseChiSquareLaw) {
  const Model model = fit(random_table(30, 2, 1, 3), gaussian_naive_bayes()).model;
  const double s = gaussian(model).covariance(0)(1, 1);
  std::vector<double> chi;
  for (std::uint64_t m = 0; m < many; ++m)
    chi.push_back(30 * s / gaussian(draw_parameters(model, Rng(9).split(m))).covariance(0)(1, 1));
  // Wilson and Hilferty 1931: the cube root of chi^2 / nu is nearly normal
  EXPECT_LT(testing::ks_statistic(chi,
                                  [](double x) {
                                    const double v = 2.0 / (9 * 29);
                                    return testing::normal_cdf((std::cbrt(x / 29) - (1 - v)) /
                                                               std::sqrt(v));
                                  }),
            testing::ks_limit);
}

TEST(Parameters, OfProbabilitiesFollowTheDirichletLaw) {
  const Model model = fit(testing::mixed_table(60, 4), qda()).model;
  const auto& levels = std::get<CategoricalBlock>(model.blocks().at(1)).parameters();
  const auto& counts = std::get<CountBlock>(model.blocks().back()).parameters();
  Sums level, term, prior;
  for (std::uint64_t m = 0; m < 4000; ++m) {
    const Model drawn = draw_parameters(model, Rng(10).split(m));
    level.add(std::get<CategoricalBlock>(drawn.blocks().at(1)).parameters().probabilities[0](0, 1));
    term.add(std::get<CountBlock>(drawn.blocks().back()).parameters().probabilities(1, 0));
    prior.add(drawn.prior().probabilities()[2]);
  }
  const auto expect_beta = [](const Sums& found, double p, double total) {
    EXPECT_NEAR(found.mean(), p, found.error());
    EXPECT_NEAR(found.variance(), p * (1 - p) / (total + 1), 0.15 * p * (1 - p) / (total + 1));
  };
  const auto values = static_cast<double>(levels.levels[0].size());
  expect_beta(level, levels.probabilities[0](0, 1), levels.counts[0] + values);
  const auto terms = static_cast<double>(counts.terms.size());
  expect_beta(term, counts.probabilities(1, 0), counts.counts[1] * counts.lengths[1] + terms);
  const double n = model.counts()[0] + model.counts()[1] + model.counts()[2];
  expect_beta(prior, (model.counts()[2] + 1) / (n + 3), n + 3);
}

TEST(Parameters, ThatWereGivenStay) {
  GaussianParameters p{.columns = {"a"}, .means = Matrix(2, 1, {0, 1})};
  p.covariances = {Matrix(1, 1, {1.0}), Matrix(1, 1, {2.0})};
  const Model model({"k", "l"}, Prior({0.5, 0.5}), {GaussianBlock(p)});
  EXPECT_EQ(draw_parameters(model, Rng(1)), model);
  EXPECT_EQ(fixed_parameters(model),
            (std::vector<Note>{
                {"the density of 'a' is taken as certain: the model does not say how many rows it "
                 "was estimated from"},
                {"the priors are taken as certain: they were given, not estimated"}}));
  const Model estimated = fit(random_table(60, 2, 2, 1), qda()).model;
  EXPECT_TRUE(fixed_parameters(estimated).empty());
  const Model even = estimated.with_prior(Prior({0.9, 0.1}));
  EXPECT_EQ(draw_parameters(even, Rng(1)).prior(), even.prior());
}

TEST(Parameters, OfFewRowsStillMakeAModel) {
  Recipe recipe = qda();
  recipe.gaussian.shrinkage = {.kind = Shrinkage::Kind::oas};
  const Model model = fit(random_table(12, 8, 2, 5), recipe).model;
  for (std::uint64_t m = 0; m < 200; ++m)
    EXPECT_EQ(draw_parameters(model, Rng(2).split(m)).classes(), model.classes());
}

/// 40 rows of two correlated columns, the second missing in about three of ten, completely at
/// random, in one class or in two that lie `apart`, some of them without a label.
struct Design {
  bool by_em = false;  ///< learned from all rows, not from the complete ones
  Recipe recipe = qda();
  Index classes = 1;
  double unlabelled = 0, apart = 0;
};

/// Whether the 95 % interval by the rules of Rubin 1987 (degrees of freedom of Barnard and Rubin
/// 1999) covers the mean of the second column (within the classes, which are known to be equally
/// large), which is 0 + apart / 2.
bool covers(std::uint64_t seed, const Design& design) {
  constexpr Index n = 40, draws = 20;
  Rng rng = Rng(seed).split(0);
  Table table = make_table({"a", "b"}, Matrix(n, 2), std::vector<std::string>(n, "0"));
  table.classes = {"0", "1"};
  std::vector<Index> complete;
  for (Index i = 0; i < n; ++i) {
    const Index k = i % design.classes;
    table.labels[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(k);
    const double centre = design.apart * static_cast<double>(k), common = rng.normal();
    table.numbers(i, 0) = centre + common;
    table.numbers(i, 1) = centre + 0.7 * common + std::sqrt(1 - 0.49) * rng.normal();
    const bool certain = design.unlabelled > 0 && i < 8;  // or a class might have too few
    if (rng.uniform() < 0.3 && !certain)
      table.numbers(i, 1) = std::nan("");
    else
      complete.push_back(i);
    if (design.unlabelled > 0 && rng.uniform() < design.unlabelled && !certain)
      table.labels[static_cast<std::size_t>(i)] = -1;
  }
  table.classes.resize(static_cast<std::size_t>(design.classes));
  const Model model =
      fit(design.by_em ? table : testing::rows_of(table, complete), design.recipe).model;
  Sums means;
  double within = 0;
  for (std::uint64_t m = 1; m <= draws; ++m) {
    const Model drawn = draw_parameters(model, Rng(seed).split(2 * m));
    const Table filled = impute_by_draw(drawn, table, Rng(seed).split(2 * m + 1)).table;
    std::vector<Sums> b(static_cast<std::size_t>(design.classes));
    for (Index i = 0; i < n; ++i)
      b[static_cast<std::size_t>(i % design.classes)].add(filled.numbers(i, 1));
    double mean = 0, variance = 0;
    for (const Sums& own : b) {
      mean += own.mean() / static_cast<double>(design.classes);
      variance += own.variance() * own.n;
    }
    means.add(mean);
    within += variance / static_cast<double>(n - design.classes) / n / draws;
  }
  const double between = means.variance() * draws / (draws - 1);
  const double total = within + (1 + 1.0 / draws) * between;
  const double missing = (1 + 1.0 / draws) * between / total;
  const double of_draws = (draws - 1) / (missing * missing);
  const double freedom = static_cast<double>(n - design.classes);
  const double of_rows = (freedom + 1) / (freedom + 3) * freedom * (1 - missing);
  const boost::math::students_t distribution(1 / (1 / of_draws + 1 / of_rows));
  return std::abs(means.mean() - design.apart * static_cast<double>(design.classes - 1) / 2) <=
         quantile(distribution, 0.975) * std::sqrt(total);
}

double coverage(std::uint64_t simulations, const Design& design) {
  double covered = 0;
  for (std::uint64_t seed = 1; seed <= simulations; ++seed) covered += covers(seed, design);
  return covered / static_cast<double>(simulations);
}

TEST(Parameters, MakeMultipleImputationProper) {
  constexpr std::uint64_t simulations = testing::simulations(3000);
  const double covered = coverage(simulations, {});
  EXPECT_NEAR(covered, 0.95, testing::share_error(0.95, simulations, 4));
}

TEST(Parameters, MakeMultipleImputationProperAlsoAfterEm) {
  constexpr std::uint64_t simulations = testing::simulations(2000);
  EXPECT_NEAR(coverage(simulations, {.by_em = true}), 0.95,
              testing::share_error(0.95, simulations, 3));
}

TEST(Parameters, MakeMultipleImputationProperAlsoOfASharedCovariance) {
  constexpr std::uint64_t simulations = testing::simulations(2000);
  EXPECT_NEAR(coverage(simulations, {.by_em = true, .recipe = lda(), .classes = 2, .apart = 5}),
              0.95, testing::share_error(0.95, simulations, 3));
}

TEST(Parameters, MakeMultipleImputationProperAlsoOfRowsWithoutLabels) {
  constexpr std::uint64_t simulations = testing::simulations(1000);
  for (const Recipe& recipe : {qda(), lda()})
    EXPECT_NEAR(
        coverage(simulations,
                 {.by_em = true, .recipe = recipe, .classes = 2, .unlabelled = 0.5, .apart = 5}),
        0.95, testing::share_error(0.95, simulations, 3));
}

TEST(Parameters, OfRowsWithMissingCellsAreAsUncertainAsTheirInformation) {
  Table table = random_table(60, 2, 1, 6);
  for (Index i = 0; i < 30; ++i) table.numbers(i, 1) = std::nan("");
  const auto counts = [&](const Recipe& recipe) {
    return gaussian(fit(table, recipe).model).parameters().effective_counts;
  };
  EXPECT_EQ(counts(gaussian_naive_bayes()), Matrix(1, 2, {60, 30}));
  // The variance of the first column is known from 60 rows, all that concerns the other given it
  // from 30: three entries that vary as 1/60, 1/30 and 1/30.
  EXPECT_NEAR(counts(qda())(0, 0), 36, 1e-9);
  EXPECT_TRUE(
      gaussian(fit(random_table(60, 2, 1, 6), qda()).model).parameters().effective_counts.empty());
}

}  // namespace
}  // namespace genera::parameters_test
