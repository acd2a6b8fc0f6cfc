#include "io/document.hpp"

#include "io/support.hpp"
#include "support/discrete_tables.hpp"

#include <genera/fit.hpp>
#include <genera/query.hpp>

#include <cmath>

namespace genera::linear_file_test {
namespace {

using namespace test;
using testing::sparse_table;
using testing::table_of;

LinearModel logistic() {
  return {
      {"k", "l"},
      Prior({0.25, 0.75}),
      LogisticParameters{
          .features = {NumberFeatures{.columns = {"x", "y"}},
                       NumberFeatures{.columns = {"n"}, .type = ColumnType::count},
                       LevelFeatures{.column = "c", .levels = {"u", "v"}},
                       LevelFeatures{.column = "b", .levels = {"no"}, .type = ColumnType::binary},
                       TermFeatures{
                           .column = "t", .text_options = {.words = {1, 2}}, .terms = {"ham"}}},
          .intercepts = {1.0 / 3, -2},
          .coefficients = Matrix(2, 7, {1, 2, 3, 4, 5, 6, 0.1, 7, 8, 9, 10, 11, 12, -0.0}),
          .counts = {3, 4.5}},
      "answer",
      {"a note"}};
}

std::vector<LinearModel> all_models() {
  const Table texts = table_of({{"t", ColumnType::text}}, {{"ham ham", "k"}, {"eggs", "l"}});
  const Table sparse = sparse_table(Matrix(2, 3, {1, 0, 2, 0, 3, 0}), {"k", "l"});
  const Table numbers = table_of({{"x", ColumnType::numeric}, {"y", ColumnType::numeric}},
                                 {{"1", "4", "k"}, {"2", "3", "l"}, {"5", "0.5", "k"}});
  return {fit(texts, complement({.smoothing = 1.0 / 3})).model,
          fit(sparse, complement()).model,
          logistic(),
          fit(numbers, genera::logistic({.terms = LogisticTerms::squares})).model,
          fit(numbers, genera::logistic({.ridge = 0.1, .terms = LogisticTerms::quadratic})).model,
          fit(texts, genera::logistic()).model};
}

TEST(LinearModelFile, IsTheSameAfterSavingAndLoading) {
  const TemporaryFolder folder;
  for (const LinearModel& model : all_models()) {
    for (const std::string name : {"m.json", "m.cbor"}) {
      save(model, folder / name);
      EXPECT_EQ(load_classifier(folder / name), Classifier(model));
    }
    const Classifier loaded = classifier_from_bytes(to_bytes(model));
    EXPECT_EQ(to_bytes(loaded), to_bytes(model));
    EXPECT_EQ(std::get<LinearModel>(loaded).coefficients(), model.coefficients());
    save(loaded, folder / "again.json");
    EXPECT_EQ(read_text(folder / "again.json"), to_bytes(model));
  }
}

TEST(LinearModelFile, AClassifierMayBeAJointDistribution) {
  const Classifier loaded = load_classifier(specimen("v1_qda.json"));
  EXPECT_EQ(std::get<Model>(loaded), load_model(specimen("v1_qda.json")));
}

TEST(LinearModelFile, IsNotAModel) {
  EXPECT_EQ(refusal([] { (void)load_model(specimen("v1_complement_text.json")); }),
            "bad_model | " + specimen("v1_complement_text.json") +
                ": complement is a scorer, not a density | read it with load_classifier, or use "
                "model = multinomial");
}

/// Written when complement was a block of a joint distribution.
TEST(LinearModelFile, OldFilesOfCountsAnswerAsTheyDid) {
  const Classifier model = load_classifier(specimen("v1_complement_counts.json"));
  EXPECT_EQ(to_bytes(model), read_text(specimen("v1_complement_counts.json")));
  EXPECT_EQ(load_classifier(specimen("v1_complement_counts.cbor")), model);
  const Matrix x(5, 3, {0, 0, 0, 1, 1, 1, 5, NAN, 0, 0, 3, NAN, NAN, NAN, NAN});
  const Answers said = answers(model, x);
  EXPECT_EQ(said.labels, (std::vector<std::int32_t>{0, 0, 0, 0, 0}));
  EXPECT_EQ(said.missing, (MissingCells{.rows = 3, .cells = 5}));
  const Matrix expected(
      5, 3,
      {0.3333333333333333, 0.3333333333333333, 0.3333333333333333, 0.4571970819768968,
       0.1921967338515831, 0.35060618417152, 0.5964749300383203, 0.013554549365260432,
       0.3899705205964193, 0.6607300354611403, 0.04296149776384106, 0.2963084667750186,
       0.3333333333333333, 0.3333333333333333, 0.3333333333333333});
  for (Index i = 0; i < 5; ++i) {
    for (Index k = 0; k < 3; ++k) EXPECT_NEAR(said.posterior(i, k), expected(i, k), 1e-14);
  }
}

TEST(LinearModelFile, OldFilesOfTextsAndTheirStatisticsAnswerAsTheyDid) {
  const Classifier model = load_classifier(specimen("v1_complement_text.json"));
  EXPECT_EQ(to_bytes(model), read_text(specimen("v1_complement_text.json")));
  const Table asked =
      make_text_table("text", {"cash dinner", "unheard of", "noon noon report win", "now"}, {});
  EXPECT_EQ(predict(model, asked), (std::vector<std::int32_t>{0, 0, 2, 1}));
  const Matrix expected(
      4, 3,
      {0.5668243781327587, 0.31479833231835863, 0.11837728954888282, 0.3333333333333333,
       0.3333333333333333, 0.3333333333333333, 0.013370998342495307, 0.05681190252646316,
       0.9298170991310415, 0.3384615384615385, 0.3692307692307692, 0.2923076923076923});
  const Matrix found = posterior(model, asked);
  for (Index i = 0; i < 4; ++i) {
    for (Index k = 0; k < 3; ++k) EXPECT_NEAR(found(i, k), expected(i, k), 1e-14);
  }
  const LinearModel estimated = estimate(load_statistics(specimen("v1_statistics_of_words.json")),
                                         complement({.smoothing = 0.5}))
                                    .model;
  EXPECT_EQ(estimated.parameters(), std::get<LinearModel>(model).parameters());
}

struct Damage {
  std::string from, to, said;
};

void expect_refused(const std::string& good, const std::vector<Damage>& damages) {
  EXPECT_NO_THROW((void)classifier_from_bytes(good, "m"));
  for (const Damage& damage : damages) {
    const std::string said =
        refusal([&] { (void)classifier_from_bytes(edited(good, damage.from, damage.to), "m"); });
    EXPECT_TRUE(said.starts_with("bad_model | m: " + damage.said)) << said;
  }
}

const std::string head = R"({"format": "genera-model", "version": 1, )"
                         R"("classes": [{"name": "k"}, {"name": "l"}], "blocks": [{)";

TEST(LinearModelFile, RefusesAWrongComplement) {
  expect_refused(
      head + R"("type": "complement", "text": "t", "terms": ["a", "b"],
                "probabilities": [[0.5, 0.5], [0.9, 0.1]], "smoothing": 1}]})",
      {{"[0.9, 0.1]", "[1, 0]",
        "blocks[0]: the text column 't' has the probability 0, which complement cannot weigh"},
       {R"("smoothing": 1)", R"("smoothing": -1)",
        "'blocks[0].smoothing' is -1, expected at least"},
       {"smoothing", "smothing",
        "'blocks[0].smothing' is not a known key | did you mean 'smoothing'?"},
       {"complement", "complment",
        "'blocks[0].type' is 'complment', which is not a block of this version | did you mean "
        "'complement'"},
       {"}]}", R"(}, {"type": "joint"}]})",
        "complement is a scorer, not a density: it cannot be mixed with other columns | use model "
        "= multinomial, or leave the other columns out (features, drop)"}});
}

TEST(LinearModelFile, RefusesWrongCoefficients) {
  expect_refused(
      head + R"("type": "logistic", "parts": [{"columns": ["x"], "type": "numeric"},
                {"column": "c", "levels": ["u"]}, {"text": "t", "terms": ["ham"]}],
                "intercepts": [1, 2], "coefficients": [[1, 2, 3], [4, 5, 6]]}]})",
      {{"[1, 2, 3]", "[1, 2]", "'blocks[0].coefficients[0]' has 2 entries, expected 3"},
       {"[1, 2], ", "[1], ", "'blocks[0].intercepts' has 1 entry, expected 2"},
       {R"("numeric")", R"("binary")",
        "'blocks[0].parts[0].type' is 'binary', expected 'numeric' or 'count' | numbers are"},
       {R"("column": "c")", R"("column": "x")", "blocks[0]: the feature 'x' occurs twice"},
       {R"("text")", R"("texts")", "'blocks[0].parts[2].texts' is not a known key"}});
}

}  // namespace
}  // namespace genera::linear_file_test
