#include <cmath>

#include <boost/math/distributions/students_t.hpp>
#include <gtest/gtest.h>

#include <genera/fit.hpp>
#include <genera/impute.hpp>

#include "support/discrete_tables.hpp"
#include "support/laws_of_chance.hpp"
#include "support/problems.hpp"

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
      if (p.family == Family::spherical || p.family == Family::centroid) {
        EXPECT_NEAR(gaussian(drawn).covariance(1)(0, 0) / gaussian(drawn).covariance(1)(2, 2),
                    gaussian(model).covariance(1)(0, 0) / gaussian(model).covariance(1)(2, 2),
                    1e-12);
      }
    }
    EXPECT_NEAR(mean.mean(), p.means(1, 0), mean.error()) << name_of(p.family);
    for (const Sums& one : ratio) EXPECT_NEAR(one.mean(), 1, 0.08) << name_of(p.family);
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

/// One data set: 40 rows of two correlated columns, the second missing in about three of ten,
/// completely at random. Whether the 95 % interval by the rules of Rubin 1987 (degrees of freedom
/// of Barnard and Rubin 1999) covers the mean of the second column, which is 0. The model is
/// learned from the complete rows, or by EM from all of them.
enum class LearnedFrom { complete_rows, all_rows };
bool covers(std::uint64_t seed, LearnedFrom from) {
  constexpr Index n = 40, draws = 20;
  Rng rng = Rng(seed).split(0);
  Table table = make_table({"a", "b"}, Matrix(n, 2), std::vector<std::string>(n, "k"));
  std::vector<Index> complete;
  for (Index i = 0; i < n; ++i) {
    table.numbers(i, 0) = rng.normal();
    table.numbers(i, 1) = 0.7 * table.numbers(i, 0) + std::sqrt(1 - 0.49) * rng.normal();
    if (rng.uniform() < 0.3)
      table.numbers(i, 1) = std::nan("");
    else
      complete.push_back(i);
  }
  const bool by_em = from == LearnedFrom::all_rows;
  const Model model = fit(by_em ? table : testing::rows_of(table, complete), qda()).model;
  Sums means;
  double within = 0;
  for (std::uint64_t m = 1; m <= draws; ++m) {
    const Model drawn = draw_parameters(model, Rng(seed).split(2 * m));
    const Table filled = impute_by_draw(drawn, table, Rng(seed).split(2 * m + 1)).table;
    Sums b;
    for (Index i = 0; i < n; ++i) b.add(filled.numbers(i, 1));
    means.add(b.mean());
    within += b.variance() / (n - 1) / draws;
  }
  const double between = means.variance() * draws / (draws - 1);
  const double total = within + (1 + 1.0 / draws) * between;
  const double missing = (1 + 1.0 / draws) * between / total;
  const double of_draws = (draws - 1) / (missing * missing);
  const double of_rows = static_cast<double>(n) / (n + 2) * (n - 1) * (1 - missing);
  const boost::math::students_t law(1 / (1 / of_draws + 1 / of_rows));
  return std::abs(means.mean()) <= quantile(law, 0.975) * std::sqrt(total);
}

TEST(Parameters, MakeMultipleImputationProper) {
  constexpr std::uint64_t simulations = 3000;
  double covered = 0;
  for (std::uint64_t seed = 1; seed <= simulations; ++seed)
    covered += covers(seed, LearnedFrom::complete_rows);
  EXPECT_GE(covered / simulations, 0.93);
  EXPECT_LE(covered / simulations, 0.97);
  EXPECT_NEAR(covered / simulations, 0.95, testing::share_error(0.95, simulations, 4));
}

TEST(Parameters, MakeMultipleImputationProperAlsoAfterEm) {
  constexpr std::uint64_t simulations = 2000;
  double covered = 0;
  for (std::uint64_t seed = 1; seed <= simulations; ++seed)
    covered += covers(seed, LearnedFrom::all_rows);
  EXPECT_NEAR(covered / simulations, 0.95, testing::share_error(0.95, simulations, 3));
}

TEST(Parameters, OfRowsWithHolesAreAsUncertainAsTheirInformation) {
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
