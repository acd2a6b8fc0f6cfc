#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <genera/genera.hpp>

/// Small problems and slow, obvious formulas to compare with.
namespace genera::testing {

/// n rows of d correlated normals in K classes, class k shifted by 2 in its own directions.
[[nodiscard]] Table random_table(Index n, Index d, Index classes, std::uint64_t seed);

/// Every number is missing with this probability.
[[nodiscard]] Table with_missing(Table table, double share, std::uint64_t seed);

/// Some rows of a table, in the order given.
[[nodiscard]] Table rows_of(const Table& table, const std::vector<Index>& rows);

inline std::vector<Index> range(Index begin, Index end) {
  std::vector<Index> rows;
  for (Index i = begin; i < end; ++i) rows.push_back(i);
  return rows;
}

/// The numbers from 0 to n - 1 in a random order.
inline std::vector<Index> permutation(Index n, unsigned seed) {
  std::vector<Index> order = range(0, n);
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  return order;
}

inline double largest_difference(const Matrix& a, const Matrix& b) {
  double worst = a.rows() == b.rows() && a.columns() == b.columns() ? 0 : HUGE_VAL;
  for (Index i = 0; worst < HUGE_VAL && i < a.rows(); ++i) {
    for (Index j = 0; j < a.columns(); ++j) worst = std::max(worst, std::abs(a(i, j) - b(i, j)));
  }
  return worst;
}

inline std::vector<Recipe> whole_family() {
  return {qda(), lda(), gaussian_naive_bayes(), dlda(), spherical(), centroid(), rda(0.6, 0.3)};
}

/// The error that `action` throws: "what | hint".
template <class Action>
std::string error_of(Action&& action) {
  try {
    action();
  } catch (const Error& e) {
    return std::string(e.what()) + " | " + in_words(e.hint());
  }
  return "no error";
}

}  // namespace genera::testing
