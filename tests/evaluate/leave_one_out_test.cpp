#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <genera/query.hpp>
#include <genera/random.hpp>
#include <genera/select.hpp>

#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::leave_one_out_test {
namespace {

using testing::error_of;

/// What `fit` makes of all other rows says of each, n x K log posteriors.
Matrix refitted(const Rows& rows, const AnyRecipe& recipe, const std::vector<Index>& positions,
                const SelectOptions& options) {
  const Classifier all = fit(rows, recipe, options.fit).model;
  const auto classes = std::ssize(ClassifierRef(all).classes());
  Matrix found(std::ssize(positions), classes);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    std::vector<Index> others;
    for (Index j = 0; j < rows.count(); ++j) {
      if (j != positions[i]) others.push_back(rows.row(j));
    }
    Classifier model = fit(rows.only(others), recipe, options.fit).model;
    if (options.loo_priors == LooPriors::full)
      model = std::get<Model>(model).with_prior(ClassifierRef(all).prior());
    const std::vector<Index> one{rows.row(positions[i])};
    const Answers a = answers(model, rows.only(one));
    for (Index k = 0; k < classes; ++k)
      found(static_cast<Index>(i), k) = a.log_joint(0, k) - a.log_density[0];
  }
  return found;
}

/// Log posteriors of scores.
double log_posterior(const Matrix& scores, Index row, Index k) {
  double max = -HUGE_VAL, sum = 0;
  for (const double score : scores.row(row)) max = std::max(max, score);
  for (const double score : scores.row(row)) sum += std::exp(score - max);
  return scores(row, k) - max - std::log(sum);
}

/// How far the log posteriors of the one candidate are from those of new fits, of every `step`-th
/// row; relative beyond one.
double distance_to_refits(const Rows& rows, const AnyRecipe& recipe, const Selection& selection,
                          const SelectOptions& options, Index step) {
  const Matrix& scores = selection.candidates[0].scores->scores;
  std::vector<Index> positions, places;
  for (Index i = 0; i < std::ssize(selection.judged); i += step) {
    places.push_back(i);
    positions.push_back(selection.judged[static_cast<std::size_t>(i)]);
  }
  const Matrix expected = refitted(rows, recipe, positions, options);
  double worst = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    for (Index k = 0; k < expected.columns(); ++k) {
      const double right = expected(static_cast<Index>(i), k);
      const double off = log_posterior(scores, places[i], k) - right;
      if (std::isinf(right)) {
        EXPECT_TRUE(std::isinf(log_posterior(scores, places[i], k)));
      } else {
        worst = std::max(worst, std::abs(off) / std::max(1.0, std::abs(right)));
      }
    }
  }
  return worst;
}

void expect_refits(const Rows& rows, const std::string& what, const AnyRecipe& recipe,
                   SelectOptions options = {}, Index step = 1, Index max_refitted = 0) {
  options.keep_scores = true;
  const Selection selection = leave_one_out(rows, {{what, recipe, {}}}, options, {.threads = 2});
  const HeldOut& found = selection.candidates[0];
  ASSERT_TRUE(found.usable) << what << ": " << found.why_not;
  EXPECT_EQ(found.method, HeldOut::Method::leave_one_out) << what;
  EXPECT_LE(found.refitted, max_refitted) << what;  // the formulas are what is tested
  EXPECT_LT(distance_to_refits(rows, recipe, selection, options, step), 1e-8) << what;
}

struct Named {
  std::string name;
  Recipe recipe;
};

std::vector<Named> family() {
  Recipe identity = rda(0.7, 1);
  identity.gaussian.rda->toward = Toward::identity;
  Recipe raw = spherical();
  raw.gaussian.raw_units = true;
  return {{"qda", qda()},
          {"lda", lda()},
          {"gnb", gaussian_naive_bayes()},
          {"dlda", dlda()},
          {"spherical", spherical()},
          {"raw spherical", raw},
          {"centroid", centroid()},
          {"rda 0 0", rda(0, 0)},
          {"rda .3 0", rda(0.3, 0)},
          {"rda .7 0", rda(0.7, 0)},
          {"rda .3 1", rda(0.3, 1)},
          {"rda 1 1", rda(1, 1)},
          {"rda .7 1 identity", identity}};
}

void expect_family(const Rows& rows, Index step = 1) {
  for (const Divisor divisor : {Divisor::mle, Divisor::unbiased}) {
    for (auto& [name, recipe] : family()) {
      Recipe one = recipe;
      one.gaussian.divisor = divisor;
      expect_refits(rows, name, one,
                    {.loo_priors = divisor == Divisor::mle ? LooPriors::refit : LooPriors::full},
                    step);
    }
  }
}

TEST(LeaveOneOut, OfIrisEqualsRefits) { expect_family(read_csv("@iris")); }
TEST(LeaveOneOut, OfWineEqualsRefits) { expect_family(read_csv("@wine")); }
TEST(LeaveOneOut, OfCrabsEqualsRefits) { expect_family(read_csv("@crabs")); }
TEST(LeaveOneOut, OfVowelEqualsRefits) { expect_family(read_csv("@vowel_train"), 7); }
TEST(LeaveOneOut, OfBreastCancerEqualsRefits) { expect_family(read_csv("@breast_cancer"), 9); }

TEST(LeaveOneOut, OfEveryRowOfLargerSetsEqualsRefits) {
  const Table vowel = read_csv("@vowel_train"), cancer = read_csv("@breast_cancer");
  for (const Recipe& recipe : {qda(), lda(), rda(0.3, 0)}) {
    expect_refits(vowel, "vowel", recipe);
    expect_refits(cancer, "breast_cancer", recipe);
  }
}

TEST(LeaveOneOut, WithWeightsEqualsRefits) {
  Table crabs = read_csv("@crabs");
  Rng rng(3);
  for (Index i = 0; i < crabs.numbers.rows(); ++i)
    crabs.weights.push_back(0.25 * std::ceil(8 * rng.uniform()));
  expect_family(crabs, 3);
  for (double& weight : crabs.weights) weight = 0.5 + rng.uniform();  // all of them different
  expect_family(crabs, 3);
}

TEST(LeaveOneOut, WithAVariancePriorEqualsRefits) {
  for (const Table& table : {read_csv("@iris"), read_csv("@wine")}) {
    for (Recipe recipe : {gaussian_naive_bayes(), spherical()}) {
      for (const double rows : {0.1, 1.0, 10.0}) {
        recipe.gaussian.variance_prior = rows;
        recipe.gaussian.divisor = rows == 1 ? Divisor::unbiased : Divisor::mle;
        expect_refits(table, "variance prior", recipe);
      }
    }
  }
}

/// EM from the model of all rows ends where EM from the beginning does.
void expect_em(const Rows& rows, const std::string& what, const Recipe& recipe, Index step) {
  const SelectOptions options{.keep_scores = true};
  const Selection selection = leave_one_out(rows, {{what, recipe, {}}}, options, {.threads = 2});
  const HeldOut& found = selection.candidates[0];
  ASSERT_TRUE(found.usable) << what << ": " << found.why_not;
  EXPECT_EQ(found.method, HeldOut::Method::leave_one_out) << what;
  EXPECT_EQ(found.refitted, std::ssize(selection.judged)) << what;
  EXPECT_LT(distance_to_refits(rows, recipe, selection, options, step), 1e-5) << what;
}

TEST(LeaveOneOut, WithMissingNumbersIsEmOfTheOtherRows) {
  const Table missing = testing::with_missing(testing::random_table(90, 3, 3, 8), 0.1, 2);
  Recipe unbiased = lda();
  unbiased.gaussian.divisor = Divisor::unbiased;
  for (const auto& [name, recipe] : std::vector<Named>{{"qda", qda()},
                                                       {"lda", lda()},
                                                       {"unbiased lda", unbiased},
                                                       {"gnb", gaussian_naive_bayes()},
                                                       {"rda", rda(0.5, 0.2)}})
    expect_em(missing, name, recipe, 3);
  expect_em(read_csv("@penguins"), "penguins", lda(), 29);
}

TEST(LeaveOneOut, WithMissingLabelsIsJudgedByFolds) {
  Table table = testing::with_missing(testing::random_table(60, 2, 2, 8), 0.1, 2);
  table.labels[7] = -1;
  const Selection found =
      leave_one_out(table, {{"lda", lda(), {}}}, {.folds = 3, .fit = {.unlabelled_weight = 1}});
  EXPECT_EQ(found.candidates[0].method, HeldOut::Method::folds);
  const Selection without = leave_one_out(table, {{"lda", lda(), {}}}, {.folds = 3});
  EXPECT_EQ(without.candidates[0].method, HeldOut::Method::leave_one_out);
  EXPECT_EQ(without.candidates[0].rows, 59);
}

TEST(LeaveOneOut, WithShrinkageEqualsRefits) {
  const Table wine = read_csv("@wine");
  for (Recipe recipe : {qda(), lda()}) {
    recipe.gaussian.shrinkage.kind = Shrinkage::Kind::oas;
    expect_refits(wine, "oas", recipe);
    recipe.gaussian.shrinkage = {.kind = Shrinkage::Kind::fixed, .amount = 0.2};
    expect_refits(wine, "fixed", recipe);
  }
  Recipe identity = rda(0.5, 0.4);
  identity.gaussian.rda->toward = Toward::identity;
  expect_refits(wine, "rda .5 .4", rda(0.5, 0.4));
  expect_refits(wine, "rda .5 .4 identity", identity);
}

/// Half of the pixels are constant in some class but for a few rows.
TEST(LeaveOneOut, OfColumnsThatBecomeConstantEqualsRefits) {
  const Table digits = read_csv("@digits");
  expect_refits(digits, "gnb", gaussian_naive_bayes(), {}, 97, 15);
  Matrix x(12, 2);
  Rng rng(5);
  std::vector<std::string> labels;
  for (Index i = 0; i < 12; ++i) {
    x(i, 0) = rng.normal() + (i < 6 ? 0 : 2);
    x(i, 1) = i == 2 ? 1 : 0;  // constant without row 2
    labels.emplace_back(i < 6 ? "a" : "b");
  }
  const Table table = make_table({"x", "once"}, x, labels);
  expect_refits(table, "gnb", gaussian_naive_bayes(), {}, 1, 1);
  expect_refits(table, "dlda", dlda(), {}, 1, 1);
}

TEST(LeaveOneOut, OfCategoriesEqualsRefits) {
  const Table votes = read_csv("@house_votes84"), lenses = read_csv("@lenses");
  for (const double smoothing : {1.0, 0.1}) {
    Recipe recipe;
    recipe.discrete.smoothing = smoothing;
    expect_refits(votes, "votes", recipe);
    expect_refits(lenses, "lenses", recipe);
    recipe.discrete.joint = true;
    expect_refits(lenses, "joint", recipe);
  }
}

TEST(LeaveOneOut, OfMixedTablesEqualsRefits) {
  const Table penguins = read_csv("@penguins");
  const Rows all(penguins);
  std::vector<Index> complete;
  for (Index i = 0; i < all.count(); ++i) {
    bool there = true;
    for (Index j = 0; j < penguins.numbers.columns(); ++j)
      there = there && !std::isnan(penguins.numbers(i, j));
    for (const CodesView& codes : all.data().codes) there = there && codes(i) >= 0;
    if (there) complete.push_back(i);
  }
  ASSERT_EQ(complete.size(), 333U);
  const Rows rows = all.only(complete);
  for (const Recipe& recipe : {qda(), lda(), gaussian_naive_bayes(), rda(0.5, 0)})
    expect_refits(rows, "penguins", recipe);
  const Selection dropped =
      leave_one_out(penguins, {{"lda", lda(), {}}}, {.fit = {.missing = Missing::drop}});
  EXPECT_EQ(dropped.candidates[0].rows, 333);
  EXPECT_EQ(dropped.candidates[0].log_loss,
            leave_one_out(rows, {{"lda", lda(), {}}}).candidates[0].log_loss);
}

constexpr const char* texts =
    "text,y\n"
    "the cat sat,a\nthe cat ran away,a\na cat and a dog,a\nthe cat the cat,a\n"
    "dogs bark,b\nthe dog ran,b\na dog bit the cat,b\nonly here,b\nthe dog barked,b\n";

TEST(LeaveOneOut, OfTextsEqualsRefits) {
  const Table table = read_csv(Source::text(texts), {.types = {{"text", ColumnType::text}}});
  for (Recipe recipe : {multinomial(), bernoulli()}) {
    expect_refits(table, "terms", recipe);
    recipe.discrete.smoothing = 0.3;
    expect_refits(table, "terms .3", recipe);
    recipe.discrete.min_count = 2;
    expect_refits(table, "min count", recipe, {}, 1, 9);  // presence knows no counts
  }
}

TEST(LeaveOneOut, OfCountColumnsEqualsRefits) {
  Rng rng(7);
  std::string text = "u,v,w,y\n";
  for (int i = 0; i < 30; ++i)
    text += std::to_string(static_cast<int>(5 * rng.uniform())) + "," +
            std::to_string(static_cast<int>((i % 2 == 0 ? 9 : 4) * rng.uniform())) + "," +
            (i == 4 ? "1," : "0,") + (i % 2 == 0 ? "a\n" : "b\n");
  const Table table = read_csv(
      Source::text(text),
      {.types = {{"u", ColumnType::count}, {"v", ColumnType::count}, {"w", ColumnType::count}}});
  expect_refits(table, "multinomial", multinomial());
  expect_refits(table, "poisson", poisson());
}

/// REFERENCES: R's MASS and e1071, unbiased divisors, priors of all rows.
TEST(LeaveOneOut, OfSparseMatricesWithAllColumnsEqualsRefits) {
  const Matrix x(8, 4, {3, 0, 0, 0, 2, 1, 0, 0, 0, 4, 0, 0, 1, 2, 0, 0,  //
                        0, 1, 5, 0, 1, 0, 2, 0, 0, 3, 1, 0, 2, 0, 0, 0});
  Table table = testing::matrix_table(x, {"a", "a", "b", "b", "a", "a", "b", "b"});
  table.sparse.front().kind = SparseKind::counts;
  for (const CountModel counts : {CountModel::multinomial, CountModel::bernoulli}) {
    Recipe recipe;
    recipe.discrete.counts = counts;
    expect_refits(table, "counts", recipe);
  }
}

TEST(LeaveOneOut, ErrorCountsAreThoseOfR) {
  struct Set {
    std::string name;
    Index lda, qda, gnb;
  };
  for (const Set& set : std::vector<Set>{{"@iris", 3, 4, 7},
                                         {"@wine", 2, 1, 4},
                                         {"@breast_cancer", 24, 25, 38},
                                         {"@sonar", 51, 50, 68},
                                         {"@crabs", 10, 13, 123}}) {
    std::vector<Candidate> candidates{
        {"lda", lda(), {}}, {"qda", qda(), {}}, {"gnb", gaussian_naive_bayes(), {}}};
    for (Candidate& candidate : candidates)
      std::get<Recipe>(candidate.recipe).gaussian.divisor = Divisor::unbiased;
    const Selection found =
        leave_one_out(read_csv(set.name), candidates, {.loo_priors = LooPriors::full});
    EXPECT_EQ(found.candidates[0].errors, set.lda) << set.name;
    EXPECT_EQ(found.candidates[1].errors, set.qda) << set.name;
    EXPECT_EQ(found.candidates[2].errors, set.gnb) << set.name;
  }
}

TEST(LeaveOneOut, IsTheSameForAnyNumberOfThreads) {
  const Table wine = read_csv("@wine");
  const std::vector<Candidate> candidates{
      {"qda", qda(), {}}, {"gnb", gaussian_naive_bayes(), {}}, {"rda", rda(0.5, 0.5), {}}};
  const Selection one = leave_one_out(wine, candidates, {}, {.threads = 1});
  const Selection four = leave_one_out(wine, candidates, {}, {.threads = 4});
  for (std::size_t c = 0; c < candidates.size(); ++c)
    EXPECT_EQ(one.candidates[c].losses, four.candidates[c].losses);
}

TEST(LeaveOneOut, WhatIsSingularForARowIsNotUsable) {
  Rng rng(2);
  Matrix x(9, 2);
  for (Index i = 0; i < 9; ++i) {
    for (Index j = 0; j < 2; ++j) x(i, j) = rng.normal();
  }
  // Three rows of 'b' span the plane, two do not.
  const Table table = make_table({"x", "y"}, x, {"a", "a", "a", "a", "a", "a", "b", "b", "b"});
  const Selection found = leave_one_out(table, {{"qda", qda(), {}}, {"lda", lda(), {}}});
  EXPECT_FALSE(found.candidates[0].usable);
  EXPECT_NE(found.candidates[0].why_not.find("without row 7: class 'b' (2 rows)"),
            std::string::npos)
      << found.candidates[0].why_not;
  EXPECT_TRUE(found.candidates[1].usable);
}

TEST(LeaveOneOut, OfAClassWithOneRowCountsIt) {
  const Table table = make_table({"x"}, Matrix(7, 1, {0, 1, 3, 10, 11, 13, 50}),
                                 {"a", "a", "a", "b", "b", "b", "c"});
  const Selection found = leave_one_out(table, {{"lda", lda(), {}}});
  EXPECT_EQ(found.not_judged, 1);
  EXPECT_EQ(found.candidates[0].rows, 6);
  const Table lonely = make_table({"x"}, Matrix(3, 1, {0, 1, 3}), {"a", "b", "c"});
  EXPECT_EQ(error_of([&] {
              (void)leave_one_out(lonely, {{"lda", lda(), {}}});
            }),
            "no class has two rows: none is left when one is left out | give more rows");
}

TEST(LeaveOneOut, WhatHasNoClosedFormIsJudgedByFoldsAndSaysSo) {
  const Table iris = read_csv("@iris");
  Recipe lw = qda();
  lw.gaussian.shrinkage.kind = Shrinkage::Kind::lw;
  const std::vector<Candidate> candidates{{"lw", lw, {}}, {"lda", lda(), {}}};
  const Selection found = leave_one_out(iris, candidates, {.folds = 5});
  EXPECT_EQ(found.candidates[0].method, HeldOut::Method::folds);
  ASSERT_EQ(found.candidates[0].notes.size(), 1U);
  EXPECT_EQ(in_words(found.candidates[0].notes[0]),
            "leave-one-out has no closed form for this model or these missing values: 5 folds "
            "instead");
  EXPECT_EQ(found.candidates[0].losses,
            cross_validate(iris, {candidates[0]}, {.folds = 5}).candidates[0].losses);
  EXPECT_EQ(found.candidates[1].method, HeldOut::Method::leave_one_out);
  const Selection dear =
      leave_one_out(iris, {{"rda", rda(0.5, 0.5), {}}}, {.max_operations = 1000});
  EXPECT_EQ(dear.candidates[0].method, HeldOut::Method::folds);
}

}  // namespace
}  // namespace genera::leave_one_out_test
