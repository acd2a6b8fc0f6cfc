#include "blocks/mixture/complete_rows.hpp"

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "kernel/gather.hpp"
#include "kernel/shared_rows.hpp"

namespace genera::complete_rows_test {
namespace {

using kernel::panel_rows;

/// Panels of numbers, and weights of which some are none.
struct Panels {
  Panels(Index panels, Index d) : count(panels), columns(d) {
    Rng rng(static_cast<std::uint64_t>(100 * panels + d));
    for (Index i = 0; i < panels * d * panel_rows; ++i) data.push_back(rng.normal());
    for (Index i = 0; i < panels * panel_rows; ++i)
      weights.push_back(rng.uniform() < 0.4 ? 1e-17 : rng.uniform());
    for (Index j = 0; j < d; ++j) {
      centre.push_back(0.25 * static_cast<double>(j % 3));
      low.push_back(0.125);
    }
  }
  [[nodiscard]] kernel::WeightedPanels view() const {
    return {data.data(), count, columns, weights.data(), 1e-16};
  }
  /// Column j of row r from the centre; of column -1: one.
  [[nodiscard]] double z(Index r, Index j) const {
    if (j < 0) return 1;
    const Index place = (r / panel_rows * columns + j) * panel_rows + r % panel_rows;
    return data[static_cast<std::size_t>(place)] - centre[static_cast<std::size_t>(j)] - 0.125;
  }
  [[nodiscard]] double sum(Index i, Index j) const {
    double total = 0;
    for (Index r = 0; r < count * panel_rows; ++r) {
      const double w = weights[static_cast<std::size_t>(r)];
      if (w > 1e-16) total += w * z(r, i) * z(r, j);
    }
    return total;
  }

  Index count, columns;
  kernel::AlignedVector data, weights;
  Vector centre, low;
};

TEST(SharedRows, HaveTheSumsOfThePlainLoop) {
  for (const Index panels : {1, 3, 16, 40}) {
    for (const Index d : {1, 2, 3, 5, 12, 37}) {
      const Panels from(panels, d);
      kernel::ProductSums products(2, d);
      kernel::SquareSums squares(2, d);
      products.add(1, from.view(), {from.centre.data(), from.low.data()});
      squares.add(1, from.view(), {from.centre.data(), from.low.data()});
      EXPECT_EQ(products.weight(0), 0);
      EXPECT_EQ(squares.weight(0), 0);
      EXPECT_NEAR(products.weight(1), from.sum(-1, -1), 1e-11);
      EXPECT_NEAR(squares.weight(1), from.sum(-1, -1), 1e-11);
      for (Index i = 0; i < d; ++i) {
        EXPECT_NEAR(products.first(1, i), from.sum(i, -1), 1e-10);
        EXPECT_NEAR(squares.first(1, i), from.sum(i, -1), 1e-10);
        EXPECT_NEAR(squares.second(1, i, i), from.sum(i, i), 1e-10);
        for (Index j = 0; j <= i; ++j) EXPECT_NEAR(products.second(1, i, j), from.sum(i, j), 1e-10);
      }
    }
  }
}

/// Rows in two groups, and what a mixture of two components expects of them.
Moments expected_of(Family family, const Matrix& x, Index c, double shift = 0) {
  GaussianParameters p{.family = family, .columns = {"a", "b"}};
  p.means = Matrix(2, 2, Vector{0, 0, 5 + shift, 1});
  if (family == Family::gnb)
    p.variances = Matrix(2, 2, Vector{1, 2, 1, 2});
  else
    p.covariances.assign(family == Family::qda ? 2 : 1, Matrix(2, 2, Vector{1, 0.3, 0.3, 2}));
  const MixtureBlock block({p, {0, 0}, {0.5, 0.5}, {}});
  const Table table = make_table({"a", "b"}, x);
  const Rows rows = table;
  const data::NumberColumns natural(rows.data(), std::vector<Index>{0, 1});
  std::vector<Index> order(block.components().density().order().begin(),
                           block.components().density().order().end());
  const data::NumberColumns ordered(rows.data(), order);
  blocks::CompleteRows complete(blocks::components_of(block), block.components().density(), ordered,
                                natural);
  const auto units = std::make_shared<blocks::ColumnUnits>(blocks::ColumnUnits{{0, 0}, {1, 1}});
  const Scatter kind = family == Family::gnb ? Scatter::diagonal : Scatter::full;
  blocks::ComponentSums sums(2, kind, units);
  const Vector weights(static_cast<std::size_t>(x.rows()), 1.0);
  (void)complete.add(rows, 0, x.rows(), weights.data(), sums);
  if (family != Family::lda) return sums.moments[static_cast<std::size_t>(c)];
  Moments pooled = sums.moments[static_cast<std::size_t>(c)];
  for (Index i = 0; i < 2; ++i) {
    for (Index j = 0; j < 2; ++j)
      pooled.scatter(i, j) = sums.moments[0].scatter(i, j) + sums.moments[1].scatter(i, j);
  }
  return pooled;
}

Matrix two_groups(double spread) {
  Rng rng(3);
  Matrix x(100, 2);
  for (Index i = 0; i < x.rows(); ++i) {
    x(i, 0) = spread * rng.normal() + (i % 2 == 0 ? 0 : 40);
    x(i, 1) = spread * rng.normal() + (i % 2 == 0 ? 0 : 10);
  }
  return x;
}

/// The scatter around its mean of every second row, from the first or the second on.
Matrix scatter_of(const Matrix& x, Index first) {
  double mean[2] = {}, count = 0;
  for (Index i = first; i < x.rows(); i += 2, ++count) mean[0] += x(i, 0), mean[1] += x(i, 1);
  Matrix scatter(2, 2);
  for (Index i = first; i < x.rows(); i += 2) {
    for (Index a = 0; a < 2; ++a) {
      for (Index b = 0; b < 2; ++b)
        scatter(a, b) += (x(i, a) - mean[a] / count) * (x(i, b) - mean[b] / count);
    }
  }
  return scatter;
}

/// Far groups belong to one component each, whose centre need not be theirs.
TEST(CompleteRows, HaveTheMomentsOfTheirGroups) {
  const Matrix x = two_groups(1);
  const Matrix a = scatter_of(x, 0), b = scatter_of(x, 1);
  for (const Index c : {0, 1}) {
    const Moments qda = expected_of(Family::qda, x, c, 30),
                  gnb = expected_of(Family::gnb, x, c, 30);
    const Moments lda = expected_of(Family::lda, x, c, 30);
    const Matrix& own = c == 0 ? a : b;
    EXPECT_NEAR(qda.weight, 50, 1e-9);
    EXPECT_NEAR(lda.weight, 50, 1e-9);
    for (Index i = 0; i < 2; ++i) {
      EXPECT_NEAR(gnb.scatter(0, i), own(i, i), 1e-9);
      EXPECT_NEAR(gnb.mean[static_cast<std::size_t>(i)], qda.mean[static_cast<std::size_t>(i)],
                  1e-12);
      EXPECT_NEAR(lda.mean[static_cast<std::size_t>(i)], qda.mean[static_cast<std::size_t>(i)],
                  1e-12);
      for (Index j = 0; j < 2; ++j) {
        EXPECT_NEAR(qda.scatter(i, j), own(i, j), 1e-9);
        EXPECT_NEAR(lda.scatter(i, j), a(i, j) + b(i, j), 1e-9);
      }
    }
  }
}

/// Rows that spread much less than they are away from the mean of their component lose no digits.
TEST(CompleteRows, LoseNoDigitsFarFromTheCentre) {
  const Matrix x = two_groups(1e-6);
  const Matrix a = scatter_of(x, 0), b = scatter_of(x, 1);
  for (const Family family : {Family::qda, Family::lda, Family::gnb}) {
    const Matrix scatter = expected_of(family, x, 1, 30).scatter;
    for (Index i = 0; i < 2; ++i) {
      const double exact = b(i, i) + (family == Family::lda ? a(i, i) : 0);
      EXPECT_NEAR(scatter(family == Family::gnb ? 0 : i, i), exact, 1e-8 * exact)
          << name_of(family);
    }
  }
}

}  // namespace
}  // namespace genera::complete_rows_test
