#include <genera/curves.hpp>

#include <algorithm>
#include <cmath>
#include <span>

#include <gtest/gtest.h>

#include <genera/query.hpp>

#include "evaluate/training_samples.hpp"
#include "kernel/rng_purpose.hpp"
#include "support/problems.hpp"

namespace genera::learning_curves_test {
namespace {

using testing::error_of;

Recipe shrinking(Recipe recipe) {
  recipe.gaussian.on_singular = OnSingular::shrink;
  return recipe;
}

LogisticOptions with_terms(LogisticTerms terms, double ridge) {
  return {.ridge = ridge, .terms = terms};
}

/// The class of each row, in the order of models.
std::vector<std::int32_t> truths_of(const Table& table, std::vector<std::string>& classes) {
  classes = table.classes;
  sort_labels(classes);
  std::vector<std::int32_t> truths;
  for (const std::int32_t label : table.labels)
    truths.push_back(static_cast<std::int32_t>(
        *find_label(classes, table.classes[static_cast<std::size_t>(label)])));
  return truths;
}

/// What a model that is learned from nothing but the first rows of the order says of the others.
struct ByHand {
  double error = 0, log_loss = 0, joint = 0;
};
ByHand by_hand(const Table& table, const AnyRecipe& recipe, std::span<const Index> order,
               Index size) {
  std::vector<std::string> classes;
  const std::vector<std::int32_t> truths = truths_of(table, classes);
  const auto training = order.first(static_cast<std::size_t>(size));
  const auto test = order.subspan(static_cast<std::size_t>(size));
  const Rows rows(table);
  const auto [model, report] = fit(rows.only(training), recipe);
  const Answers a = answers(model, rows.only(test));
  ByHand found;
  for (std::size_t i = 0; i < test.size(); ++i) {
    const std::int32_t truth = truths[static_cast<std::size_t>(test[i])];
    const double joint = a.log_joint(static_cast<Index>(i), truth);
    found.error += a.labels[i] == truth ? 0 : 1;
    found.log_loss += a.log_density[i] - joint;
    found.joint += joint;
  }
  const auto n = static_cast<double>(test.size());
  return {found.error / n, found.log_loss / n, found.joint / n};
}

TEST(LearningCurves, AreThoseOfNewFitsToTheSameSamples) {
  const Table wine = read_csv("@wine");
  const std::vector<Candidate> candidates{
      {"dlda", dlda(), {}},
      {"lda", lda(), {}},
      {"qda", qda(), {}},
      {"logistic", logistic(with_terms(LogisticTerms::linear, 0.5)), {}}};
  const CurveOptions options{.sizes = {8, 30, 90}, .repeats = 4, .seed = 7};
  const LearningCurves found = learning_curves(wine, candidates, options);
  curves_detail::Population all;
  all.truths = truths_of(wine, all.classes);
  std::vector<Vector> joint(candidates.size(), Vector(options.sizes.size()));
  for (Index r = 0; r < options.repeats; ++r) {
    const Rng rng = kernel::stream_for(kernel::RngPurpose::splits, options.seed)
                        .split(static_cast<std::uint64_t>(r));
    const curves_detail::TrainingSamples samples(all, options.sizes, rng.split(0), 1000);
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      for (std::size_t s = 0; s < options.sizes.size(); ++s) {
        AnyRecipe recipe = candidates[c].recipe;
        if (auto* density = std::get_if<Recipe>(&recipe)) recipe = shrinking(*density);
        const ByHand wanted = by_hand(wine, recipe, samples.order(s), options.sizes[s]);
        const CurvePoint& point = found.curves[c].points[s];
        const auto repeat = static_cast<std::size_t>(r);
        EXPECT_DOUBLE_EQ(point.errors[repeat], wanted.error) << c << ' ' << s;
        EXPECT_NEAR(point.log_losses[repeat], wanted.log_loss, 1e-9 * (1 + wanted.log_loss));
        joint[c][s] += wanted.joint / static_cast<double>(options.repeats);
      }
    }
  }
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t s = 0; s < options.sizes.size(); ++s)
      EXPECT_NEAR(found.curves[c].points[s].joint->mean, joint[c][s], 1e-9 * std::abs(joint[c][s]));
  }
}

TEST(LearningCurves, AreTheSameForAnyNumberOfThreads) {
  const Table crabs = read_csv("@crabs");
  const std::vector<Candidate> candidates{{"gnb", gaussian_naive_bayes(), {}},
                                          {"logistic", logistic(), {}}};
  CurveOptions options{.sizes = {10, 40}, .repeats = 6, .ridges = {1, 0.1}};
  const LearningCurves one = learning_curves(crabs, candidates, options, {.threads = 1});
  const LearningCurves three = learning_curves(crabs, candidates, options, {.threads = 3});
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    for (std::size_t s = 0; s < 2; ++s) {
      EXPECT_EQ(one.curves[c].points[s].errors, three.curves[c].points[s].errors);
      EXPECT_EQ(one.curves[c].points[s].log_losses, three.curves[c].points[s].log_losses);
    }
  }
  EXPECT_EQ(one.redrawn, three.redrawn);
  options.seed = 2;
  EXPECT_NE(learning_curves(crabs, candidates, options).curves[0].points[0].errors,
            one.curves[0].points[0].errors);
}

/// K = 3 classes, p = 4 columns, as the lectures count them.
TEST(LearningCurves, CountFreeParameters) {
  const Table iris = read_csv("@iris");
  const std::vector<std::pair<AnyRecipe, Index>> wanted{
      {dlda(), 3 * 4 + 4 + 2},
      {lda(), 3 * 4 + 10 + 2},
      {gaussian_naive_bayes(), 2 * 3 * 4 + 2},
      {qda(), 3 * 4 + 3 * 10 + 2},
      {logistic(), 2 * (4 + 1)},
      {logistic(with_terms(LogisticTerms::squares, 1)), 2 * (8 + 1)},
      {logistic(with_terms(LogisticTerms::quadratic, 1)), 2 * (4 + 10 + 1)}};
  std::vector<Candidate> candidates;
  for (const auto& [recipe, parameters] : wanted)
    candidates.push_back({std::to_string(candidates.size()), recipe, {}});
  const LearningCurves found = learning_curves(iris, candidates, {.sizes = {60}, .repeats = 2});
  for (std::size_t c = 0; c < wanted.size(); ++c)
    EXPECT_EQ(found.curves[c].parameters, wanted[c].second) << c;
}

/// Each kind is best at what it maximises, on the rows that it learned from.
TEST(LearningCurves, GenerativeModelsHaveTheLargerJointAndOthersTheLargerConditionalLikelihood) {
  const Table table = read_csv("@pima_train");
  const std::vector<Candidate> candidates{
      {"dlda", dlda(), {}},
      {"lda", lda(), {}},
      {"qda", qda(), {}},
      {"logistic", logistic(with_terms(LogisticTerms::linear, 1e-6)), {}}};
  const LearningCurves found =
      learning_curves(table, candidates, {.sizes = {60, 120}, .repeats = 5});
  for (std::size_t s = 0; s < 2; ++s) {
    const CurvePoint &d = found.curves[0].points[s], &l = found.curves[1].points[s];
    const CurvePoint &q = found.curves[2].points[s], &softmax = found.curves[3].points[s];
    EXPECT_LT(d.training_joint->mean, l.training_joint->mean);
    EXPECT_LT(l.training_joint->mean, q.training_joint->mean);
    EXPECT_LT(l.training_conditional.mean, softmax.training_conditional.mean);
    EXPECT_FALSE(softmax.joint || softmax.training_joint);
    EXPECT_LT(l.joint->mean, l.training_joint->mean);  // test rows are less likely
  }
}

TEST(LearningCurves, ShrinkWhatIsSingularAndCountIt) {
  const Table sonar = read_csv("@sonar");  // 60 columns
  const LearningCurves found =
      learning_curves(sonar, {{"lda", lda(), {}}}, {.sizes = {20, 150}, .repeats = 3});
  EXPECT_EQ(found.curves[0].points[0].shrunk, 3);
  EXPECT_EQ(found.curves[0].points[1].shrunk, 0);
  EXPECT_LT(found.curves[0].points[0].error.mean, 0.5);
}

TEST(LearningCurves, IgnoreColumnsThatAreConstantInASample) {
  Matrix numbers(40, 2);
  std::vector<std::string> labels;
  for (Index i = 0; i < 40; ++i) {
    numbers(i, 0) = i == 0 ? 1 : 0;  // constant in most samples
    numbers(i, 1) = static_cast<double>(i % 2) * 3 + std::sin(static_cast<double>(i));
    labels.emplace_back(i % 2 ? "b" : "a");
  }
  const std::vector<Candidate> candidates{{"lda", lda(), {}}, {"logistic", logistic(), {}}};
  const Table both = make_table({"rare", "x"}, numbers, labels);
  const LearningCurves found = learning_curves(both, candidates, {.sizes = {10}, .repeats = 8});
  EXPECT_EQ(found.curves[0].points[0].prior_only, 0);
  EXPECT_LT(found.curves[0].points[0].error.mean, 0.1);
  Matrix rare(40, 1);
  rare(0, 0) = 1;
  const LearningCurves alone = learning_curves(make_table({"rare"}, rare, labels), candidates,
                                               {.sizes = {10}, .repeats = 8});
  for (const LearningCurve& curve : alone.curves) {
    EXPECT_GT(curve.points[0].prior_only, 0) << curve.name;
    EXPECT_NEAR(curve.points[0].log_loss.mean, std::log(2), 0.15);
  }
}

TEST(LearningCurves, ChooseTheRidgeWithinEachSample) {
  // Noise: the more is penalised the better.
  const Table noise = [] {
    Table table = testing::random_table(120, 4, 2, 3);
    Rng rng(1);
    for (std::int32_t& label : table.labels) label = rng.uniform() < 0.5 ? 0 : 1;
    return table;
  }();
  const CurveOptions options{.sizes = {60}, .repeats = 9, .ridges = {0.001, 1000}};
  const LearningCurves chosen = learning_curves(noise, {{"logistic", logistic(), {}}}, options);
  EXPECT_EQ(chosen.curves[0].points[0].ridge, 1000);
  CurveOptions given = options;
  given.ridges.clear();
  const LearningCurves fixed = learning_curves(noise, {{"logistic", logistic(), {}}}, given);
  EXPECT_EQ(fixed.curves[0].points[0].ridge, 1);
}

TEST(LearningCurves, LeaveOutRowsWithoutALabel) {
  Table iris = read_csv("@iris");
  iris.labels[3] = -1;
  const LearningCurves found =
      learning_curves(iris, {{"lda", lda(), {}}}, {.sizes = {20}, .repeats = 1});
  EXPECT_EQ(found.rows, 149);
  ASSERT_EQ(found.notes.size(), 1U);
  EXPECT_EQ(in_words(found.notes[0]), "1 row is left out: without a label");
}

TEST(LearningCurves, StopWhenTheCallerWants) {
  const Table iris = read_csv("@iris");
  Index seen = 0;
  const Control control{.threads = 1, .progress = [&](const Progress& progress) {
                          EXPECT_EQ(progress.task, Progress::Task::fitting);
                          EXPECT_EQ(progress.total, 50);
                          seen = progress.done;
                          return seen < 3;
                        }};
  const std::string error = error_of([&] {
    (void)learning_curves(iris, {{"lda", lda(), {}}}, {.sizes = {20}, .repeats = 50}, control);
  });
  EXPECT_NE(error.find("stopped"), std::string::npos);
  EXPECT_EQ(seen, 3);
}

TEST(LearningCurves, TellOfEachFitAndWhatItIsExpectedToCost) {
  const Table iris = read_csv("@iris");
  const std::vector<Candidate> candidates{{"lda", lda(), {}}, {"logistic", logistic(), {}}};
  const CurveOptions options{.sizes = {20, 100}, .repeats = 2, .ridges = {1, 10}, .folds = 2};
  const LearningCurves silent = learning_curves(iris, candidates, options);
  for (const int threads : {1, 3}) {
    std::vector<Progress> given{{.share = 0}};
    bool within = false;
    const auto note = [&](const Progress& progress) {
      EXPECT_EQ(progress.task, Progress::Task::fitting);
      EXPECT_EQ(progress.total, 8);  // two repeats, sizes and candidates
      EXPECT_GE(progress.done, given.back().done);
      EXPECT_GE(progress.share.value(), *given.back().share);
      within |= progress.done == given.back().done && *progress.share > *given.back().share;
      given.push_back(progress);
      return true;
    };
    const LearningCurves found = learning_curves(iris, candidates, options, {threads, note});
    EXPECT_TRUE(within) << "nothing is told while a ridge is sought";
    EXPECT_EQ(given.back().done, 8);
    EXPECT_NEAR(*given.back().share, 1, 1e-9);
    for (std::size_t c = 0; c < 2; ++c) {
      for (std::size_t s = 0; s < 2; ++s)
        EXPECT_EQ(found.curves[c].points[s].log_losses, silent.curves[c].points[s].log_losses);
    }
    // Softmax regression of many rows costs the most: two fits of three say little.
    if (threads == 1) {
      const auto third = std::ranges::find(given, 3, &Progress::done);
      EXPECT_LT(*third->share, 0.25);
    }
  }
}

TEST(LearningCurves, StopWithinAFit) {
  const Table iris = read_csv("@iris");
  for (const int threads : {1, 3}) {
    int asked = 0;
    const auto note = [&](const Progress& progress) {
      EXPECT_EQ(progress.done, 0);
      return ++asked < 5;
    };
    EXPECT_EQ(error_of([&] {
                (void)learning_curves(iris, {{"logistic", logistic(), {}}},
                                      {.sizes = {100}, .repeats = 9}, {threads, note});
              }),
              "the call was stopped, as its caller asked for | nothing was changed: call again to "
              "start over");
    EXPECT_EQ(asked, 5);
  }
}

TEST(AutomaticSizes, AreLogarithmicAndLeaveRowsToTestOn) {
  EXPECT_EQ(automatic_sizes(read_csv("@iris")), (std::vector<Index>{10, 20, 50, 100}));
  EXPECT_EQ(automatic_sizes(read_csv("@vowel_train")), (std::vector<Index>{50, 100, 200}));
  EXPECT_EQ(automatic_sizes(read_csv("@digits")),
            (std::vector<Index>{20, 50, 100, 200, 500, 1000}));
  const Table few = make_table({"x"}, Matrix(4, 1, {1, 2, 3, 4}), {"a", "b", "a", "b"});
  EXPECT_EQ(error_of([&] { (void)automatic_sizes(few); }),
            "4 rows of 2 classes are too few for learning curves | give more rows, or say which "
            "sizes to try");
}

TEST(LearningCurves, RefuseWhatTheyCannotDo) {
  const Table iris = read_csv("@iris");
  const std::vector<Candidate> both{{"lda", lda(), {}}, {"logistic", logistic(), {}}};
  const auto refusal = [&](const Table& table, const CurveOptions& options) {
    return error_of([&] { (void)learning_curves(table, both, options); });
  };
  EXPECT_EQ(refusal(iris, {.sizes = {20, 150}}),
            "a training size of 150 leaves none of the 150 rows to test on | give sizes less than "
            "150");
  EXPECT_EQ(refusal(iris, {.sizes = {3}}),
            "3 rows are too few to learn 3 classes from | give sizes greater than 3");
  EXPECT_EQ(refusal(iris, {.repeats = 0}), "0 repeats give no curve | give repeats at least 1");
  EXPECT_EQ(refusal(iris, {.folds = 1}),
            "1 fold leaves nothing to learn from | give folds at least 2");
  EXPECT_EQ(refusal(iris, {.missing_share = 1}),
            "the share of missing cells is 1 | give a missing_share of at least 0 and less than 1");
  const Table one = make_table({"x"}, Matrix(4, 1, {1, 2, 3, 4}), {"a", "a", "a", "a"});
  EXPECT_EQ(refusal(one, {.sizes = {2}}),
            "there is only one class, 'a': nothing can be told apart | choose the column of class "
            "labels with target");
  const Table single = make_table({"x"}, Matrix(4, 1, {1, 2, 3, 4}), {"a", "b", "a", "a"});
  EXPECT_EQ(refusal(single, {.sizes = {3}}),
            "'b' has one row, which cannot be both learned from and tested on | give more rows, or "
            "compare the other classes only with classes");
  const Table unlabelled = make_table({"x"}, Matrix(4, 1, {1, 2, 3, 4}));
  EXPECT_EQ(refusal(unlabelled, {.sizes = {2}}),
            "no row has a label | choose the column of class labels with target");
  EXPECT_EQ(error_of([&] { (void)learning_curves(iris, {}); }),
            "there is nothing to choose among | name at least one of models");
}

TEST(LearningCurves, NameTheModelAndTheSizeOfAFitThatFails) {
  const Table iris = read_csv("@iris");
  Recipe unbiased = lda();
  unbiased.priors = {PriorChoice::Kind::given, {{"setosa", 0.5}, {"rose", 0.5}}};
  const std::string error = error_of([&] {
    (void)learning_curves(iris, {{"lda", unbiased, {}}}, {.sizes = {20}});
  });
  EXPECT_EQ(error.rfind("lda, learned from 20 rows: ", 0), 0U) << error;
}

}  // namespace
}  // namespace genera::learning_curves_test
