#include "score/linear/weights.hpp"

#include <algorithm>
#include <cmath>

#include "blocks/probabilities.hpp"
#include "kernel/index.hpp"
#include "kernel/parallel.hpp"
#include "score/linear/features.hpp"

namespace genera::detail {

using kernel::at;
using score::sought_names;
using score::title_of;

std::span<const LinearFeatures> parts_of(const LinearModel::Parameters& parameters) {
  if (const auto* complement = std::get_if<ComplementParameters>(&parameters))
    return {&complement->features, 1};
  return std::get<LogisticParameters>(parameters).features;
}

LinearWeights::LinearWeights(const LinearModel::Parameters& parameters, std::size_t classes,
                             int threads)
    : intercepts_(classes), first_{0} {
  if (const auto* given = std::get_if<LogisticParameters>(&parameters))
    intercepts_ = given->intercepts;
  const std::span<const LinearFeatures> parts = parts_of(parameters);
  for (const LinearFeatures& part : parts)
    first_.push_back(first_.back() + std::ssize(names_of(part)));
  names_.resize(parts.size());
  weights_ = std::make_unique_for_overwrite<double[]>(at(features()) * classes);
  constexpr Index features_at_once = 1 << 14;
  const Index tasks = (features() + features_at_once - 1) / features_at_once;
  kernel::parallel_for(tasks + 1, threads, [&](Index task) {
    if (task == 0) {  // the longest task first
      for (std::size_t i = 0; i < parts.size(); ++i) names_[i] = NameSet(sought_names(parts[i]));
      return;
    }
    const Index begin = (task - 1) * features_at_once;
    const Index end = std::min(features(), begin + features_at_once);
    std::visit([&](const auto& p) { weigh(p, begin, end); }, parameters);
  });
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (names_[i].size() != std::ssize(sought_names(parts[i])))  // a name occurs twice
      check_levels(sought_names(parts[i]), title_of(parts[i]));
  }
}

void LinearWeights::weigh(const ComplementParameters& p, Index begin, Index end) {
  struct Last {
    double probability = -1, weight = 0;
  };
  std::vector<Last> last(intercepts_.size());  // most terms are absent in most classes
  double* to = weights_.get() + at(begin) * last.size();
  for (Index j = begin; j < end; ++j) {
    for (std::size_t k = 0; k < last.size(); ++k, ++to) {
      const double probability = p.probabilities(static_cast<Index>(k), j);
      if (probability != last[k].probability) last[k] = {probability, -std::log(probability)};
      *to = last[k].weight;
    }
  }
}

void LinearWeights::weigh(const LogisticParameters& p, Index begin, Index end) {
  double* to = weights_.get() + at(begin) * intercepts_.size();
  for (Index j = begin; j < end; ++j) {
    for (Index k = 0; k < classes(); ++k) *to++ = p.coefficients(k, j);
  }
}

}  // namespace genera::detail
