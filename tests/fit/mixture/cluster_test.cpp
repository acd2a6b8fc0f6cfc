#include <genera/mixture.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <genera/evaluate.hpp>

#include "support/mixtures.hpp"
#include "query/generate/draws.hpp"
#include "support/problems.hpp"

namespace genera::cluster_test {
namespace {

using testing::error_of;

Table iris() { return read_csv("@iris", {.target = "species"}); }

ClusterOptions only(Index components, Covariance covariance) {
  ClusterOptions options;
  options.mixture.components = {components, components};
  options.covariances = {covariance};
  return options;
}

TEST(Cluster, FindsTheMaximaOfTheReferences) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    ClusterOptions options = only(3, Covariance::full);
    options.mixture.seed = seed;
    const ClusterCandidate of_iris = cluster(iris(), options).candidates.front();
    EXPECT_NEAR(of_iris.log_likelihood, -180.1855, 1e-3);
    EXPECT_NEAR(of_iris.bic, 580.84, 0.01);
    EXPECT_EQ(of_iris.parameters, 44);
    options.covariances = {Covariance::tied};
    const Table faithful = read_csv("@faithful_unlabelled", {.target = Target::none()});
    EXPECT_NEAR(cluster(faithful, options).candidates.front().log_likelihood, -1126.3159, 1e-3);
  }
}

TEST(Cluster, ChoosesTheLeastBic) {
  const Table faithful = read_csv("@faithful_unlabelled", {.target = Target::none()});
  ClusterOptions options;
  options.mixture = {.components = {2, 4}, .starts = 4};
  const Clustering found = cluster(faithful, options);
  ASSERT_EQ(found.candidates.size(), 12U);
  const ClusterCandidate& best = found.candidates[found.best];
  EXPECT_EQ(best.components, 3);  // as mclust says
  EXPECT_EQ(best.covariance, Covariance::tied);
  for (const ClusterCandidate& candidate : found.candidates) {
    EXPECT_GE(candidate.bic, best.bic);
    EXPECT_NEAR(
        candidate.bic,
        -2 * candidate.log_likelihood + static_cast<double>(candidate.parameters) * std::log(272.0),
        1e-9);
  }
}

TEST(Cluster, MakesAModelOfItsComponents) {
  const Clustering found = cluster(iris(), only(3, Covariance::full));
  const Model& model = found.model;
  EXPECT_EQ(model.classes(), (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(model.target(), "cluster");
  EXPECT_EQ(model.features().size(), 4U);
  const Vector& shares = model.prior().probabilities();
  EXPECT_TRUE(std::is_sorted(shares.rbegin(), shares.rend()));
  EXPECT_NEAR(model.counts()[0], 150 * shares[0], 1e-9);
  double sum = 0;
  for (const double value : log_density(model, iris())) sum += value;
  EXPECT_NEAR(sum, found.candidates.front().log_likelihood, 1e-8);
  EXPECT_EQ(model.free_parameters().total(), found.candidates.front().parameters);
}

TEST(Cluster, GivesTheSameAnswerForTheSameSeedAndAnyThreads) {
  ClusterOptions options;
  options.mixture = {.components = {1, 3}, .starts = 4};
  const Clustering one = cluster(iris(), options);
  EXPECT_EQ(one.model, cluster(iris(), options, {.threads = 3}).model);
}

TEST(Cluster, LosesNoLikelihoodWithMoreStarts) {
  const Table crabs = read_csv("@crabs", {.target = "group"});
  for (const auto& [components, covariance] : {std::pair<Index, Covariance>{4, Covariance::diag},
                                               {5, Covariance::full},
                                               {6, Covariance::spherical},
                                               {3, Covariance::tied}}) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      double before = -HUGE_VAL;
      for (const int starts : {1, 2, 3, 4, 6, 10, 11, 20, 30}) {
        ClusterOptions options = only(components, covariance);
        options.mixture.starts = starts;
        options.mixture.seed = seed;
        const ClusterCandidate found = cluster(crabs, options).candidates.front();
        ASSERT_FALSE(found.on_floor);
        EXPECT_GE(found.log_likelihood, before)
            << name_of(covariance) << ", " << starts << " starts, seed " << seed;
        before = found.log_likelihood;
      }
    }
  }
}

/// 20 000 / (272 x 2) of faithful; liver_bupa, 345 x 6, has the ten that it always had.
TEST(Cluster, HasMoreStartsWhereATableIsSmall) {
  const auto found = [](const Table& table, std::optional<int> starts) {
    ClusterOptions options = only(6, Covariance::full);
    options.mixture.starts = starts;
    return cluster(table, options).candidates.front().log_likelihood;
  };
  const Table faithful = read_csv("@faithful_unlabelled", {.target = Target::none()});
  EXPECT_EQ(found(faithful, {}), found(faithful, 36));
  EXPECT_GT(found(faithful, {}), found(faithful, 10) + 1);
  const Table bupa = read_csv("@liver_bupa", {.target = "selector"});
  EXPECT_EQ(found(bupa, {}), found(bupa, 10));
}

TEST(Cluster, FindsTheSameWhateverOtherStructuresAreAskedFor) {
  for (const Table& table : {iris(), read_csv("@crabs", {.target = "group"})}) {
    ClusterOptions options;
    options.mixture = {.components = {2, 4}, .starts = 4};
    const Clustering all = cluster(table, options);
    for (const Covariance covariance : options.covariances) {
      ClusterOptions one = options;
      one.covariances = {covariance};
      const Clustering alone = cluster(table, one);
      std::size_t compared = 0;
      for (const ClusterCandidate& candidate : all.candidates) {
        if (candidate.covariance != covariance) continue;
        EXPECT_EQ(candidate.log_likelihood, alone.candidates[compared++].log_likelihood)
            << name_of(covariance);
      }
      EXPECT_EQ(compared, 3U);
    }
  }
}

/// Three groups of many rows: other numbers and simpler structures are soon hopeless.
Table three_large_groups() {
  Table table;
  table.row_count = 9000;
  table.numbers = Matrix(9000, 12);
  Rng rng(5);
  for (Index i = 0; i < 9000; ++i) {
    const double common = rng.normal();
    for (Index j = 0; j < 12; ++j) {
      const auto group = static_cast<double>(i % 3);
      table.numbers(i, j) = (3 + group) * (j % 3 == i % 3 ? 2 : 0) + rng.normal() +
                            (j % 2 == 0 ? group * common : -common);
    }
  }
  for (Index j = 0; j < 12; ++j) table.columns.push_back({"x" + std::to_string(j)});
  return table;
}

TEST(Cluster, GivesUpWhatCannotBecomeTheBestOfALargeTable) {
  const Table table = three_large_groups();
  ClusterOptions options;
  options.mixture = {.components = {1, 5}, .starts = 4};
  const Clustering found = cluster(table, options, {.threads = 2});
  const ClusterCandidate& best = found.candidates[found.best];
  EXPECT_EQ(best.components, 3);
  EXPECT_EQ(best.covariance, Covariance::full);
  EXPECT_TRUE(best.converged);
  EXPECT_FALSE(best.given_up);
  const Clustering again = cluster(table, options, {.threads = 1});
  int given_up = 0;
  for (std::size_t i = 0; i < found.candidates.size(); ++i) {
    const ClusterCandidate& candidate = found.candidates[i];
    EXPECT_EQ(candidate.log_likelihood, again.candidates[i].log_likelihood);
    EXPECT_EQ(candidate.given_up, again.candidates[i].given_up);
    if (!candidate.given_up) continue;
    ++given_up;
    EXPECT_FALSE(candidate.converged);
    ClusterOptions alone = options;  // nothing to compare it with
    alone.mixture.components = {candidate.components, candidate.components};
    alone.covariances = {candidate.covariance};
    const ClusterCandidate end = cluster(table, alone, {.threads = 2}).candidates.front();
    EXPECT_FALSE(end.given_up);
    EXPECT_GE(end.log_likelihood, candidate.log_likelihood);
    EXPECT_GT(end.bic, best.bic);
  }
  EXPECT_GT(given_up, 5);
}

TEST(Cluster, FindsTheGroupsThatWereThere) {
  const Table drawn = query::draw_rows(testing::small_mixture_model(), {0, 1500}, Rng(8));
  ClusterOptions options;
  options.mixture = {.components = {4, 6}, .starts = 3, .max_iterations = 200};
  options.covariances = {Covariance::full};
  const Clustering found = cluster(drawn, options);
  const ClusterCandidate& best = found.candidates[found.best];
  EXPECT_EQ(best.components, 5);
  const auto& means = std::get<GaussianBlock>(found.model.blocks()[0]).parameters().means;
  const Matrix truth = testing::small_mixture().components.means;
  for (Index c = 0; c < 5; ++c) {
    double nearest = HUGE_VAL;
    for (Index k = 0; k < 5; ++k)
      nearest = std::min(nearest, std::hypot(means(k, 0) - truth(c, 0), means(k, 1) - truth(c, 1)));
    EXPECT_LT(nearest, 0.5);
  }
}

TEST(Cluster, LeavesOutWhatIsConstantOrNoNumber) {
  Table table = iris();
  table = make_table({"a", "b", "same"}, [&] {
    Matrix numbers(150, 3, 7.0);
    for (Index i = 0; i < 150; ++i) {
      numbers(i, 0) = table.numbers(i, 2);
      numbers(i, 1) = table.numbers(i, 3);
    }
    return numbers;
  }());
  table.columns.push_back({"kind", ColumnType::categorical});
  table.codes = Codes(150, 1);
  table.levels = {{"x"}};
  const Clustering found = cluster(table, only(2, Covariance::full));
  EXPECT_EQ(found.report.columns_left_out, (std::vector<std::string>{"kind", "same"}));
  EXPECT_EQ(found.report.rows, 150);
  EXPECT_EQ(found.model.features().size(), 2U);
  EXPECT_EQ(found.model.notes(), (std::vector<std::string>{"'kind' is not a number and left out",
                                                           "'same' is constant and left out"}));
}

TEST(Cluster, SurvivesRepeatedRows) {
  Matrix numbers(60, 2);
  for (Index i = 0; i < 60; ++i) {
    numbers(i, 0) = static_cast<double>(i % 3);
    numbers(i, 1) = static_cast<double>(i % 3 == 1);
  }
  const Clustering found = cluster(make_table({"a", "b"}, numbers), {});
  for (const ClusterCandidate& candidate : found.candidates)
    EXPECT_TRUE(std::isfinite(candidate.bic));
  EXPECT_FALSE(found.candidates[found.best].on_floor);
}

TEST(Cluster, DoesWithoutFullCovariancesIfColumnsDepend) {
  Table table = iris();
  Matrix numbers(150, 2);
  for (Index i = 0; i < 150; ++i) {
    numbers(i, 0) = table.numbers(i, 0);
    numbers(i, 1) = 2 * table.numbers(i, 0) + 1;
  }
  table = make_table({"a", "b"}, numbers);
  ClusterOptions options;
  options.mixture = {.components = {1, 2}, .starts = 2};
  const Clustering found = cluster(table, options);
  EXPECT_EQ(found.candidates.size(), 4U);
  ASSERT_EQ(found.model.notes().size(), 1U);
  EXPECT_TRUE(found.model.notes()[0].starts_with(
      "structures with full covariances are left out: all 150 rows together: the covariance is "
      "singular, of rank 1 in 2 columns"))
      << found.model.notes()[0];
  EXPECT_TRUE(
      error_of([&] { (void)cluster(table, only(2, Covariance::full)); })
          .ends_with("'b' (b = 2 a + constant) | use covariance = diag, covariance = spherical or "
                     "on_singular = shrink, or leave these columns out with drop = b"));
  ClusterOptions shrinking = only(2, Covariance::full);
  shrinking.on_singular = OnSingular::shrink;
  EXPECT_TRUE(std::isfinite(cluster(table, shrinking).candidates.front().bic));
}

TEST(Cluster, RefusesWhatItCannotDo) {
  const Table two = make_table({"a"}, Matrix(2, 1, Vector{1, 2}));
  EXPECT_EQ(error_of([&] { (void)cluster(two, only(3, Covariance::diag)); }),
            "3 components for 2 rows | ask for fewer components, or give more rows");
  const Table same = make_table({"a"}, Matrix(3, 1, 4.0));
  EXPECT_EQ(error_of([&] { (void)cluster(same, {}); }),
            "every column is constant: there are no groups to find | give a column that varies");
  Table none;
  none.row_count = 2;
  EXPECT_EQ(error_of([&] { (void)cluster(none, {}); }),
            "there is no numeric column to find groups in | give a table with numbers");
  ClusterOptions options;
  options.mixture.components = {3, 2};
  EXPECT_EQ(error_of([&] { (void)cluster(two, options); }),
            "the number of components is 3-2 | give a whole number of at least 1, or a range such "
            "as 1-5");
  options = {};
  options.mixture.starts = 0;
  EXPECT_EQ(error_of([&] { (void)cluster(two, options); }),
            "the number of starts is 0 | give a whole number of at least 1");
  options = {};
  options.mixture.max_iterations = 0;
  EXPECT_EQ(error_of([&] { (void)cluster(two, options); }),
            "the maximum number of iterations is 0 | give a whole number of at least 1");
  options = {};
  options.covariances.clear();
  EXPECT_EQ(error_of([&] { (void)cluster(two, options); }),
            "no covariance structure is given | give at least one, such as qda");
  Table missing =
      make_table({"a"}, Matrix(4, 1, Vector{1, 2, std::numeric_limits<double>::quiet_NaN(), 4}));
  options = only(1, Covariance::diag);
  options.missing = Missing::refuse;
  EXPECT_EQ(error_of([&] { (void)cluster(missing, options); }),
            "1 of 4 rows has missing values in 'a' (1) | use missing = drop to learn from the "
            "complete rows only");
  options = only(1, Covariance::diag);
  options.missing = Missing::drop;
  const Clustering rest = cluster(missing, options);
  EXPECT_EQ(rest.model.counts(), Vector{3});
  EXPECT_EQ(rest.report.rows, 3);
  EXPECT_EQ(rest.report.dropped_rows, 1);
}

TEST(Cluster, TellsHowFarItIsAndStopsWhenAsked) {
  ClusterOptions options;
  options.mixture = {.components = {1, 3}, .starts = 2};
  for (const int threads : {1, 3}) {
    std::vector<Index> done;
    double share = 0;
    const auto note = [&](const Progress& progress) {
      if (progress.task != Progress::Task::searching) return true;
      EXPECT_EQ(progress.total, 12);  // four structures, three numbers
      EXPECT_GE(progress.share.value(), share);
      share = *progress.share;
      if (done.empty() || done.back() != progress.done) done.push_back(progress.done);
      return true;
    };
    EXPECT_EQ(cluster(iris(), options, {threads, note}).model, cluster(iris(), options).model);
    EXPECT_NEAR(share, 1, 1e-9);
    ASSERT_EQ(done.size(), 13U);
    for (Index i = 0; i < 13; ++i) EXPECT_EQ(done[static_cast<std::size_t>(i)], i);
    const auto stop = [](const Progress& progress) {
      return progress.task != Progress::Task::searching;
    };
    EXPECT_EQ(error_of([&] {
                (void)cluster(iris(), options, {threads, stop});
              }),
              "the call was stopped, as its caller asked for | nothing was changed: call again to "
              "start over");
  }
}

TEST(Cluster, ReportsHowItEnded) {
  ClusterOptions options = only(2, Covariance::full);
  const Clustering found = cluster(iris(), options);
  EXPECT_EQ(found.report.outcome, Outcome::converged);
  EXPECT_EQ(found.report.em.value().log_likelihood, found.candidates[found.best].log_likelihood);
  EXPECT_TRUE(found.report.notes.empty());

  options = only(3, Covariance::full);
  options.mixture.max_iterations = 2;
  const Clustering hasty = cluster(iris(), options);
  EXPECT_EQ(hasty.report.outcome, Outcome::iteration_limit);
  EXPECT_EQ(hasty.report.em.value().iterations, 2);
  EXPECT_EQ(hasty.report.notes,
            (std::vector<Note>{{"EM did not converge in 2 iterations", Note::Kind::warning}}));
  EXPECT_EQ(hasty.model.notes(),
            std::vector<std::string>{"warning: EM did not converge in 2 iterations"});

  for (int max = 41; max < 48; ++max) {  // starts are chosen among after 12 and 40
    options.mixture.max_iterations = max;
    EXPECT_LE(cluster(iris(), options).report.em.value().iterations, max);
  }

  // Three places, twenty rows each: three components collapse onto them.
  Matrix places(60, 1);
  for (Index i = 0; i < 60; ++i) places(i, 0) = static_cast<double>(i % 3);
  const Clustering collapsed = cluster(make_table({"a"}, places), only(3, Covariance::diag));
  ASSERT_EQ(collapsed.candidates.size(), 2U);
  EXPECT_TRUE(collapsed.candidates[0].on_floor);
  EXPECT_EQ(collapsed.best, 1U);
  EXPECT_EQ(collapsed.candidates[1].components, 1);
  EXPECT_EQ(collapsed.report.outcome, Outcome::converged);
  ASSERT_EQ(collapsed.report.notes.size(), 1U);
  EXPECT_EQ(collapsed.report.notes[0].kind, Note::Kind::warning);
  EXPECT_EQ(collapsed.report.notes[0].text.options, (std::vector<OptionUse>{{"components"}}));
}

TEST(GroupProfiles, AreMeansInStandardDeviationsOfAllRows) {
  const GaussianBlock block({.structure = Covariance::tied_spherical,
                             .columns = {"y", "x"},
                             .means = Matrix(2, 2, {1, 0, 3, 10}),
                             .variances = Matrix(1, 2, {1, 1})});
  const Model model({"1", "2"}, Prior(Vector{0.75, 0.25}), {block}, "cluster");
  const double missing_cell = std::nan("");
  Table table = make_table({"x", "y"}, Matrix(4, 2, {0, 1, 0, 1, 0, missing_cell, 8, 4}));
  const GroupProfiles found = group_profiles(model, table);
  EXPECT_EQ(found.columns, (std::vector<std::string>{"y", "x"}));
  EXPECT_NEAR(found.means[0], 2, 1e-15);
  EXPECT_NEAR(found.deviations[0], std::sqrt(2), 1e-15);
  EXPECT_NEAR(found.deviations[1], std::sqrt(12), 1e-15);
  EXPECT_NEAR(found.away(1, 0), 1 / std::sqrt(2), 1e-15);
  EXPECT_NEAR(found.away(0, 1), -2 / std::sqrt(12), 1e-15);
  EXPECT_EQ(found.rows, (std::vector<Index>{3, 1}));
  EXPECT_EQ(found.shares, (Vector{0.75, 0.25}));
  table.weights = {1, 1, 1, 5};
  EXPECT_NEAR(group_profiles(model, table).means[1], 5, 1e-15);
}

}  // namespace
}  // namespace genera::cluster_test
