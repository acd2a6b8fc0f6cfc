// The work of boxes, and whether their stated errors hold when work is short. References: laws of
// one common factor, whose integral over the factor is exact in any dimension.
#include <gtest/gtest.h>

#include <cmath>

#include <genera/error.hpp>
#include <genera/probability.hpp>

#include "kernel/log_sum.hpp"
#include "kernel/normal.hpp"

namespace genera::probability_work_test {
namespace {

/// 0 <= value <= 1 and an error that is a number, wherever the box lies.
void expect_probability(const ProbabilityEstimate& p) {
  EXPECT_TRUE(p.value >= 0 && p.value <= 1) << p.value;
  EXPECT_TRUE(p.log_value <= 0) << p.log_value;
  EXPECT_TRUE(p.error >= 0 && std::isfinite(p.error)) << p.error;
  EXPECT_TRUE(p.relative_error >= 0 && std::isfinite(p.relative_error)) << p.relative_error;
}

/// Gaussian classes with random means and covariances, some of which are nearly singular.
Model random_model(Index columns, Index classes, Rng& rng) {
  GaussianParameters p{.structure = Covariance::full, .means = Matrix(classes, columns)};
  for (Index j = 0; j < columns; ++j) p.columns.push_back("x" + std::to_string(j));
  std::vector<std::string> names;
  for (Index k = 0; k < classes; ++k) {
    names.push_back("k" + std::to_string(k));
    const double own = rng.uniform() < 0.3 ? 1e-6 : 0.5;
    Vector loadings;
    for (Index j = 0; j < columns; ++j) {
      p.means(k, j) = rng.normal();
      loadings.push_back(rng.normal());
    }
    Matrix& covariance = p.covariances.emplace_back(columns, columns);
    for (Index i = 0; i < columns; ++i) {
      for (Index j = 0; j < columns; ++j)
        covariance(i, j) =
            loadings[static_cast<std::size_t>(i)] * loadings[static_cast<std::size_t>(j)] +
            (i == j ? own : 0);
    }
  }
  const double share = 1.0 / static_cast<double>(classes);
  return {names, Prior(std::vector<double>(names.size(), share)), {GaussianBlock(p)}};
}

ProbabilityQuestion random_question(Index columns, Rng& rng) {
  ProbabilityQuestion question;
  const double far = rng.uniform() < 0.3 ? std::pow(10, 4 * rng.uniform()) : 1;
  for (Index j = 0; j < columns; ++j) {
    const double low = far * rng.normal() - 1.5, high = low - 3 * std::log(rng.uniform());
    question.between.push_back({"x" + std::to_string(j), rng.uniform() < 0.1 ? -HUGE_VAL : low,
                                rng.uniform() < 0.3 ? HUGE_VAL : high});
  }
  return question;
}

/// One class, whose components are the classes of another model.
Model mixture_of(const Model& classes) {
  const GaussianParameters& p = std::get<GaussianBlock>(classes.blocks().front()).parameters();
  const auto count = static_cast<std::size_t>(p.means.rows());
  return {{"all"},
          Prior({1}),
          {MixtureBlock({p, std::vector<Index>(count), classes.prior().probabilities(), {}})}};
}

/// Many components get few points each, or are bounded: the stated error covers a long run still.
TEST(ProbabilityWork, StatedErrorsCoverTheTruthOfManyComponents) {
  Rng rng(9);
  int inside = 0, count = 0;
  for (const Index components : {20, 150}) {
    const Model model = mixture_of(random_model(6, components, rng));
    for (int i = 0; i < 20; ++i) {
      ProbabilityQuestion question = random_question(6, rng);
      const ProbabilityEstimate usual = probability(model, question).all;
      question.precision = std::max(usual.error / 20, 1e-300);
      const ProbabilityEstimate precise = probability(model, question, Rng(2)).all;
      if (precise.error > usual.error / 4) continue;  // too close to judge
      ++count;
      inside += std::abs(precise.value - usual.value) <= usual.error + precise.error;
    }
  }
  EXPECT_GE(count, 20);
  EXPECT_GE(inside, count - 1);
}

/// Work goes where it serves the total: a class of small share gets the points it needs, no more.
TEST(ProbabilityWork, SpendsEvaluationsOnClassesThatMatter) {
  Rng rng(6);
  const Model even = random_model(6, 2, rng);
  const auto error_with_prior = [&](double first) {
    const Model model(even.classes(), Prior({first, 1 - first}), even.blocks());
    ProbabilityQuestion question;
    for (Index j = 0; j < 6; ++j) question.between.push_back({"x" + std::to_string(j), -1, 3});
    return probability(model, question).classes[0].estimate.relative_error;
  };
  EXPECT_LT(5 * error_with_prior(0.999), error_with_prior(1e-9));
}

TEST(ProbabilityWork, ReachesThePrecisionAskedFor) {
  Rng rng(7);
  for (const Index columns : {3, 6}) {
    const Model model = random_model(columns, 2, rng);
    ProbabilityQuestion question;
    for (Index j = 0; j < columns; ++j)
      question.between.push_back({"x" + std::to_string(j), -1.5, 2.5});
    const Probability usual = probability(model, question);
    question.precision = usual.all.error / 10;
    const Probability precise = probability(model, question);
    EXPECT_LE(precise.all.error, *question.precision);
    EXPECT_GT(precise.evaluations, usual.evaluations);
    EXPECT_NEAR(precise.all.value, usual.all.value, precise.all.error + usual.all.error);
    question.precision = 0.9;
    EXPECT_EQ(probability(model, question).all.value, usual.all.value);
  }
}

/// The law of time: a millisecond for any box, as work of about 10 ns an evaluation.
constexpr Index max_work = 80'000;

std::vector<std::string> names_of(Index count, const char* prefix) {
  std::vector<std::string> names;
  for (Index i = 0; i < count; ++i) names.push_back(prefix + std::to_string(i));
  return names;
}

/// Columns mean_j + loading_j f + e_j, with one f per row; loadings are shared by all classes.
struct OneFactor {
  GaussianParameters parameters{};
  Vector loadings{};

  /// P(box | component c), by the trapezoidal rule over f, whose error is far below 1e-9.
  [[nodiscard]] double log_exact(Index c, const ProbabilityQuestion& question) const {
    constexpr double step = 0.1, end = 9;
    Vector logs;
    for (double f = -end; f <= end; f += step) {
      double log = std::log(step) - 0.5 * f * f - 0.5 * kernel::log_two_pi;
      for (std::size_t j = 0; j < loadings.size(); ++j) {
        const double l = loadings[j], mean = parameters.means(c, static_cast<Index>(j)) + l * f;
        const double sd = std::sqrt(1 - l * l);
        const Between& own = question.between[j];
        log += kernel::log_normal_between((own.low - mean) / sd, (own.high - mean) / sd);
      }
      logs.push_back(log);
    }
    return kernel::log_sum(logs);
  }
};

OneFactor one_factor(Index columns, Index components, Covariance structure, Rng& rng) {
  OneFactor one{{.structure = structure,
                 .columns = names_of(columns, "x"),
                 .means = Matrix(components, columns)},
                {}};
  for (Index j = 0; j < columns; ++j) {
    one.loadings.push_back(1.6 * rng.uniform() - 0.8);
    for (Index c = 0; c < components; ++c) one.parameters.means(c, j) = 0.7 * rng.normal();
  }
  Matrix covariance(columns, columns);
  for (Index i = 0; i < columns; ++i) {
    for (Index j = 0; j < columns; ++j)
      covariance(i, j) = i == j ? 1
                                : one.loadings[static_cast<std::size_t>(i)] *
                                      one.loadings[static_cast<std::size_t>(j)];
  }
  const Index own = structure == Covariance::tied ? 1 : components;
  if (structure == Covariance::diag)
    one.parameters.variances = Matrix(components, columns, 1.0);
  else
    one.parameters.covariances.assign(static_cast<std::size_t>(own), covariance);
  return one;
}

Model classes_of(const GaussianParameters& parameters) {
  const Index classes = parameters.means.rows();
  return {names_of(classes, "k"),
          Prior(std::vector<double>(static_cast<std::size_t>(classes),
                                    1 / static_cast<double>(classes))),
          {GaussianBlock(parameters)}};
}

ProbabilityQuestion question_of(Index columns, double width, Rng& rng) {
  ProbabilityQuestion question;
  for (Index j = 0; j < columns; ++j) {
    const double low = 0.5 * rng.normal() - width;
    question.between.push_back({"x" + std::to_string(j), rng.uniform() < 0.1 ? -HUGE_VAL : low,
                                rng.uniform() < 0.2 ? HUGE_VAL : low + 2 * width});
  }
  return question;
}

TEST(ProbabilityWork, IsBoundedForEveryModel) {
  Rng rng(5);
  for (const Index columns : {1, 2, 3, 5, 10, 30, 100, 300}) {
    for (const Covariance structure : {Covariance::full, Covariance::tied, Covariance::diag}) {
      for (const Index count : {1, 2, 10, 100, 1000}) {
        if (structure == Covariance::full && count * columns * columns > 9'000'000) continue;
        const Model classes = classes_of(one_factor(columns, count, structure, rng).parameters);
        for (const Model& model : {classes, mixture_of(classes)}) {
          for (const double width : {0.01, 1.5, 5.0}) {
            const Probability found = probability(model, question_of(columns, width, rng));
            expect_probability(found.all);
            EXPECT_LE(found.evaluations, max_work) << columns << ' ' << count << ' ' << width;
          }
        }
      }
    }
  }
}

/// Nearly singular and random covariances, boxes far out.
TEST(ProbabilityWork, IsBoundedForRandomBoxes) {
  Rng rng(5);
  for (const Index columns : {2, 3, 4, 10, 30, 100}) {
    for (const Index classes : {1, 3, 10, 100}) {
      const Model model = random_model(columns, classes, rng);
      for (int i = 0; i < 5; ++i) {
        const Probability found = probability(model, random_question(columns, rng));
        expect_probability(found.all);
        EXPECT_LE(found.evaluations, max_work) << columns << ' ' << classes;
      }
    }
  }
}

/// Most classes and components are only bounded, and of 400 columns not all are integrated.
TEST(ProbabilityWork, StatedErrorsCoverTheTruthOfAnyModel) {
  Rng rng(8);
  int inside = 0, count = 0;
  for (const Index columns : {2, 3, 5, 12, 40, 400}) {
    for (const Index components : {1, 30, 1000}) {
      if (columns * components > 12'000) continue;
      const OneFactor one = one_factor(columns, components, Covariance::tied, rng);
      const Model classes = classes_of(one.parameters);
      for (const double width : {0.3, 1.5, 4.0}) {
        const ProbabilityQuestion question = question_of(columns, width, rng);
        Vector logs;
        for (Index c = 0; c < components; ++c) logs.push_back(one.log_exact(c, question));
        const double log_exact = kernel::log_sum(logs) - std::log(static_cast<double>(components));
        const Probability found = probability(classes, question);
        for (Index c = 0; c < components; ++c, ++count) {
          const ProbabilityEstimate& own = found.classes[static_cast<std::size_t>(c)].estimate;
          const double exact = std::exp(logs[static_cast<std::size_t>(c)]);
          inside += std::abs(own.value - exact) <= own.error + 1e-9 * exact + 1e-300;
        }
        for (const ProbabilityEstimate& all :
             {found.all, probability(mixture_of(classes), question).all}) {
          EXPECT_LE(std::abs(all.value - std::exp(log_exact)),
                    all.error + 1e-9 * std::exp(log_exact) + 1e-300)
              << columns << ' ' << components << ' ' << width;
        }
      }
    }
  }
  EXPECT_GE(inside, 0.99 * count);
}

TEST(ProbabilityWork, ThreadsChangeNoBit) {
  Rng rng(9);
  const Model model = classes_of(one_factor(20, 100, Covariance::full, rng).parameters);
  const ProbabilityQuestion question = question_of(20, 2, rng);
  const Probability one = probability(model, question, Rng(1), {.threads = 1});
  const Probability four = probability(model, question, Rng(1), {.threads = 4});
  EXPECT_EQ(one.all.log_value, four.all.log_value);
  EXPECT_EQ(one.all.error, four.all.error);
  EXPECT_EQ(one.evaluations, four.evaluations);
}

TEST(ProbabilityWork, AnyBoxOfAnyModelIsAnswered) {
  Rng rng(10);
  const auto model_of = [&](Index columns, Index count, Covariance structure) {
    return classes_of(one_factor(columns, count, structure, rng).parameters);
  };
  for (const Covariance structure : {Covariance::full, Covariance::tied, Covariance::diag}) {
    for (const Index columns : {1, 2, 3, 20}) {
      for (const Index count : {1, 200}) {
        const Model classes = model_of(columns, count, structure);
        for (const Model& model : {classes, mixture_of(classes)}) {
          for (const Between& hard : {Between{"x0", 1e300},
                                      {"x0", -1e300, 1e300},
                                      {"x0", -HUGE_VAL, -1e300},
                                      {"x0", 40, 41},
                                      {"x0", 0.5, 0.5},
                                      {"x0", 0.5, 0.5 + 1e-15},
                                      {"x0", -HUGE_VAL, HUGE_VAL},
                                      {"x0", 1e9, 2e9}}) {
            ProbabilityQuestion question = question_of(columns, 1.5, rng);
            question.between.front() = hard;
            const Probability found = probability(model, question);
            expect_probability(found.all);
            for (const Probability::OfClass& own : found.classes) expect_probability(own.estimate);
            if (columns == 1) continue;
            question.between.pop_back();
            question.given = {{"x" + std::to_string(columns - 1), 0.4}};
            expect_probability(probability(model, question).all);
          }
          EXPECT_THROW((void)probability(model, {.between = {{"x0", 2, 1}}}), Error);
        }
      }
    }
  }
}

}  // namespace
}  // namespace genera::probability_work_test
