#include <algorithm>
#include <cmath>
#include <limits>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>

#include <genera/error.hpp>
#include <genera/query.hpp>

#include "query/generate/draws.hpp"

namespace genera {
namespace {

constexpr Index draws = 100'000;
constexpr Index draws_at_once = 8192;  // bounds the memory of wide models

double f_tail(double d, double nu, double value) {
  if (!(value > 0)) return 1;
  if (std::isinf(value)) return 0;
  if (std::isinf(nu)) return cdf(complement(boost::math::chi_squared(d), value * d));
  return cdf(complement(boost::math::fisher_f(d, nu), value));
}

}  // namespace

OutlierTail::OutlierTail(const Model& model, std::uint64_t seed, int threads) {
  if (model.blocks().size() == 1 && std::holds_alternative<GaussianBlock>(model.blocks().front())) {
    const auto& block = std::get<GaussianBlock>(model.blocks().front());
    const auto d = static_cast<double>(block.dimension());
    for (Index k = 0; k < block.classes(); ++k) {
      const auto nu = block.degrees_of_freedom(k);
      if (!nu || !(*nu - d + 1 > 0)) break;
      if (std::isinf(*nu)) {
        laws_.push_back({1 / d, d, *nu});
        continue;
      }
      // D^2 by the unbiased covariance, then Hotelling's law of a new row.
      const double n = block.parameters().counts[static_cast<std::size_t>(k)];
      double behind = n;  // what an mle covariance was divided by
      if (block.shared()) {
        behind = 0;
        for (const double count : block.parameters().counts) behind += count;
      }
      const double unbiased = block.parameters().unbiased ? 1 : *nu / behind;
      laws_.push_back({unbiased * n / (n + 1) * (*nu - d + 1) / (*nu * d), d, *nu - d + 1});
    }
    if (static_cast<Index>(laws_.size()) == block.classes()) return;
  }
  laws_.clear();
  for (Index first = 0; first < draws; first += draws_at_once) {
    const query::DrawRange range{first, std::min(draws, first + draws_at_once)};
    const Vector some =
        log_density(model, query::draw_rows(model, range, Rng(seed), threads), {threads});
    draws_.insert(draws_.end(), some.begin(), some.end());
  }
  std::sort(draws_.begin(), draws_.end());
}

Vector OutlierTail::operator()(const Matrix& distances, const Vector& log_density) const {
  const auto classes = static_cast<Index>(laws_.size());
  if (!laws_.empty() && (distances.rows() != static_cast<Index>(log_density.size()) ||
                         distances.columns() != classes))
    throw Error(Errc::bad_argument, "the distances do not belong to these densities",
                "give both of the same rows and the same model");
  Vector tails(log_density.size());
  for (std::size_t i = 0; i < tails.size(); ++i) {
    if (laws_.empty()) {
      const auto below =
          std::upper_bound(draws_.begin(), draws_.end(), log_density[i]) - draws_.begin();
      tails[i] = static_cast<double>(1 + below) / static_cast<double>(draws_.size() + 1);
      continue;
    }
    for (std::size_t k = 0; k < laws_.size(); ++k) {
      const double d2 = distances(static_cast<Index>(i), static_cast<Index>(k));
      tails[i] = std::max(tails[i], f_tail(laws_[k].d, laws_[k].nu, laws_[k].scale * d2));
    }
  }
  return tails;
}

double OutlierTail::resolution() const {
  return laws_.empty() ? 1 / static_cast<double>(draws + 1) : 0;
}

}  // namespace genera
