#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <genera/description.hpp>
#include <genera/explain.hpp>

#include "kernel/index.hpp"
#include "kernel/log_sum.hpp"
#include "score/committee/bound_classifier.hpp"

namespace genera {
namespace {

using kernel::at;

using Moments = BlockDescription::Moments;

double variance(const Moments& moments, Index k, Index j) {
  const CovarianceMatrix& own = moments.covariances[moments.covariances.size() == 1 ? 0 : at(k)];
  if (const auto* full = std::get_if<Matrix>(&own)) return (*full)(j, j);
  return std::get<Diagonal>(own).entries[at(j)];
}

/// log N(x; mean, variance) of column j in class k.
double log_normal(const Moments& moments, Index k, Index j, double x) {
  const double v = variance(moments, k, j), away = x - moments.means(k, j);
  return -0.5 * (std::log(2 * std::numbers::pi * v) + away * away / v);
}

/// log of the mean density of the other classes, by their priors (equal ones if those are 0).
double log_of_others(const Moments& moments, const Prior& prior, Index k, Index j) {
  const double others = 1 - prior.probabilities()[at(k)];
  const double equal = 1 / static_cast<double>(moments.means.rows() - 1);
  Vector terms;
  for (Index l = 0; l < moments.means.rows(); ++l) {
    if (l == k) continue;
    const double share = others > 0 ? prior.probabilities()[at(l)] / others : equal;
    terms.push_back(std::log(share) + log_normal(moments, l, j, moments.means(k, j)));
  }
  return kernel::log_sum(terms);
}

/// Of the blocks whose parameters are means and covariances.
std::vector<NumberEvidence> of_class(const Model& model, const Description& description, Index k,
                                     Index max) {
  std::vector<NumberEvidence> found;
  for (std::size_t b = 0; b < description.blocks.size(); ++b) {
    const std::optional<Moments>& moments = description.blocks[b].moments;
    if (!moments) continue;
    const std::vector<Column> columns =
        std::visit([](const auto& block) { return block.features(); }, model.blocks()[b]);
    for (Index j = 0; j < moments->means.columns(); ++j) {
      const double mean = moments->means(k, j);
      found.push_back(
          {columns[at(j)].name, mean,
           log_normal(*moments, k, j, mean) - log_of_others(*moments, model.prior(), k, j)});
    }
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &NumberEvidence::log_odds);
  found.resize(at(std::clamp<Index>(max, 0, std::ssize(found))));
  return found;
}

}  // namespace

std::vector<std::vector<NumberEvidence>> strongest_numbers(ClassifierRef model, Index max) {
  if (model.committee()) score::refuse_committee("strongest evidence of its own");
  const Model* joint = model.model();
  if (!joint || joint->classes().size() < 2) return {};
  const Description description = describe(*joint);
  std::vector<std::vector<NumberEvidence>> strongest;
  for (Index k = 0; k < std::ssize(joint->classes()); ++k)
    strongest.push_back(of_class(*joint, description, k, max));
  if (std::ranges::all_of(strongest, &std::vector<NumberEvidence>::empty)) return {};
  return strongest;
}

}  // namespace genera
