#include <gtest/gtest.h>

#include "support/mixtures.hpp"
#include "query/generate/draws.hpp"
#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::mda_test {
namespace {

using testing::error_of;

const MixtureBlock& mixture_of(const Model& model) {
  return std::get<MixtureBlock>(model.blocks().front());
}

MixtureOptions exactly(Index components) { return {.components = {components, components}}; }

TEST(Mda, OfOneComponentIsTheFamily) {
  for (const std::uint64_t seed : {1U, 2U}) {
    const Table table = testing::random_table(240, 5, 3, seed);
    for (const Recipe& recipe :
         {qda(), lda(), gaussian_naive_bayes(), dlda(), spherical(), centroid()}) {
      const Model plain = fit(table, recipe).model;
      const Model mixture = fit(table, mda(exactly(1), recipe.gaussian.family)).model;
      EXPECT_LT(testing::largest_difference(log_joint(plain, table), log_joint(mixture, table)),
                1e-9)
          << name_of(recipe.gaussian.family);
      EXPECT_EQ(plain.free_parameters().total(), mixture.free_parameters().total());
      EXPECT_EQ(plain.counts(), mixture.counts());
    }
  }
}

TEST(Mda, FindsTheComponentsOfEachClass) {
  const Table table = query::draw_rows(testing::small_mixture_model(), {0, 1500}, Rng(2));
  const Table fresh = query::draw_rows(testing::small_mixture_model(), {1500, 6000}, Rng(2));
  const auto [model, report] =
      fit(table, mda({.components = {1, 4}, .starts = 3, .max_iterations = 200}));
  EXPECT_EQ(report.outcome, Outcome::converged);
  EXPECT_GT(report.em.value().iterations, 1);
  EXPECT_GT(report.em.value().log_likelihood, report.em.value().log_likelihood_first);
  EXPECT_EQ(mixture_of(model).parameters().component_class, (std::vector<Index>{0, 0, 1, 1, 1}));
  EXPECT_EQ(model.notes(), (std::vector<std::string>{"components: 'no' 2, 'yes' 3"}));
  const Evaluation truth = evaluate(testing::small_mixture_model(), fresh);
  EXPECT_NEAR(evaluate(model, fresh).log_loss(), truth.log_loss(), 0.02);
  EXPECT_GT(evaluate(fit(table, qda()).model, fresh).log_loss(), truth.log_loss() + 0.05);
}

TEST(Mda, SharesCovariancesAmongAllComponents) {
  const Table table =
      query::draw_rows(testing::small_mixture_model(Family::lda), {0, 2000}, Rng(3));
  const Model model =
      fit(table, mda({.components = {1, 4}, .starts = 4}, Family::lda), {}, {.threads = 2}).model;
  const MixtureParameters& p = mixture_of(model).parameters();
  EXPECT_EQ(p.component_class, (std::vector<Index>{0, 0, 1, 1, 1}));
  ASSERT_EQ(p.components.covariances.size(), 1U);
  EXPECT_LT(
      testing::largest_difference(p.components.covariances[0],
                                  testing::small_mixture(Family::lda).components.covariances[0]),
      0.3);
}

TEST(Mda, PutsTheHeaviestComponentFirst) {
  const Table table = query::draw_rows(testing::small_mixture_model(), {0, 500}, Rng(5));
  for (const Family family : {Family::qda, Family::lda, Family::gnb}) {
    const MixtureBlock block = mixture_of(fit(table, mda(exactly(3), family)).model);
    for (Index k = 0; k < 2; ++k) {
      const auto first = block.parameters().weights.begin() + block.first(k);
      EXPECT_TRUE(std::is_sorted(first, first + 3, std::greater<>()));
    }
  }
}

TEST(Mda, GivesTheSameAnswerForTheSameSeedAndAnyThreads) {
  const Table table = testing::random_table(300, 4, 2, 1);
  for (const Family family : {Family::qda, Family::dlda}) {
    const Recipe recipe = mda({.components = {1, 3}}, family);
    EXPECT_EQ(fit(table, recipe).model, fit(table, recipe, {}, {.threads = 3}).model);
  }
}

TEST(Mda, TakesOtherColumnsAlong) {
  const Table table = testing::mixed_table(200, 1);
  const Model plain = fit(table, qda()).model;
  const Model mixture = fit(table, mda(exactly(1))).model;
  ASSERT_EQ(plain.blocks().size(), mixture.blocks().size());
  EXPECT_LT(testing::largest_difference(posterior(plain, table), posterior(mixture, table)), 1e-9);
}

TEST(Mda, TakesPriorsAndWeights) {
  Table table = testing::random_table(200, 3, 2, 4);
  Recipe recipe = mda(exactly(2));
  recipe.priors.kind = PriorChoice::Kind::uniform;
  EXPECT_EQ(fit(table, recipe).model.prior(), Prior::uniform(2));
  table.weights.assign(200, 1.0);
  table.weights[0] = 0;
  const Table rest = testing::rows_of(table, testing::range(1, 200));
  const Model with = fit(table, mda(exactly(1))).model, without = fit(rest, mda(exactly(1))).model;
  EXPECT_LT(testing::largest_difference(log_joint(with, rest), log_joint(without, rest)), 1e-9);
}

/// BIC of each class with its own number of rows, summed.
double bic_of(const Fitted<Model>& fitted, Index d) {
  const MixtureParameters& p = mixture_of(fitted.model).parameters();
  double bic = -2 * fitted.report.em.value().log_likelihood;
  for (std::size_t k = 0; k < p.counts.size(); ++k) {
    const auto m = std::count(p.component_class.begin(), p.component_class.end(), Index(k));
    const bool full = p.components.family == Family::qda;
    const Index covariance = full ? d * (d + 1) / 2 : d;
    bic += static_cast<double>(m * (1 + d + covariance) - 1) * std::log(p.counts[k]);
  }
  return bic;
}

/// Five to nine rows can be described as well as one likes by components on a row or two each.
TEST(Mda, DoesNotGiveFewRowsAComponentEach) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Table all = testing::random_table(400, 3, 3, seed);
    std::vector<Index> few;
    std::vector<int> taken(3);
    for (Index i = 0; i < 400; ++i) {
      const auto k = static_cast<std::size_t>(all.labels[static_cast<std::size_t>(i)]);
      if (taken[k] < 5 + 2 * static_cast<int>(k)) ++taken[k], few.push_back(i);
    }
    const Table table = testing::rows_of(all, few);
    for (const Family family : {Family::qda, Family::gnb}) {
      const Fitted<Model> found = fit(table, mda({}, family));
      const Fitted<Model> single = fit(table, mda(exactly(1), family));
      EXPECT_LE(bic_of(found, 3), bic_of(single, 3) + 1e-9) << seed;
      const MixtureParameters& p = mixture_of(found.model).parameters();
      const double needed = family == Family::qda ? 4 : 2;
      for (std::size_t c = 0; c < p.weights.size(); ++c) {
        const double rows = p.weights[c] * p.counts[static_cast<std::size_t>(p.component_class[c])];
        EXPECT_GE(rows, needed - 1e-6) << seed;
      }
      EXPECT_EQ(found.report.outcome, Outcome::converged);
      EXPECT_LT(evaluate(found.model, all).log_loss(),
                5 * evaluate(single.model, all).log_loss() + 5)
          << seed << " " << name_of(family);
    }
  }
}

TEST(Mda, GivesTwoRowsOneComponent) {
  Table table = testing::random_table(62, 2, 2, 3);
  std::vector<Index> rows;
  int of_second = 0;
  for (Index i = 0; i < 62; ++i) {
    if (table.labels[static_cast<std::size_t>(i)] == 0 || ++of_second <= 2) rows.push_back(i);
  }
  const Table few = testing::rows_of(table, rows);
  for (const Family family : {Family::gnb, Family::spherical}) {
    const Model model = fit(few, mda({}, family)).model;
    const auto& owners = mixture_of(model).parameters().component_class;
    const Index second = find_label(model.classes(), few.classes[1]).value();
    EXPECT_EQ(std::count(owners.begin(), owners.end(), second), 1) << name_of(family);
  }
}

TEST(Mda, SaysWhatItCannotDo) {
  Table table = testing::random_table(40, 2, 2, 1);
  EXPECT_EQ(error_of([&] { (void)estimate(collect(table).statistics, mda()); }),
            "mda needs the rows again, not only their statistics | fit from the table, or use "
            "model = qda");
  Recipe recipe = mda();
  recipe.gaussian.shrinkage.kind = Shrinkage::Kind::oas;
  EXPECT_EQ(error_of([&] { (void)fit(table, recipe); }),
            "mixtures have no shrinkage: the variance floor keeps their covariances regular | "
            "leave shrinkage out, or choose a simpler covariance");
  recipe = mda();
  recipe.gaussian.divisor = Divisor::unbiased;
  EXPECT_EQ(error_of([&] { (void)fit(table, recipe); }),
            "mixtures are fitted by maximum likelihood: they have no unbiased divisor | leave "
            "divisor out");
  EXPECT_EQ(error_of([&] { (void)fit(table, mda(exactly(21), Family::gnb)); }),
            "class 'c0' has 19 rows, too few for 21 components | ask for fewer components, or "
            "give more rows of the class");
}

TEST(Mda, WarnsOnceOfAllClasses) {
  const Table table = testing::random_table(600, 2, 5, 3);
  const Fitted<Model> hasty = fit(table, mda({.components = {2, 2}, .max_iterations = 1}));
  std::vector<Note> warnings;
  std::ranges::copy_if(hasty.report.notes, std::back_inserter(warnings),
                       [](const Note& note) { return note.kind == Note::Kind::warning; });
  EXPECT_EQ(warnings,
            (std::vector<Note>{{"classes 'c0', 'c1', 'c2', 'c3', 'c4': EM did not converge in 1 "
                                "iterations",
                                Note::Kind::warning}}));
}

TEST(Mda, NamesTheClassWhoseCovarianceIsSingular) {
  const Table table =
      make_table({"a", "b"}, Matrix(8, 2, Vector{1, 2, 2, 1, 3, 5, 4, 4, 1, 2, 2, 4, 3, 6, 4, 8}),
                 {"x", "x", "x", "x", "y", "y", "y", "y"});
  EXPECT_EQ(error_of([&] { (void)fit(table, mda()); }),
            "class 'y' (4 rows): the covariance is singular, of rank 1 in 2 columns; linearly "
            "dependent on the others: 'b' (b = 2 a + constant) | use covariance = diag, covariance "
            "= spherical or on_singular = shrink, or leave these columns out with drop = b");
  EXPECT_EQ(fit(table, mda({}, Family::lda)).model.classes().size(), 2U);
}

}  // namespace
}  // namespace genera::mda_test
