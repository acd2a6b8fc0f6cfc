// Every call that takes a Control tells how far it is, in order, and stops when asked.
#include <genera/genera.hpp>

#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

#include <gtest/gtest.h>

namespace genera::control_test {
namespace {

using Task = Progress::Task;
using testing::random_table;

constexpr Index rows = 10000;

struct Call {
  const char* name;
  Task task;
  std::function<void(const Control&)> run;
};

/// Calls that go over `rows` rows.
std::vector<Call> calls(const Model& model, const Table& table, const Table& missing) {
  const Matrix& x = table.numbers;
  return {
      {"log_joint", Task::answering, [&](const Control& c) { (void)log_joint(model, x, c); }},
      {"log_density", Task::answering,
       [&](const Control& c) { (void)log_density(model, table, c); }},
      {"posterior", Task::answering, [&](const Control& c) { (void)posterior(model, table, c); }},
      {"predict", Task::answering, [&](const Control& c) { (void)predict(model, x, c); }},
      {"mahalanobis", Task::answering, [&](const Control& c) { (void)mahalanobis(model, x, c); }},
      {"answers", Task::answering, [&](const Control& c) { (void)answers(model, missing, c); }},
      {"explain", Task::answering, [&](const Control& c) { (void)explain(model, table, 2, c); }},
      {"evaluate", Task::answering, [&](const Control& c) { (void)evaluate(model, table, {}, c); }},
      {"sample", Task::drawing,
       [&](const Control& c) { (void)sample(model, rows, Rng(1), {}, c); }},
      {"collect", Task::reading, [&](const Control& c) { (void)collect(table, {}, c); }},
      {"fit", Task::reading, [&](const Control& c) { (void)fit(table, lda(), {}, c); }},
  };
}

class ControlTest : public ::testing::Test {
 protected:
  const Table table = random_table(rows, 3, 2, 1);
  const Table missing = testing::with_missing(table, 0.2, 2);
  const Model model = fit(table, qda()).model;
};

TEST_F(ControlTest, EveryCallTellsHowFarItIsInOrder) {
  for (const Call& call : calls(model, table, missing)) {
    for (const int threads : {1, 3}) {
      Index before = 0, last = 0;
      call.run({threads, [&](const Progress& progress) {
                  EXPECT_EQ(progress.task, call.task) << call.name;
                  EXPECT_EQ(progress.total, rows) << call.name;
                  if (progress.done < before) before = 0;  // explain goes over the rows twice
                  EXPECT_GE(progress.done, before) << call.name;
                  before = last = progress.done;
                  return true;
                }});
      EXPECT_EQ(last, rows) << call.name;
    }
  }
}

TEST_F(ControlTest, EveryCallStopsAfterTheFirstChunk) {
  for (const Call& call : calls(model, table, missing)) {
    for (const int threads : {1, 3}) {
      int given = 0;
      try {
        call.run({threads, [&](const Progress& progress) {
                    EXPECT_LT(progress.done, rows) << call.name;
                    ++given;
                    return false;
                  }});
        ADD_FAILURE() << call.name << " went on";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), Errc::stopped) << call.name;
      }
      EXPECT_EQ(given, 1) << call.name;
    }
  }
}

TEST_F(ControlTest, ToTellChangesNoBit) {
  const Control telling{3, [](const Progress&) { return true; }};
  EXPECT_EQ(posterior(model, missing, telling), posterior(model, missing));
  EXPECT_EQ(fit(missing, lda(), {}, telling).model, fit(missing, lda()).model);
  EXPECT_EQ(impute(model, missing, {}, telling).table.numbers,
            impute(model, missing).table.numbers);
}

TEST_F(ControlTest, StatisticsThatAreStoppedStayAsTheyWere) {
  Statistics statistics = collect(random_table(50, 3, 2, 9)).statistics;
  const Statistics before = statistics;
  const Control stop{1, [](const Progress&) { return false; }};
  EXPECT_THROW(statistics.add(table, stop), Error);
  EXPECT_EQ(statistics, before);
}

TEST_F(ControlTest, FillingMissingCellsStopsToo) {
  Index given = 0;
  const auto stop = [&](const Progress& progress) {
    given += progress.task == Task::drawing ? 1 : 0;
    return progress.task != Task::drawing;
  };
  EXPECT_THROW((void)impute(model, missing, {}, {2, stop}), Error);
  EXPECT_THROW((void)impute_by_draw(model, missing, Rng(1), {}, {2, stop}), Error);
  EXPECT_EQ(given, 2);
}

TEST_F(ControlTest, PriorsAndTailsTellHowFarTheyAre) {
  std::vector<Index> iterations;
  const PriorEstimate found =
      estimate_priors(model, posterior(model, table), {1, [&](const Progress& progress) {
                                                         EXPECT_EQ(progress.task, Task::iterating);
                                                         iterations.push_back(progress.done);
                                                         return true;
                                                       }});
  EXPECT_EQ(std::ssize(iterations), found.iterations);
  EXPECT_EQ(iterations.back(), found.iterations);
  const Model naive = fit(table, gaussian_naive_bayes()).model;
  EXPECT_THROW(OutlierTail(naive, 1,
                           {1,
                            [](const Progress& progress) {
                              EXPECT_EQ(progress.task, Task::drawing);
                              return false;
                            }}),
               Error);
}

}  // namespace
}  // namespace genera::control_test
