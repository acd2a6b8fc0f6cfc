#include "blocks/gaussian/missing/completion.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/laws_of_chance.hpp"

namespace genera::blocks::gaussian_completion_test {
namespace {

using kernel::panel_rows;
using testing::normal_cdf;

/// One class of two components over (a, b), and what they say of b when a = 1, by hand.
struct TwoComponents {
  TwoComponents() {
    p.columns = {"a", "b"};
    p.means = Matrix(2, 2, {0, 5, 3, -2});
    p.covariances = {Matrix(2, 2, {1, 0.5, 0.5, 1}), Matrix(2, 2, {4, -1, -1, 2})};
    components = {&p, {0, 2}, {0.25, 0.75}};
    const double first = 0.25 * std::exp(-0.5);
    const double second = 0.75 / 2 * std::exp(-0.5);
    share = first / (first + second);
  }
  GaussianParameters p;
  ClassComponents components;
  double share;                                // of the first component, given a
  double mean1 = 5.5, sd1 = std::sqrt(0.75);   // of b in it
  double mean2 = -1.5, sd2 = std::sqrt(1.75);  // and in the other
};

TEST(GaussianCompletion, OfAMixtureExpectsTheMeansByTheirShares) {
  const TwoComponents two;
  const CorrelatedNormals normals(two.p);
  GaussianCompletion completion(two.components, &normals);
  const std::vector<Index> observed{0};
  completion.observe(observed);
  alignas(64) double panel[2 * panel_rows] = {}, weights[panel_rows];
  std::fill_n(panel, panel_rows, 1.0);
  std::fill_n(weights, panel_rows, 1.0);
  completion.expect(weights, panel);
  EXPECT_NEAR(panel[panel_rows], two.share * two.mean1 + (1 - two.share) * two.mean2, 1e-12);
  completion.observe({});
  completion.expect(weights, panel);
  EXPECT_NEAR(panel[0], 0.75 * 3, 1e-12);
  EXPECT_NEAR(panel[panel_rows], 0.25 * 5 - 0.75 * 2, 1e-12);
}

TEST(GaussianCompletion, OfAMixtureDrawsFromTheMixtureOfConditionals) {
  const TwoComponents two;
  const CorrelatedNormals normals(two.p);
  GaussianCompletion completion(two.components, &normals);
  const std::vector<Index> observed{0};
  std::vector<double> given, alone;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    std::vector<Rng> streams;
    for (std::uint64_t lane = 0; lane < 16; ++lane) streams.push_back(Rng(1).split(16 * i + lane));
    alignas(64) double panel[2 * panel_rows] = {};
    std::fill_n(panel, panel_rows, 1.0);
    completion.observe(observed);
    completion.draw(0, streams, panel);
    given.insert(given.end(), panel + panel_rows, panel + 2 * panel_rows);
    completion.observe({});
    completion.draw(0, streams, panel);
    alone.insert(alone.end(), panel, panel + panel_rows);
  }
  EXPECT_LT(testing::ks_statistic(given,
                                  [&](double b) {
                                    return two.share * normal_cdf((b - two.mean1) / two.sd1) +
                                           (1 - two.share) * normal_cdf((b - two.mean2) / two.sd2);
                                  }),
            testing::ks_limit);
  EXPECT_LT(
      testing::ks_statistic(
          alone, [](double a) { return 0.25 * normal_cdf(a) + 0.75 * normal_cdf((a - 3) / 2); }),
      testing::ks_limit);
}

}  // namespace
}  // namespace genera::blocks::gaussian_completion_test
