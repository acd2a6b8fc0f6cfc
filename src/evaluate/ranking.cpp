// Ranking measures: area under the ROC curve and average precision.
#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include <genera/evaluate.hpp>

namespace genera {
namespace {

using Scores = std::vector<WeightedScore>;

double weight_of(Scores::const_iterator begin, Scores::const_iterator end) {
  return std::accumulate(begin, end, 0.0,
                         [](double sum, const WeightedScore& s) { return sum + s.weight; });
}

/// Calls `visit(positives, negatives)` with the weights at every distinct score, largest first.
template <class Visit>
void for_each_score(Scores positives, Scores negatives, Visit visit) {
  std::ranges::sort(positives, std::greater<>(), &WeightedScore::score);
  std::ranges::sort(negatives, std::greater<>(), &WeightedScore::score);
  auto p = positives.cbegin();
  auto n = negatives.cbegin();
  while (p != positives.end() || n != negatives.end()) {
    const bool from_positives =
        n == negatives.end() || (p != positives.end() && p->score >= n->score);
    const double score = from_positives ? p->score : n->score;
    const auto smaller = [&](const WeightedScore& s) { return s.score < score; };
    const auto p_end = std::find_if(p, positives.cend(), smaller);
    const auto n_end = std::find_if(n, negatives.cend(), smaller);
    visit(weight_of(p, p_end), weight_of(n, n_end));
    p = p_end;
    n = n_end;
  }
}

Scores of_weight_one(const Vector& scores) {
  Scores weighted;
  weighted.reserve(scores.size());
  for (const double score : scores) weighted.push_back({score, 1});
  return weighted;
}

}  // namespace

std::optional<double> area_under_roc(Vector positives, Vector negatives) {
  return weighted_area_under_roc(of_weight_one(positives), of_weight_one(negatives));
}

std::optional<double> average_precision(Vector positives, Vector negatives) {
  return weighted_average_precision(of_weight_one(positives), of_weight_one(negatives));
}

std::optional<double> weighted_area_under_roc(Scores positives, Scores negatives) {
  const double pairs =
      weight_of(positives.begin(), positives.end()) * weight_of(negatives.begin(), negatives.end());
  if (!(pairs > 0)) return std::nullopt;
  /// positives with a larger score; twice the number of ordered pairs
  double before = 0, halves = 0;
  for_each_score(std::move(positives), std::move(negatives),
                 [&](double same_positives, double same_negatives) {
                   halves += same_negatives * (2 * before + same_positives);
                   before += same_positives;
                 });
  return halves / (2 * pairs);
}

std::optional<double> weighted_average_precision(Scores positives, Scores negatives) {
  const double all = weight_of(positives.begin(), positives.end());
  if (!(all > 0)) return std::nullopt;
  double found = 0, taken = 0, sum = 0;
  for_each_score(std::move(positives), std::move(negatives),
                 [&](double same_positives, double same_negatives) {
                   found += same_positives;
                   taken += same_positives + same_negatives;
                   if (taken > 0) sum += same_positives * found / taken;
                 });
  return sum / all;
}

}  // namespace genera
