#include "blocks/probabilities.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/names.hpp>

#include "kernel/parallel.hpp"

namespace genera::detail {
namespace {

/// Tolerated deviation of a sum from one, for probabilities written with a few digits.
constexpr double tolerated_sum_error = 1e-6;

/// Calls check(k) for the rows, on one thread for small tables.
void each_row(const Matrix& table, int threads, const std::function<void(Index)>& check) {
  constexpr Index small = 1 << 16;
  const bool is_small = table.rows() * table.columns() <= small;
  kernel::parallel_for(table.rows(), is_small ? 1 : threads, check);
}

/// Uses several independent sums.
double sum_of(std::span<const double> numbers) {
  std::array<double, 8> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= numbers.size(); i += sums.size()) {
    for (std::size_t s = 0; s < sums.size(); ++s) sums[s] += numbers[i + s];
  }
  for (; i < numbers.size(); ++i) sums[0] += numbers[i];
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace

void refuse_model(const std::string& what, const std::string& hint) {
  throw Error(Errc::bad_model, what, hint);
}

void check_levels(const std::vector<std::string>& levels, const std::string& what) {
  if (levels.empty()) refuse_model(fmt::format("{} has no level", what), "give at least one");
  NameSet seen;
  for (const std::string& level : levels) {
    const Index before = seen.size();
    if (seen.add(level) < before)
      refuse_model(fmt::format("{} has the level '{}' twice", what, level),
                   "give each level a name of its own");
  }
}

void check_fractions(const Matrix& table, Index columns, const std::string& what, int threads) {
  if (table.rows() == 0 || table.columns() != columns)
    refuse_model(fmt::format("{} has {} probabilities per class, expected {}", what,
                             table.rows() == 0 ? 0 : table.columns(), columns),
                 "give one for each");
  each_row(table, threads, [&](Index k) {
    const auto row = table.row(k);
    const auto is_odd = [](double p) { return !(p >= 0 && p <= 1); };
    Index invalid = 0;  // counted first, so that large tables are checked without branches
    for (const double p : row) invalid += is_odd(p) ? 1 : 0;
    if (invalid > 0) {
      const auto odd = std::find_if(row.begin(), row.end(), is_odd);
      refuse_model(fmt::format("{} has the probability {}", what, *odd),
                   "a probability is a number from 0 to 1");
    }
  });
}

void check_probabilities(const Matrix& table, Index columns, const std::string& what, int threads) {
  check_fractions(table, columns, what, threads);
  each_row(table, threads, [&](Index k) {
    const double sum = sum_of(table.row(k));
    if (std::abs(sum - 1) > tolerated_sum_error)
      refuse_model(fmt::format("{}: the probabilities of class {} sum to {:.9g}, not to 1", what,
                               k + 1, sum),
                   "give probabilities that sum to 1");
  });
}

void check_classes(Index found, Index expected, const std::string& what) {
  if (found != expected)
    refuse_model(fmt::format("{} has probabilities for {}, expected {}", what,
                             counted(found, "class", "classes"), expected),
                 "give them for every class");
}

void check_counts(const Vector& counts, Index classes) {
  if (counts.empty()) return;
  if (static_cast<Index>(counts.size()) != classes)
    refuse_model(
        counted(std::ssize(counts), "count") + " for " + counted(classes, "class", "classes"),
        "give one each, or none");
  for (const double count : counts) {
    if (!(count >= 0) || !std::isfinite(count))
      refuse_model(fmt::format("a class has the count {}", count), "counts are numbers >= 0");
  }
}

}  // namespace genera::detail
