#include <gtest/gtest.h>

#include <genera/description.hpp>

#include <algorithm>

#include "support/problems.hpp"

namespace genera::description_test {
namespace {

const Prior even({0.5, 0.5});
const std::vector<std::string> classes{"p", "q"};

GaussianBlock shared_variances(const std::string& column, double variance) {
  return GaussianBlock({.structure = Covariance::tied_diag,
                        .columns = {column},
                        .means = Matrix(2, 1, {0, 1}),
                        .variances = Matrix(1, 1, {variance})});
}

const Fact::Value& fact(const BlockDescription& block, const std::string& key) {
  const auto found = std::ranges::find(block.facts, key, &Fact::key);
  if (found == block.facts.end()) throw std::out_of_range(key);
  return found->value;
}

std::vector<std::string> titles(const BlockDescription& block) {
  std::vector<std::string> all;
  for (const NumberTable& table : block.tables) all.push_back(table.title);
  return all;
}

TEST(Description, OfAGaussianBlockHoldsItsMoments) {
  const Model model(
      classes, even,
      {GaussianBlock({.structure = Covariance::full,
                      .columns = {"x", "y"},
                      .means = Matrix(2, 2, {1, 2, 3, 4}),
                      .covariances = {Matrix(2, 2, {4, 0, 0, 1}), Matrix(2, 2, {9, 1, 1, 1})},
                      .counts = {5, 6}})});
  const Description description = describe(model);
  const BlockDescription& block = description.blocks.at(0);
  EXPECT_EQ(block.type, "gaussian");
  EXPECT_EQ(block.model, "qda");
  EXPECT_EQ(block.meaning, "a full covariance of its own for each class");
  EXPECT_EQ(block.lines, std::vector<std::string>{"divisor: mle (n)"});
  EXPECT_EQ(titles(block), (std::vector<std::string>{"means", "standard deviations",
                                                     "covariance of p", "covariance of q"}));
  EXPECT_EQ(block.tables[0].values, Matrix(2, 2, {1, 3, 2, 4}));
  EXPECT_EQ(block.tables[1].values, Matrix(2, 2, {2, 3, 1, 1}));
  EXPECT_EQ(fact(block, "shared"), Fact::Value(false));
  EXPECT_EQ(block.moments->covariances[1], CovarianceMatrix(Matrix(2, 2, {9, 1, 1, 1})));
  EXPECT_FALSE(block.linear);
  EXPECT_FALSE(description.discriminants);
}

TEST(Description, AddsUpWhatIsLinear) {
  const Model model(classes, Prior({0.25, 0.75}),
                    {shared_variances("x", 1), shared_variances("y", 4)});
  const Description description = describe(model);
  ASSERT_TRUE(description.discriminants);
  const LinearScores& linear = *description.discriminants;
  for (Index k = 0; k < 2; ++k) {
    double intercept = std::log(k == 0 ? 0.25 : 0.75);
    for (Index j = 0; j < 2; ++j) {
      const LinearScores& own = *description.blocks[static_cast<std::size_t>(j)].linear;
      intercept += own.intercepts[static_cast<std::size_t>(k)];
      EXPECT_EQ(linear.coefficients(k, j), own.coefficients(k, 0));
    }
    EXPECT_NEAR(linear.intercepts[static_cast<std::size_t>(k)], intercept, 1e-15);
  }
  EXPECT_NEAR(linear.coefficients(1, 1) - linear.coefficients(0, 1), 0.25, 1e-15);
  EXPECT_EQ(description.blocks[1].moments->covariances,
            std::vector<CovarianceMatrix>{CovarianceMatrix(Diagonal{{4}})});
}

TEST(Description, OfAMixtureTellsOfEachComponent) {
  const Model model(classes, even,
                    {MixtureBlock({.components = {.structure = Covariance::diag,
                                                  .columns = {"x"},
                                                  .means = Matrix(3, 1, {0, 1, 2}),
                                                  .variances = Matrix(3, 1, {1, 4, 9}),
                                                  .raw_units = true},
                                   .component_class = {0, 0, 1},
                                   .weights = {0.25, 0.75, 1}})});
  const BlockDescription block = describe(model).blocks.at(0);
  EXPECT_EQ(block.type, "mixture");
  EXPECT_EQ(block.model, "mda");
  EXPECT_EQ(block.meaning, "3 components in total, a diagonal covariance for each");
  EXPECT_EQ(block.tables[0].rows, (std::vector<std::string>{"p 1", "p 2", "q 1"}));
  EXPECT_EQ(block.tables[0].values, Matrix(3, 1, {0.25, 0.75, 1}));
  const auto& components = std::get<Fact::List>(fact(block, "components").is);
  ASSERT_EQ(components.size(), 3U);
  EXPECT_EQ(std::get<Facts>(components[1].is)[0].value, Fact::Value("p"));
  EXPECT_EQ(std::get<Facts>(components[1].is)[3].value, Fact::Value(Diagonal{{4}}));
  EXPECT_FALSE(block.moments);
}

TEST(Description, OfCountsHasATableIfItCanBeRead) {
  const CountParameters columns{.terms = {"a", "b"},
                                .probabilities = Matrix(2, 2, {0.4, 0.6, 0.3, 0.7})};
  CountParameters terms = columns;
  terms.text = "mail {}";
  const auto described = [&](const CountParameters& p) {
    return describe(Model(classes, even, {CountBlock(p)})).blocks.at(0);
  };
  const BlockDescription of_columns = described(columns), of_terms = described(terms);
  EXPECT_EQ(of_columns.meaning, "2 columns");
  EXPECT_EQ(of_columns.tables[0].values, Matrix(2, 2, {0.4, 0.3, 0.6, 0.7}));
  EXPECT_EQ(titles(of_terms), std::vector<std::string>{"multinomial (2 terms of 'mail {}')"});
  EXPECT_EQ(of_terms.tables[0].values, of_columns.tables[0].values);
  EXPECT_EQ(in_words(of_terms.tables[0].remark),
            "smoothing 1; top = N shows what separates the classes most");
  EXPECT_EQ(fact(of_terms, "probabilities"), Fact::Value(terms.probabilities));
}

TEST(Description, OfLevelsAndCombinationsSaysWhereTheRestIs) {
  const std::vector<std::vector<std::string>> levels{{"u", "v"}};
  const Matrix probabilities(2, 2, {0.5, 0.5, 1, 0});
  const Model naive(
      classes, even,
      {CategoricalBlock({.columns = {"a"}, .levels = levels, .probabilities = {probabilities}})});
  const Model joint(
      classes, even,
      {JointBlock({.columns = {"a"}, .levels = levels, .probabilities = probabilities})});
  const NumberTable of_naive = describe(naive).blocks[0].tables.at(0);
  EXPECT_EQ(of_naive.rows, (std::vector<std::string>{"a=u", "a=v"}));
  EXPECT_EQ(of_naive.values, Matrix(2, 2, {0.5, 1, 0.5, 0}));
  EXPECT_EQ(of_naive.max_rows, 60);
  EXPECT_EQ(in_words(of_naive.rest),
            "… (json has them all, top = N those that separate the classes most)");
  const NumberTable of_joint = describe(joint).blocks[0].tables.at(0);
  EXPECT_EQ(of_joint.title, "joint table: 2 cells for each class");
  EXPECT_EQ(in_words(of_joint.remark),
            "smoothing 1; json has them, top = N those that separate the classes most");
  EXPECT_EQ(name_of(joint.blocks()[0]), "joint");
}

}  // namespace
}  // namespace genera::description_test
