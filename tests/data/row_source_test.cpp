// Rows in chunks: the same answers whether they come from a file, from memory or from a function.
#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "data/csv_support.hpp"
#include "support/problems.hpp"

namespace genera::row_source_test {
namespace {

using testing::caught;

/// Two chunks of a file: numbers, a category, labels and weights.
std::string csv_text(double missing, double unlabelled) {
  const Table table = testing::random_table(6000, 3, 3, 11);
  Rng rng(5);
  std::string text = "x,y,z,kind,class\n";
  for (Index i = 0; i < table.rows(); ++i) {
    for (const double value : table.numbers.row(i))
      text += (rng.uniform() < missing ? std::string() : std::to_string(value)) + ",";
    text += (i % 3 == 0 ? "u," : "v,");
    if (rng.uniform() >= unlabelled)
      text += "c" + std::to_string(table.labels[static_cast<std::size_t>(i)]);
    text += "\n";
  }
  return text;
}

std::vector<Table> chunks_of(RowSource& rows) {
  return rows.reduce(
      {}, [] { return std::vector<Table>(); }, [](Table&& chunk) { return std::move(chunk); },
      [](std::vector<Table>& all, Table&& chunk) { all.push_back(std::move(chunk)); });
}

/// Gives out copies of chunks.
class Function {
 public:
  explicit Function(std::vector<Table> chunks) : chunks_(std::move(chunks)) {}

  CallbackRows rows(bool restartable = true) {
    CallbackOptions options{.restart = {}, .name = "sensor"};
    if (restartable) options.restart = [this] { next_ = 0; };
    next_ = 0;
    return CallbackRows([this] { return next(); }, options);
  }
  [[nodiscard]] std::size_t calls() const { return calls_; }

 private:
  std::optional<RowChunk> next() {
    ++calls_;
    if (next_ == chunks_.size()) return std::nullopt;
    return chunks_[next_++];
  }

  std::vector<Table> chunks_;
  std::size_t next_ = 0, calls_ = 0;
};

/// One set of rows in all three forms.
struct Forms {
  explicit Forms(std::string csv)
      : text(std::move(csv)),
        file(Source::text(text, "rows.csv"), {}, Roles{}),
        table(read_rows(file)),
        function(chunks_of(file)) {}

  std::string text;
  RowStream file;
  Table table;
  Function function;
};

Classifier unnoted(const Classifier& model) {
  return std::visit([](const auto& known) { return Classifier(known.with_notes({})); }, model);
}

/// Scores of all rows, which depend on every parameter.
Matrix scores(const Classifier& model, const Table& table) {
  constexpr WantedAnswers wanted{.log_joint = true};
  return answers(model, table, wanted).log_joint;
}

void expect_same_fits(Forms& forms, const AnyRecipe& recipe, const FitOptions& options = {}) {
  CallbackRows own = forms.function.rows();
  const Classifier from_file = fit(forms.file, recipe, options, {.threads = 2}).model;
  const Classifier from_memory = fit(forms.table, recipe, options, {.threads = 2}).model;
  const Classifier from_function = fit(own, recipe, options, {.threads = 2}).model;
  EXPECT_TRUE(unnoted(from_function) == unnoted(from_file));
  EXPECT_LT(
      testing::largest_difference(scores(from_memory, forms.table), scores(from_file, forms.table)),
      1e-9);
}

TEST(RowSources, GiveTheSameModels) {
  Forms forms(csv_text(0, 0));
  Recipe shrunk = qda();
  shrunk.gaussian.shrinkage = {Shrinkage::Kind::lw};
  for (const Recipe& recipe : {qda(), lda(), gaussian_naive_bayes(), rda(0.6, 0.3), shrunk})
    expect_same_fits(forms, recipe);
  expect_same_fits(forms, logistic());
}

TEST(RowSources, GiveTheSameModelsByEm) {
  Forms forms(csv_text(0.05, 0.2));
  expect_same_fits(forms, qda());
  expect_same_fits(forms, lda(), {.unlabelled_weight = 0.5});
  expect_same_fits(forms, qda(), {.missing = Missing::drop});
  Recipe mixtures = qda();
  mixtures.mixture = MixtureOptions{.components = {1, 2}};
  expect_same_fits(forms, mixtures, {.missing = Missing::drop});
}

TEST(RowSources, GiveTheSameStatistics) {
  Forms forms(csv_text(0.05, 0.1));
  CallbackRows own = forms.function.rows();
  const CollectOptions drop{.missing = Missing::drop};
  const Collected from_file = collect(forms.file, drop), from_function = collect(own, drop),
                  from_memory = collect(forms.table, drop);
  EXPECT_EQ(from_function.statistics, from_file.statistics);
  EXPECT_EQ(from_function.dropped_rows, from_file.dropped_rows);
  EXPECT_EQ(from_memory.dropped_rows, from_file.dropped_rows);
  for (std::size_t k = 0; k < 3; ++k) {
    const ClassStatistics& a = from_memory.statistics.classes()[k];
    const ClassStatistics& b = from_file.statistics.classes()[k];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.levels, b.levels);
    for (std::size_t j = 0; j < a.moments.mean.size(); ++j)
      EXPECT_NEAR(a.moments.mean[j], b.moments.mean[j], 1e-12);
  }
}

TEST(RowSources, GiveTheSameAnswers) {
  Forms forms(csv_text(0.01, 0));
  const Model model = fit(forms.table, lda()).model;
  CallbackRows own = forms.function.rows();
  const Evaluation from_file = evaluate(model, forms.file), from_function = evaluate(model, own),
                   from_memory = evaluate(model, forms.table);
  EXPECT_EQ(from_function.log_loss(), from_file.log_loss());
  EXPECT_EQ(from_memory.errors(), from_file.errors());
  EXPECT_NEAR(from_memory.log_loss(), from_file.log_loss(), 1e-12);
  const Vector prior = estimate_priors(model, forms.file).prior.probabilities();
  EXPECT_EQ(estimate_priors(model, own).prior.probabilities(), prior);
  EXPECT_EQ(estimate_priors(model, forms.table).prior.probabilities(), prior);
  EXPECT_EQ(estimate_priors(model, posterior(model, forms.table)).prior.probabilities(), prior);
  EXPECT_EQ(whole_number_columns(own), whole_number_columns(forms.table));
}

TEST(RowSources, GiveTheSameSample) {
  Forms forms(csv_text(0, 0.1));
  CallbackRows own = forms.function.rows();
  const Table from_file = read_sample(forms.file, 500).rows;
  EXPECT_EQ(read_sample(own, 500).rows.numbers, from_file.numbers);
  EXPECT_EQ(read_sample(forms.table, 500).rows.numbers, from_file.numbers);
}

TEST(RowSources, GiveTheSameChoiceOfAModel) {
  std::string text = "x,grade,class\n";
  Rng rng(3);
  for (int i = 0; i < 600; ++i) {
    const int grade = static_cast<int>(rng.uniform() * 4);
    const bool odd = (grade == 1 || grade == 3) != (rng.uniform() < 0.1);
    text += std::to_string(rng.uniform()) + "," + std::to_string(grade) + (odd ? ",a\n" : ",b\n");
  }
  Forms forms(text);
  for (const bool restartable : {true, false}) {
    CallbackRows own = forms.function.rows(restartable);
    const AutoFit from_file = fit_auto(forms.file), from_memory = fit_auto(forms.table),
                  from_function = fit_auto(own);
    EXPECT_FALSE(from_file.choice.types.empty());  // the grade is a category
    EXPECT_EQ(from_function.choice.name, from_file.choice.name);
    EXPECT_EQ(from_memory.choice.name, from_file.choice.name);
    EXPECT_EQ(from_function.choice.types, from_file.choice.types);
    EXPECT_TRUE(unnoted(from_function.fitted.model) == unnoted(from_memory.fitted.model));
  }
}

TEST(RowSources, LayOutSparseRowsAlike) {
  std::string text;
  Rng rng(2);
  for (int i = 0; i < 500; ++i) {
    text += i % 2 == 0 ? "a" : "b";
    for (int j = 1; j <= 4; ++j)
      if (rng.uniform() < 0.6)
        text += " " + std::to_string(j) + ":" + std::to_string(rng.uniform() + i % 2);
    text += "\n";
  }
  RowStream file(Source::text(text, "rows.svm"), {}, {});
  const Table table = read_rows(file);
  Function function({table});
  Recipe shrunk = qda();
  shrunk.gaussian.shrinkage = {Shrinkage::Kind::lw};
  for (const Recipe& recipe : {qda(), shrunk}) {
    for (const bool restartable : {true, false}) {
      CallbackRows own = function.rows(restartable);
      const Model expected = fit(table, recipe).model.with_notes({});
      EXPECT_EQ(fit(file, recipe).model.with_notes({}), expected);
      EXPECT_EQ(fit(own, recipe).model.with_notes({}), expected);
    }
  }
}

TEST(CallbackRows, ThatCannotRestartAreReadOnce) {
  Forms forms(csv_text(0, 0));
  CallbackRows once = forms.function.rows(false);
  EXPECT_EQ(once.passes(), Passes::one);
  EXPECT_EQ(fit(once, qda()).model.with_notes({}), fit(forms.file, qda()).model.with_notes({}));
  const auto error = caught([&] { static_cast<void>(fit(once, qda())); });
  EXPECT_EQ(error.what, "sensor: the rows can be read only once");
  EXPECT_EQ(error.code, Errc::bad_data);
}

TEST(CallbackRows, ThatCannotRestartAreKeptWhereRowsAreNeededAgain) {
  Forms forms(csv_text(0, 0));
  Recipe shrunk = qda();
  shrunk.gaussian.shrinkage = {Shrinkage::Kind::lw};
  CallbackRows again = forms.function.rows(false);
  EXPECT_EQ(fit(again, shrunk).model.with_notes({}), fit(forms.table, shrunk).model.with_notes({}));
}

TEST(CallbackRows, ThatCannotRestartAreRefusedWhenEmNeedsThem) {
  Forms forms(csv_text(0.1, 0));
  CallbackRows once = forms.function.rows(false);
  const auto error = caught([&] { static_cast<void>(fit(once, qda())); });
  EXPECT_EQ(error.what,
            "sensor: values or labels are missing, so that EM needs the rows again, but they can "
            "be read only once");
  EXPECT_EQ(error.code, Errc::bad_data);
  CallbackRows dropped = forms.function.rows(false);
  EXPECT_NO_THROW(static_cast<void>(fit(dropped, qda(), {.missing = Missing::drop})));
}

TEST(CallbackRows, WithMissingCellsAreMadeAtMostTwice) {
  Forms forms(csv_text(0.1, 0));
  CallbackRows own = forms.function.rows();
  const std::size_t before = forms.function.calls();
  static_cast<void>(fit(own, qda()));
  const std::size_t calls = forms.function.calls() - before;
  EXPECT_GE(calls, 3U);  // 2 chunks and the end, after a pass that ends early
  EXPECT_LE(calls, 5U);  // threads may have asked for the next chunk by then
}

TEST(CallbackRows, WhatTheFunctionThrowsComesOut) {
  Forms forms(csv_text(0, 0));
  for (const int threads : {1, 3}) {
    int calls = 0;
    CallbackRows broken([&]() -> std::optional<RowChunk> {
      if (++calls == 4) throw std::runtime_error("the line is dead");
      return forms.table;
    });
    EXPECT_THROW(static_cast<void>(fit(broken, qda(), {}, {.threads = threads})),
                 std::runtime_error);
    EXPECT_EQ(calls, 4);
  }
}

TEST(CallbackRows, EndEarlyWhenTheCallerWantsNoMore) {
  Forms forms(csv_text(0, 0));
  int calls = 0;
  CallbackRows endless([&]() -> std::optional<RowChunk> {
    ++calls;
    return forms.table;
  });
  const Control control{.threads = 2,
                        .progress = [](const Progress& at) { return at.done < 30000; }};
  EXPECT_EQ(caught([&] { static_cast<void>(fit(endless, qda(), {}, control)); }).code,
            Errc::stopped);
  EXPECT_LT(calls, 20);
}

TEST(CallbackRows, ThatAreEmptyAreRefusedAsAnEmptyFileIs) {
  const auto nothing = []() -> std::optional<RowChunk> { return std::nullopt; };
  const auto own = caught([&] { CallbackRows(nothing, {.restart = {}, .name = "rows.csv"}); });
  const auto file = caught([] { RowStream(Source::text("", "rows.csv"), {}, Roles{}); });
  EXPECT_EQ(own.what, file.what);
  EXPECT_EQ(own.code, file.code);
  // Columns without rows, as of a table.
  Table none = testing::rows_of(testing::random_table(50, 2, 2, 1), {});
  none.target = "class";
  Function function({none, none});
  CallbackRows without_rows = function.rows();
  EXPECT_EQ(caught([&] { static_cast<void>(collect(without_rows)); }).what,
            "there is no row to learn from");
}

TEST(CallbackRows, MustHaveTheSameColumns) {
  const Table first = make_table({"x", "y"}, Matrix(2, 2, {1, 2, 3, 4}), {"a", "b"});
  const Table other = make_table({"x", "z"}, Matrix(2, 2, {1, 2, 3, 4}), {"a", "b"});
  Function function({first, other});
  CallbackRows rows = function.rows();
  EXPECT_EQ(caught([&] { static_cast<void>(collect(rows)); }).what,
            "sensor: a chunk has other columns than the first one");
}

TEST(CallbackRows, MayBeginWithChunksWithoutRows) {
  const Table rows = testing::random_table(50, 2, 2, 1);
  Function function({testing::rows_of(rows, {}), rows, testing::rows_of(rows, {})});
  CallbackRows own = function.rows();
  EXPECT_EQ(collect(own).statistics, collect(rows).statistics);
}

TEST(CallbackRows, MayBeViewsThatOwnTheirData) {
  struct Chunk {
    explicit Chunk(Table rows) : table(std::move(rows)), view(Rows(table).data()) {}
    Table table;
    DataView view;
  };
  const Table rows = testing::random_table(50, 2, 2, 1);
  int made = 0;
  CallbackRows own([&]() -> std::optional<RowChunk> {
    if (made++ == 3) return std::nullopt;
    const auto chunk = std::make_shared<const Chunk>(rows);
    return Rows(std::shared_ptr<const DataView>(chunk, &chunk->view));
  });
  EXPECT_EQ(collect(own).statistics.weight(), 150);
}

TEST(RowChunk, IsATableOrAView) {
  const Table rows = testing::random_table(5, 2, 2, 1);
  EXPECT_EQ(RowChunk(rows).table().numbers, rows.numbers);
  const RowChunk view{Rows(rows), {.threads = 3}};
  EXPECT_EQ(view.rows().data().numbers.front().data, Rows(rows).data().numbers.front().data);
  EXPECT_EQ(view.control().threads, 3);
  EXPECT_EQ(RowChunk(Rows(rows).between(1, 3)).table().numbers.rows(), 2);
}

}  // namespace
}  // namespace genera::row_source_test
