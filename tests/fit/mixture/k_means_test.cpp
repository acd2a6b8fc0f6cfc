#include "fit/mixture/k_means.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace genera::k_means_test {
namespace {

using fit_detail::KMeans;

Matrix drawn_rows(Index rows, Index columns, std::uint64_t seed) {
  Rng rng(seed);
  Matrix x(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) x(i, j) = rng.normal() + 3.0 * static_cast<double>(i % 3);
  }
  return x;
}

/// Lloyd's iteration has come to an end: the means of the groups are found again by hand.
TEST(KMeans, PutsEachRowWhereTheNearestMeanIs) {
  for (const Index columns : {1, 3, 10}) {
    const Matrix x = drawn_rows(333, columns, 5);
    Vector weights(333);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<double>(i % 4);
    for (const Index count : {2, 3, 6}) {
      const auto groups = KMeans(x, weights).groups(count, Rng(7), 1);
      Matrix means(count, columns);
      Vector mass(static_cast<std::size_t>(count));
      for (Index i = 0; i < x.rows(); ++i) {
        const Index g = groups[static_cast<std::size_t>(i)];
        const double weight = weights[static_cast<std::size_t>(i)];
        mass[static_cast<std::size_t>(g)] += weight;
        for (Index j = 0; j < columns; ++j) means(g, j) += weight * x(i, j);
      }
      for (Index i = 0; i < x.rows(); ++i) {
        Vector squares(static_cast<std::size_t>(count));
        for (Index g = 0; g < count; ++g) {
          for (Index j = 0; j < columns; ++j) {
            const double z = x(i, j) - means(g, j) / mass[static_cast<std::size_t>(g)];
            squares[static_cast<std::size_t>(g)] += z * z;
          }
        }
        const double own = squares[static_cast<std::size_t>(groups[static_cast<std::size_t>(i)])];
        EXPECT_LE(own, *std::ranges::min_element(squares) + 1e-9) << columns << ", row " << i;
      }
    }
  }
}

TEST(KMeans, HasTheSameGroupsForAnyThreads) {
  const KMeans rows(drawn_rows(20011, 4, 1), Vector(20011, 1.0));
  const auto one = rows.groups(5, Rng(3), 1);
  EXPECT_EQ(one, rows.groups(5, Rng(3), 2));
  EXPECT_EQ(one, rows.groups(5, Rng(3), 5));
}

/// Only centres go into a partition, and only sums come out of it.
TEST(KMeans, HasTheSameGroupsForAnyPartitions) {
  const Matrix x = drawn_rows(3000, 4, 1);
  const auto whole = KMeans(x, Vector(3000, 1.0)).groups(3, Rng(3), 1);
  for (const std::vector<Index>& ends :
       {std::vector<Index>{1300, 3000}, {10, 10, 500, 501, 1700, 2990, 3000}}) {
    std::vector<KMeans> rows;
    Index begin = 0;
    for (const Index end : ends) {
      Matrix some(end - begin, 4);
      for (Index i = begin; i < end; ++i) std::ranges::copy(x.row(i), some.row(i - begin).begin());
      rows.emplace_back(std::move(some), Vector(static_cast<std::size_t>(end - begin), 1.0));
      begin = end;
    }
    std::vector<fit_detail::KMeansPart> parts(rows.begin(), rows.end());
    fit_detail::k_means(parts, 3, Rng(3), 1);
    std::vector<std::int32_t> groups;
    for (const auto& part : parts)
      groups.insert(groups.end(), part.groups().begin(), part.groups().end());
    EXPECT_EQ(groups, whole);
  }
}

TEST(KMeans, LeavesGroupsEmptyIfRowsAreEqual) {
  const KMeans rows(Matrix(20, 2, 1.5), Vector(20, 1.0));
  for (const std::int32_t group : rows.groups(3, Rng(1), 1)) EXPECT_EQ(group, 0);
}

}  // namespace
}  // namespace genera::k_means_test
