// What holds for a committee because of what holds for its members.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "support/problems.hpp"

namespace genera::committee_test {
namespace {

using testing::error_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Committee committee_of(const Table& table) {
  return Committee({{"gnb", 0.5, fit(table, gaussian_naive_bayes()).model},
                    {"lda", 0.3, fit(table, lda()).model.with_temperature(1.7)},
                    {"qda", 0.2, fit(table, qda()).model}});
}

Table problem() { return testing::random_table(90, 3, 3, 7); }

TEST(Committee, PosteriorsAreTheWeightedPoolOfTheMembers) {
  const Table table = testing::with_missing(problem(), 0.2, 3);
  const Committee committee = committee_of(problem());
  Matrix pooled(table.rows(), 3);
  for (const Committee::Member& member : committee.members()) {
    const Matrix own = posterior(member, table);
    for (Index i = 0; i < table.rows(); ++i)
      for (Index k = 0; k < 3; ++k) pooled(i, k) += member.weight * own(i, k);
  }
  const Answers all =
      answers(committee, table, {.posterior = true, .labels = true, .log_posterior = true});
  EXPECT_LT(testing::largest_difference(all.posterior, pooled), 1e-15);
  EXPECT_EQ(posterior(committee, table), all.posterior);
  EXPECT_EQ(predict(committee, table), all.labels);
  for (Index i = 0; i < table.rows(); ++i) {
    EXPECT_NEAR(std::accumulate(pooled.row(i).begin(), pooled.row(i).end(), 0.0), 1, 1e-14);
    for (Index k = 0; k < 3; ++k)
      EXPECT_NEAR(all.log_posterior(i, k), std::log(pooled(i, k)), 1e-12);
  }
}

TEST(Committee, TheDensityIsTheMixture) {
  const Table table = testing::with_missing(problem(), 0.2, 3);
  const Committee committee = committee_of(problem());
  const Vector found = log_density(committee, table);
  const Matrix joint = log_joint(committee, table);
  for (Index i = 0; i < table.rows(); ++i) {
    double density = 0, of_first = 0;
    const std::vector<Index> row{i};
    for (const Committee::Member& member : committee.members()) {
      const Model& model = std::get<Model>(member.model);
      density += member.weight * std::exp(log_density(model, testing::rows_of(table, row))[0]);
      of_first += member.weight * std::exp(log_joint(model, testing::rows_of(table, row))(0, 0));
    }
    EXPECT_NEAR(found[static_cast<std::size_t>(i)], std::log(density), 1e-12);
    EXPECT_NEAR(joint(i, 0), std::log(of_first), 1e-12);
  }
}

TEST(Committee, TheDensityOfOneColumnIntegratesToOne) {
  const Committee committee = committee_of(problem());
  constexpr Index points = 4000;
  Matrix grid(points, 3, nan);
  const double step = 60.0 / points;
  for (Index i = 0; i < points; ++i) grid(i, 1) = -30 + step * (static_cast<double>(i) + 0.5);
  double sum = 0;
  for (const double log : log_density(committee, grid)) sum += std::exp(log) * step;
  EXPECT_NEAR(sum, 1, 1e-6);
}

TEST(Committee, ThreadsAndSingleRowsGiveTheSameBits) {
  const Table table = testing::with_missing(problem(), 0.2, 3);
  const Committee committee = committee_of(problem());
  const Matrix all = posterior(committee, table);
  EXPECT_EQ(posterior(committee, table, {.threads = 3}), all);
  const Vector density = log_density(committee, table);
  Predictor predictor(committee), copy = predictor;
  Vector one(3);
  for (Index i = 0; i < table.rows(); ++i) {
    const auto row = table.numbers.row(i);
    const std::span<const double> cells(row.data(), row.size());
    EXPECT_EQ(predictor.predict(cells, one),
              predict(committee, table)[static_cast<std::size_t>(i)]);
    EXPECT_TRUE(std::ranges::equal(one, all.row(i)));
    EXPECT_EQ(copy.log_density(cells), density[static_cast<std::size_t>(i)]);
  }
}

TEST(Committee, RowsWithoutNamesHaveTheFeaturesInTheOrderOfTheCommittee) {
  const Table table = problem();
  Committee committee = committee_of(table).with_column_order({"x2", "x0", "x1"});
  std::vector<std::string> names;
  for (const Column& column : committee.features()) names.push_back(column.name);
  Matrix moved(table.rows(), 3);
  for (Index i = 0; i < table.rows(); ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const auto place = std::ranges::find(table.columns, names[j], &Column::name);
      moved(i, static_cast<Index>(j)) = table.numbers(i, place - table.columns.begin());
    }
  EXPECT_EQ(posterior(committee, moved), posterior(committee, table));
}

/// The same columns as numbers and as categories.
TEST(Committee, MembersMayReadAColumnAsNumbersOrAsCategories) {
  std::string text = "code,x,class\n";
  for (int i = 0; i < 60; ++i)
    text += std::to_string(i * 7 % 4) + "," + std::to_string((i * 13 % 11) * 0.5 + i % 2) +
            (i % 2 == 0 ? ",a\n" : ",b\n");
  const Table numbers = read_csv(Source::text(text, "rows"));
  Roles roles;
  roles.types.emplace_back("code", ColumnType::categorical);
  RowStream coded(Source::text(text, "rows"), {}, roles);
  const Table codes = read_rows(coded);
  const Model of_numbers = fit(numbers, lda()).model, of_codes = fit(codes, lda()).model;
  const Committee committee({{"numbers", 0.6, of_numbers}, {"codes", 0.4, of_codes}});
  EXPECT_EQ(committee.density_weights(), (Vector{1, 0}));
  EXPECT_EQ(committee.features()[0].type, ColumnType::numeric);
  const Matrix one = posterior(of_numbers, numbers), other = posterior(of_codes, codes),
               both = posterior(committee, numbers);
  Matrix by_place(60, 2);
  for (Index i = 0; i < 60; ++i) {
    for (Index k = 0; k < 2; ++k)
      EXPECT_NEAR(both(i, k), 0.6 * one(i, k) + 0.4 * other(i, k), 1e-14);
    std::ranges::copy(numbers.numbers.row(i), by_place.row(i).begin());
  }
  EXPECT_EQ(posterior(committee, by_place), both);
  Predictor predictor(committee);
  Vector row(2);
  EXPECT_GE(predictor.predict(std::span<const double>(by_place.row(5).data(), 2), row), 0);
  EXPECT_TRUE(std::ranges::equal(row, both.row(5)));
}

TEST(Committee, DrawsFollowTheDensity) {
  const Committee committee = committee_of(problem());
  constexpr Index rows = 40000;
  const Table drawn = sample(committee, rows, Rng(5));
  EXPECT_EQ(drawn.numbers, sample(committee, rows, Rng(5), {}, {.threads = 3}).numbers);
  EXPECT_EQ(sample(committee, 100, Rng(5), {.first = 50}).numbers(0, 0), drawn.numbers(50, 0));
  Vector counts(3);
  for (const std::int32_t label : drawn.labels)
    counts[static_cast<std::size_t>(label)] += 1.0 / rows;
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(counts[k], committee.prior().probabilities()[k], 0.01);
  // The mean of 1/p(x) over draws inside a box is its volume.
  const Vector density = log_density(committee, drawn);
  const auto inside = [&](Index i) {
    return std::ranges::all_of(drawn.numbers.row(i), [](double x) { return x > -1 && x < 2; });
  };
  double volume = 0;
  for (Index i = 0; i < rows; ++i)
    if (inside(i)) volume += std::exp(-density[static_cast<std::size_t>(i)]) / rows;
  EXPECT_NEAR(volume, 27, 2);
}

TEST(Committee, GivenValuesChangeTheWeightsOfTheMembers) {
  const Committee committee = committee_of(problem());
  constexpr Index rows = 30000;
  const Table drawn =
      sample(committee, rows, Rng(2), {.given = {{problem().columns[0].name, 1.5}}});
  Matrix asked(1, 3, nan);
  asked(0, 0) = 1.5;
  const Matrix joint = log_joint(committee, asked);
  const double total = log_density(committee, asked)[0];
  Vector counts(3);
  for (const std::int32_t label : drawn.labels)
    counts[static_cast<std::size_t>(label)] += 1.0 / rows;
  for (Index k = 0; k < 3; ++k)
    EXPECT_NEAR(counts[static_cast<std::size_t>(k)], std::exp(joint(0, k) - total), 0.015);
}

TEST(Committee, ImputesTheExpectationOfTheMixture) {
  const Committee committee = committee_of(problem());
  Table one = testing::rows_of(problem(), {4});
  one.labels = {-1};
  one.numbers(0, 1) = nan;
  const double found = impute(committee, one).table.numbers(0, 1);
  // By quadrature over the missing number.
  double mass = 0, mean = 0;
  constexpr Index points = 6000;
  Matrix grid(points, 3);
  for (Index i = 0; i < points; ++i) {
    std::ranges::copy(one.numbers.row(0), grid.row(i).begin());
    grid(i, 1) = -30 + 60.0 * (static_cast<double>(i) + 0.5) / points;
  }
  const Vector logs = log_density(committee, grid);
  for (Index i = 0; i < points; ++i) {
    mass += std::exp(logs[static_cast<std::size_t>(i)]);
    mean += std::exp(logs[static_cast<std::size_t>(i)]) * grid(i, 1);
  }
  EXPECT_NEAR(found, mean / mass, 1e-6);
  const Imputed drawn = impute_by_draw(committee, one, Rng(3));
  EXPECT_TRUE(std::isfinite(drawn.table.numbers(0, 1)));
}

TEST(Committee, TailsAreUniformOverItsOwnDraws) {
  const Committee committee = committee_of(problem());
  Table drawn = sample(committee, 2000, Rng(77));
  const OutlierTail tail(committee);
  for (const bool missing : {false, true}) {
    if (missing) drawn = testing::with_missing(drawn, 0.3, 5);
    Vector tails = tail(drawn, answers(committee, drawn));
    std::ranges::sort(tails);
    for (const double p : {0.05, 0.25, 0.5, 0.9})
      EXPECT_NEAR(tails[static_cast<std::size_t>(p * 2000)], p, 0.04);
  }
}

TEST(Committee, ExplanationsAddUp) {
  const Table table = problem();
  const Committee committee = committee_of(table);
  const Matrix logs = log_posterior(committee, table);
  const std::vector<Explanation> all = explain(committee, table, 2);
  for (std::size_t i = 0; i < all.size(); ++i) {
    double sum = all[i].base + all[i].rest;
    for (const Evidence& one : all[i].evidence) sum += one.log_odds;
    const auto row = static_cast<Index>(i);
    EXPECT_NEAR(sum, all[i].log_odds, 1e-10 * std::max(1.0, std::abs(sum)));
    EXPECT_NEAR(all[i].log_odds, logs(row, all[i].best) - logs(row, all[i].second), 1e-12);
    EXPECT_EQ(all[i].evidence.back().feature, "between models");
    EXPECT_EQ(all[i].evidence.size(), 3U);
  }
}

TEST(Committee, FilesKeepEveryBit) {
  const Table table = problem();
  Committee committee = committee_of(table)
                            .with_column_order({"x1", "x2", "x0"})
                            .with_notes({"a note"})
                            .with_label_type(LabelType::text)
                            .with_origin({.fingerprint = "abc"});
  for (const Format format : {Format::json, Format::cbor}) {
    const Classifier read = classifier_from_bytes(to_bytes(committee, format));
    EXPECT_EQ(std::get<Committee>(read), committee);
    EXPECT_EQ(to_bytes(read, format), to_bytes(committee, format));
    EXPECT_EQ(posterior(read, table), posterior(committee, table));
  }
  EXPECT_EQ(error_of([&] { (void)model_from_bytes(to_bytes(committee)); }),
            "model: a committee is several models, not one | read it with load_classifier");
}

TEST(Committee, LinearMembersHaveNoDensity) {
  const Table table = problem();
  const LinearModel softmax = fit(table, logistic()).model;
  const Model joint = fit(table, lda()).model;
  const Committee mixed({{"logistic", 0.5, softmax}, {"lda", 0.5, joint}});
  EXPECT_EQ(mixed.density_weights(), (Vector{0, 1}));
  EXPECT_EQ(log_density(mixed, table), log_density(joint, table));
  const Committee scorers({{"a", 0.5, softmax}, {"b", 0.5, softmax}});
  EXPECT_FALSE(scorers.has_density());
  EXPECT_EQ(error_of([&] { (void)log_density(scorers, table); }),
            "no member of the committee has a density | use a generative model");
  EXPECT_EQ(error_of([&] { (void)scorers.with_prior(Prior::uniform(3)); }),
            "the member 'a' contains the priors of its rows | leave the priors as they are, or fit "
            "one generative model");
}

TEST(Committee, PriorsChangeInEveryMember) {
  const Table table = problem();
  const Committee committee = committee_of(table);
  const Prior prior(Vector{0.2, 0.5, 0.3});
  const Committee changed = committee.with_prior(prior);
  EXPECT_EQ(changed.prior(), prior);
  for (std::size_t m = 0; m < 3; ++m)
    EXPECT_EQ(posterior(changed.members()[m], table),
              posterior(std::get<Model>(committee.members()[m].model).with_prior(prior), table));
}

TEST(Committee, RefusesWhatIsNotOne) {
  const Model model = fit(problem(), lda()).model;
  EXPECT_EQ(error_of([&] {
              (void)Committee({{"lda", 1, model}});
            }),
            "a committee of 1 member is not one | give at least two members, or use the one model");
  EXPECT_EQ(error_of([&] {
              (void)Committee({{"a", 0.5, model}, {"b", 0.4, model}});
            }),
            "the weights of a committee sum to 0.9 | give weights above 0 that sum to one");
  EXPECT_EQ(error_of([&] {
              (void)Committee({{"a", 1, model}, {"b", 0, model}});
            }),
            "the member 'b' has the weight 0 | give weights above 0 that sum to one");
  const Model other = fit(testing::random_table(60, 3, 2, 1), lda()).model;
  EXPECT_EQ(error_of([&] {
              (void)Committee({{"a", 0.5, model}, {"b", 0.5, other}});
            }),
            "the members 'a' and 'b' of a committee have other classes | fit all members to the "
            "same rows");
}

TEST(Committee, HasNoParametersOfItsOwn) {
  const Committee committee = committee_of(problem());
  const std::string remedy = " | ask one of its members, or fit a single model (model = best)";
  EXPECT_EQ(error_of([&] { (void)describe(committee); }),
            "a committee of several models has no parameters of its own" + remedy);
  EXPECT_EQ(error_of([&] { (void)boundaries(committee); }),
            "a committee of several models has no linear boundaries" + remedy);
  EXPECT_EQ(error_of([&] { (void)strongest_evidence(committee, 3); }),
            "a committee of several models has no strongest evidence of its own" + remedy);
  EXPECT_EQ(error_of([&] { (void)strongest_numbers(committee, 3); }),
            "a committee of several models has no strongest evidence of its own" + remedy);
  const Table table = problem();
  EXPECT_EQ(error_of([&] { (void)figure::canonical(committee, table); }),
            "a committee of several models has no plane of canonical variates" + remedy);
  EXPECT_EQ(error_of([&] { (void)figure::features(committee); }),
            "a committee of several models has no parameters to compare features by" + remedy);
}

TEST(Committee, FiguresShowThePool) {
  const Table table = problem();
  const Committee committee = committee_of(table);
  const Rows rows(table);
  const figure::Regions regions = figure::regions(committee, &rows);
  EXPECT_FALSE(regions.points.predictions.empty());
  EXPECT_EQ(regions.points.predictions, predict(committee, table));
  const figure::Line line = figure::line(committee, &rows);
  EXPECT_FALSE(line.frame.axes.empty());
}

TEST(Committee, EvaluatesLikeAModel) {
  const Table table = problem();
  const Committee committee = committee_of(table);
  const Evaluation found = evaluate(committee, table);
  const Matrix logs = log_posterior(committee, table);
  double loss = 0;
  for (Index i = 0; i < table.rows(); ++i)
    loss -= logs(i, table.labels[static_cast<std::size_t>(i)]) / static_cast<double>(table.rows());
  EXPECT_NEAR(found.log_loss(), loss, 1e-12);
}

}  // namespace
}  // namespace genera::committee_test
