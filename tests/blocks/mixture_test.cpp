#include <gtest/gtest.h>

#include "support/mixtures.hpp"
#include "query/generate/draws.hpp"
#include "support/problems.hpp"

namespace genera::mixture_block_test {
namespace {

using testing::error_of;
using testing::small_mixture;
using testing::small_mixture_model;

Matrix grid() {
  Vector values;
  for (double x = -9; x <= 9; x += 0.75) {
    for (double y = -9; y <= 9; y += 0.75) values.insert(values.end(), {x, y});
  }
  const auto rows = static_cast<Index>(values.size() / 2);
  return {rows, 2, std::move(values)};
}

TEST(MixtureBlock, HasTheDensityOfThePlainFormula) {
  const Matrix points = grid();
  for (const Covariance covariance :
       {Covariance::full, Covariance::tied, Covariance::diag, Covariance::tied_diag}) {
    const MixtureBlock block(small_mixture(covariance));
    const Model model = small_mixture_model(covariance);
    const Matrix joint = log_joint(model, points);
    for (Index i = 0; i < points.rows(); ++i) {
      for (Index k = 0; k < 2; ++k) {
        const double plain = std::log(model.prior().probabilities()[static_cast<std::size_t>(k)] *
                                      testing::plain_density(block, k, points(i, 0), points(i, 1)));
        if (!std::isfinite(plain)) continue;
        EXPECT_NEAR(joint(i, k), plain, 1e-9 * (1 + std::abs(plain)));
      }
    }
  }
}

TEST(MixtureBlock, IntegratesToOne) {
  constexpr double step = 0.125;
  const MixtureBlock block(small_mixture());
  const Model model({"no", "yes"}, Prior({0.5, 0.5}), {block});
  Vector values;
  for (double x = -20; x <= 25; x += step)
    for (double y = -20; y <= 25; y += step) values.insert(values.end(), {x, y});
  const auto rows = static_cast<Index>(values.size() / 2);
  double sum = 0;
  for (const double value : log_density(model, Matrix(rows, 2, std::move(values))))
    sum += std::exp(value) * step * step;
  EXPECT_NEAR(sum, 1, 1e-9);
}

TEST(MixtureBlock, OfOneComponentIsTheGaussianBlock) {
  GaussianParameters p = small_mixture().components;
  const Model gaussian({"a", "b", "c", "d", "e"}, Prior({0.1, 0.2, 0.3, 0.3, 0.1}),
                       {GaussianBlock(p)});
  const Model mixture(gaussian.classes(), gaussian.prior(),
                      {MixtureBlock({p, {0, 1, 2, 3, 4}, Vector(5, 1.0), {}})});
  const Matrix points = grid();
  EXPECT_LT(testing::largest_difference(log_joint(gaussian, points), log_joint(mixture, points)),
            1e-10);
  EXPECT_EQ(mahalanobis(gaussian, points), mahalanobis(mixture, points));
  EXPECT_EQ(predict(gaussian, points), predict(mixture, points));
  EXPECT_EQ(gaussian.free_parameters().total(), mixture.free_parameters().total());
}

TEST(MixtureBlock, GivesOneRowABatchAndAnyThreadsTheSameBits) {
  const Matrix points = grid();
  const Model model = small_mixture_model();
  const Matrix all = log_joint(model, points);
  EXPECT_EQ(all, log_joint(model, points, {.threads = 3}));
  const Matrix posteriors = posterior(model, points);
  Predictor predictor(model);
  const std::vector<std::int32_t> labels = predict(model, points);
  for (Index i = 0; i < points.rows(); i += 7) {
    const Matrix one(1, 2, Vector{points(i, 0), points(i, 1)});
    const Matrix row = log_joint(model, one);
    EXPECT_EQ(row(0, 0), all(i, 0));
    EXPECT_EQ(row(0, 1), all(i, 1));
    Vector p(2);
    EXPECT_EQ(predictor.predict(points.row(i), p), labels[static_cast<std::size_t>(i)]);
    EXPECT_EQ(p[0], posteriors(i, 0));
  }
}

TEST(MixtureBlock, DistanceIsThatOfTheNearestComponent) {
  const MixtureBlock block(small_mixture());
  const Matrix points = grid();
  const Matrix distances = mahalanobis(small_mixture_model(), points);
  const Model components({"1", "2", "3", "4", "5"}, Prior::uniform(5), {block.components()});
  const Matrix each = mahalanobis(components, points);
  for (Index i = 0; i < points.rows(); ++i) {
    EXPECT_EQ(distances(i, 0), std::min(each(i, 0), each(i, 1)));
    EXPECT_EQ(distances(i, 1), std::min({each(i, 2), each(i, 3), each(i, 4)}));
  }
}

TEST(MixtureBlock, WorksBesideOtherBlocks) {
  GaussianParameters other;
  other.columns = {"c"};
  other.structure = Covariance::tied;
  other.means = Matrix(2, 1, Vector{1, 2});
  other.covariances = {Matrix(1, 1, Vector{4})};
  const MixtureBlock mixture(small_mixture());
  const Prior prior({0.25, 0.75});
  const Model both({"no", "yes"}, prior, {mixture, GaussianBlock(other)});
  const Model one({"no", "yes"}, Prior::uniform(2), {mixture});
  const Model two({"no", "yes"}, prior, {GaussianBlock(other)});
  const Matrix rows(2, 3, Vector{1, 2, 3, -1, 0.5, 8});
  const Matrix ab(2, 2, Vector{1, 2, -1, 0.5}), c(2, 1, Vector{3, 8});
  const Matrix p = posterior(both, rows);
  for (Index i = 0; i < 2; ++i) {
    Vector joint(2);
    for (Index k = 0; k < 2; ++k) {
      joint[static_cast<std::size_t>(k)] =
          log_joint(one, ab)(i, k) + std::log(2) + log_joint(two, c)(i, k);
      EXPECT_NEAR(log_joint(both, rows)(i, k), joint[static_cast<std::size_t>(k)], 1e-12);
      EXPECT_NEAR(mahalanobis(both, rows)(i, k),
                  mahalanobis(one, ab)(i, k) + mahalanobis(two, c)(i, k), 1e-12);
    }
    EXPECT_NEAR(p(i, 0), 1 / (1 + std::exp(joint[1] - joint[0])), 1e-12);
  }
}

TEST(MixtureBlock, DrawsHaveItsMoments) {
  const Model model = small_mixture_model();
  const auto& block = std::get<MixtureBlock>(model.blocks().front());
  const Table drawn = query::draw_rows(model, {0, 40000}, Rng(3));
  EXPECT_EQ(drawn.numbers, query::draw_rows(model, {0, 40000}, Rng(3), {.threads = 3}).numbers);
  for (std::int32_t k = 0; k < 2; ++k) {
    for (Index j = 0; j < 2; ++j) {
      double mean = 0, square = 0;  // of the mixture
      for (Index c = block.first(k); c < block.first(k + 1); ++c) {
        const double w = block.parameters().weights[static_cast<std::size_t>(c)];
        const double m = block.parameters().components.means(c, j);
        mean += w * m;
        square += w * (m * m + block.components().covariance(c)(j, j));
      }
      double n = 0, sum = 0, squares = 0;
      for (Index i = 0; i < drawn.rows(); ++i) {
        if (drawn.labels[static_cast<std::size_t>(i)] != k) continue;
        n += 1;
        sum += drawn.numbers(i, j);
        squares += drawn.numbers(i, j) * drawn.numbers(i, j);
      }
      const double sd = std::sqrt(square - mean * mean);
      EXPECT_NEAR(sum / n, mean, 5 * sd / std::sqrt(n));
      EXPECT_NEAR(squares / n, square, 0.05 * square);
    }
  }
}

TEST(MixtureBlock, TailIsUniformForItsOwnRows) {
  const Model model = small_mixture_model();
  const OutlierTail tail(model);
  const Table fresh = query::draw_rows(model, {0, 4000}, Rng(99));
  const Vector tails = tail(mahalanobis(model, fresh), log_density(model, fresh));
  for (const double p : {0.01, 0.1, 0.5, 0.9}) {
    const auto below = std::count_if(tails.begin(), tails.end(), [&](double t) { return t <= p; });
    EXPECT_NEAR(static_cast<double>(below) / 4000, p, 5 * std::sqrt(p * (1 - p) / 4000));
  }
}

TEST(MixtureBlock, IsExplainedByOneShare) {
  const Model model = small_mixture_model();
  const Table table = make_table({"b", "a"}, Matrix(2, 2, Vector{1, 4, -3, 0}));
  const Matrix joint = log_joint(model, table);
  const auto said = explain(model, table, 5);
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(said[i].evidence.size(), 1U);
    EXPECT_EQ(said[i].evidence[0].feature, "mixture(a, b)");
    EXPECT_NEAR(said[i].base + said[i].evidence[0].log_odds, said[i].log_odds, 1e-12);
    EXPECT_NEAR(
        said[i].log_odds,
        joint(static_cast<Index>(i), said[i].best) - joint(static_cast<Index>(i), said[i].second),
        1e-12);
  }
}

TEST(MixtureBlock, CountsItsFreeParameters) {
  const ParameterCount count = small_mixture_model().free_parameters();
  EXPECT_EQ(count.priors, 1);
  EXPECT_EQ(count.means, 10);
  EXPECT_EQ(count.covariances, 15);
  EXPECT_EQ(count.weights, 3);
  EXPECT_EQ(count.total(), 29);
}

TEST(MixtureBlock, RefusesWhatIsNoMixture) {
  const auto refused = [](auto change) {
    MixtureParameters p = small_mixture();
    change(p);
    return error_of([&] { (void)MixtureBlock(p); });
  };
  EXPECT_EQ(refused([](MixtureParameters& p) { p = {}; }),
            "a mixture needs components | give at least one per class");
  EXPECT_EQ(refused([](MixtureParameters& p) { p.component_class.pop_back(); }),
            "5 components, but 4 owners and 5 weights | give every component its class and its "
            "weight");
  EXPECT_EQ(refused([](MixtureParameters& p) {
              p.component_class = {0, 0, 2, 2, 2};
            }),
            "a component of class 3 follows one of class 1 | order the components by "
            "class; each class needs at least one");
  EXPECT_EQ(refused([](MixtureParameters& p) { p.weights[1] = 0.5; }),
            "the weights of the components of class 1 sum to 0.75 | the weights of a class sum "
            "to 1");
  EXPECT_EQ(refused([](MixtureParameters& p) { p.weights[2] = 0; }),
            "the weight of component 3 is 0 | give weights greater than 0, or leave the component "
            "out");
  EXPECT_EQ(refused([](MixtureParameters& p) {
              p.counts = {1, 2, 3};
            }),
            "3 counts for 2 classes | give one each, or none");
  EXPECT_EQ(refused([](MixtureParameters& p) { p.components.counts = Vector(5, 1.0); }),
            "the components of a mixture have counts of their own | give counts of classes, and "
            "weights of components");
  EXPECT_EQ(refused([](MixtureParameters& p) { p.components.covariances[4](0, 0) = -1; }),
            "the covariance of class 5 is not positive definite | give a symmetric matrix with "
            "positive eigenvalues");
}

}  // namespace
}  // namespace genera::mixture_block_test
