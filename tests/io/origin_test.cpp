#include "io/origin.hpp"

#include <array>

#include "io/support.hpp"
#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

#include <genera/fit.hpp>

namespace genera::label_type_test {
namespace {

using namespace test;
using testing::dense_table;
using testing::error_of;

constexpr std::array types{LabelType::unknown, LabelType::text, LabelType::integer, LabelType::real,
                           LabelType::boolean};

const Table table = dense_table(Matrix(4, 1, {1, 2, 4, 7}), {"0", "0", "1", "1"});

TEST(LabelType, IsWrittenAndRead) {
  const Model model = fit(table, lda()).model;
  const LinearModel scorer = fit(table, logistic()).model;
  for (const LabelType type : types) {
    for (const Format format : {Format::json, Format::cbor}) {
      EXPECT_EQ(model_from_bytes(to_bytes(model.with_label_type(type), format)),
                model.with_label_type(type));
      const Classifier read = classifier_from_bytes(to_bytes(scorer.with_label_type(type), format));
      EXPECT_EQ(ClassifierRef(read).label_type(), type);
    }
  }
}

TEST(LabelType, IsNotWrittenIfItIsUnknown) {
  EXPECT_EQ(to_bytes(fit(table, lda()).model, Format::json).find("labels"), std::string::npos);
}

TEST(LabelType, OfAnotherNameIsRefused) {
  const std::string text =
      to_bytes(fit(table, lda()).model.with_label_type(LabelType::text), Format::json);
  EXPECT_NE(error_of([&] { (void)model_from_bytes(edited(text, "\"text\"", "\"word\"")); })
                .find("'labels' is 'word', which is not a type of labels | use one of 'text', "
                      "'integer', 'real', 'boolean', or leave it out"),
            std::string::npos);
}

TEST(LabelType, IsKeptByAnotherPrior) {
  const Model model = fit(table, lda()).model.with_label_type(LabelType::integer);
  EXPECT_EQ(model.with_prior(Prior({0.1, 0.9})).label_type(), LabelType::integer);
}

const Origin all_of_it{.missing_tokens = std::vector<std::string>{"?", "-"},
                       .target_edges = {1.5, 20},
                       .fingerprint = "00ff"};

TEST(Origin, IsWrittenReadAndKept) {
  const Model model = fit(table, lda()).model;
  const LinearModel scorer = fit(table, logistic()).model;
  Origin nothing_missing;
  nothing_missing.missing_tokens.emplace();
  for (const Origin& origin : {Origin{}, nothing_missing, all_of_it}) {
    for (const Format format : {Format::json, Format::cbor}) {
      EXPECT_EQ(model_from_bytes(to_bytes(model.with_origin(origin), format)).origin(), origin);
      const Classifier read = classifier_from_bytes(to_bytes(scorer.with_origin(origin), format));
      EXPECT_EQ(ClassifierRef(read).origin(), origin);
    }
    EXPECT_EQ(model.with_origin(origin).with_prior(Prior::uniform(2)).origin(), origin);
  }
  EXPECT_EQ(to_bytes(model, Format::json).find("origin"), std::string::npos);
}

TEST(Origin, OfAModelThatKnowsTheTokenAsAValueHasNone) {
  const Table values = dense_table(Matrix(4, 1, {1, 2, 4, 7}), {"NA", "NA", "b", "b"});
  const Model read = model_from_bytes(to_bytes(fit(values, lda()).model, Format::json));
  ASSERT_TRUE(read.origin().missing_tokens.has_value());
  EXPECT_TRUE(read.origin().missing_tokens->empty());
}

TEST(Origin, WithUnsortedLimitsIsRefused) {
  const std::string text =
      to_bytes(fit(table, lda()).model.with_origin({.target_edges = {2, 1}}), Format::json);
  EXPECT_NE(error_of([&] { (void)model_from_bytes(text); })
                .find("'origin.target_edges' is not in ascending order | sort the limits, each "
                      "once"),
            std::string::npos);
}

}  // namespace
}  // namespace genera::label_type_test
