#include <set>

#include <gtest/gtest.h>

#include <genera/figure.hpp>
#include <genera/fit.hpp>

namespace genera::figure_facts_test {
namespace {

const Fact::Value& value_of(const Facts& facts, const std::string& key) {
  for (const Fact& fact : facts) {
    if (fact.key == key) return fact.value;
  }
  throw std::out_of_range(key);
}

template <class T>
const T& get(const Facts& facts, const std::string& key) {
  return std::get<T>(value_of(facts, key).is);
}

class FigureFacts : public ::testing::Test {
 protected:
  Table iris = read_csv("@iris", {.target = "species"});
  Model model = fit(iris, qda()).model;
  Rows rows{iris};
};

TEST_F(FigureFacts, HaveEveryKeyOnce) {
  const auto expect_unique = [](const Facts& facts) {
    std::set<std::string> keys;
    for (const Fact& fact : facts) EXPECT_TRUE(keys.insert(fact.key).second) << fact.key;
    EXPECT_GE(keys.size(), 3U);
  };
  expect_unique(facts(figure::scatter(rows)));
  expect_unique(facts(figure::regions(model, &rows)));
  expect_unique(facts(figure::density(model, &rows)));
  expect_unique(facts(figure::line(model, &rows)));
  expect_unique(facts(figure::pairs(model, rows)));
  expect_unique(facts(figure::canonical(model, rows)));
  expect_unique(facts(figure::features(model)));
}

TEST_F(FigureFacts, OfAGridAreOneMatrixPerClassWithARowPerY) {
  const figure::Regions figure = figure::regions(model, nullptr, {.columns = 7, .rows = 5});
  const Facts found = facts(figure);
  const auto& posterior = get<Fact::List>(found, "posterior");
  const auto& labels = get<Matrix>(found, "labels");
  ASSERT_EQ(posterior.size(), 3U);
  ASSERT_EQ(labels.rows(), 5);
  ASSERT_EQ(labels.columns(), 7);
  for (Index i = 0; i < 35; ++i) {
    EXPECT_EQ(labels(i / 7, i % 7), figure.labels[static_cast<std::size_t>(i)]);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_EQ(std::get<Matrix>(posterior[k].is)(i / 7, i % 7),
                figure.posterior(i, static_cast<Index>(k)));
  }
}

TEST_F(FigureFacts, OfPointsMarkTheMisclassifiedOnes) {
  const figure::Regions figure = figure::regions(model, &rows, {.columns = 2, .rows = 2});
  const Facts all = facts(figure);
  const auto& wrong = get<Fact::Codes>(get<Facts>(all, "points"), "wrong");
  ASSERT_EQ(wrong.size(), 150U);
  Index count = 0;
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    EXPECT_EQ(wrong[i] != 0, figure.points.classes[i] != figure.points.predictions[i]);
    count += wrong[i];
  }
  EXPECT_EQ(count, 3);
}

}  // namespace
}  // namespace genera::figure_facts_test
