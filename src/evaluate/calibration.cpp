// Calibration: reliability table and expected calibration error.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/evaluate.hpp>

#include "kernel/index.hpp"

namespace genera {
namespace {

using kernel::at;

double edge(std::size_t i, std::size_t bins) {
  return static_cast<double>(i) / static_cast<double>(bins);
}

/// Index of the bin (low, high] of a probability, independent of rounding of its product with the
/// number of bins.
std::size_t bin_of(double probability, std::size_t bins) {
  const double place = probability * static_cast<double>(bins);
  auto bin = static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(bins - 1)));
  if (bin > 0 && probability <= edge(bin, bins)) --bin;
  if (bin + 1 < bins && probability > edge(bin + 1, bins)) ++bin;
  return bin;
}

}  // namespace

void Evaluation::count_confidence(const Confident& row) {
  const double confidence = row.posterior[at(row.label)];
  BinSums& bin = bin_sums_[bin_of(confidence, bins_)];
  bin.rows += row.copies;
  bin.weight += row.weight;
  bin.right += row.label == row.truth ? row.weight : 0;
  bin.confidence += row.weight * confidence;
  if (row.posterior.size() == 2)
    posteriors_[at(row.truth)].push_back({{row.posterior[0], row.posterior[1]}, row.weight});
}

void Evaluation::merge_probabilities(const Evaluation& other) {
  for (std::size_t b = 0; b < bins_; ++b) {
    bin_sums_[b].rows += other.bin_sums_[b].rows;
    bin_sums_[b].weight += other.bin_sums_[b].weight;
    bin_sums_[b].right += other.bin_sums_[b].right;
    bin_sums_[b].confidence += other.bin_sums_[b].confidence;
  }
  for (std::size_t k = 0; k < posteriors_.size(); ++k)
    posteriors_[k].insert(posteriors_[k].end(), other.posteriors_[k].begin(),
                          other.posteriors_[k].end());
}

std::vector<ReliabilityBin> Evaluation::reliability() const {
  std::vector<ReliabilityBin> table;
  for (std::size_t b = 0; b < bins_; ++b) {
    const BinSums& sums = bin_sums_[b];
    ReliabilityBin bin{.low = edge(b, bins_),
                       .high = edge(b + 1, bins_),
                       .rows = sums.rows,
                       .weight = sums.weight};
    if (sums.weight > 0) {
      bin.confidence = sums.confidence / sums.weight;
      bin.accuracy = sums.right / sums.weight;
    }
    table.push_back(bin);
  }
  return table;
}

double Evaluation::expected_calibration_error() const {
  double sum = 0;
  for (const BinSums& bin : bin_sums_) sum += std::abs(bin.right - bin.confidence);
  return weight_ > 0 ? sum / weight_ : 0;
}

Evaluation::Ranked Evaluation::ranked(Index positive) const {
  if (positive < 0 || positive >= std::ssize(classes_))
    throw Error(Errc::bad_argument,
                fmt::format("the positive class is number {} of {}", positive, classes_.size()),
                "give its place among the classes of the model");
  Ranked found;
  for (std::size_t truth = 0; truth < posteriors_.size(); ++truth) {
    auto& to = truth == at(positive) ? found.positives : found.negatives;
    for (const TwoPosteriors& row : posteriors_[truth])
      to.push_back({row.of_class[at(positive)], row.weight});
  }
  return found;
}

std::optional<double> Evaluation::area_under_roc(Index positive) const {
  if (classes_.size() != 2) return std::nullopt;
  Ranked scores = ranked(positive);
  return weighted_area_under_roc(std::move(scores.positives), std::move(scores.negatives));
}

std::optional<double> Evaluation::average_precision(Index positive) const {
  if (classes_.size() != 2) return std::nullopt;
  Ranked scores = ranked(positive);
  return weighted_average_precision(std::move(scores.positives), std::move(scores.negatives));
}

}  // namespace genera
