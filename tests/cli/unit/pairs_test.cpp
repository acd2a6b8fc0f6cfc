#include "pairs.hpp"
#include "refusal.hpp"
#include "show/report.hpp"

#include <gtest/gtest.h>

namespace genera::cli::pairs_test {
namespace {

using Pairs = std::vector<ModelPair>;

TEST(Pairs, AModelAloneGetsItsCounterpart) {
  EXPECT_EQ(parse_pairs({"dlda", "lda", "gnb", "qda"}), (Pairs{{"dlda", "logistic"},
                                                               {"lda", "logistic"},
                                                               {"gnb", "logistic-squares"},
                                                               {"qda", "logistic-quadratic"}}));
  EXPECT_EQ(
      parse_pairs({"bernoulli", "multinomial", "squares"}),
      (Pairs{{"bernoulli", "logistic"}, {"multinomial", "logistic"}, {"", "logistic-squares"}}));
}

TEST(Pairs, AreNamedInAnyOrderAndOnce) {
  for (const char* name :
       {"gnb-logistic", "gnb:logistic", "gnb/logistic", "gnb\u2013logistic", "logistic-gnb"})
    EXPECT_EQ(parse_pairs({name}), (Pairs{{"gnb", "logistic"}})) << name;
  EXPECT_EQ(parse_pairs({"gnb-logistic-squares"}), (Pairs{{"gnb", "logistic-squares"}}));
  EXPECT_EQ(parse_pairs({"lda", "lda-logistic"}).size(), 1U);
}

TEST(Pairs, FollowTheColumns) {
  EXPECT_EQ(default_pairs(read_csv("@iris")).size(), 2U);
  EXPECT_EQ(default_pairs(read_csv("@lenses")), (Pairs{{"categorical", "logistic"}}));
  EXPECT_EQ(default_pairs(make_text_table("t", {"aa bb"}, {"x"})),
            (Pairs{{"multinomial", "logistic"}}));
}

TEST(TimeLeft, GrowsWithWhatIsLeft) {
  EXPECT_EQ(time_left(10, 0), "");
  EXPECT_EQ(time_left(10, 0.2), ", about 40 s left");
  EXPECT_EQ(time_left(10, 0.01), ", about 16 min left");
  EXPECT_EQ(time_left(1000, 0.01), ", about 28 h left");
}

}  // namespace
}  // namespace genera::cli::pairs_test
