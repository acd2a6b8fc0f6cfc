// Recipes by name, and options out of range.
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <genera/fit.hpp>
#include <genera/recipe.hpp>

#include "support/problems.hpp"

namespace genera::options_test {
namespace {

using testing::error_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Options>
std::string refusal(const Options& options) {
  return error_of([&] { validate(options); });
}

TEST(Options, OfEachNamedModelAreItsOwn) {
  std::set<std::string_view> names;
  for (const NamedModel& model : named_models()) EXPECT_TRUE(names.insert(model.name).second);
  for (const GaussianModel& model : all_gaussian_models) EXPECT_TRUE(names.contains(model.name));
  EXPECT_TRUE(names.contains("mda") && names.contains("logistic") && names.contains("auto"));
}

TEST(Options, OfRecipesNeedTheScatterOfTheirCovariances) {
  for (const Recipe& recipe : testing::whole_family())
    EXPECT_EQ(scatter_needed(recipe) == Scatter::full, is_full(recipe.gaussian.covariance));
}

TEST(Options, OutsideOfTheirRangesAreRefused) {
  for (const double outside : {-0.1, 1.1, nan}) {
    const std::string number = fmt::format("{}", outside);
    EXPECT_EQ(refusal(rda(outside, 0).gaussian),
              "alpha is " + number + ", which is not in [0, 1] | give a number from 0 to 1");
    EXPECT_EQ(refusal(rda(0, outside).gaussian),
              "gamma is " + number + ", which is not in [0, 1] | give a number from 0 to 1");
  }
  for (const double outside : {-1.0, infinity, nan}) {
    const std::string number = fmt::format("{}", outside);
    GaussianOptions floor = gaussian_naive_bayes().gaussian, prior = floor;
    floor.variance_floor = prior.variance_prior = outside;
    EXPECT_EQ(refusal(floor), "the variance floor is " + number + " | give a number of at least 0");
    EXPECT_EQ(refusal(prior),
              "the variance prior is " + number + " | give a number of rows of at least 0");
    EXPECT_EQ(refusal(DiscreteOptions{.smoothing = outside}),
              "the smoothing is " + number + " | give a smoothing of at least 0");
    EXPECT_EQ(refusal(FitOptions{.unlabelled_weight = outside}),
              "the weight of unlabelled rows is " + number + " | give a number of at least 0");
  }
  EXPECT_EQ(refusal(MixtureOptions{.components = {3, 2}}),
            "the number of components is 3-2 | give a whole number of at least 1, or a range such "
            "as 1-5");
  EXPECT_EQ(refusal(MixtureOptions{.starts = 0}),
            "the number of starts is 0 | give a whole number of at least 1");
}

TEST(Options, ThatExcludeEachOtherAreRefused) {
  GaussianOptions twice = rda(0.5, 0).gaussian;
  twice.shrinkage.kind = Shrinkage::Kind::oas;
  EXPECT_EQ(refusal(twice),
            "rda together with shrinkage would shrink twice | use gamma of rda, or shrinkage with "
            "qda or lda");
  GaussianOptions diagonal = gaussian_naive_bayes().gaussian;
  diagonal.shrinkage.kind = Shrinkage::Kind::oas;
  EXPECT_EQ(refusal(diagonal),
            "shrinkage is for full covariances, and gnb has none | use model = qda or lda with "
            "shrinkage, or variance_floor");
}

}  // namespace
}  // namespace genera::options_test
