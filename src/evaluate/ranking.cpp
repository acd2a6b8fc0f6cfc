// How well scores put positives before negatives.
#include <algorithm>
#include <cstdint>
#include <functional>

#include <genera/evaluate.hpp>

namespace genera {
namespace {

/// Calls `visit(positives, negatives)` for every distinct score, the largest first.
template <class Visit>
void for_each_score(Vector positives, Vector negatives, Visit visit) {
  std::ranges::sort(positives, std::greater<>());
  std::ranges::sort(negatives, std::greater<>());
  auto p = positives.begin();
  auto n = negatives.begin();
  while (p != positives.end() || n != negatives.end()) {
    const bool from_positives = n == negatives.end() || (p != positives.end() && *p >= *n);
    const double score = from_positives ? *p : *n;
    const auto p_end = std::find_if(p, positives.end(), [&](double s) { return s < score; });
    const auto n_end = std::find_if(n, negatives.end(), [&](double s) { return s < score; });
    visit(static_cast<std::int64_t>(p_end - p), static_cast<std::int64_t>(n_end - n));
    p = p_end;
    n = n_end;
  }
}

}  // namespace

std::optional<double> area_under_roc(Vector positives, Vector negatives) {
  if (positives.empty() || negatives.empty()) return std::nullopt;
  const double pairs =
      static_cast<double>(positives.size()) * static_cast<double>(negatives.size());
  std::int64_t before = 0, halves = 0;  // positives with a larger score; pairs in order, twice
  for_each_score(std::move(positives), std::move(negatives),
                 [&](std::int64_t same_positives, std::int64_t same_negatives) {
                   halves += same_negatives * (2 * before + same_positives);
                   before += same_positives;
                 });
  return static_cast<double>(halves) / (2 * pairs);
}

std::optional<double> average_precision(Vector positives, Vector negatives) {
  if (positives.empty()) return std::nullopt;
  const auto all = static_cast<double>(positives.size());
  std::int64_t found = 0, taken = 0;
  double sum = 0;
  for_each_score(std::move(positives), std::move(negatives),
                 [&](std::int64_t same_positives, std::int64_t same_negatives) {
                   found += same_positives;
                   taken += same_positives + same_negatives;
                   sum += static_cast<double>(same_positives) * static_cast<double>(found) /
                          static_cast<double>(taken);
                 });
  return sum / all;
}

}  // namespace genera
