#include "sums/discrete_sums.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/double_double.hpp"
#include "sums/min_scatter.hpp"

namespace genera::sums {
namespace {

/// Relative residue of subtracting equal weights that were added in another order.
constexpr double rounding = 1e-9;

/// Sums of whole numbers below 2^53 are exact.
bool is_exact(double sum) {
  constexpr double last = 9007199254740992;  // 2^53
  return std::abs(sum) <= last && sum == std::trunc(sum);
}

double at(const Vector& values, std::size_t i) { return i < values.size() ? values[i] : 0; }

double& grown(Vector& values, std::int32_t place) {
  const auto i = static_cast<std::size_t>(place);
  if (values.size() <= i) values.resize(i + 1);
  return values[i];
}

/// Index after the last nonzero value.
std::size_t places_used(const Vector& values) {
  std::size_t used = values.size();
  while (used > 0 && values[used - 1] == 0) --used;
  return used;
}

void add_plain(Vector& ours, const Vector& theirs, std::size_t used, double sign) {
  if (theirs.empty()) return;
  if (ours.size() < used) ours.resize(used);
  for (std::size_t j = 0; j < used; ++j) ours[j] += sign * theirs[j];
}

/// Adds the seen values at the indices given by `map`; resizes once.
void add_seen(Vector& ours, const Vector& theirs, const Vector& seen,
              const std::vector<std::int32_t>& map, double sign) {
  if (theirs.empty()) return;
  std::int32_t last = -1;
  for (std::size_t j = 0; j < seen.size(); ++j) {
    if (seen[j] != 0) last = std::max(last, map[j]);
  }
  if (last >= 0) grown(ours, last);
  for (std::size_t j = 0; j < seen.size(); ++j) {
    if (seen[j] != 0) ours[static_cast<std::size_t>(map[j])] += sign * theirs[j];
  }
}

/// Chan's formula for the scatter of the stored entries, for addition and subtraction.
double combined_scatter(const TermSums& ours, const TermSums& theirs, std::size_t i, std::size_t j,
                        double sign) {
  const double before = at(ours.scatter, i);
  const double n = at(ours.present, i), m = theirs.present[j];
  const double after = n + sign * m;
  if (n == 0 || after <= 0) return sign > 0 ? before + at(theirs.scatter, j) : 0;
  const double shift =
      kernel::difference(kernel::quotient({at(ours.sums, i), at(ours.sums_low, i)}, {n, 0}),
                         kernel::quotient({theirs.sums[j], at(theirs.sums_low, j)}, {m, 0}));
  const double rank_one = shift * shift * (n * (m / after));
  const double scatter = before + sign * (at(theirs.scatter, j) + rank_one);
  if (sign > 0 && scatter == 0 && is_notable_deviation(shift, theirs.sums[j] / m))
    return min_scatter;
  const bool is_rounding = sign < 0 && scatter <= Moments::forgetting_accuracy * before;
  return is_rounding ? 0 : std::max(0.0, scatter);
}

}  // namespace

void add_mapped(Vector& ours, const Vector& theirs, const std::vector<std::int32_t>& map,
                double sign) {
  if (map.empty()) return add_plain(ours, theirs, places_used(theirs), sign);
  add_seen(ours, theirs, theirs, map, sign);
}

void add_mapped(TermSums& ours, const TermSums& theirs, const std::vector<std::int32_t>& map,
                double sign) {
  ours.weight += sign * theirs.weight;
  // All vectors grow alike, even if values cancel.
  const Vector& seen = theirs.present.empty() ? theirs.sums : theirs.present;
  if (map.empty() && theirs.scatter.empty()) {
    const std::size_t used = places_used(seen);
    add_plain(ours.sums, theirs.sums, used, sign);
    add_plain(ours.present, theirs.present, used, sign);
    return;
  }
  if (theirs.scatter.empty()) {
    add_seen(ours.sums, theirs.sums, seen, map, sign);
    add_seen(ours.present, theirs.present, seen, map, sign);
    return;
  }
  for (std::size_t j = 0; j < seen.size(); ++j) {
    if (seen[j] == 0) continue;
    const std::int32_t place = map.empty() ? static_cast<std::int32_t>(j) : map[j];
    const double scatter = combined_scatter(ours, theirs, static_cast<std::size_t>(place), j, sign);
    grown(ours.scatter, place) = scatter;
    if (!theirs.sums.empty()) {
      double& sum = grown(ours.sums, place);
      const kernel::HighLow both = kernel::two_sum(sum, sign * theirs.sums[j]);
      sum = both.high;
      grown(ours.sums_low, place) += sign * at(theirs.sums_low, j) + both.low;
    }
    if (!theirs.present.empty()) grown(ours.present, place) += sign * theirs.present[j];
  }
}

std::vector<std::int32_t> numbers_in(SharedNames& ours, const SharedNames& theirs,
                                     const std::function<std::string(const std::string&)>& rename) {
  if (!rename && ours == theirs) return {};
  std::vector<std::int32_t> map(theirs.names().size());
  NameSet& names = ours.own();
  if (!rename) {
    names.add_all(std::vector<std::string_view>(theirs.names().begin(), theirs.names().end()), map);
    return map;
  }
  for (std::size_t i = 0; i < map.size(); ++i) map[i] = names.add(rename(theirs.names()[i]));
  return map;
}

std::vector<std::string> split_level(const std::string& level) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = level.find(Statistics::level_separator, begin);
    parts.push_back(level.substr(begin, end - begin));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

std::string permuted_level(const std::string& level, const std::vector<Index>& order) {
  const std::vector<std::string> parts = split_level(level);
  std::string permuted;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0) permuted += Statistics::level_separator;
    permuted += parts[static_cast<std::size_t>(order[i])];
  }
  return permuted;
}

bool clear_rounding(double& left, double before) {
  if (!(is_exact(left) && is_exact(before)) && std::abs(left) <= rounding * std::abs(before))
    left = 0;
  return left >= 0;
}

bool clear_rounding(Vector& left, const Vector& before) {
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!clear_rounding(left[i], at(before, i))) return false;
  }
  return true;
}

}  // namespace genera::sums
