#include "fit/mixture/components.hpp"

#include <algorithm>

#include <genera/error.hpp>

#include "blocks/mixture/plan.hpp"

namespace genera::fit_detail {

std::vector<std::size_t> heaviest_first(const MixtureParameters& mixture) {
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < mixture.weights.size(); ++c) {
    if (mixture.weights[c] > blocks::emptied_weight) order.push_back(c);
  }
  const Matrix& means = mixture.components.means;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (mixture.weights[a] != mixture.weights[b]) return mixture.weights[a] > mixture.weights[b];
    return std::ranges::lexicographical_compare(means.row(static_cast<Index>(a)),
                                                means.row(static_cast<Index>(b)));
  });
  return order;
}

GaussianParameters selected(const GaussianParameters& all,
                            const std::vector<std::size_t>& components) {
  GaussianParameters chosen = all;
  const Index d = all.means.columns();
  chosen.means = Matrix(std::ssize(components), d);
  if (!all.means_low.empty()) chosen.means_low = chosen.means;
  const bool own_covariances = all.covariances.size() > 1;
  const bool own_variances = all.variances.rows() > 1;
  if (own_covariances) chosen.covariances.clear();
  if (own_variances) chosen.variances = Matrix(std::ssize(components), d);
  chosen.counts.clear();
  for (std::size_t to = 0; to < components.size(); ++to) {
    const std::size_t from = components[to];
    const auto row = [&](const Matrix& a, Matrix& b) {
      std::ranges::copy(a.row(static_cast<Index>(from)), b.row(static_cast<Index>(to)).begin());
    };
    row(all.means, chosen.means);
    if (!all.means_low.empty()) row(all.means_low, chosen.means_low);
    if (own_covariances) chosen.covariances.push_back(all.covariances[from]);
    if (own_variances) row(all.variances, chosen.variances);
    if (!all.counts.empty()) chosen.counts.push_back(all.counts[from]);
  }
  return chosen;
}

void refuse_for_mixtures(const GaussianOptions& options) {
  const auto refuse = [](const std::string& what, const Advice& hint) {
    throw Error(Errc::bad_argument, what, hint);
  };
  if (options.bayesian)
    refuse("mixtures have no prior of bqda: the variance floor keeps their covariances regular",
           "leave it out");
  if (options.rda)
    refuse("mixtures have no rda: the variance floor keeps their covariances regular",
           "leave rda out");
  if (options.shrinkage.kind != Shrinkage::Kind::none)
    refuse("mixtures have no shrinkage: the variance floor keeps their covariances regular",
           {"leave {} out, or choose a simpler {}", {{"shrinkage"}, {"covariance"}}});
  if (options.variance_prior > 0)
    refuse("mixtures have no variance prior: the variance floor keeps their components regular",
           {"leave {} out", {{"variance_prior"}}});
  if (options.divisor == Divisor::unbiased)
    refuse("mixtures are fitted by maximum likelihood: they have no unbiased divisor",
           {"leave {} out", {{"divisor"}}});
}

}  // namespace genera::fit_detail
