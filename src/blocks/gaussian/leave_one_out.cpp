// Selects the method for leaving a row out of a Gaussian block.
#include <algorithm>

#include "blocks/gaussian/estimate/prior_covariance.hpp"
#include "blocks/gaussian/left_out/left_out.hpp"
#include "blocks/gaussian/plan.hpp"

namespace genera::blocks {
namespace {

/// If alpha is neither 0 nor 1, each distinct weight has its own factors. With more weights than
/// this, the covariances are estimated row by row.
constexpr std::size_t max_weights = 64;

Matrix only_diagonal(const Matrix& scatter) {
  Matrix result(1, scatter.columns());
  for (Index j = 0; j < result.columns(); ++j) result(0, j) = diagonal_of(scatter, j);
  return result;
}

bool has_full_covariance(const GaussianOptions& options) { return is_full(options.covariance); }

std::vector<double> different_weights(const DataView& data) {
  if (data.weights.empty()) return {1};
  std::vector<double> weights(data.weights.begin(), data.weights.end());
  std::ranges::sort(weights);
  weights.erase(std::unique(weights.begin(), weights.end()), weights.end());
  return weights;
}

}  // namespace

std::unique_ptr<const LeaveOneOut> GaussianPlan::leave_one_out(const LeaveOneOutInput& from) const {
  if (sparse_ || !frame_.constant_within.empty() || options_.shrinkage.kind == Shrinkage::Kind::lw)
    return nullptr;
  const auto& moments = sums_as<ComponentSums>(from.sums).moments;
  auto shared = std::make_shared<LeftOutGaussian>(
      LeftOutGaussian{.options = options_,
                      .input = input(from.sums),
                      .means_low = Matrix(std::ssize(moments), frame_.dimension()),
                      .columns = {from.rows.rows.data(), from.places.numbers},
                      .within = {},
                      .total = {},
                      .mean = frame_.units->centre,
                      .unbiased = options_.divisor == Divisor::unbiased ? 1.0 : 0.0});
  for (std::size_t k = 0; k < moments.size(); ++k)
    std::ranges::copy(moments[k].mean_low, shared->means_low.row(static_cast<Index>(k)).begin());
  GaussianInput& all = shared->input;
  const double divisor = pooled_divisor(all.counts, options_.divisor);
  for (std::size_t j = 0; j < all.columns.size(); ++j) {
    shared->within.push_back(all.pooled_variance[j] * divisor);
    shared->total.push_back(all.total_variance[j] * all.total_count());
  }
  const auto cells = static_cast<double>(all.dimension()) * static_cast<double>(all.classes.size());
  const auto& rda = options_.rda;
  if (rda && rda->gamma == 1) return left_out_of_target(shared, cells);
  if (!has_full_covariance(options_)) {
    for (ClassScatter& scatter : all.scatter) scatter = only_diagonal(scatter);
    return left_out_by_estimate(shared, cells);
  }
  const bool as_it_is = options_.shrinkage.kind == Shrinkage::Kind::none &&
                        (!rda || rda->gamma == 0) && !options_.bayesian;
  const std::vector<double> weights = different_weights(from.rows.rows.data());
  const bool mixed = rda && rda->alpha > 0 && rda->alpha < 1;
  if (as_it_is && (!mixed || weights.size() <= max_weights))
    return left_out_by_factors(shared, weights);
  // Per class: a factor, a test whether it exists, and the matrices themselves.
  const auto d = static_cast<double>(all.dimension());
  const double choices = options_.bayesian ? double(prior_choices(*options_.bayesian)) : 0;
  return left_out_by_estimate(shared, (2 + choices) * cells * d * (d + 10));
}

}  // namespace genera::blocks
