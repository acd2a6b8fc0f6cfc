// The facts of every result: no NaN, whatever could not be computed, and the keys that are
// promised.
#include <genera/facts.hpp>

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "support/problems.hpp"

namespace genera::result_facts_test {
namespace {

using testing::random_table;

bool has_nan(const Fact::Value& value);

struct HasNan {
  bool operator()(double number) const { return std::isnan(number); }
  bool operator()(const Vector& numbers) const {
    return std::ranges::any_of(numbers, [](double x) { return std::isnan(x); });
  }
  bool operator()(const Matrix& matrix) const {
    return std::any_of(matrix.data(), matrix.data() + matrix.rows() * matrix.columns(),
                       [](double x) { return std::isnan(x); });
  }
  bool operator()(const Diagonal& diagonal) const { return (*this)(diagonal.entries); }
  bool operator()(const Facts& facts) const {
    std::set<std::string> keys;
    for (const Fact& fact : facts) {
      EXPECT_TRUE(keys.insert(fact.key).second) << fact.key << " is there twice";
      if (has_nan(fact.value)) return true;
    }
    return false;
  }
  bool operator()(const Fact::List& items) const { return std::ranges::any_of(items, has_nan); }
  bool operator()(const auto&) const { return false; }
};

bool has_nan(const Fact::Value& value) { return std::visit(HasNan(), value.is); }

Fact::Value value_of(const Facts& facts, const std::string& key) {
  const auto found = std::ranges::find(facts, key, &Fact::key);
  if (found == facts.end()) throw std::out_of_range(key);
  return found->value;
}

const LogisticOptions ridge_one{.ridge = 1};

TEST(FactsOf, AnEvaluationHaveNoNan) {
  const Table table = random_table(60, 2, 2, 1);
  const Classifier linear = fit(Rows(table), AnyRecipe(LinearRecipe{ridge_one})).model;
  const Facts of_linear = facts(evaluate(linear, table));
  EXPECT_FALSE(has_nan(of_linear));
  EXPECT_EQ(value_of(of_linear, "log_likelihood"), Fact::Value());
  EXPECT_EQ(value_of(of_linear, "positive"), Fact::Value(ClassifierRef(linear).classes()[1]));
  const Model model = fit(Rows(table), lda()).model;
  const Facts rejecting = facts(evaluate(model, table, {.reject = 1.0}), 0);
  EXPECT_FALSE(has_nan(rejecting));
  EXPECT_EQ(value_of(rejecting, "selective_risk"), Fact::Value());
  EXPECT_EQ(value_of(rejecting, "positive"), Fact::Value(model.classes()[0]));
}

TEST(FactsOf, ASelectionHaveNoNan) {
  Table table = random_table(40, 3, 2, 2);
  for (Index i = 0; i < table.rows(); ++i) table.numbers(i, 2) = table.numbers(i, 0);
  const std::vector<GridPoint> points{{"lda"}, {"gnb", {{"smoothing", 1}}}};
  const std::vector<Candidate> candidates{{"lda", AnyRecipe(lda())},
                                          {"gnb", AnyRecipe(gaussian_naive_bayes())}};
  const Selection found = cross_validate(table, candidates, {.folds = 4});
  const Facts all = facts(found, points, Metric::log_loss);
  EXPECT_FALSE(has_nan(all));
  EXPECT_EQ(value_of(all, "ranking"), Fact::Value(Fact::List{1}));
  const auto list = std::get<Fact::List>(value_of(all, "candidates").is);
  const auto& singular = std::get<Facts>(list[0].is);
  EXPECT_EQ(value_of(singular, "log_loss"), Fact::Value());
  EXPECT_EQ(value_of(singular, "why_not"), Fact::Value(found.candidates[0].why_not));
  EXPECT_EQ(value_of(all, "best"), list[1]);
  require_usable(found, candidates);
  Selection none = found;
  none.candidates.pop_back();
  EXPECT_NE(testing::error_of([&] {
              require_usable(none, candidates);
            }).find("no candidate can be used; of lda: "),
            std::string::npos);
}

TEST(FactsOf, AComparisonHaveNoNan) {
  const Table table = random_table(60, 2, 2, 3);
  const std::vector<Candidate> candidates{{"dlda", AnyRecipe(dlda())},
                                          {"logistic", AnyRecipe(LinearRecipe{ridge_one})}};
  const CurveOptions options{.sizes = {10, 30}, .repeats = 2};
  const Comparison read = compare(learning_curves(table, candidates, options), {{0, 1}}, options);
  EXPECT_FALSE(has_nan(facts(read)));
  EXPECT_EQ(std::get<Fact::List>(value_of(facts(read), "crossings").is).size(), 2U);
  const Model model = fit(Rows(table), dlda()).model;
  const DimensionOptions columns{
      .dimensions = {1, 2}, .within = 0.1, .pool = 200, .asymptotic_rows = 400};
  const Facts drawn = facts(compare(dimension_curves(model, candidates, columns, options), {{0, 1}},
                                    options, columns.within));
  EXPECT_FALSE(has_nan(drawn));
  const auto models = std::get<Fact::List>(value_of(drawn, "models").is);
  ASSERT_EQ(models.size(), 4U);
  EXPECT_EQ(std::get<Facts>(models[3].is).front(), (Fact{"dimension", 2}));
  EXPECT_EQ(std::get<Fact::List>(value_of(drawn, "needed").is).size(), 4U);
}

TEST(FactsOf, ADiagnosisHaveTheSameKeysWhateverCanBeTested) {
  const Facts all = facts(diagnose(random_table(60, 2, 2, 4)));
  const Facts tiny = facts(diagnose(random_table(3, 2, 2, 4)));
  EXPECT_FALSE(has_nan(all));
  EXPECT_FALSE(has_nan(tiny));
  for (const char* key : {"wilks", "box", "collinearity", "outliers"}) {
    const auto some = std::get<Facts>(value_of(all, key).is);
    const auto none = std::get<Facts>(value_of(tiny, key).is);
    EXPECT_TRUE(std::ranges::equal(some, none, {}, &Fact::key, &Fact::key)) << key;
  }
  EXPECT_EQ(value_of(std::get<Facts>(value_of(tiny, "box").is), "m"), Fact::Value());
}

TEST(FactsOf, ModelsAndGroupsHaveNoNan) {
  const Table table = random_table(60, 2, 2, 5);
  const Fitted<Classifier> fitted = fit(Rows(table), AnyRecipe(lda()));
  EXPECT_FALSE(has_nan(facts(fitted.model, training_fit(fitted))));
  EXPECT_FALSE(has_nan(facts(fitted.report)));
  const Model& model = std::get<Model>(fitted.model);
  EXPECT_FALSE(has_nan(facts(boundaries(model), model.classes())));
  const ProbabilityQuestion question{.between = {{.column = model.features()[0].name, .low = 0}}};
  const Facts answer = facts(probability(model, question), question, model.classes());
  EXPECT_FALSE(has_nan(answer));
  EXPECT_EQ(value_of(answer, "class"), Fact::Value());
  ClusterOptions options;
  options.mixture.components = {1, 2};
  const Clustering groups = cluster(table, options);
  EXPECT_FALSE(has_nan(facts(groups)));
  EXPECT_FALSE(has_nan(facts(group_profiles(groups.model, table), groups.model.classes())));
}

TEST(FactsOf, AModelJoinTheMomentsOfItsBlocks) {
  const GaussianBlock full({.family = Family::lda,
                            .columns = {"a", "b"},
                            .means = Matrix(1, 2, {1, 2}),
                            .covariances = {Matrix(2, 2, {4, 1, 1, 9})}});
  const GaussianBlock diagonal({.family = Family::dlda,
                                .columns = {"c"},
                                .means = Matrix(1, 1, {3}),
                                .variances = Matrix(1, 1, {5})});
  const Facts all = facts(Model({"k"}, Prior({1}), {full, diagonal}));
  const auto first = std::get<Facts>(std::get<Fact::List>(value_of(all, "classes").is)[0].is);
  EXPECT_EQ(value_of(first, "mean"), Fact::Value(Vector{1, 2, 3}));
  EXPECT_EQ(value_of(first, "covariance"), Fact::Value(Matrix(3, 3, {4, 1, 0, 1, 9, 0, 0, 0, 5})));
}

}  // namespace
}  // namespace genera::result_facts_test
