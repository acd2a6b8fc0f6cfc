#include "fit/mixture/pace.hpp"

#include <algorithm>
#include <set>

namespace genera::fit_detail {
namespace {

/// For small and for large tables. With many components for the number of rows, the best start
/// after 20 plain steps is hardly more often the best at the end than any other; after 40
/// accelerated steps it is.
constexpr Pace careful{12, 2, 40, true, 10000, 40}, brisk{5, 3, 12, false, 1000, 60};
constexpr Index few_numbers = 100000;

}  // namespace

const Pace& pace_for(Index rows, Index columns) {
  return rows * columns <= few_numbers ? careful : brisk;
}

bool scouts_first(const Pace& pace) { return &pace == &brisk; }

std::size_t continuing(std::size_t starts, std::size_t one_in) {
  return std::max<std::size_t>(3, starts / one_in);
}

SearchCost::SearchCost(const SearchSize& size)
    : size_(size), pace_(pace_for(size.rows, size.columns)) {}

double SearchCost::start(Index components) const {
  constexpr double rounds = 20;
  return rounds * static_cast<double>(size_.rows * size_.columns * components);
}

double SearchCost::step(const MixtureCandidate& candidate) const {
  constexpr double probability = 10;
  const auto d = static_cast<double>(size_.columns), m = static_cast<double>(candidate.components);
  const Covariance covariance = candidate.options.covariance;
  const double products =
      is_full(covariance) ? d * (d + 1) : 0;  // half for distances, half for sums
  const double row = m * (2 * d + probability) + (is_tied(covariance) ? 1 : m) * products;
  return static_cast<double>(size_.rows) * row;
}

double SearchCost::scouting(const MixtureCandidate& candidate) const {
  const auto starts = static_cast<std::size_t>(size_.starts);
  const auto go_on =
      static_cast<double>(std::min(starts, continuing(starts, pace_.continue_one_in)));
  if (candidate.components == 1) return step(candidate);
  const int all = size_.starts + (size_.starts > 1 ? 1 : 0);  // one of them hierarchical
  return step(candidate) * (static_cast<double>(all * pace_.steps_of_all) +
                            go_on * (pace_.steps_before_following - pace_.steps_of_all));
}

double SearchCost::following(const MixtureCandidate& candidate) const {
  const auto starts = static_cast<std::size_t>(size_.starts);
  const auto followed = static_cast<double>(std::min(starts, continuing(starts, one_followed_in)));
  if (candidate.components == 1) return 0;
  return step(candidate) * followed * pace_.steps_to_follow;
}

double SearchCost::all(std::span<const MixtureCandidate> candidates) const {
  double sum = 0;
  std::set<Index> numbers;
  for (const MixtureCandidate& candidate : candidates) {
    sum += scouting(candidate) + following(candidate);
    if (candidate.components > 1) numbers.insert(candidate.components);
  }
  for (const Index components : numbers) sum += size_.starts * start(components);
  return sum;
}

}  // namespace genera::fit_detail
