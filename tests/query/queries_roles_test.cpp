#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "data/csv_support.hpp"

namespace genera::roles_for_test {
namespace {

using testing::caught;
using testing::TempFile;

const char* const mails = "spam 1:2 2:1\nham 2:3\nspam 1:1\nham 2:1 3:1\n";

TEST(RolesFor, LabelsAreReadWhereThePurposeNeedsThem) {
  const Model model = fit(read_csv("@iris"), lda()).model;
  EXPECT_EQ(roles_for(model).features, model.features());
  EXPECT_FALSE(roles_for(model, Purpose::predict).target.used());
  EXPECT_EQ(roles_for(model, Purpose::evaluate).target, Target("species"));
  EXPECT_EQ(roles_for(model, Purpose::evaluate, "truth").target, Target("truth"));
  EXPECT_EQ(roles_for(model, Purpose::impute).target, Target::if_present("species"));
  EXPECT_EQ(roles_for(model, Purpose::impute, "truth").target, Target("truth"));
}

TEST(RolesFor, WhatPredictRefusesEvaluateAndImputeRefuseToo) {
  const TempFile learned(mails, "mails.svm"), fractions("spam 1:0.5\n", "new.svm");
  const Roles counts{.default_type = ColumnType::count};
  const Model model = fit(read_csv(learned.path(), counts), multinomial()).model;
  for (const Purpose purpose : {Purpose::predict, Purpose::evaluate, Purpose::impute}) {
    const auto error = caught([&] { (void)read_csv(fractions.path(), roles_for(model, purpose)); });
    EXPECT_EQ(error.what, fractions.path() + ":1: feature 1 is 0.5, which is not a count");
  }
}

TEST(RolesFor, TextsAreCutAsTheModelWasLearned) {
  const Table texts =
      make_text_table("t", {"win cash", "dinner now"}, {"spam", "ham"}, {.words = {1, 2}});
  const Model model = fit(texts, multinomial()).model;
  for (const Purpose purpose : {Purpose::predict, Purpose::evaluate, Purpose::impute})
    EXPECT_EQ(roles_for(model, purpose).text, model.text_options());
}

}  // namespace
}  // namespace genera::roles_for_test
