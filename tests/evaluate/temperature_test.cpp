#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "support/problems.hpp"

namespace genera::temperature_test {
namespace {

using testing::error_of;
using testing::largest_difference;

/// softmax(log prior + (scores - log prior) / T), row by row.
Matrix by_formula(const Model& model, const Table& table, double temperature) {
  Matrix found = log_joint(model, table);
  const Vector& prior = model.prior().log();
  for (Index i = 0; i < found.rows(); ++i) {
    double sum = 0, max = -HUGE_VAL;
    for (Index k = 0; k < found.columns(); ++k) {
      const double own = prior[static_cast<std::size_t>(k)];
      found(i, k) = own + (found(i, k) - own) / temperature;
      max = std::max(max, found(i, k));
    }
    for (Index k = 0; k < found.columns(); ++k) sum += std::exp(found(i, k) - max);
    for (Index k = 0; k < found.columns(); ++k) found(i, k) = std::exp(found(i, k) - max) / sum;
  }
  return found;
}

std::vector<std::int32_t> largest(const Matrix& posterior) {
  std::vector<std::int32_t> labels;
  for (Index i = 0; i < posterior.rows(); ++i)
    labels.push_back(static_cast<std::int32_t>(std::ranges::max_element(posterior.row(i)) -
                                               posterior.row(i).begin()));
  return labels;
}

/// Priors far from even, so that it matters that they are not divided.
Model uneven(const Table& table, Recipe recipe) {
  return fit(table, recipe).model.with_prior(Prior({0.7, 0.2, 0.1}));
}

TEST(Temperature, DividesTheEvidenceAlone) {
  const Table table = testing::random_table(400, 3, 3, 5);
  for (const Recipe& recipe : testing::whole_family()) {
    const Model cold = uneven(table, recipe), warm = cold.with_temperature(2.5);
    const Matrix expected = by_formula(cold, table, 2.5);
    EXPECT_LT(largest_difference(posterior(warm, table), expected), 1e-12);
    EXPECT_EQ(predict(warm, table), largest(expected));  // labels alone: the pruned way
    EXPECT_EQ(answers(warm, table).labels, predict(warm, table));
    EXPECT_GT(largest_difference(posterior(cold, table), expected), 0.01);
  }
}

TEST(Temperature, ChangesLabelsWhereThePriorIsStrong) {
  const Table table = testing::random_table(400, 2, 3, 6);
  const Model cold = uneven(table, qda());
  EXPECT_NE(predict(cold, table), predict(cold.with_temperature(20), table));
}

TEST(Temperature, OfRowsWithMissingCells) {
  const Table table = testing::random_table(300, 4, 3, 7);
  const Table missing = testing::with_missing(table, 0.3, 8);
  for (const Recipe& recipe : {qda(), lda(), gaussian_naive_bayes()}) {
    const Model cold = uneven(table, recipe);
    EXPECT_LT(largest_difference(posterior(cold.with_temperature(4), missing),
                                 by_formula(cold, missing, 4)),
              1e-12);
  }
}

TEST(Temperature, LeavesDensitiesDrawsAndImputationsAlone) {
  const Table table = testing::random_table(200, 3, 3, 9);
  const Table missing = testing::with_missing(table, 0.2, 10);
  const Model cold = uneven(table, qda()), warm = cold.with_temperature(5);
  EXPECT_EQ(log_joint(warm, table), log_joint(cold, table));
  EXPECT_EQ(log_density(warm, missing), log_density(cold, missing));
  EXPECT_EQ(mahalanobis(warm, table), mahalanobis(cold, table));
  EXPECT_EQ(evaluate(warm, table).log_likelihood(), evaluate(cold, table).log_likelihood());
  Table unlabelled = missing;
  unlabelled.labels.assign(unlabelled.labels.size(), -1);
  EXPECT_EQ(impute(warm, unlabelled).table.numbers, impute(cold, unlabelled).table.numbers);
  const SampleOptions given{.given = {{cold.features()[0].name, "0.3"}}};
  EXPECT_EQ(sample(warm, 50, Rng(3), given).numbers, sample(cold, 50, Rng(3), given).numbers);
  const OutlierTail of_warm(warm), of_cold(cold);
  EXPECT_EQ(of_warm(table, answers(warm, table)), of_cold(table, answers(cold, table)));
}

TEST(Temperature, LossesStayInTheLogDomain) {
  const GaussianBlock block({.structure = Covariance::tied,
                             .columns = {"x"},
                             .means = Matrix(2, 1, {-1, 1}),
                             .covariances = {Matrix(1, 1, {1})}});
  const Model model = Model({"l", "r"}, Prior::uniform(2), {block}).with_temperature(4);
  const Table far = make_table({"x"}, Matrix(1, 1, {-10000}), {"r"});
  EXPECT_NEAR(evaluate(model, far).log_loss(), 5000, 1e-9);  // log odds 2 x, divided by 4
}

TEST(Temperature, IsInThePredictor) {
  const Table table = testing::random_table(100, 3, 3, 11);
  const Model warm = uneven(table, qda()).with_temperature(3);
  const Matrix expected = posterior(warm, table);
  Predictor predictor(warm);
  Vector row(3), found(3);
  for (Index i = 0; i < table.rows(); ++i) {
    std::ranges::copy(table.numbers.row(i), row.begin());
    EXPECT_EQ(predictor.predict(std::span<const double>(row), found),
              predict(warm, table)[static_cast<std::size_t>(i)]);
    for (Index k = 0; k < 3; ++k) EXPECT_EQ(found[static_cast<std::size_t>(k)], expected(i, k));
  }
}

TEST(Temperature, SharesOfEvidenceAddUpToTheLogOdds) {
  const Table table = testing::random_table(60, 3, 3, 12);
  const Model warm = uneven(table, qda()).with_temperature(3);
  const Matrix p = posterior(warm, table);
  const std::vector<Explanation> why = explain(warm, table, 2);
  for (Index i = 0; i < table.rows(); ++i) {
    const Explanation& one = why[static_cast<std::size_t>(i)];
    double sum = one.base + one.rest;
    for (const Evidence& share : one.evidence) sum += share.log_odds;
    EXPECT_NEAR(sum, one.log_odds, 1e-9);
    EXPECT_NEAR(one.log_odds, std::log(p(i, one.best) / p(i, one.second)), 1e-9);
    for (Index k = 0; k < 3; ++k) EXPECT_LE(p(i, k), p(i, one.best));
  }
}

TEST(Temperature, OtherPriorsAreReplacedAsEver) {
  const Table table = testing::random_table(200, 3, 3, 13);
  const Model warm = fit(table, lda()).model.with_temperature(2);
  const Model other = warm.with_prior(Prior({0.2, 0.5, 0.3}));
  EXPECT_EQ(other.temperature(), 2);
  const Matrix before = posterior(warm, table), after = posterior(other, table);
  for (Index i = 0; i < table.rows(); ++i) {
    double sum = 0;
    Vector expected;
    for (std::size_t k = 0; k < 3; ++k) {
      expected.push_back(before(i, static_cast<Index>(k)) * other.prior().probabilities()[k] /
                         warm.prior().probabilities()[k]);
      sum += expected.back();
    }
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(after(i, static_cast<Index>(k)), expected[k] / sum, 1e-12);
  }
}

TEST(Temperature, DividesAllScoresOfALinearModel) {
  const Table table = testing::random_table(200, 3, 3, 14);
  const LinearModel cold = fit(table, logistic()).model, warm = cold.with_temperature(3);
  const Matrix p = posterior(cold, table), q = posterior(warm, table);
  for (Index i = 0; i < table.rows(); ++i) {
    for (Index k = 1; k < 3; ++k)
      EXPECT_NEAR(std::log(q(i, k) / q(i, 0)), std::log(p(i, k) / p(i, 0)) / 3, 1e-9);
  }
  EXPECT_EQ(predict(cold, table), predict(warm, table));
}

TEST(Temperature, OfDiscriminantsIsThatOfPosteriors) {
  const Table table = testing::random_table(100, 2, 2, 15);
  const Model warm = fit(table, lda()).model.with_temperature(2.5);
  const LinearScores linear = *describe(warm).discriminants;
  const Matrix p = posterior(warm, table);
  for (Index i = 0; i < table.rows(); ++i) {
    double odds = linear.intercepts[1] - linear.intercepts[0];
    for (Index j = 0; j < 2; ++j)
      odds += (linear.coefficients(1, j) - linear.coefficients(0, j)) * table.numbers(i, j);
    EXPECT_NEAR(odds, std::log(p(i, 1) / p(i, 0)), 1e-9);
  }
}

TEST(Temperature, LessThanOneIsRefused) {
  const Table table = testing::random_table(50, 2, 2, 16);
  const Model model = fit(table, lda()).model;
  for (const double bad : {0.5, 0.0, -1.0, HUGE_VAL})
    EXPECT_NE(
        error_of([&] { (void)model.with_temperature(bad); }).find("the temperature of a model"),
        std::string::npos);
  EXPECT_EQ(error_of([&] { (void)model.with_temperature(std::nan("")); }),
            "the temperature of a model is nan | give a number of at least 1, which changes "
            "nothing");
}

TEST(Temperature, IsKeptInFiles) {
  const Table table = testing::random_table(50, 2, 2, 17);
  const Model warm = fit(table, lda()).model.with_temperature(1.25);
  EXPECT_EQ(model_from_bytes(to_bytes(warm)), warm);
  EXPECT_EQ(model_from_bytes(to_bytes(warm)).temperature(), 1.25);
  EXPECT_EQ(to_bytes(warm.with_temperature(1)).find("temperature"), std::string::npos);
}

/// Scores of two classes with even priors: the evidence for the first is `margin`.
HeldOutScores margins(const Vector& values) {
  HeldOutScores scores{Matrix(std::ssize(values), 2), Matrix(1, 2, std::log(0.5)),
                       std::vector<std::int32_t>(values.size(), 0)};
  for (std::size_t i = 0; i < values.size(); ++i) {
    scores.scores(static_cast<Index>(i), 0) = std::log(0.5) + values[i];
    scores.scores(static_cast<Index>(i), 1) = std::log(0.5);
  }
  return scores;
}

// The bounded loss of rows with the same margin m, a share s of them of its class, is smallest
// where (1 - 1/n) p + 1/(2n) = s, and m / T = log(p / (1 - p)).
TEST(FitTemperature, IsThatOfTheFrequencies) {
  const Vector same(10, 6.0);
  const std::vector<std::int32_t> truths{0, 0, 0, 0, 0, 0, 0, 0, 1, 1};
  const Calibration found = fit_temperature(margins(same), truths);
  const double p = (0.8 - 0.05) / 0.9;
  EXPECT_NEAR(found.temperature, 6 / std::log(p / (1 - p)), 1e-5);
  EXPECT_NEAR(found.log_loss_before, 0.8 * std::log1p(std::exp(-6)) + 0.2 * std::log1p(std::exp(6)),
              1e-12);
  EXPECT_NEAR(found.log_loss_after, -0.8 * std::log(p) - 0.2 * std::log(1 - p), 1e-6);
  EXPECT_EQ(found.rows, 10);
}

TEST(FitTemperature, IsNeverBelowOneNorAboveAHundred) {
  const Vector timid(10, 0.1);
  EXPECT_EQ(fit_temperature(margins(timid), {0, 0, 0, 0, 0, 0, 0, 0, 0, 1}).temperature, 1);
  const Vector wrong(4, 50.0);
  EXPECT_EQ(fit_temperature(margins(wrong), {1, 1, 1, 0}).temperature, 100);
}

// One row of a loss of 10,000 nats would ask for the largest temperature.
TEST(FitTemperature, IsNotDecidedByOneRow) {
  Vector values(100, 3.0);
  std::vector<std::int32_t> truths(100, 0);
  for (std::size_t i = 0; i < 5; ++i) truths[i] = 1;
  const double usual = fit_temperature(margins(values), truths).temperature;
  values.push_back(1e4);
  truths.push_back(1);
  const double with = fit_temperature(margins(values), truths).temperature;
  EXPECT_NEAR(with, usual, 0.3);
  EXPECT_LT(with, 2);
}

// Priors are not divided by the temperature: a large one would give every row to the first class.
TEST(FitTemperature, DoesNotRaiseTheErrorByMoreThanItsStandardError) {
  constexpr Index n = 200;
  HeldOutScores scores{Matrix(n, 2), Matrix(1, 2), std::vector<std::int32_t>(n, 0)};
  scores.log_priors(0, 0) = std::log(0.7);
  scores.log_priors(0, 1) = std::log(0.3);
  std::vector<std::int32_t> truths;
  for (Index i = 0; i < n; ++i) {
    const bool second = i % 10 < 3, wrong = !second && i % 4 == 0;
    truths.push_back(second ? 1 : 0);
    const double margin = second ? -2 : wrong ? -6 : 6;
    scores.scores(i, 0) = scores.log_priors(0, 0) + margin;
    scores.scores(i, 1) = scores.log_priors(0, 1);
  }
  const auto error = [&](double temperature) {
    double wrong = 0;
    for (Index i = 0; i < n; ++i) {
      const double margin = (scores.scores(i, 0) - scores.log_priors(0, 0)) / temperature;
      const std::int32_t label =
          scores.log_priors(0, 0) + margin >= scores.log_priors(0, 1) ? 0 : 1;
      wrong += label != truths[static_cast<std::size_t>(i)] ? 1 : 0;
    }
    return wrong / n;
  };
  const double before = error(1), se = std::sqrt(before * (1 - before) / (n - 1));
  ASSERT_GT(error(3), before + se);  // where the loss alone would be smallest
  const Calibration found = fit_temperature(scores, truths);
  EXPECT_LE(error(found.temperature), before + se + 1e-12);
  EXPECT_GT(found.temperature, 1);
  EXPECT_LT(found.log_loss_after, found.log_loss_before);
}

TEST(FitTemperature, WeighsRows) {
  const Vector same(10, 6.0);
  HeldOutScores scores = margins(same), repeated = margins(Vector(16, 6.0));
  scores.weights = {1, 1, 1, 1, 1, 1, 1, 1, 4, 4};
  const std::vector<std::int32_t> truths{0, 0, 0, 0, 0, 0, 0, 0, 1, 1},
      all{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
  const Calibration found = fit_temperature(scores, truths);
  EXPECT_NEAR(found.log_loss_before, fit_temperature(repeated, all).log_loss_before, 1e-12);
  EXPECT_GT(found.temperature, fit_temperature(margins(same), truths).temperature);
}

// On twenty tables, judged in the folds: the log loss never rises, the error by its standard error.
TEST(FitTemperature, HelpsOnTwentyTables) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Table table = testing::random_table(60 + 10 * static_cast<Index>(seed % 4), 8, 3, seed);
    SelectOptions options;
    options.keep_scores = true;
    const Selection selection = cross_validate(table, {{"qda", qda(), {}}}, options);
    const HeldOut& held_out = selection.candidates.front();
    ASSERT_TRUE(held_out.usable) << held_out.why_not;
    const Calibration found = fit_temperature(*held_out.scores, selection.truths);
    EXPECT_LE(found.log_loss_after, found.log_loss_before);
    double wrong = 0;
    for (Index i = 0; i < held_out.rows; ++i) {
      Index best = 0;
      const auto total = [&](Index k) {
        const double prior = held_out.scores->log_prior(i, k);
        return prior + (held_out.scores->scores(i, k) - prior) / found.temperature;
      };
      for (Index k = 1; k < 3; ++k) best = total(k) > total(best) ? k : best;
      wrong += best != selection.truths[static_cast<std::size_t>(i)] ? 1 : 0;
    }
    EXPECT_LE(wrong / static_cast<double>(held_out.rows),
              held_out.error_rate + held_out.error_rate_se + 1e-12);
  }
}

TEST(FitTemperature, RefusesTruthsThatAreNone) {
  const HeldOutScores scores = margins({1, 2, 3});
  EXPECT_EQ(error_of([&] {
              (void)fit_temperature(scores, {0, 1});
            }),
            "2 truths are given for 3 rows of scores | give the true class of each row");
  for (const std::int32_t odd : {-1, 2})
    EXPECT_EQ(error_of([&] {
                (void)fit_temperature(scores, {0, odd, 1});
              }),
              "row 2: the truth " + std::to_string(odd) +
                  " is not one of 2 classes | number the classes from 0, as the scores do");
}

TEST(FitTemperature, IsTheLeastOfAGrid) {
  const Table table = testing::random_table(90, 12, 3, 18);
  SelectOptions options;
  options.keep_scores = true;
  const Selection selection = cross_validate(table, {{"qda", qda(), {}}}, options);
  const HeldOut& held_out = selection.candidates.front();
  const Calibration found = fit_temperature(*held_out.scores, selection.truths);
  EXPECT_GT(found.temperature, 1.2);
  EXPECT_NEAR(found.log_loss_before, held_out.log_loss, 1e-12);
  EXPECT_LT(found.log_loss_after, found.log_loss_before);
  const auto loss = [&](double temperature, bool bounded) {
    double sum = 0;
    for (Index i = 0; i < held_out.rows; ++i) {
      double whole = 0;
      const auto total = [&](Index k) {
        const double prior = held_out.scores->log_prior(i, k);
        return prior + (held_out.scores->scores(i, k) - prior) / temperature;
      };
      const Index truth = selection.truths[static_cast<std::size_t>(i)];
      for (Index k = 0; k < 3; ++k) whole += std::exp(total(k) - total(truth));
      const double share = bounded ? 1 / static_cast<double>(held_out.rows) : 0;
      sum -= std::log((1 - share) / whole + share / 3);
    }
    return sum / static_cast<double>(held_out.rows);
  };
  EXPECT_NEAR(loss(found.temperature, false), found.log_loss_after, 1e-10);
  for (double other = 1; other <= 100; other *= 1.05)
    EXPECT_GE(loss(other, true), loss(found.temperature, true) - 1e-9);
  EXPECT_EQ(fit_temperature(*held_out.scores, selection.truths, {.threads = 3}).temperature,
            found.temperature);
}

TEST(FitTemperature, ImpossibleClassesDoNotChangeIt) {
  HeldOutScores scores = margins(Vector(10, 6.0));
  const std::vector<std::int32_t> truths{0, 0, 0, 0, 0, 0, 0, 0, 1, 1};
  const double usual = fit_temperature(scores, truths).temperature;
  HeldOutScores more = margins(Vector(12, 6.0));
  more.scores(10, 0) = -HUGE_VAL;                       // the truth is impossible
  more.scores(11, 0) = more.scores(11, 1) = -HUGE_VAL;  // both are: the prior
  std::vector<std::int32_t> with = truths;
  with.insert(with.end(), {0, 1});
  const Calibration found = fit_temperature(more, with);
  EXPECT_NEAR(found.temperature, usual, 0.2);  // 1/n is another share of the uniform distribution
  EXPECT_EQ(found.log_loss_before, HUGE_VAL);
  EXPECT_EQ(error_of([&] { (void)fit_temperature(scores, with); }),
            "12 truths are given for 10 rows of scores | give the true class of each row");
}

TEST(Calibrate, GivesTheModelItsTemperature) {
  const Table table = testing::random_table(90, 12, 3, 18);
  Fitted<Classifier> fitted = fit(table, AnyRecipe(qda()));
  const Fitted<Classifier> calm = calibrate(fitted, table, qda());
  ASSERT_TRUE(calm.report.calibration.has_value());
  EXPECT_EQ(ClassifierRef(calm.model).temperature(), calm.report.calibration->temperature);
  EXPECT_EQ(calm.report.calibration->folds, 10);
  EXPECT_LT(calm.report.calibration->log_loss_after, calm.report.calibration->log_loss_before);
  ASSERT_FALSE(ClassifierRef(calm.model).notes().empty());
  EXPECT_NE(ClassifierRef(calm.model).notes().back().find("held-out log loss"), std::string::npos);
}

TEST(Calibrate, LeavesAModelAloneThatCannotBeJudged) {
  // A covariance of two columns takes three rows, and some fold leaves fewer of a class.
  Table table = testing::random_table(7, 2, 2, 19);
  Fitted<Classifier> fitted = fit(table, AnyRecipe(lda()));
  const Fitted<Classifier> same = calibrate(fitted, table, qda());
  EXPECT_FALSE(same.report.calibration.has_value());
  EXPECT_EQ(ClassifierRef(same.model).temperature(), 1);
  EXPECT_EQ(same.report.notes.back().kind, Note::Kind::warning);
  EXPECT_NE(in_words(same.report.notes.back()).find("not calibrated"), std::string::npos);
}

}  // namespace
}  // namespace genera::temperature_test
