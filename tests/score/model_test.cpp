#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <genera/model.hpp>
#include <genera/query.hpp>

#include "support/problems.hpp"

namespace genera::model_test {
namespace {

using testing::error_of;

GaussianParameters pair() {
  GaussianParameters p;
  p.columns = {"a", "b"};
  p.means = Matrix(2, 2, {0, 0, 3, 1});
  p.covariances = {Matrix(2, 2, {2, 0.5, 0.5, 1}), Matrix(2, 2, {1, 0, 0, 4})};
  return p;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(GaussianBlock, LogDensityOfACorrelatedPair) {  // by hand: -log(2 pi) - log(1.75)/2 - 8/7
  const Model model({"l", "r"}, Prior({1, 0}), {GaussianBlock(pair())});
  EXPECT_NEAR(log_joint(model, Matrix(1, 2, {1, -1}))(0, 0), -3.2605421032342, 1e-13);
}

TEST(GaussianBlock, RefusesInconsistentParameters) {
  const auto refused = [](auto change) {
    GaussianParameters p = pair();
    change(p);
    return error_of([&] { GaussianBlock block(p); });
  };
  EXPECT_TRUE(
      has(refused([](auto& p) { p.columns.pop_back(); }), "1 column name, but the means have 2"));
  EXPECT_TRUE(has(refused([](auto& p) { p.covariances[1](0, 1) = 0.3; }),
                  "not symmetric: 'b' with 'a' is 0, the reverse is 0.3"));
  EXPECT_TRUE(has(refused([](auto& p) { p.covariances[0](0, 1) = p.covariances[0](1, 0) = 2; }),
                  "the covariance of class 1 is not positive definite"));
  EXPECT_TRUE(has(refused([](auto& p) { p.covariances.push_back(p.covariances[0]); }),
                  "3 covariances for 2 classes"));
  EXPECT_TRUE(has(refused([](auto& p) { p.covariances[0] = Matrix(1, 1, 1); }),
                  "a covariance is 1 x 1 for 2 columns"));
  EXPECT_TRUE(has(refused([](auto& p) { p.means(0, 0) = NAN; }), "a mean is nan"));
  EXPECT_TRUE(has(refused([](auto& p) { p.covariances.clear(); }),
                  "needs either covariances or variances"));
  EXPECT_TRUE(has(refused([](auto& p) { p.counts = {1}; }), "1 count for 2 classes"));
  EXPECT_TRUE(has(refused([](auto& p) {
                    p.covariances.clear();
                    p.variances = Matrix(1, 3, 1);
                  }),
                  "3 variances for 2 columns"));
  EXPECT_TRUE(has(refused([](auto& p) {
                    p.covariances.clear();
                    p.variances = Matrix(2, 2, -1);
                  }),
                  "a variance of class 1 is -1"));
  EXPECT_TRUE(
      has(refused([](auto& p) { p.means = Matrix(); }), "at least one class and one column"));
}

TEST(GaussianBlock, LinearDiscriminantsGiveTheLogOdds) {
  GaussianParameters p = pair();
  p.family = Family::lda;
  p.covariances.pop_back();
  const GaussianBlock block(p);
  const Model model({"l", "r"}, Prior({0.3, 0.7}), {block});
  const auto linear = block.linear();
  ASSERT_TRUE(linear);
  const Matrix x(1, 2, {0.7, -1.3});
  const Matrix joint = log_joint(model, x);
  const auto score = [&](Index k) {
    return linear->intercepts[static_cast<std::size_t>(k)] + linear->coefficients(k, 0) * x(0, 0) +
           linear->coefficients(k, 1) * x(0, 1);
  };
  EXPECT_NEAR(score(1) - score(0) + std::log(0.7 / 0.3), joint(0, 1) - joint(0, 0), 1e-13);
  EXPECT_FALSE(GaussianBlock(pair()).linear());
}

TEST(Prior, IsNormalisedOnceAndExactlyKeptWhenItAlreadyIs) {
  EXPECT_EQ(Prior({2, 6}).probabilities(), (Vector{0.25, 0.75}));
  const Vector thirds{1.0 / 3, 1.0 / 3, 1 - 2.0 / 3};
  EXPECT_EQ(Prior(thirds).probabilities(), thirds);
  EXPECT_EQ(Prior({1, 0}).log()[1], -HUGE_VAL);
  EXPECT_TRUE(has(error_of([] { Prior p({0.5, -0.1}); }), "a prior probability is -0.1"));
  EXPECT_TRUE(has(error_of([] { Prior p({0, 0}); }), "the prior probabilities sum to 0"));
}

TEST(Resolve, ChecksAGivenPrior) {
  const std::vector<std::string> classes{"setosa", "versicolor"};
  const auto resolved = [&](std::vector<std::pair<std::string, double>> given) {
    return resolve({PriorChoice::Kind::given, std::move(given)}, classes, {1, 1}).probabilities();
  };
  EXPECT_EQ(resolved({{"versicolor", 0.9}, {"setosa", 0.1}}), (Vector{0.1, 0.9}));
  EXPECT_TRUE(has(error_of([&] {
                    (void)resolved({{"setsa", 1}});
                  }),
                  "name 'setsa', which is not a class | did you mean 'setosa'?"));
  EXPECT_TRUE(has(error_of([&] {
                    (void)resolved({{"setosa", 1}});
                  }),
                  "leave out class 'versicolor'"));
  EXPECT_TRUE(has(error_of([&] {
                    (void)resolved({{"setosa", 0.5}, {"setosa", 0.5}});
                  }),
                  "name class 'setosa' twice"));
  EXPECT_TRUE(has(error_of([&] {
                    (void)resolved({{"setosa", 0.5}, {"versicolor", 0.4}});
                  }),
                  "the priors sum to 0.9, not to 1"));
  EXPECT_TRUE(has(error_of([&] {
                    (void)resolved({{"setosa", 1.5}, {"versicolor", -0.5}});
                  }),
                  "the prior of class 'setosa' is 1.5"));
  EXPECT_EQ(resolve({PriorChoice::Kind::uniform, {}}, classes, {9, 1}).probabilities(),
            (Vector{0.5, 0.5}));
}

TEST(Model, RefusesDisagreement) {
  EXPECT_TRUE(has(error_of([] { Model m({"a"}, Prior({1}), {GaussianBlock(pair())}); }),
                  "1 class, but the block has 2"));
  EXPECT_TRUE(has(error_of([] {
                    Model m({"a", "b"}, Prior({1}), {GaussianBlock(pair())});
                  }),
                  "2 classes, but the prior has 1"));
  EXPECT_TRUE(has(error_of([] {
                    Model m({"a", "a"}, Prior({1, 1}), {GaussianBlock(pair())});
                  }),
                  "the class 'a' occurs twice"));
  EXPECT_TRUE(
      has(error_of([] {
            Model m({"a", "b"}, Prior({1, 1}), {GaussianBlock(pair()), GaussianBlock(pair())});
          }),
          "the feature 'a' occurs twice"));
  EXPECT_TRUE(
      has(error_of([] { Model m({}, Prior({1}), {}); }), "at least one class and one block"));
}

}  // namespace
}  // namespace genera::model_test
