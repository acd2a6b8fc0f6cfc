#include <genera/candidates.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

namespace genera::candidates_test {
namespace {

using Names = std::vector<std::string>;

TEST(Candidates, FollowTheColumns) {
  EXPECT_EQ(default_models(read_csv("@iris")), (Names{"gnb", "dlda", "lda", "qda", "rda"}));
  EXPECT_EQ(default_models(read_csv("@lenses")), (Names{"categorical"}));
  EXPECT_EQ(default_models(make_text_table("t", {"aa bb"}, {"x"})),
            (Names{"multinomial", "bernoulli"}));
  EXPECT_EQ(default_models(read_csv(Source::text("1 3:2\n2 1:1 4:5\n", "rows.svmlight"))),
            (Names{"gnb", "dlda", "multinomial", "bernoulli"}));
}

TEST(NamedModels, AreTheGaussianModelsAndAllThatIsCompared) {
  const auto known = [](const std::string& name) {
    return std::ranges::count(named_models(), name, &NamedModel::name) == 1;
  };
  for (const GaussianModel& model : all_gaussian_models) {
    EXPECT_TRUE(known(std::string(model.name)));
    EXPECT_EQ(gaussian_model_named(model.name).value().name, model.name);
    const auto recipe = std::get<Recipe>(recipe_from(std::string(model.name), {}));
    EXPECT_EQ(recipe.gaussian.covariance, model.covariance);
    EXPECT_EQ(recipe.gaussian.rda.has_value(), model.rda);
    EXPECT_EQ(name_of(recipe.gaussian), model.name);
  }
  EXPECT_FALSE(gaussian_model_named("mda").has_value());
  for (const ModelPair& pair : matched_pairs()) EXPECT_TRUE(known(pair.generative));
}

TEST(Candidates, TakeWhatTheyHaveOfAGrid) {
  const Table numbers = read_csv("@iris"), levels = read_csv("@lenses");
  const OptionGrid given{{"gamma", {0.5}}, {"ridge", {1, 2}}, {"smoothing", {3}}};
  EXPECT_EQ(grid_of("lda", given, numbers), OptionGrid{});
  EXPECT_EQ(grid_of("logistic", given, numbers), (OptionGrid{{"ridge", {1, 2}}}));
  EXPECT_EQ(grid_of("categorical", given, levels), (OptionGrid{{"smoothing", {3}}}));
  EXPECT_EQ(grid_of("rda", given, numbers),
            (OptionGrid{{"alpha", evenly(0, 1, 0.1)}, {"gamma", {0.5}}}));
}

TEST(Candidates, AreTheProductOfAGrid) {
  const auto points = points_of("rda", {{"alpha", {0, 0.25}}, {"gamma", {0.5, 1}}});
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[0].name(), "rda alpha 0 gamma 0.5");
  EXPECT_EQ(points[1].name(), "rda alpha 0 gamma 1");
  EXPECT_EQ(points[3].name(), "rda alpha 0.25 gamma 1");
  EXPECT_EQ(points[2].value("alpha"), 0.25);
  EXPECT_EQ(points[2].value("ridge"), std::nullopt);
  EXPECT_EQ(points_of("lda", {}), (std::vector<GridPoint>{{.model = "lda"}}));
}

TEST(Candidates, PairsHaveBoundariesOfTheSameForm) {
  EXPECT_EQ(pair_named("gnb"), (ModelPair{"gnb", "logistic-squares"}));
  EXPECT_EQ(pair_named("quadratic/lda"), (ModelPair{"lda", "logistic-quadratic"}));
  EXPECT_EQ(pair_named("squares"), (ModelPair{"", "logistic-squares"}));
  EXPECT_EQ(pair_named("lda-qda"), std::nullopt);
  EXPECT_EQ(terms_of("logistic-quadratic"), LogisticTerms::quadratic);
  EXPECT_EQ(terms_of("lda"), std::nullopt);
  for (const ModelPair& pair : matched_pairs()) EXPECT_TRUE(terms_of(pair.discriminative));
}

}  // namespace
}  // namespace genera::candidates_test
