// Rows in partitions that never meet: only bytes pass between them.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <genera/em.hpp>
#include <genera/fit.hpp>
#include <genera/io.hpp>

#include "fit/em/divided_tables.hpp"
#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::partitions_test {
namespace {

using namespace partitioned;
using testing::Cells;
using testing::error_of;

/// Ends of the partitions: of seven the first has one class, and the third no row.
std::vector<std::size_t> ends(std::size_t rows, int partitions) {
  if (partitions == 1) return {rows};
  if (partitions == 2) return {rows / 3, rows};
  return {25, 60, 60, rows / 4, rows / 2, rows - 50, rows};
}

std::vector<Table> divided(const Text& text, int partitions) {
  std::vector<Table> parts;
  std::size_t begin = 0;
  for (const std::size_t end : ends(text.rows.size(), partitions)) {
    parts.push_back(text.table(begin, end));
    begin = end;
  }
  return parts;
}

/// Owns the rows of one partition and nothing else.
class Worker {
 public:
  Worker(Table table, const Recipe& recipe, const FitOptions& options, int threads)
      : table_(std::make_unique<Table>(std::move(table))),
        recipe_(recipe),
        options_(options),
        control_{.threads = threads} {}

  [[nodiscard]] std::string statistics() const {
    Statistics statistics(StatisticsSchema{.scatter = scatter_needed(recipe_)});
    statistics.add(*table_, control_);
    return to_bytes(statistics);
  }
  [[nodiscard]] std::string observed() const {
    return to_bytes(observe(*table_, recipe_, options_, control_), Format::cbor);
  }
  std::string prepare(const std::string& observed) {
    const EmPlan plan(observed_from_bytes(observed), recipe_, options_);
    rows_ = std::make_unique<EmRows>(plan, *table_, control_);
    return to_bytes(rows_->complete());
  }
  [[nodiscard]] std::string expect(const std::string& model) const {
    return to_bytes(rows_->expect(model_from_bytes(model)), Format::cbor);
  }
  [[nodiscard]] std::string patterns(const std::string& model) const {
    return to_bytes(rows_->patterns(model_from_bytes(model)));
  }

 private:
  std::unique_ptr<Table> table_;
  Recipe recipe_;
  FitOptions options_;
  Control control_;
  std::unique_ptr<EmRows> rows_;
};

struct Problem {
  std::string name;
  Text text;
  std::vector<Recipe> recipes;
  FitOptions options{};
};

std::vector<Worker> workers_of(const Problem& problem, const Recipe& recipe, int partitions,
                               int threads = 1) {
  std::vector<Worker> workers;
  for (Table& table : divided(problem.text, partitions))
    workers.emplace_back(std::move(table), recipe, problem.options, threads);
  return workers;
}

/// Drives EM over workers that have made nothing yet.
Fitted<Model> driven(std::vector<Worker> workers, const Recipe& recipe, const FitOptions& options,
                     int threads = 1) {
  ObservedStatistics observed;
  for (const Worker& worker : workers) observed.merge(observed_from_bytes(worker.observed()));
  const std::string statistics = to_bytes(observed);
  const EmPlan plan(observed, recipe, options);
  ExpectedSums complete;
  for (Worker& worker : workers)
    complete.merge(expected_sums_from_bytes(worker.prepare(statistics), plan));
  Em em(plan, std::move(complete), {.threads = threads});
  while (!em.done()) {
    const std::string model = to_bytes(em.model(), Format::cbor);
    ExpectedSums expected;
    for (const Worker& worker : workers)
      expected.merge(expected_sums_from_bytes(worker.expect(model), plan));
    em.accept(std::move(expected));
  }
  PatternSums patterns;
  const std::string model = to_bytes(em.model());
  for (const Worker& worker : workers)
    patterns.merge(pattern_sums_from_bytes(worker.patterns(model), plan));
  return em.result(patterns);
}

Fitted<Model> driven(const Problem& problem, const Recipe& recipe, int partitions,
                     int threads = 1) {
  return driven(workers_of(problem, recipe, partitions, threads), recipe, problem.options, threads);
}

Model merged(const Problem& problem, const Recipe& recipe, int partitions) {
  Statistics statistics;
  for (const Worker& worker : workers_of(problem, recipe, partitions))
    statistics.merge(statistics_from_bytes(worker.statistics()));
  return estimate(statistics, recipe).model;
}

void expect_near(const Matrix& found, const Matrix& expected, double tolerance) {
  EXPECT_LE(testing::largest_difference(found, expected), tolerance);
}

/// Means and covariances in units of the covariance.
void expect_near(const GaussianParameters& found, const GaussianParameters& expected,
                 double tolerance) {
  const Index d = expected.means.columns();
  for (Index k = 0; k < expected.means.rows(); ++k) {
    const auto at = [&](const std::vector<Matrix>& all) -> const Matrix& {
      return all[all.size() == 1 ? 0 : static_cast<std::size_t>(k)];
    };
    const bool full = !expected.covariances.empty();
    const Index row = expected.variances.rows() == 1 ? 0 : k;
    const auto variance = [&](const GaussianParameters& p, Index i, Index j) {
      if (full) return at(p.covariances)(i, j);
      return i == j ? p.variances(row, j) : 0.0;
    };
    for (Index j = 0; j < d; ++j) {
      const double sd = std::sqrt(variance(expected, j, j));
      EXPECT_NEAR((found.means(k, j) - expected.means(k, j)) +
                      (found.mean_low(k, j) - expected.mean_low(k, j)),
                  0, tolerance * sd);
      for (Index i = 0; i < d; ++i)
        EXPECT_NEAR(variance(found, i, j), variance(expected, i, j),
                    tolerance * sd * std::sqrt(variance(expected, i, i)));
    }
  }
  ASSERT_EQ(found.effective_counts.empty(), expected.effective_counts.empty());
  if (!expected.effective_counts.empty())
    expect_near(found.effective_counts, expected.effective_counts, 1e3 * tolerance);
}

void expect_near(const Block& found, const Block& expected, double tolerance) {
  ASSERT_EQ(found.index(), expected.index());
  if (const auto* gaussian = std::get_if<GaussianBlock>(&expected))
    expect_near(std::get<GaussianBlock>(found).parameters(), gaussian->parameters(), tolerance);
  if (const auto* counts = std::get_if<CountBlock>(&expected)) {
    EXPECT_EQ(std::get<CountBlock>(found).parameters().terms, counts->parameters().terms);
    expect_near(std::get<CountBlock>(found).parameters().probabilities,
                counts->parameters().probabilities, tolerance);
  }
  if (const auto* poisson = std::get_if<PoissonBlock>(&expected))
    expect_near(std::get<PoissonBlock>(found).parameters().rates, poisson->parameters().rates,
                tolerance * 10);
  if (const auto* joint = std::get_if<JointBlock>(&expected))
    expect_near(std::get<JointBlock>(found).parameters().probabilities,
                joint->parameters().probabilities, tolerance);
  if (const auto* levels = std::get_if<CategoricalBlock>(&expected)) {
    const CategoricalParameters& other = std::get<CategoricalBlock>(found).parameters();
    ASSERT_EQ(other.levels, levels->parameters().levels);
    for (std::size_t j = 0; j < other.probabilities.size(); ++j)
      expect_near(other.probabilities[j], levels->parameters().probabilities[j], tolerance);
  }
}

void expect_near(const Model& found, const Model& expected, double tolerance) {
  ASSERT_EQ(found.classes(), expected.classes());
  ASSERT_EQ(found.features(), expected.features());
  for (std::size_t k = 0; k < expected.classes().size(); ++k)
    EXPECT_NEAR(found.prior().probabilities()[k], expected.prior().probabilities()[k], tolerance);
  ASSERT_EQ(found.blocks().size(), expected.blocks().size());
  for (std::size_t b = 0; b < expected.blocks().size(); ++b)
    expect_near(found.blocks()[b], expected.blocks()[b], tolerance);
}

std::vector<Recipe> few() { return {qda(), lda(), gaussian_naive_bayes()}; }

Recipe with_poisson() {
  Recipe recipe = lda();
  recipe.discrete.counts = CountModel::poisson;
  return recipe;
}

std::vector<Problem> complete_problems() {
  Text no_text = mixed(false);
  std::erase_if(no_text.columns, [](const Column& c) { return c.type == ColumnType::text; });
  for (Cells& row : no_text.rows) row.erase(row.begin() + 4);
  return {{"numbers", numbers(0, 0), testing::whole_family()},
          {"far from zero", numbers(1e8, 0), few()},
          {"weights", with_weights(numbers(0, 0)), few()},
          {"mixed", mixed(false), few()},
          {"mixed, Poisson", no_text, {with_poisson()}}};
}

std::vector<Problem> latent_problems() {
  const FitOptions with{.unlabelled_weight = 0.5};
  return {{"missing cells", numbers(0, 0.15), testing::whole_family()},
          {"missing labels", with_labels_missing(numbers(0, 0)), few(), with},
          {"labels left out", with_labels_missing(numbers(0, 0.1)), {lda()}},
          {"both", with_labels_missing(numbers(0, 0.15)), few(), with},
          {"far from zero", with_labels_missing(numbers(1e8, 0.15)), few(), with},
          {"weights", with_weights(with_labels_missing(numbers(0, 0.15))), few(), with},
          {"mixed", with_labels_missing(mixed(true)), {lda(), gaussian_naive_bayes()}, with},
          {"few complete rows", numbers(0, 0.7), {qda(), lda()}},
          {"joint", categories(), {joint()}}};
}

TEST(Partitions, OfCompleteRowsGiveTheModelOfAll) {
  for (const Problem& problem : complete_problems()) {
    for (const Recipe& recipe : problem.recipes) {
      const Model expected = fit(problem.text.table(), recipe).model;
      for (const int partitions : {1, 2, 7}) {
        SCOPED_TRACE(problem.name + ", partitions: " + std::to_string(partitions));
        expect_near(merged(problem, recipe, partitions), expected, 1e-12);
      }
    }
  }
}

TEST(Partitions, OfLatentRowsGiveTheModelOfAll) {
  for (const Problem& problem : latent_problems()) {
    for (const Recipe& recipe : problem.recipes) {
      const auto expected = fit(problem.text.table(), recipe, problem.options);
      for (const int partitions : {1, 2, 7}) {
        SCOPED_TRACE(problem.name + ", partitions: " + std::to_string(partitions));
        const auto found = driven(problem, recipe, partitions);
        expect_near(found.model, expected.model, 1e-8);
        EXPECT_EQ(found.report.outcome, expected.report.outcome);
        EXPECT_EQ(found.report.rows, expected.report.rows);
        EXPECT_EQ(found.report.missing_numbers, expected.report.missing_numbers);
        EXPECT_EQ(found.report.missing_cells, expected.report.missing_cells);
        EXPECT_EQ(found.report.unlabelled_rows, expected.report.unlabelled_rows);
        EXPECT_EQ(found.report.unlabelled_left_out, expected.report.unlabelled_left_out);
        EXPECT_EQ(found.report.weak_priors, expected.report.weak_priors);
        EXPECT_NEAR(found.report.em->log_likelihood, expected.report.em->log_likelihood,
                    1e-10 * std::abs(expected.report.em->log_likelihood));
      }
    }
  }
}

TEST(Partitions, OfASparseMatrixGiveTheModelOfAll) {
  const Matrix numbers = [] {
    Matrix x(90, 5);
    Rng rng(3);
    for (Index i = 0; i < 90; ++i)
      for (Index j = 0; j < 5; ++j)
        x(i, j) = rng.uniform() < 0.5
                      ? 0
                      : std::floor(1 + 4 * rng.uniform() + static_cast<double>((i % 2) * j));
    return x;
  }();
  const auto table = [&](Index begin, Index end) {
    Matrix some(end - begin, 5);
    std::vector<std::string> labels;
    for (Index i = begin; i < end; ++i) {
      std::ranges::copy(numbers.row(i), some.row(i - begin).begin());
      labels.emplace_back(i % 2 == 0 ? "a" : "b");
    }
    Table made = testing::sparse_table(some, labels);
    for (Index i = begin; i < end; ++i)
      if (i % 3 == 0) made.labels[static_cast<std::size_t>(i - begin)] = -1;
    return made;
  };
  const FitOptions options{.unlabelled_weight = 1};
  for (const Recipe& recipe : {gaussian_naive_bayes(), multinomial()}) {
    std::vector<Worker> workers;
    for (const auto& [begin, end] : {std::pair<Index, Index>{0, 4}, {4, 40}, {40, 90}})
      workers.emplace_back(table(begin, end), recipe, options, 1);
    const auto expected = fit(table(0, 90), recipe, options);
    const auto found = driven(std::move(workers), recipe, options);
    expect_near(found.model, expected.model, 1e-8);
    EXPECT_EQ(found.report.outcome, expected.report.outcome);
  }
  EXPECT_NE(error_of([&] {
              (void)observe(table(0, 90), qda(), options);
            }).find("full covariances of a sparse matrix"),
            std::string::npos);
}

/// A level that occurs only without a label is impossible in every class at first.
TEST(Partitions, WithImpossibleRowsGiveWhatAFitGives) {
  Problem problem{
      "impossible", {{{"u", ColumnType::categorical}}, {}}, {}, {.unlabelled_weight = 1}};
  for (int i = 0; i < 120; ++i)
    problem.text.rows.push_back({i == 100     ? "new"
                                 : i % 3 == 0 ? "x"
                                              : "y",
                                 i % 10 == 0  ? ""
                                 : i % 2 == 0 ? "k"
                                              : "l"});
  Recipe recipe;
  recipe.discrete.smoothing = 0;
  const auto outcome = [&](auto&& learn) {
    return error_of([&] { throw Error(Errc::bad_data, to_bytes(learn().model), ""); });
  };
  EXPECT_EQ(outcome([&] { return driven(problem, recipe, 1); }),
            outcome([&] { return fit(problem.text.table(), recipe, problem.options); }));
}

/// What travels as bytes loses nothing, and one loop over the rows is the same machine.
TEST(Partitions, OfOneHaveTheBitsOfAFit) {
  const FitOptions with{.unlabelled_weight = 0.5};
  for (const Recipe& recipe : few()) {
    const Problem problem{"both", with_labels_missing(mixed(true)), {}, with};
    const auto expected = fit(problem.text.table(), recipe, with);
    EXPECT_EQ(to_bytes(driven(problem, recipe, 1).model), to_bytes(expected.model));
  }
}

TEST(Partitions, GiveTheSameBitsInEveryRunAndOnAnyNumberOfThreads) {
  const Problem problem{"both", with_labels_missing(mixed(true)), {}, {.unlabelled_weight = 0.5}};
  const std::string once = to_bytes(driven(problem, lda(), 7).model);
  EXPECT_EQ(to_bytes(driven(problem, lda(), 7).model), once);
  EXPECT_EQ(to_bytes(driven(problem, lda(), 7, 3).model), once);
}

}  // namespace
}  // namespace genera::partitions_test
