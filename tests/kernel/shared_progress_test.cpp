#include "kernel/shared_progress.hpp"

#include <gtest/gtest.h>

#include "kernel/parallel.hpp"
#include "support/problems.hpp"

namespace genera::kernel {
namespace {

using testing::error_of;

const std::string stopped =
    "the call was stopped, as its caller asked for | nothing was changed: call again to start over";

TEST(SharedMeter, TellsPartsAndTheShareOfTheCost) {
  for (const int threads : {1, 4}) {
    Index done = 0;
    double share = 0;
    const Control control{threads, [&](const Progress& progress) {
                            EXPECT_EQ(progress.total, 100);
                            EXPECT_EQ(progress.done, ++done);
                            EXPECT_GE(progress.share.value(), share);
                            share = *progress.share;
                            return true;
                          }};
    SharedMeter meter(control, Progress::Task::fitting, {100, 4950});
    parallel_for(100, threads,
                 [&](Index i) { meter.advance(1, static_cast<double>(i == 0 ? 99 : i)); });
    EXPECT_EQ(done, 100);
    EXPECT_EQ(share, 1);  // more than was expected is no more than all
  }
}

TEST(SharedMeter, AsksNobodyWhoWantsToStopAgain) {
  for (const int threads : {1, 4}) {
    int asked = 0;
    const Control control{threads, [&](const Progress&) { return ++asked < 5; }};
    SharedMeter meter(control, Progress::Task::fitting, {1000, 1000});
    EXPECT_EQ(error_of([&] { parallel_for(1000, threads, [&](Index) { meter.advance(1, 1); }); }),
              stopped);
    EXPECT_EQ(asked, 5);
    EXPECT_EQ(error_of([&] { meter.pause(); }), stopped);
    EXPECT_EQ(asked, 5);
  }
}

TEST(SharedMeter, LetsAFitWithinStop) {
  bool go_on = true;
  const Control control{3, [&](const Progress& progress) {
                          EXPECT_EQ(progress.task, Progress::Task::fitting);
                          return go_on;
                        }};
  SharedMeter meter(control, Progress::Task::fitting, {});
  const Control within = meter.within();
  EXPECT_EQ(within.threads, 1);
  EXPECT_TRUE(within.progress({.task = Progress::Task::iterating, .done = 3}));
  go_on = false;
  EXPECT_EQ(error_of([&] { (void)within.progress({}); }), stopped);
  const Control nobody;
  EXPECT_FALSE(SharedMeter(nobody, Progress::Task::fitting, {}).within().progress);
}

TEST(Budget, IsToldInAllWhateverThePartCosts) {
  Vector given;
  Index parts = 0;
  const Tell tell = [&](Index more, double cost) {
    parts += more;
    given.push_back(cost);
  };
  Budget dear(tell, 10), cheap(tell, 10);
  for (int i = 0; i < 3; ++i) dear.spend(4);
  dear.close(1);
  EXPECT_EQ(given, (Vector{4, 4, 2, 0}));
  given.clear();
  cheap.spend(4);
  EXPECT_EQ(cheap.left(), 6);
  cheap.close(1);
  EXPECT_EQ(given, (Vector{4, 6}));
  EXPECT_EQ(parts, 2);
}

}  // namespace
}  // namespace genera::kernel
