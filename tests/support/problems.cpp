#include "support/problems.hpp"

#include <fmt/format.h>

namespace genera::testing {

Table random_table(Index n, Index d, Index classes, std::uint64_t seed) {
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
    labels.push_back(fmt::format("c{}", k));
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
  for (Index j = 0; j < d; ++j) names.push_back(fmt::format("x{}", j));
  return make_table(names, std::move(x), labels);
}

Table rows_of(const Table& table, const std::vector<Index>& rows) {
  Matrix x(static_cast<Index>(rows.size()), table.numbers.columns());
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (Index j = 0; j < x.columns(); ++j) x(static_cast<Index>(i), j) = table.numbers(rows[i], j);
    labels.push_back(
        table.classes[static_cast<std::size_t>(table.labels[static_cast<std::size_t>(rows[i])])]);
  }
  return make_table(table.number_names(), std::move(x), labels);
}

Table with_missing(Table table, double share, std::uint64_t seed) {
  Rng rng(seed);
  for (Index i = 0; i < table.rows(); ++i) {
    for (Index j = 0; j < table.numbers.columns(); ++j) {
      if (rng.uniform() < share) table.numbers(i, j) = std::nan("");
    }
  }
  return table;
}

}  // namespace genera::testing
