#include <algorithm>
#include <cmath>
#include <numbers>

#include <genera/explain.hpp>

#include "kernel/index.hpp"

namespace genera {
namespace {

using kernel::at;

double variance(const GaussianBlock& block, Index k, Index j) {
  const GaussianParameters& p = block.parameters();
  if (block.diagonal()) return p.variances(p.variances.rows() == 1 ? 0 : k, j);
  return p.covariances[p.covariances.size() == 1 ? 0 : at(k)](j, j);
}

/// log N(x; mean, variance) of column j in class k.
double log_normal(const GaussianBlock& block, Index k, Index j, double x) {
  const double v = variance(block, k, j), away = x - block.parameters().means(k, j);
  return -0.5 * (std::log(2 * std::numbers::pi * v) + away * away / v);
}

/// log of the mean density of the other classes, by their priors (equal ones if those are 0).
double log_of_others(const GaussianBlock& block, const Prior& prior, Index k, Index j, double x) {
  const double others = 1 - prior.probabilities()[at(k)];
  const double equal = 1 / static_cast<double>(block.classes() - 1);
  Vector terms;
  for (Index l = 0; l < block.classes(); ++l) {
    if (l == k) continue;
    const double share = others > 0 ? prior.probabilities()[at(l)] / others : equal;
    terms.push_back(std::log(share) + log_normal(block, l, j, x));
  }
  const double most = std::ranges::max(terms);
  if (std::isinf(most)) return most;
  double sum = 0;
  for (const double term : terms) sum += std::exp(term - most);
  return most + std::log(sum);
}

std::vector<NumberEvidence> of_class(const Model& model, Index k, Index most) {
  std::vector<NumberEvidence> found;
  for (const Block& one : model.blocks()) {
    const auto* block = std::get_if<GaussianBlock>(&one);
    if (!block) continue;
    for (Index j = 0; j < block->dimension(); ++j) {
      const double mean = block->parameters().means(k, j);
      found.push_back(
          {block->parameters().columns[at(j)], mean,
           log_normal(*block, k, j, mean) - log_of_others(*block, model.prior(), k, j, mean)});
    }
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &NumberEvidence::log_odds);
  if (std::ssize(found) > most) found.resize(at(most));
  return found;
}

}  // namespace

std::vector<std::vector<NumberEvidence>> strongest_numbers(ClassifierRef model, Index most) {
  const Model* joint = model.model();
  if (!joint || joint->classes().size() < 2) return {};
  std::vector<std::vector<NumberEvidence>> strongest;
  for (Index k = 0; k < std::ssize(joint->classes()); ++k)
    strongest.push_back(of_class(*joint, k, most));
  if (std::ranges::all_of(strongest, &std::vector<NumberEvidence>::empty)) return {};
  return strongest;
}

}  // namespace genera
