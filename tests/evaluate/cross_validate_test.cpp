#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include <genera/query.hpp>
#include <genera/select.hpp>

#include "support/problems.hpp"

namespace genera::cross_validate_test {
namespace {

using testing::error_of;

TEST(StratifiedFolds, DealTheRowsOfEachClassRound) {
  const Table wine = read_csv("@wine");
  const Rows rows(wine);
  const Folds folds = stratified_folds(rows, 10, 3);
  EXPECT_EQ(folds.count, 10);
  EXPECT_TRUE(folds.notes.empty());
  std::map<std::pair<std::int32_t, std::int32_t>, int> of_class;
  std::map<std::int32_t, int> sizes;
  for (Index i = 0; i < rows.count(); ++i) {
    const std::int32_t fold = folds.of[static_cast<std::size_t>(i)];
    ++of_class[{rows.data().labels(i), fold}];
    ++sizes[fold];
  }
  ASSERT_EQ(sizes.size(), 10U);
  for (std::int32_t k = 0; k < 3; ++k) {
    int min = 1000, max = 0;
    for (std::int32_t f = 0; f < 10; ++f) {
      min = std::min(min, of_class[{k, f}]);
      max = std::max(max, of_class[{k, f}]);
    }
    EXPECT_LE(max - min, 1) << k;
  }
  for (const auto& [fold, size] : sizes) EXPECT_TRUE(size == 17 || size == 18) << fold;
  EXPECT_EQ(stratified_folds(rows, 10, 3).of, folds.of);
  EXPECT_NE(stratified_folds(rows, 10, 4).of, folds.of);
}

TEST(StratifiedFolds, RefuseWhatTheyCannotDeal) {
  const Table table = make_table({"x"}, Matrix(4, 1, {1, 2, 3, 4}), {"a", "b", "a", "a"});
  EXPECT_EQ(error_of([&] { (void)stratified_folds(table, 1); }),
            "1 fold leaves nothing to learn from | give folds at least 2");
  EXPECT_EQ(error_of([&] { (void)stratified_folds(table, 5); }),
            "there are 4 rows with a label, fewer than 5 folds | give fewer folds, or more rows");
  const Folds folds = stratified_folds(table, 2);
  ASSERT_EQ(folds.notes.size(), 1U);
  EXPECT_EQ(folds.notes[0].kind, Note::Kind::warning);
  EXPECT_NE(in_words(folds.notes[0]).find("'b' has fewer rows than there are folds (2)"),
            std::string::npos);
}

/// The losses of models that are fitted to the rows of the other folds.
Vector refitted_losses(const Rows& rows, const Folds& folds, const Candidate& candidate,
                       const FitOptions& options = {}) {
  Vector losses(static_cast<std::size_t>(rows.count()), -1);
  for (std::int32_t f = 0; f < folds.count; ++f) {
    std::vector<Index> training, test;
    for (Index i = 0; i < rows.count(); ++i)
      (folds.of[static_cast<std::size_t>(i)] == f ? test : training).push_back(rows.row(i));
    const auto [model, report] = fit(rows.only(training), candidate.recipe, options);
    const Answers a = answers(model, rows.only(test));
    for (std::size_t i = 0; i < test.size(); ++i) {
      const std::int32_t label = rows.data().labels(test[i]);
      const auto k = *find_label(ClassifierRef(model).classes(),
                                 rows.data().labels.names[static_cast<std::size_t>(label)]);
      losses[static_cast<std::size_t>(test[i])] =
          a.log_density[i] - a.log_joint(static_cast<Index>(i), k);
    }
  }
  return losses;
}

void expect_refits(const Rows& rows, const std::vector<Candidate>& candidates,
                   const SelectOptions& options = {.folds = 7, .seed = 5}) {
  const Folds folds = stratified_folds(rows, options.folds, options.seed);
  const Selection selection = cross_validate(rows, candidates, options);
  ASSERT_EQ(selection.candidates.size(), candidates.size());
  ASSERT_EQ(std::ssize(selection.judged), rows.count());
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const HeldOut& found = selection.candidates[c];
    ASSERT_TRUE(found.usable) << candidates[c].name << found.why_not;
    const Vector expected = refitted_losses(rows, folds, candidates[c], options.fit);
    double sum = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(found.losses[i], expected[i], 1e-9 * std::max(1.0, expected[i]))
          << candidates[c].name << " row " << i;
      sum += expected[i];
    }
    EXPECT_NEAR(found.log_loss, sum / static_cast<double>(rows.count()), 1e-9);
  }
}

Recipe with_priors(Recipe recipe, PriorChoice::Kind kind) {
  recipe.priors.kind = kind;
  return recipe;
}

TEST(CrossValidate, EqualsRefittingFromScratch) {
  const Table wine = read_csv("@wine");
  Recipe oas = qda();
  oas.gaussian.shrinkage.kind = Shrinkage::Kind::oas;
  Recipe unbiased = lda();
  unbiased.gaussian.divisor = Divisor::unbiased;
  expect_refits(wine, {{"qda", qda(), {}},
                       {"lda", lda(), {}},
                       {"gnb", gaussian_naive_bayes(), {}},
                       {"dlda", with_priors(dlda(), PriorChoice::Kind::uniform), {}},
                       {"spherical", spherical(), {}},
                       {"centroid", centroid(), {}},
                       {"rda", rda(0.3, 0.2), {}},
                       {"oas", oas, {}},
                       {"unbiased", unbiased, {}}});
}

TEST(CrossValidate, EqualsRefittingWhatNeedsTheRows) {
  const Table iris = read_csv("@iris");
  Recipe lw = qda();
  lw.gaussian.shrinkage.kind = Shrinkage::Kind::lw;
  expect_refits(iris, {{"lw", lw, {}}, {"mda", mda({.components = {2, 2}, .starts = 2}), {}}},
                {.folds = 3, .seed = 2});
}

TEST(CrossValidate, EqualsRefittingWithCategoriesAndMissingCells) {
  const Table votes = read_csv("@house_votes84");
  Recipe smooth;
  smooth.discrete.smoothing = 0.1;
  expect_refits(votes, {{"1", Recipe{}, {}}, {"0.1", smooth, {}}});
  // EM in every fold: holes among numbers, and in combinations of levels
  const Table penguins = read_csv("@penguins");
  expect_refits(penguins, {{"lda", lda(), {}}}, {.folds = 3, .seed = 1});
  const std::vector<std::string> few = {"water_project_cost_sharing", "mx_missile", "immigration"};
  const Table few_votes = read_csv("@house_votes84", {.features = few});
  expect_refits(few_votes, {{"joint", joint(), {}}, {"naive", Recipe{}, {}}},
                {.folds = 3, .seed = 1});
}

TEST(CrossValidate, LeavesIncompleteRowsOutIfTold) {
  const Table penguins = read_csv("@penguins");
  const Selection selection =
      cross_validate(penguins, {{"lda", lda(), {}}}, {.fit = {.missing = Missing::drop}});
  ASSERT_TRUE(selection.candidates[0].usable) << selection.candidates[0].why_not;
  EXPECT_EQ(selection.candidates[0].rows, 333);
  ASSERT_EQ(selection.notes.size(), 1U);
  EXPECT_EQ(in_words(selection.notes[0]), "11 rows are left out: a value or the label is missing");
}

TEST(CrossValidate, IsTheSameForAnyNumberOfThreads) {
  const Table wine = read_csv("@wine");
  const std::vector<Candidate> candidates = rda_grid(lda(), {0, 0.5, 1}, {0, 0.5});
  const Selection one = cross_validate(wine, candidates, {}, {.threads = 1});
  const Selection four = cross_validate(wine, candidates, {}, {.threads = 4});
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    EXPECT_EQ(one.candidates[c].losses, four.candidates[c].losses);
    EXPECT_EQ(one.candidates[c].brier, four.candidates[c].brier);
  }
}

TEST(CrossValidate, TellsOfEachFitAndStopsWhenAsked) {
  const Table wine = read_csv("@wine");
  const std::vector<Candidate> candidates{{"gnb", gaussian_naive_bayes(), {}},
                                          {"logistic", logistic(), {}}};
  for (const int threads : {1, 3}) {
    std::vector<double> shares{0};  // by what is done
    const auto note = [&](const Progress& progress) {
      if (progress.task != Progress::Task::fitting) return true;
      EXPECT_EQ(progress.total, 20);  // of ten folds
      if (progress.done == std::ssize(shares)) shares.push_back(progress.share.value());
      return true;
    };
    (void)cross_validate(wine, candidates, {}, {threads, note});
    ASSERT_EQ(shares.size(), 21U);
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    EXPECT_LT(shares[10], 0.2) << "the second ten cost more";
    EXPECT_NEAR(shares.back(), 1, 1e-9);
    int after = 0;
    const auto stop = [&](const Progress& progress) {
      after += progress.done >= 3 ? 1 : 0;
      return progress.task != Progress::Task::fitting || progress.done < 3;
    };
    EXPECT_EQ(error_of([&] {
                (void)cross_validate(wine, {candidates[1]}, {}, {threads, stop});
              }),
              "the call was stopped, as its caller asked for | nothing was changed: call again to "
              "start over");
    EXPECT_EQ(after, 1);
  }
}

TEST(CrossValidate, KeepsScoresWithThePriorApart) {
  const Table iris = read_csv("@iris");
  const Selection selection =
      cross_validate(iris, {{"lda", lda(), {}}}, {.folds = 4, .keep_scores = true});
  const HeldOut& found = selection.candidates[0];
  ASSERT_TRUE(found.scores);
  for (Index i = 0; i < found.rows; ++i) {
    double density = 0, prior = 0;
    for (Index k = 0; k < 3; ++k) {
      density += std::exp(found.scores->scores(i, k));
      prior += std::exp(found.scores->log_prior(i, k));
    }
    EXPECT_NEAR(prior, 1, 1e-12);
    const Index truth = selection.truths[static_cast<std::size_t>(i)];
    EXPECT_NEAR(std::log(density) - found.scores->scores(i, truth),
                found.losses[static_cast<std::size_t>(i)], 1e-9);
  }
}

TEST(CrossValidate, WhatCannotBeFittedIsNotUsableAndSaysWhy) {
  Table iris = read_csv("@iris");
  for (Index i = 0; i < iris.numbers.rows(); ++i) iris.numbers(i, 3) = 2 * iris.numbers(i, 2);
  const Selection selection =
      cross_validate(iris, {{"qda", qda(), {}}, {"gnb", gaussian_naive_bayes(), {}}});
  EXPECT_FALSE(selection.candidates[0].usable);
  EXPECT_NE(selection.candidates[0].why_not.find("singular"), std::string::npos);
  ASSERT_TRUE(selection.candidates[1].usable);
  EXPECT_EQ(selection.ranking(), std::vector<std::size_t>{1});
}

TEST(CrossValidate, AnInfiniteLossLoses) {
  const Table lenses = read_csv("@lenses");
  Recipe none;
  none.discrete.smoothing = 0;
  const Selection selection =
      cross_validate(lenses, {{"0", none, {}}, {"1", Recipe{}, {}}}, {.folds = 8});
  ASSERT_TRUE(selection.candidates[0].usable);
  EXPECT_TRUE(std::isinf(selection.candidates[0].log_loss));
  EXPECT_TRUE(std::isinf(selection.candidates[0].log_loss_se));
  EXPECT_EQ(selection.ranking(), (std::vector<std::size_t>{1, 0}));
  EXPECT_TRUE(std::isinf(selection.difference(0, 1).mean));
}

TEST(CrossValidate, RowsWhoseClassHasNoOthersAreCountedNotJudged) {
  Matrix x(9, 1, {0, 1, 2, 3, 10, 11, 12, 13, 99});
  const Table table = make_table({"x"}, x, {"a", "a", "a", "a", "b", "b", "b", "b", "c"});
  const Selection selection = cross_validate(table, {{"gnb", gaussian_naive_bayes(), {}}},
                                             {.folds = 4, .fit = {.missing = Missing::em}});
  EXPECT_EQ(selection.not_judged, 1);
  EXPECT_EQ(selection.candidates[0].rows, 8);
  EXPECT_EQ(selection.classes.size(), 3U);
}

TEST(CrossValidate, RowsOfWeightZeroAreNotThere) {
  Table iris = read_csv("@iris");
  iris.weights.assign(150, 1);
  std::vector<Index> kept;
  for (Index i = 0; i < 150; ++i) {  // the last class, and every seventh row
    if (iris.labels[static_cast<std::size_t>(i)] == 2 || i % 7 == 0)
      iris.weights[static_cast<std::size_t>(i)] = 0;
    else
      kept.push_back(i);
  }
  const std::vector<Candidate> candidates{{"lda", lda(), {}}, {"gnb", gaussian_naive_bayes(), {}}};
  for (const auto judge : {+[](const Rows&rows, const std::vector<Candidate>&some) {
                             return cross_validate(rows, some, {.folds = 5});
                           },
                           +[](const Rows&rows, const std::vector<Candidate>&some) {
                             return leave_one_out(rows, some);
                           }}) {
    const Selection found = judge(iris, candidates), few = judge(Rows(iris).only(kept), candidates);
    EXPECT_EQ(found.classes, few.classes);
    EXPECT_EQ(found.judged, kept);
    EXPECT_EQ(found.not_judged, 0);
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      EXPECT_EQ(found.candidates[c].rows, std::ssize(kept));
      EXPECT_EQ(found.candidates[c].errors, few.candidates[c].errors);
      EXPECT_NEAR(found.candidates[c].log_loss, few.candidates[c].log_loss, 1e-12);
    }
    ASSERT_EQ(found.notes.size(), 1U);
    EXPECT_EQ(
        in_words(found.notes[0]),
        "warning: 65 rows of weight 0 are left out, and with them class 'virginica' (50 rows)");
    EXPECT_TRUE(few.notes.empty());
  }
}

TEST(CrossValidate, StandardErrorsAreThoseOfTheMeanOverRows) {
  const Table iris = read_csv("@iris");
  const Selection s =
      cross_validate(iris, {{"lda", lda(), {}}, {"gnb", gaussian_naive_bayes(), {}}});
  const HeldOut& a = s.candidates[0];
  const double n = 150, p = a.error_rate;
  EXPECT_EQ(a.error_rate, static_cast<double>(a.errors) / n);
  EXPECT_NEAR(a.error_rate_se, std::sqrt(p * (1 - p) / (n - 1)), 1e-12);
  EXPECT_NEAR(s.difference(1, 0).mean, s.candidates[1].log_loss - a.log_loss, 1e-12);
  EXPECT_GT(s.difference(1, 0).se, 0);
}

TEST(CrossValidate, CandidatesMayTypeTheColumnsDifferently) {
  std::string rows = "x,y\n";
  for (int i = 0; i < 3; ++i) rows += "1,a\n2,a\n1,a\n1,a\n2,b\n2,b\n2,b\n1,b\n";
  const Table text = read_csv(Source::text(rows));
  const Table codes = read_csv(Source::text(rows), {.types = {{"x", ColumnType::categorical}}});
  const Selection s = cross_validate(
      text, {{"gnb", gaussian_naive_bayes(), {}}, {"categorical", Recipe{}, Rows(codes)}},
      {.folds = 2});
  ASSERT_TRUE(s.candidates[0].usable) << s.candidates[0].why_not;
  ASSERT_TRUE(s.candidates[1].usable) << s.candidates[1].why_not;
  EXPECT_NE(s.candidates[0].log_loss, s.candidates[1].log_loss);
}

TEST(CrossValidate, RefusesRowsWithoutLabels) {
  const Table table = make_table({"x"}, Matrix(4, 1, {1, 2, 3, 4}));
  const std::vector<Candidate> candidates = {{"gnb", gaussian_naive_bayes(), {}}};
  for (const Missing missing : {Missing::refuse, Missing::drop, Missing::em}) {
    const SelectOptions options{.folds = 2, .fit = {.missing = missing}};
    const std::string expected =
        "the table has no label for each row | name the label column as target, or give one label "
        "per row";
    EXPECT_EQ(error_of([&] { (void)cross_validate(table, candidates, options); }), expected);
    EXPECT_EQ(error_of([&] { (void)leave_one_out(table, candidates, options); }), expected);
    const Folds folds{.count = 2, .of = {0, 1, 0, 1}};
    EXPECT_EQ(error_of([&] { (void)cross_validate(table, candidates, folds, options); }), expected);
  }
  const Table labelled = make_table({"x"}, Matrix(4, 1, {1, 2, 3, 5}), {"a", "b", "a", "b"});
  EXPECT_EQ(error_of([&] {
              (void)cross_validate(labelled, {{"gnb", gaussian_naive_bayes(), Rows(table)}},
                                   {.folds = 2, .fit = {.missing = Missing::drop}});
            }),
            "'gnb' has rows of its own without labels | give them the labels of the other rows");
}

TEST(CrossValidate, RefusesFoldsThatAreNoneOfItsRows) {
  Table table = make_table({"x"}, Matrix(5, 1, {1, 2, 3, 5, 4}), {"a", "b", "a", "b", "a"});
  table.labels[4] = -1;
  const auto refused = [&](Index count, std::vector<std::int32_t> of) {
    return error_of([&] {
      (void)cross_validate(table, {{"gnb", gaussian_naive_bayes(), {}}},
                           Folds{.count = count, .of = std::move(of)});
    });
  };
  EXPECT_EQ(refused(2, {0, 1}), "2 folds are named for 5 rows | name the fold of each row");
  EXPECT_EQ(refused(1, {0, 0, 0, 0, -1}),
            "one fold leaves nothing to learn from | give two folds or more");
  EXPECT_EQ(refused(2, {0, 2, 1, 0, -1}),
            "row 2: fold 2 is not one of 2 | number the folds from 0; -1 is in none");
  EXPECT_EQ(refused(2, {0, 1, -2, 0, -1}),
            "row 3: fold -2 is not one of 2 | number the folds from 0; -1 is in none");
  EXPECT_EQ(refused(2, {0, 1, 1, 0, 1}),
            "row 5: the row has a fold but no label | give rows without a label the fold -1");
  EXPECT_EQ(refused(2, {0, 1, 1, 0, -1}), "no error");
}

TEST(RdaGrid, IsElevenTimesSix) {
  const std::vector<Candidate> grid = rda_grid(lda());
  ASSERT_EQ(grid.size(), 66U);
  EXPECT_EQ(grid[0].name, "rda(0, 0)");
  EXPECT_EQ(grid[8].name, "rda(0.1, 0.4)");
  EXPECT_EQ(grid[65].name, "rda(1, 1)");
  EXPECT_EQ(evenly(0, 1, 0.05).size(), 21U);
}

}  // namespace
}  // namespace genera::cross_validate_test
