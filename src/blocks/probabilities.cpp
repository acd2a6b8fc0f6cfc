#include "blocks/probabilities.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/names.hpp>

namespace genera::detail {
namespace {

/// Probabilities written with some digits may miss one by this much.
constexpr double tolerated_sum_error = 1e-6;

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

void check_fractions(const Matrix& table, Index columns, const std::string& what) {
  if (table.rows() == 0 || table.columns() != columns)
    refuse_model(fmt::format("{} has {} probabilities per class, expected {}", what,
                             table.rows() == 0 ? 0 : table.columns(), columns),
                 "give one for each");
  for (Index k = 0; k < table.rows(); ++k) {
    const auto row = table.row(k);
    const auto odd =
        std::find_if(row.begin(), row.end(), [](double p) { return !(p >= 0 && p <= 1); });
    if (odd != row.end())
      refuse_model(fmt::format("{} has the probability {}", what, *odd),
                   "a probability is a number from 0 to 1");
  }
}

void check_probabilities(const Matrix& table, Index columns, const std::string& what) {
  check_fractions(table, columns, what);
  for (Index k = 0; k < table.rows(); ++k) {
    double sum = 0;
    for (const double p : table.row(k)) sum += p;
    if (std::abs(sum - 1) > tolerated_sum_error)
      refuse_model(fmt::format("{}: the probabilities of class {} sum to {:.9g}, not to 1", what,
                               k + 1, sum),
                   "give probabilities that sum to 1");
  }
}

void check_classes(Index found, Index expected, const std::string& what) {
  if (found != expected)
    refuse_model(
        fmt::format("{} has probabilities for {} classes, expected {}", what, found, expected),
        "give them for every class");
}

void check_counts(const Vector& counts, Index classes) {
  if (counts.empty()) return;
  if (static_cast<Index>(counts.size()) != classes)
    refuse_model(fmt::format("{} counts for {} classes", counts.size(), classes),
                 "give one each, or none");
  for (const double count : counts) {
    if (!(count >= 0) || !std::isfinite(count))
      refuse_model(fmt::format("a class has the count {}", count), "counts are numbers >= 0");
  }
}

}  // namespace genera::detail
