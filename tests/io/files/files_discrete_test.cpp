#include "io/document.hpp"

#include "io/support.hpp"
#include "support/discrete_tables.hpp"

#include <genera/fit.hpp>
#include <genera/query.hpp>

#include <rapidcheck/gtest.h>

namespace genera::discrete_files_test {
namespace {

using namespace test;
using testing::Cells;
using testing::counted;
using testing::mixed_table;
using testing::sparse_table;
using testing::table_of;

Recipe recipe_of(CountModel counts = CountModel::multinomial, bool joint = false,
                 double smoothing = 1) {
  Recipe recipe = gaussian_naive_bayes();
  recipe.discrete = {
      .smoothing = smoothing, .counts = counts, .joint = joint, .sparse_counts = true};
  return recipe;
}

Table small_sparse() {
  Matrix x(3, 12);
  x(0, 0) = x(2, 11) = 1;
  x(0, 11) = 2;
  x(1, 2) = 3;
  return sparse_table(x, {"k", "l", "k"});
}

std::vector<Model> all_models() {
  const Table table = mixed_table(40, 1);
  std::vector<Model> models;
  for (const double smoothing : {0.0, 1.0 / 3}) {
    for (const bool joint : {false, true}) {
      for (const CountModel kind : {CountModel::multinomial, CountModel::bernoulli})
        models.push_back(fit(table, recipe_of(kind, joint, smoothing)).model);
    }
  }
  for (const CountModel kind : {CountModel::multinomial, CountModel::bernoulli})
    models.push_back(fit(small_sparse(), recipe_of(kind)).model);
  for (const double smoothing : {0.0, 1.0 / 3}) {
    const Table counts = table_of({{"u", ColumnType::count}, {"v", ColumnType::count}},
                                  {{"3", "1", "k"}, {"0", "", "k"}, {"1", "7", "l"}});
    models.push_back(fit(counts, recipe_of(CountModel::poisson, false, smoothing)).model);
  }
  CountParameters text{.text = "body \"quoted\"",
                       .text_options = {.chars = TextOptions::Lengths{2, 5}, .hash_bits = 12},
                       .terms = {"#1", "#2"},
                       .probabilities = Matrix(2, 2, {0.1, 0.9, 1.0 / 3, 2.0 / 3})};
  models.emplace_back(std::vector<std::string>{"a", "b"}, Prior({1, 2}),
                      std::vector<Block>{CountBlock(text)}, "t");
  return models;
}

TEST(DiscreteModelFile, IsTheSameAfterSavingAndLoading) {
  const TemporaryFolder folder;
  for (const Model& model : all_models()) {
    for (const std::string name : {"m.json", "m.cbor"}) {
      save(model, folder / name);
      EXPECT_EQ(load_model(folder / name), model);
    }
    EXPECT_EQ(model_from_bytes(to_bytes(model)), model);
  }
}

TEST(DiscreteModelFile, AnswersTheSameAfterLoading) {
  const Table table = mixed_table(40, 1);
  const Model model = fit(table, recipe_of(CountModel::bernoulli, true, 0)).model;
  const Model loaded = model_from_bytes(to_bytes(model));
  EXPECT_EQ(posterior(loaded, table), posterior(model, table));
  EXPECT_EQ(log_joint(loaded, table), log_joint(model, table));
}

std::vector<Statistics> all_statistics() {
  Table weighted = mixed_table(30, 2);
  for (Index i = 0; i < 30; ++i) weighted.weights.push_back(1.0 / static_cast<double>(3 + i));
  std::vector<Statistics> all{counted(weighted), counted(weighted, true), counted(small_sparse())};
  Table hashed = table_of({{"t", ColumnType::text}}, {{"some words", "k"}, {"", "l"}});
  hashed.sparse.front().text_options = {.words = {1, 2}, .hash_bits = 9};
  all.push_back(collect(hashed, {.scatter = Scatter::diagonal}).statistics);
  all.emplace_back(StatisticsSchema{.features = {{"c", ColumnType::categorical}}, .target = "t"});
  return all;
}

TEST(DiscreteStatisticsFile, IsTheSameAfterSavingAndLoading) {
  const TemporaryFolder folder;
  for (const Statistics& statistics : all_statistics()) {
    for (const std::string name : {"s.json", "s.cbor"}) {
      save(statistics, folder / name);
      EXPECT_EQ(load_statistics(folder / name), statistics);
      EXPECT_TRUE(looks_like_statistics(folder / name));
    }
  }
}

RC_GTEST_PROP(DiscreteStatisticsFile, MergedAndForgottenOnesLoadToo, (bool joint)) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
  Statistics statistics = counted(mixed_table(12, seed), joint);
  const Statistics more = counted(mixed_table(9, seed + 1), joint);
  statistics.merge(more);
  RC_ASSERT(io::to_statistics(io::to_document(statistics), "s") == statistics);
  (void)statistics.subtract(more);
  RC_ASSERT(io::to_statistics(io::to_document(statistics), "s") == statistics);
}

TEST(DiscreteStatisticsFile, OfCategoriesMergedAcrossKindsOfScatterLoads) {
  const Table table = table_of({{"c", ColumnType::categorical}}, {{"u", "k"}, {"v", "l"}});
  for (const auto& [a, b] :
       {std::pair{Scatter::full, Scatter::diagonal}, std::pair{Scatter::diagonal, Scatter::full}}) {
    Statistics s = collect(table, {.scatter = a}).statistics;
    s.merge(collect(table_of({{"c", ColumnType::categorical}}, {{"u", "new"}}), {.scatter = b})
                .statistics);
    EXPECT_EQ(io::to_statistics(io::to_document(s), "s"), s);
  }
}

struct Damage {
  std::string from, to, said;
};

template <class Read>
void expect_refused(const std::string& good, const std::vector<Damage>& damages, Read read) {
  EXPECT_EQ(refusal([&] { read(good); }), "nothing was refused");
  for (const Damage& damage : damages) {
    const std::string said = refusal([&] { read(edited(good, damage.from, damage.to)); });
    EXPECT_TRUE(said.starts_with("bad_model | m: " + damage.said)) << said;
  }
}

void read_model(const std::string& text) { (void)model_from_bytes(text, "m"); }

std::string model_of(const std::string& block) {
  return R"({"format": "genera-model", "version": 1, )"
         R"("classes": [{"name": "k"}, {"name": "l"}], "blocks": [{)" +
         block + "}]}";
}

TEST(DiscreteModelFile, RefusesWrongCategories) {
  expect_refused(
      model_of(R"("type": "categorical", "features": ["a", "b"], "levels": [["u", "v"], ["x", "y"]],
                  "probabilities": [[[0.5, 0.5], [1, 0]], [[0.2, 0.8], [0.3, 0.7]]],
                  "smoothing": 1, "counts": [3, 4])"),
      {{R"("b"])", R"("a"])", "'blocks[0].features' holds 'a' twice"},
       {R"("y")", R"("x")", "'blocks[0].levels[1]' holds 'x' twice"},
       {R"(["u", "v"], )", "", "'blocks[0].levels' has 1 entry, expected 2"},
       {R"(["u", "v"])", R"(["u"])", "'blocks[0].probabilities[0][0]' has 2 entries, expected 1"},
       {R"(["u", "v"])", R"("u")", "'blocks[0].levels[0]' is text, expected a list"},
       {"[0.5, 0.5], ", "", "'blocks[0].probabilities[0]' has 1 entry, expected 2"},
       {"[0.5, 0.5]", "[0.5, 0.6]",
        "blocks[0]: column 'a': the probabilities of class 1 sum to 1.1, not to 1 | give "},
       {"[1, 0]", "[1.5, -0.5]", "blocks[0]: column 'a' has the probability 1.5 | a probability"},
       {R"("smoothing": 1)", R"("smoothing": -1)",
        "'blocks[0].smoothing' is -1, expected at least"},
       {"smoothing", "smothing",
        "'blocks[0].smothing' is not a known key | did you mean 'smoothing'?"},
       {"[3, 4]", "[3, -4]", "blocks[0]: a class has the count -4 | counts are numbers >= 0"},
       {"[3, 4]", "[3]", "'blocks[0].counts' has 1 entry, expected 2"},
       {"categorical", "categoric",
        "'blocks[0].type' is 'categoric', which is not a block of this version | did you mean "
        "'categorical'"}},
      read_model);
}

TEST(DiscreteModelFile, RefusesWrongRates) {
  expect_refused(model_of(R"("type": "poisson", "features": ["a", "b"], "rates": [[0.5, 2], [0, 7]],
                  "smoothing": 1, "counts": [3, 4])"),
                 {{R"("b"])", R"("a"])", "'blocks[0].features' holds 'a' twice"},
                  {R"(["a", "b"])", "[]", "'blocks[0].rates[0]' has 2 entries, expected 0"},
                  {R"("rates")", R"("means")", "'blocks[0].means' is not a known key"},
                  {"[0.5, 2], ", "", "'blocks[0].rates' has 1 entry, expected 2"},
                  {"[0.5, 2]", "[0.5]", "'blocks[0].rates[0]' has 1 entry, expected 2"},
                  {"[0.5, 2]", "[-0.5, 2]", "blocks[0]: column 'a' has the rate -0.5"},
                  {"[0.5, 2]", "[0.5, 1e17]", "blocks[0]: column 'b' has the rate 1e+17"},
                  {R"("smoothing": 1)", R"("smoothing": -1)", "'blocks[0].smoothing' is -1"},
                  {"[3, 4]", "[3]", "'blocks[0].counts' has 1 entry, expected 2"}},
                 read_model);
}

TEST(DiscreteModelFile, RefusesAWrongJointTable) {
  std::string many = R"("levels": [)";
  for (int j = 0; j < 10; ++j) many += R"(["0", "1", "2", "3", "4", "5", "6", "7"], )";
  expect_refused(
      model_of(R"("type": "joint", "features": ["a", "b"], "levels": [["u", "v"], ["x"]],
                  "probabilities": [[0.5, 0.5], [1, 0]])"),
      {{R"(["x"])", R"(["x", "y"])", "'blocks[0].probabilities[0]' has 2 entries, expected 4"},
       {R"(["x"])", "[]", "'blocks[0].probabilities[0]' has 2 entries, expected 0"},
       {"[1, 0]", "[1, 0.1]",
        "blocks[0]: the joint table: the probabilities of class 2 sum to 1.1, not to 1"},
       {R"("features": ["a", "b"], "levels": [)",
        R"("features": ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b"], )" + many,
        "'blocks[0].levels' make 2.147e+09 cells | give fewer columns or levels"}},
      read_model);
}

TEST(DiscreteModelFile, RefusesWrongTerms) {
  expect_refused(
      model_of(R"("type": "multinomial", "text": "t", "cut": {"words": [1, 2], "hash_bits": 9},
                  "terms": ["a", "b"], "probabilities": [[0.5, 0.5], [1, 0]], "lengths": [2, 3])"),
      {{R"("b"])", R"("a"])", "'blocks[0].terms' holds 'a' twice"},
       {"[1, 0]", "[1, 0.2]",
        "blocks[0]: the text column 't': the probabilities of class 2 sum to 1.2, not to 1"},
       {"[2, 3]", "[2, -3]", "blocks[0]: a class has the count -3"},
       {"[2, 3]", "[2, 3, 4]", "'blocks[0].lengths' has 3 entries, expected 2"},
       {"[2, 3]", "[2, 1e15]",
        "blocks[0]: a row of the text column 't' has 1000000000000000 terms on average, expected "
        "0 to 1000000000 | use shorter texts"},
       {"[2, 3]", "[2, 1e300]", "blocks[0]: a row of the text column 't' has 1e+300 terms"},
       {"[1, 2]", "[1.5, 2]",
        "'blocks[0].cut.words' holds 1.5, expected a whole number | give the minimum "
        "and the maximum length of a term"},
       {"[1, 2]", "[1, 1e9]", "'blocks[0].cut.words' holds 1000000000, expected a whole number"},
       {"[1, 2]", "[0, 2]", "blocks[0].cut: terms of 0 to 2 words are not possible | give ngrams"},
       {R"("words": [1, 2])", R"("chars": [9, 3])",
        "blocks[0].cut: terms of 9 to 3 characters are not possible | give chars"},
       {R"("hash_bits": 9)", R"("hash_bits": 9.5)",
        "'blocks[0].cut.hash_bits' is 9.5, expected a whole number | give a number "
        "of bits"},
       {R"("hash_bits": 9)", R"("hash_bits": 99)",
        "blocks[0].cut: terms cannot be hashed to 99 bits | give hash_bits a number"},
       {"hash_bits", "hashbits",
        "'blocks[0].cut.hashbits' is not a known key | did you mean 'hash_bits'?"}},
      read_model);
}

TEST(DiscreteModelFile, RefusesCountsThatNoDoubleCanTellApart) {
  expect_refused(model_of(R"("type": "multinomial", "terms": ["a", "b"],
                             "probabilities": [[0.5, 0.5], [1, 0]], "lengths": [2, 1e15])"),
                 {{"1e15", "1e16",
                   "blocks[0]: a row of the block of counts has 1e+16 terms on average, expected 0 "
                   "to 9007199254740992 | use smaller counts"}},
                 read_model);
}

void read_statistics(const std::string& text) {
  const TemporaryFolder folder;
  write_text(folder / "m", text);
  try {
    (void)load_statistics(folder / "m");
  } catch (const Error& e) {
    throw Error(e.code(), edited(e.what(), folder / "m", "m"), e.hint());
  }
}

const std::string statistics_head =
    R"({"format": "genera-statistics", "version": 1, "target": "t", "scatter": "full",
        "columns": [], )";

std::string class_of(const std::string& sums) {
  return R"("classes": [{"name": "k", "rows": 2, "weight": 2, "mean": [], "mean_low": [],
                         "scatter": [], )" +
         sums + "}]}";
}

TEST(DiscreteStatisticsFile, RefusesWrongColumnsAndLevels) {
  expect_refused(
      statistics_head +
          R"("features": [{"name": "c", "type": "categorical"}, {"name": "n", "type": "count"}],
             "levels": [["u", "v"]], )" +
          class_of(R"("levels": [[1, 0.5]], "counts": [7])"),
      {{R"("count"})", R"("cuont"})",
        "'features[1].type' is 'cuont', which is not a type of a column | did you mean 'count'"},
       {R"("n")", R"("c")",
        "'features[1].name' is 'c', the name of another column | give each column a name of its "
        "own"},
       {R"("name": "n")", R"("name": "n", "kind": 1)", "'features[1].kind' is not a known key"},
       {R"("columns": [])", R"("columns": ["n"])",
        "'columns' are not the numeric ones of 'features' | collect the statistics again"},
       {R"(["u", "v"])", R"(["u", "u"])", "'levels[0]' holds 'u' twice"},
       {R"([["u", "v"]])", R"([["u", "v"], []])", "'levels' has 2 entries, expected 1"},
       {R"("levels": [["u", "v"]], )", "", "'levels' is missing"},
       {"[1, 0.5]", "[1, 0.5, 2]",
        "'classes[0].levels[0]' has 3 entries for 2 names | collect the statistics again"},
       {"[1, 0.5]", "[1, -0.5]",
        "'classes[0].levels[0]' holds -0.5, expected at least 0 | collect the statistics again"},
       {"[7]", "[7, 8]", "'classes[0].counts' has 2 entries, expected 1"},
       {"[7]", "[-7]",
        "'classes[0].counts' holds -7, expected at least 0 | collect the statistics again"},
       {"[7]", R"([7], "counts_observed": [1, 2])",
        "'classes[0].counts_observed' has 2 entries, expected 1"},
       {"[7]", R"([7], "counts_observed": [-1])",
        "'classes[0].counts_observed' holds -1, expected at least 0 | collect the statistics"},
       {"[7]", R"([7], "counts_observed": [2.5])",
        "'classes[0].counts_observed' holds 2.5, more than the weight 2 | collect the statistics"},
       {"\"full\"", "\"none\"", "'scatter' is 'none', expected 'full' or 'diagonal' | it says"}},
      read_statistics);
}

TEST(DiscreteStatisticsFile, RefusesJointLevelsOfOtherColumns) {
  expect_refused(
      statistics_head +
          R"("features": [{"name": "c", "type": "categorical"}, {"name": "d", "type": "binary"}],
             "joint": true, "levels": [["u\u001fno"]], )" +
          class_of(R"("levels": [[2]])"),
      {{R"(u\u001fno)", "u",
        "'levels' holds a level of 1 column, expected 2 | collect the statistics again"},
       {R"(u\u001fno)", R"(u\u001fno\u001f)", "'levels' holds a level of 3 columns, expected 2"},
       {"true", "1", "'joint' is a number, expected"}},
      read_statistics);
}

TEST(DiscreteStatisticsFile, RefusesWrongTerms) {
  expect_refused(
      statistics_head + R"("features": [], "svmlight": true, "terms": [["3", "12"]], )" +
          class_of(R"("terms": [{"weight": 2, "sums": [-1], "present": [2], "scatter": [0.5]}])"),
      {{R"("svmlight": true)", R"("svmlight": true, "entries": "words")",
        "'entries' is 'words', expected 'counts' | leave it out if the entries are any numbers"},
       {R"("12")", R"("3")", "'terms[0]' holds '3' twice"},
       {R"("sums": [-1])", R"("sums": [-1, 1])",
        "'classes[0].terms[0]' has lists of different lengths | collect the statistics again"},
       {R"(, "scatter": [0.5])", "", "'classes[0].terms[0]' has lists of different lengths"},
       {"[0.5]", "[-0.5]", "'classes[0].terms[0].scatter' holds -0.5, expected at least 0"},
       {R"("present": [2])", R"("present": [2, 1, 1])",
        "'classes[0].terms[0].present' has 3 entries for 2 names"},
       {R"("weight": 2, "sums")", R"("weight": -2, "sums")",
        "'classes[0].terms[0].weight' is -2, expected at least 0"},
       {R"("sums": [-1], )", "", "'classes[0].terms[0].sums' is missing"}},
      read_statistics);
}

TEST(DiscreteStatisticsFile, RefusesNegativeSumsOfWords) {
  expect_refused(
      statistics_head +
          R"("features": [{"name": "t1", "type": "text"}], "terms": [["ham"]],
             "cut": {"words": [1, 2]}, )" +
          class_of(R"("terms": [{"weight": 2, "sums": [1], "present": [1]}])"),
      {{R"("sums": [1])", R"("sums": [-1])", "'classes[0].terms[0].sums' holds -1, expected at"},
       {"[1, 2]", "[2, 1]", "cut: terms of 2 to 1 words are not possible"}},
      read_statistics);
}

}  // namespace
}  // namespace genera::discrete_files_test
