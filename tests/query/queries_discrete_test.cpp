#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <genera/fit.hpp>
#include <genera/predictor.hpp>
#include <genera/query.hpp>

#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::discrete_query_test {
namespace {

using testing::all_combinations;
using testing::Cells;
using testing::cells_at;
using testing::columns_at;
using testing::error_of;
using testing::largest_log_difference;
using testing::mixed_columns;
using testing::mixed_rows;
using testing::mixed_table;
using testing::sparse_table;
using testing::table_of;

Recipe recipe_of(double smoothing, bool joint = false,
                 CountModel counts = CountModel::multinomial) {
  Recipe recipe = lda();
  recipe.discrete = {.smoothing = smoothing, .counts = counts, .joint = joint};
  return recipe;
}

Model model_of(const std::vector<std::size_t>& places, const Recipe& recipe, Index rows = 60) {
  return fit(table_of(columns_at(mixed_columns(), places), cells_at(mixed_rows(rows, 1), places)),
             recipe)
      .model;
}

/// sum over rows of exp(log joint), in each class.
Vector mass(const Matrix& log_joint) {
  Vector sums(static_cast<std::size_t>(log_joint.columns()));
  for (Index i = 0; i < log_joint.rows(); ++i) {
    for (Index k = 0; k < log_joint.columns(); ++k)
      sums[static_cast<std::size_t>(k)] += std::exp(log_joint(i, k));
  }
  return sums;
}

void expect_prior(const Matrix& log_joint, const Model& model) {
  const Vector sums = mass(log_joint);
  for (std::size_t k = 0; k < sums.size(); ++k)
    EXPECT_NEAR(sums[k], model.prior().probabilities()[k], 1e-13);
}

TEST(Outcomes, OfCategoriesHaveProbabilityOne) {
  const std::vector<std::size_t> places{1, 3, 6};
  const Table outcomes =
      table_of(columns_at(mixed_columns(), places),
               all_combinations({{"red", "green", "blue"}, {"no", "yes"}, {"1", "2", "10", "30"}}));
  for (const double smoothing : {0.0, 1.0}) {
    for (const bool joint : {false, true}) {
      const Model model = model_of(places, recipe_of(smoothing, joint));
      expect_prior(log_joint(model, outcomes), model);
    }
  }
}

TEST(Outcomes, OfWordsThatOccurOrNotHaveProbabilityOne) {
  const std::vector<Column> text{{"t", ColumnType::text}};
  const std::vector<Cells> rows{{"aa bb", "k"}, {"aa", "k"}, {"cc aa", "l"}, {"dd", "m"}};
  std::vector<Cells> outcomes =
      all_combinations({{"aa", "."}, {"bb", "."}, {"cc", "."}, {"dd", "."}});
  for (Cells& row : outcomes)
    row = {std::accumulate(row.begin(), row.end(), std::string(),
                           [](const std::string& a, const std::string& b) { return a + " " + b; }),
           ""};
  for (const double smoothing : {0.0, 0.5}) {
    const Model model =
        fit(table_of(text, rows), recipe_of(smoothing, false, CountModel::bernoulli)).model;
    expect_prior(log_joint(model, table_of(text, outcomes)), model);
  }
}

TEST(Outcomes, OfCountsOfOneLengthHaveProbabilityOne) {
  const std::vector<Column> columns{
      {"a", ColumnType::count}, {"b", ColumnType::count}, {"c", ColumnType::count}};
  const Table table = table_of(columns, {{"3", "0", "1", "k"}, {"1", "1", "9", "l"}});
  for (const double smoothing : {0.0, 1.0}) {
    const Model model = fit(table, recipe_of(smoothing)).model;
    for (const int length : {0, 1, 7}) {
      std::vector<Cells> outcomes;
      for (int a = 0; a <= length; ++a) {
        for (int b = 0; a + b <= length; ++b)
          outcomes.push_back(
              {std::to_string(a), std::to_string(b), std::to_string(length - a - b), ""});
      }
      expect_prior(log_joint(model, table_of(columns, outcomes)), model);
    }
  }
}

TEST(MissingCategory, IsTheSumOverItsLevels) {
  const std::vector<std::size_t> places{1, 3, 6};
  const auto columns = columns_at(mixed_columns(), places);
  const std::vector<Cells> levels{{"red", "green", "blue"}, {"no", "yes"}, {"1", "2", "10", "30"}};
  for (const bool joint : {false, true}) {
    const Model model = model_of(places, recipe_of(0.5, joint));
    for (std::size_t missing = 1; missing < 8; ++missing) {  // any set of the three columns
      std::vector<Cells> known{{"red"}, {"yes"}, {"10"}}, open = known;
      for (std::size_t j = 0; j < 3; ++j) {
        if ((missing >> j & 1U) == 0) continue;
        open[j] = {""};
        known[j] = levels[j];
      }
      const Vector sums = mass(log_joint(model, table_of(columns, all_combinations(known))));
      const Vector one = mass(log_joint(model, table_of(columns, all_combinations(open))));
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(sums[k], one[k], 1e-15);
    }
  }
}

TEST(UnseenCategory, IsTakenAsMissingAndCounted) {
  const std::vector<std::size_t> places{1, 3, 6};
  const auto columns = columns_at(mixed_columns(), places);
  const Table unseen = table_of(columns, {{"mauve", "yes", "1", ""}, {"red", "perhaps", "11", ""}});
  const Table missing = table_of(columns, {{"", "yes", "1", ""}, {"red", "", "", ""}});
  for (const bool joint : {false, true}) {
    const Model model = model_of(places, recipe_of(1, joint));
    EXPECT_EQ(log_joint(model, unseen), log_joint(model, missing));
    EXPECT_EQ(decide(model, unseen).unseen, 3);
    EXPECT_EQ(answers(model, unseen).unseen, 3);
    EXPECT_EQ(decide(model, missing).unseen, 0);
  }
  const Model naive = model_of(places, recipe_of(1));  // features: flag, colour, grade
  const Matrix numbers(2, 3, {7, 1.5, -1, NAN, NAN, NAN});
  const Matrix joint = log_joint(naive, numbers);
  for (Index k = 0; k < 3; ++k) EXPECT_EQ(joint(0, k), joint(1, k));
}

TEST(UnseenWord, IsLeftOutAndAMissingTextSaysNothing) {
  const Model model = model_of({4}, recipe_of(1));
  const std::vector<Column> text{{"words", ColumnType::text}};
  const Table rows = table_of(text, {{"free money", ""}, {"free money abracadabra", ""}, {"", ""}});
  const Matrix joint = log_joint(model, rows);
  for (Index k = 0; k < 3; ++k) {
    EXPECT_EQ(joint(0, k), joint(1, k));
    EXPECT_EQ(joint(2, k), model.prior().log()[static_cast<std::size_t>(k)]);
  }
}

RC_GTEST_PROP(Posterior, SumsToOneAndIsNeverNaN, (bool joint)) {
  const double smoothing = *rc::gen::element(0.0, 1e-300, 0.01, 1.0);
  const CountModel kind = *rc::gen::element(CountModel::multinomial, CountModel::bernoulli);
  const Model model =
      fit(mixed_table(*rc::gen::inRange<Index>(6, 30), 2), recipe_of(smoothing, joint, kind)).model;
  const Table asked = mixed_table(40, *rc::gen::inRange<std::uint64_t>(0, 1000));
  const Answers said = answers(model, asked);
  for (Index i = 0; i < asked.rows(); ++i) {
    double sum = 0;
    for (Index k = 0; k < 3; ++k) {
      RC_ASSERT(!std::isnan(said.log_joint(i, k)));
      RC_ASSERT(said.log_joint(i, k) < HUGE_VAL);
      sum += said.posterior(i, k);
    }
    RC_ASSERT(std::abs(sum - 1) < 1e-14);
    RC_ASSERT(!std::isnan(said.log_density[static_cast<std::size_t>(i)]));
  }
}

TEST(Impossible, RowsGetThePriorAndAreCounted) {
  const std::vector<Column> columns{{"c", ColumnType::categorical}, {"t", ColumnType::text}};
  const Table table = table_of(columns, {{"u", "ham", "k"}, {"u", "ham", "k"}, {"v", "eggs", "l"}});
  for (const CountModel kind : {CountModel::multinomial, CountModel::bernoulli}) {
    const Model model = fit(table, recipe_of(0, false, kind)).model;
    const Table odd = table_of(columns, {{"u", "eggs", ""}, {"u", "ham", ""}, {"v", "ham", ""}});
    const Answers said = answers(model, odd);
    EXPECT_EQ(said.impossible, 2);
    EXPECT_EQ(decide(model, odd).impossible, 2);
    EXPECT_EQ(said.log_joint(0, 0), -HUGE_VAL);
    EXPECT_EQ(said.log_density[2], -HUGE_VAL);
    EXPECT_EQ(said.posterior(0, 0), 2 / 3.0);
    EXPECT_EQ(said.posterior(1, 0), 1);
    EXPECT_EQ(said.labels, (std::vector<std::int32_t>{0, 0, 0}));
  }
}

TEST(MixedModel, IsTheProductOfItsBlocks) {
  const Table table = mixed_table(70, 3);
  for (const bool joint : {false, true}) {
    const Model mixed = fit(table, recipe_of(1, joint)).model;
    Matrix sum(table.rows(), 3);
    for (const Block& block : mixed.blocks()) {
      const Model alone(mixed.classes(), Prior::uniform(3), {block});
      const Matrix one = log_joint(alone, table);
      for (Index i = 0; i < sum.rows(); ++i) {
        for (Index k = 0; k < 3; ++k) sum(i, k) += one(i, k) - std::log(1 / 3.0);
      }
    }
    for (Index i = 0; i < sum.rows(); ++i) {
      for (Index k = 0; k < 3; ++k) sum(i, k) += mixed.prior().log()[static_cast<std::size_t>(k)];
    }
    EXPECT_LT(largest_log_difference(log_joint(mixed, table), sum), 1e-12);
  }
}

TEST(MixedModel, EqualsModelsOfSeparateColumns) {
  const auto rows = mixed_rows(70, 3);
  const Model mixed = fit(mixed_table(70, 3), recipe_of(1)).model;
  Matrix sum(70, 3);
  const std::vector<std::vector<std::size_t>> parts{{0, 5}, {3}, {1, 6}, {2, 7}, {4}};
  for (const auto& places : parts) {
    const Table part = table_of(columns_at(mixed_columns(), places), cells_at(rows, places));
    const Matrix one = log_joint(fit(part, recipe_of(1)).model, part);
    for (Index i = 0; i < 70; ++i) {
      for (Index k = 0; k < 3; ++k)
        sum(i, k) += one(i, k) - (places.size() == 2 && places[0] == 0
                                      ? 0
                                      : mixed.prior().log()[static_cast<std::size_t>(k)]);
    }
  }
  EXPECT_LT(largest_log_difference(log_joint(mixed, mixed_table(70, 3)), sum), 1e-12);
}

TEST(MixedModel, OneRowABatchAndManyThreadsHaveTheSameBits) {
  const auto rows = mixed_rows(5000, 4);
  const Table table = table_of(mixed_columns(), rows);
  for (const Recipe& recipe :
       {recipe_of(0), recipe_of(1, true), recipe_of(1, false, CountModel::bernoulli)}) {
    const Model model =
        fit(table_of(mixed_columns(), {rows.begin(), rows.begin() + 50}), recipe).model;
    const Matrix joint = log_joint(model, table), p = posterior(model, table);
    const Vector density = log_density(model, table);
    EXPECT_EQ(log_joint(model, table, {.threads = 3}), joint);
    EXPECT_EQ(posterior(model, table, {.threads = 3}), p);
    EXPECT_EQ(log_density(model, table, {.threads = 3}), density);
    for (std::size_t i = 0; i < 5000; i += 97) {
      const Table one = table_of(mixed_columns(), {rows[i]});
      const auto row = static_cast<Index>(i);
      EXPECT_TRUE(std::equal(p.row(row).begin(), p.row(row).end(), posterior(model, one).data()));
      EXPECT_TRUE(
          std::equal(joint.row(row).begin(), joint.row(row).end(), log_joint(model, one).data()));
      EXPECT_EQ(log_density(model, one)[0], density[i]);
    }
  }
}

/// The features of the model in order, categories as the numbers of their levels.
Matrix as_numbers(const Model& model, const Table& table) {
  Matrix numbers(table.rows(), std::ssize(model.features()), NAN);
  const auto place_of = [&](const std::string& name, bool number) {
    Index place = 0;
    for (const Column& column : table.columns) {
      if (column.name == name) return place;
      const bool is_number = column.type == ColumnType::numeric || column.type == ColumnType::count;
      place += is_number == number;
    }
    return Index{-1};
  };
  Index feature = 0;
  for (const Block& block : model.blocks()) {
    const auto* levels = std::get_if<CategoricalBlock>(&block);
    const auto* joint = std::get_if<JointBlock>(&block);
    const auto features = std::visit([](const auto& b) { return b.features(); }, block);
    for (std::size_t j = 0; j < features.size(); ++j, ++feature) {
      const bool coded = levels || joint;
      const Index place = place_of(features[j].name, !coded);
      for (Index i = 0; i < table.rows(); ++i) {
        if (!coded) {
          numbers(i, feature) = table.numbers(i, place);
        } else if (const std::int32_t code = table.codes(i, place); code >= 0) {
          const Cells& known =
              levels ? levels->parameters().levels[j] : joint->parameters().levels[j];
          const auto& name =
              table.levels[static_cast<std::size_t>(place)][static_cast<std::size_t>(code)];
          numbers(i, feature) =
              static_cast<double>(std::find(known.begin(), known.end(), name) - known.begin());
        }
      }
    }
  }
  return numbers;
}

TEST(MixedModel, ThePredictorEqualsTheBatch) {
  const std::vector<std::size_t> places{0, 1, 2, 3, 5, 6, 7};  // no text
  const auto columns = columns_at(mixed_columns(), places);
  const Table table = table_of(columns, cells_at(mixed_rows(300, 6), places));
  for (const bool joint : {false, true}) {
    const Model model = model_of(places, recipe_of(1, joint));
    const Matrix numbers = as_numbers(model, table), p = posterior(model, table);
    EXPECT_EQ(posterior(model, numbers), p);
    EXPECT_EQ(log_joint(model, numbers), log_joint(model, table));
    const std::vector<std::int32_t> labels = predict(model, table);
    EXPECT_EQ(predict(model, numbers), labels);
    const Vector density = log_density(model, table);
    Predictor predictor(model);
    Vector one(3);
    for (Index i = 0; i < table.rows(); ++i) {
      EXPECT_EQ(predictor.predict(numbers.row(i), one), labels[static_cast<std::size_t>(i)]);
      EXPECT_TRUE(std::equal(one.begin(), one.end(), p.row(i).begin()));
      EXPECT_EQ(predictor.log_density(numbers.row(i)), density[static_cast<std::size_t>(i)]);
    }
  }
}

TEST(Counts, ThatAreNoneAreRefused) {
  const Model model = model_of({2, 7}, recipe_of(1));  // hits, misses
  const auto refusal = [&](double a, double b) {
    return error_of([&] { (void)log_joint(model, Matrix(2, 2, {1, 2, a, b})); });
  };
  EXPECT_EQ(refusal(0, -1),
            "row 2: 'misses' is -1, which is not a count | counts are numbers of at least 0");
  EXPECT_EQ(refusal(1e300, 0),
            "row 2: 'hits' is 1e+300, which is too large for a count | counts are numbers up to "
            "2^53");
  EXPECT_EQ(refusal(HUGE_VAL, 0), "row 2: 'hits' is infinite | replace the value");
  EXPECT_EQ(refusal(NAN, -1),
            "row 2: 'misses' is -1, which is not a count | counts are numbers of at least 0");
  EXPECT_EQ(refusal(0, 9e15), "no error");
  Predictor predictor(model);
  Vector p(3);
  EXPECT_EQ(predictor.predict(Vector{-2, 1}, p), -1);
  EXPECT_EQ(p, model.prior().probabilities());
  EXPECT_TRUE(std::isnan(predictor.log_density(Vector{-2, 1})));
}

TEST(Counts, ThatAreTooLargeToBeAddedUpAreRefused) {
  Recipe recipe = recipe_of(1);
  recipe.discrete.sparse_counts = true;
  EXPECT_EQ(error_of([&] {
              (void)fit(sparse_table(Matrix(2, 2, {1e308, 1e308, 3, 0}), {"k", "l"}), recipe);
            }),
            "the counts are too large to be added up | count in a larger unit, such as thousands");
}

TEST(Counts, OfSparseRowsThatAreNoneAreRefused) {
  Recipe recipe = recipe_of(1);
  recipe.discrete.sparse_counts = true;
  const Model model = fit(sparse_table(Matrix(2, 2, {1, 2, 3, 0}), {"k", "l"}), recipe).model;
  EXPECT_EQ(error_of([&] {
              (void)posterior(model, sparse_table(Matrix(2, 3, {1, 2, -9, 1, -4, 0}), {"k", "k"}));
            }),
            "row 2: '2' is -4, which is not a count | counts are numbers of at least 0");
}

TEST(Binding, NamesTheColumnThatIsNotThere) {
  const Model model = model_of({0, 1, 4, 5}, recipe_of(1));
  const auto refusal = [&](std::vector<Column> columns, const Cells& row) {
    return error_of([&] { (void)predict(model, table_of(columns, {row})); });
  };
  const auto columns = columns_at(mixed_columns(), {0, 1, 4, 5});
  const Cells row{"1", "red", "free", "2", ""};
  EXPECT_EQ(refusal(columns, row), "no error");
  auto renamed = columns;
  renamed[1].name = "color";
  EXPECT_EQ(refusal(renamed, row),
            "the table has no categorical column 'colour' | did you mean 'color'?");
  renamed = columns;
  renamed[2].name = "something else";
  EXPECT_EQ(refusal(renamed, row),
            "the table has no text column 'words' | the model needs all of its features");
  EXPECT_EQ(error_of([&] { Predictor predictor(model); }),
            "the feature 'words' is text, which has no place among numbers | ask with a table, as "
            "read_csv gives it");
  EXPECT_EQ(error_of([&] {
              (void)posterior(model_of({1, 3}, recipe_of(1)), Matrix(1, 3));
            }),
            "the rows have 3 columns, the model has 2 features | give the features of the model, "
            "in its order");
}

}  // namespace
}  // namespace genera::discrete_query_test
