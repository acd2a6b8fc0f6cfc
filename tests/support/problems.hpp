#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <genera/genera.hpp>

/// Small problems and slow, obvious formulas to compare with.
namespace genera::testing {

/// n rows of d correlated normals in K classes, class k shifted by 2k in its own direction.
inline Table random_table(Index n, Index d, Index classes, std::uint64_t seed) {
  Rng rng(seed);
  Matrix mixing(d, d);
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j < d; ++j) mixing(i, j) = (i == j ? 1.5 : 0.0) + 0.4 * rng.normal();
  }
  Matrix x(n, d);
  std::vector<std::string> labels;
  for (Index i = 0; i < n; ++i) {
    const Index k = i < 2 * classes
                        ? i % classes
                        : static_cast<Index>(rng.uniform() * static_cast<double>(classes));
    labels.push_back("c" + std::to_string(k));
    Vector z;
    for (Index j = 0; j < d; ++j) z.push_back(rng.normal());
    for (Index a = 0; a < d; ++a) {
      x(i, a) = a % classes == k ? 2.0 : 0.0;
      for (Index b = 0; b < d; ++b)
        x(i, a) +=
            mixing(a, b) * z[static_cast<std::size_t>(b)] * (1 + 0.2 * static_cast<double>(k));
    }
  }
  std::vector<std::string> names;
  for (Index j = 0; j < d; ++j) names.push_back("x" + std::to_string(j));
  return make_table(names, std::move(x), labels);
}

/// Some rows of a table, in the order given.
inline Table rows_of(const Table& table, const std::vector<Index>& rows) {
  Matrix x(static_cast<Index>(rows.size()), table.numbers.columns());
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (Index j = 0; j < x.columns(); ++j) x(static_cast<Index>(i), j) = table.numbers(rows[i], j);
    labels.push_back(
        table.classes[static_cast<std::size_t>(table.labels[static_cast<std::size_t>(rows[i])])]);
  }
  return make_table(table.number_names(), std::move(x), labels);
}

inline std::vector<Index> range(Index begin, Index end) {
  std::vector<Index> rows;
  for (Index i = begin; i < end; ++i) rows.push_back(i);
  return rows;
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
    return std::string(e.what()) + " | " + e.hint();
  }
  return "no error";
}

}  // namespace genera::testing
