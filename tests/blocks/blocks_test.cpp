#include <gtest/gtest.h>

#include <genera/fit.hpp>
#include <genera/model.hpp>

#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::discrete_blocks_test {
namespace {

using testing::Cells;
using testing::error_of;

CategoricalParameters categorical() {
  return {.columns = {"a", "b"},
          .levels = {{"u", "v"}, {"x", "y", "z"}},
          .probabilities = {Matrix(2, 2, {0.5, 0.5, 1, 0}),
                            Matrix(2, 3, {0.2, 0.3, 0.5, 0.1, 0.1, 0.8})}};
}

JointParameters joint() {
  return {.columns = {"a", "b"},
          .levels = {{"u", "v"}, {"x", "y"}},
          .probabilities = Matrix(2, 4, {0.1, 0.2, 0.3, 0.4, 0, 0, 0.5, 0.5})};
}

CountParameters counts(CountParameters::Kind kind = CountParameters::Kind::multinomial) {
  return {.kind = kind, .terms = {"a", "b"}, .probabilities = Matrix(2, 2, {0.4, 0.6, 0.3, 0.7})};
}

template <class Block, class Parameters, class Change>
std::string refused(Parameters p, Change change) {
  change(p);
  return error_of([&] { Block block(p); });
}

TEST(CategoricalBlock, KnowsItsColumnsAndParameters) {
  const CategoricalBlock block(categorical());
  EXPECT_EQ(block.features(),
            (std::vector<Column>{{"a", ColumnType::categorical}, {"b", ColumnType::categorical}}));
  EXPECT_EQ(block.classes(), 2);
  EXPECT_EQ(block.free_parameters(), 2 * (1 + 2));
  EXPECT_EQ(name_of(block.parameters().kind), "categorical");
  const CategoricalBlock binary({.kind = CategoricalParameters::Kind::bernoulli,
                                 .columns = {"f"},
                                 .levels = {{"no", "yes"}},
                                 .probabilities = {Matrix(3, 2, 0.5)}});
  EXPECT_EQ(binary.features(), (std::vector<Column>{{"f", ColumnType::binary}}));
  EXPECT_EQ(binary.free_parameters(), 3);
  EXPECT_EQ(name_of(binary.parameters().kind), "bernoulli");
}

TEST(CategoricalBlock, RefusesInconsistentParameters) {
  const auto said = [](auto change) { return refused<CategoricalBlock>(categorical(), change); };
  EXPECT_EQ(said([](auto& p) { p = {}; }),
            "a categorical block needs a column | give at least one");
  EXPECT_EQ(said([](auto& p) { p.levels.pop_back(); }),
            "2 columns, but levels of 1 and probabilities of 2 | give levels and probabilities for "
            "every column");
  EXPECT_EQ(said([](auto& p) { p.levels[1].clear(); }),
            "column 'b' has no level | give at least one");
  EXPECT_EQ(said([](auto& p) { p.levels[1][2] = "x"; }),
            "column 'b' has the level 'x' twice | give each level a name of its own");
  EXPECT_EQ(said([](auto& p) { p.kind = CategoricalParameters::Kind::bernoulli; }),
            "column 'b' has 3 levels, expected two | a binary column has two levels");
  EXPECT_EQ(said([](auto& p) { p.levels[0].push_back("w"); }),
            "column 'a' has 2 probabilities per class, expected 3 | give one for each");
  EXPECT_EQ(said([](auto& p) { p.probabilities[0] = Matrix(); }),
            "column 'a' has 0 probabilities per class, expected 2 | give one for each");
  EXPECT_EQ(said([](auto& p) { p.probabilities[0](0, 1) = -0.5; }),
            "column 'a' has the probability -0.5 | a probability is a number from 0 to 1");
  EXPECT_EQ(said([](auto& p) { p.probabilities[0](0, 1) = NAN; }),
            "column 'a' has the probability nan | a probability is a number from 0 to 1");
  EXPECT_EQ(said([](auto& p) { p.probabilities[1](1, 2) = 0.7; }),
            "column 'b': the probabilities of class 2 sum to 0.9, not to 1 | give probabilities "
            "that sum to 1");
  EXPECT_EQ(said([](auto& p) {
              p.probabilities[1] = Matrix(1, 3, {0.2, 0.3, 0.5});
            }),
            "column 'b' has probabilities for 1 class, expected 2 | give them for every class");
  EXPECT_EQ(said([](auto& p) { p.counts = {3}; }),
            "1 count for 2 classes | give one each, or none");
  EXPECT_EQ(said([](auto& p) {
              p.counts = {3, -1};
            }),
            "a class has the count -1 | counts are numbers >= 0");
}

TEST(JointBlock, KnowsItsColumnsAndParameters) {
  const JointBlock block(joint());
  EXPECT_EQ(block.features().size(), 2U);
  EXPECT_EQ(block.features()[1], (Column{"b", ColumnType::categorical}));
  EXPECT_EQ(block.free_parameters(), 2 * 3);
}

TEST(JointBlock, RefusesInconsistentParameters) {
  const auto said = [](auto change) { return refused<JointBlock>(joint(), change); };
  EXPECT_EQ(said([](auto& p) { p.levels.pop_back(); }),
            "2 columns, but levels of 1 | give the levels of every column");
  EXPECT_EQ(said([](auto& p) { p = {}; }),
            "0 columns, but levels of 0 | give the levels of every column");
  EXPECT_EQ(said([](auto& p) { p.levels[0].clear(); }),
            "column 'a' has no level | give at least one");
  EXPECT_EQ(said([](auto& p) { p.levels[1].push_back("z"); }),
            "the joint table has 4 probabilities per class, expected 6 | give one for each");
  EXPECT_EQ(said([](auto& p) {
              p.columns.assign(40, "many");
              p.levels.assign(40, {"0", "1", "2", "3", "4", "5", "6", "7"});
            }),
            "the joint table has 4 probabilities per class, expected 8 | give one for each");
  EXPECT_EQ(said([](auto& p) { p.probabilities(1, 0) = 0.5; }),
            "the joint table: the probabilities of class 2 sum to 1.5, not to 1 | give "
            "probabilities that sum to 1");
  EXPECT_EQ(said([](auto& p) {
              p.counts = {1, 2, 3};
            }),
            "3 counts for 2 classes | give one each, or none");
}

TEST(CountBlock, KnowsItsColumnsAndParameters) {
  using Kind = CountParameters::Kind;
  EXPECT_EQ(CountBlock(counts()).features(),
            (std::vector<Column>{{"a", ColumnType::count}, {"b", ColumnType::count}}));
  EXPECT_EQ(CountBlock(counts(Kind::bernoulli)).features()[0], (Column{"a", ColumnType::numeric}));
  CountParameters text = counts();
  text.text = "body";
  EXPECT_EQ(CountBlock(text).features(), (std::vector<Column>{{"body", ColumnType::text}}));
  EXPECT_EQ(CountBlock(counts()).free_parameters(), 2);
  EXPECT_EQ(CountBlock(counts(Kind::bernoulli)).free_parameters(), 4);
  EXPECT_EQ(name_of(Kind::multinomial), "multinomial");
  EXPECT_EQ(name_of(Kind::bernoulli), "bernoulli");
}

TEST(CountBlock, RefusesInconsistentParameters) {
  using Kind = CountParameters::Kind;
  const auto said = [](auto change) { return refused<CountBlock>(counts(), change); };
  EXPECT_EQ(said([](auto& p) { p.terms.clear(); }),
            "a block of counts needs a term | give at least one");
  EXPECT_EQ(said([](auto& p) { p.terms[1] = "a"; }),
            "the block of counts has the level 'a' twice | give each level a name of its own");
  EXPECT_EQ(said([](auto& p) {
              p.text = "body";
              p.terms.push_back("c");
            }),
            "the text column 'body' has 2 probabilities per class, expected 3 | give one for each");
  EXPECT_EQ(said([](auto& p) { p.probabilities(0, 0) = 0.1; }),
            "the block of counts: the probabilities of class 1 sum to 0.7, not to 1 | give "
            "probabilities that sum to 1");
  EXPECT_EQ(said([](auto& p) {
              p.kind = Kind::bernoulli;
              p.probabilities(0, 0) = 1.5;
            }),
            "the block of counts has the probability 1.5 | a probability is a number from 0 to 1");
  EXPECT_EQ(said([](auto& p) { p.lengths = {7}; }),
            "1 count for 2 classes | give one each, or none");
  EXPECT_EQ(said([](auto& p) {
              p.counts = {7, HUGE_VAL};
            }),
            "a class has the count inf | counts are numbers >= 0");
}

TEST(Model, OfMixedBlocksCountsEverything) {
  const Table table = testing::mixed_table(60, 1);
  const Model model = fit(table, lda()).model;
  ASSERT_EQ(model.blocks().size(), 5U);  // Gaussian, bernoulli, categorical, counts, text
  const auto count = model.free_parameters();
  EXPECT_EQ(count.priors, 2);
  EXPECT_EQ(count.means, 3 * 2);
  EXPECT_EQ(count.covariances, 3);
  const Index colours = 3, grades = 4, words = 7;
  EXPECT_EQ(count.probabilities, 3 * (1 + (colours - 1) + (grades - 1) + 1 + (words - 1)));
  EXPECT_EQ(count.total(), 2 + 6 + 3 + count.probabilities);
  EXPECT_EQ(model.features().size(), table.columns.size());
}

TEST(Model, RefusesBlocksThatShareAColumnOrDisagree) {
  EXPECT_EQ(
      error_of([] {
        Model m({"k", "l"}, Prior({1, 1}), {CategoricalBlock(categorical()), JointBlock(joint())});
      }),
      "the feature 'a' occurs twice | give each feature its own name");
  EXPECT_EQ(error_of([] { Model m({"k"}, Prior({1}), {CountBlock(counts())}); }),
            "1 class, but the block has 2 | give every class its prior and its density");
}

TEST(Model, KnowsHowItsTextsBecomeTerms) {
  CountParameters text = counts();
  text.text = "body";
  text.text_options.words = {1, 3};
  const Model model({"k", "l"}, Prior({1, 1}), {CountBlock(text)});
  EXPECT_EQ(model.text_options(), text.text_options);
  EXPECT_EQ(Model({"k", "l"}, Prior({1, 1}), {CountBlock(counts())}).text_options(), TextOptions{});
  text.counts = {4, 5};
  EXPECT_EQ(Model({"k", "l"}, Prior({1, 1}), {CountBlock(text)}).counts(), (Vector{4, 5}));
}

}  // namespace
}  // namespace genera::discrete_blocks_test
