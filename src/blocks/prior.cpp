#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/prior.hpp>
#include <genera/table.hpp>

#include "kernel/text.hpp"

namespace genera {
namespace {

/// Probabilities whose sum deviates less from one are not normalised, so that files preserve them.
constexpr double rounding = 1e-12;
/// Tolerated deviation of the sum of a given prior from one: thirds are written with a few digits.
constexpr double tolerated_sum_error = 1e-3;

}  // namespace

Prior::Prior(Vector weights) : probabilities_(std::move(weights)) {
  double sum = 0;
  for (const double p : probabilities_) {
    if (!(p >= 0) || !std::isfinite(p))
      throw Error(Errc::bad_argument, fmt::format("a prior probability is {}", p),
                  "priors must be finite numbers of at least 0");
    sum += p;
  }
  if (!(sum > 0) || !std::isfinite(sum))
    throw Error(Errc::bad_argument, fmt::format("the prior probabilities sum to {}", sum),
                "give at least one class a positive prior");
  if (std::abs(sum - 1) > rounding) {
    for (double& p : probabilities_) p /= sum;
  }
  for (const double p : probabilities_) log_.push_back(std::log(p));
}

Prior Prior::uniform(Index classes) {
  return Prior(Vector(static_cast<std::size_t>(classes), 1.0));
}

Prior resolve(const PriorChoice& choice, const std::vector<std::string>& classes,
              const Vector& counts) {
  if (choice.kind == PriorChoice::Kind::empirical) return Prior(counts);
  if (choice.kind == PriorChoice::Kind::uniform)
    return Prior::uniform(static_cast<Index>(classes.size()));
  Vector weights(classes.size(), -1);
  for (const auto& [name, probability] : choice.given) {
    const auto at = find_label(classes, name);
    if (!at)
      throw Error(
          Errc::bad_argument, fmt::format("the priors name '{}', which is not a class", name),
          kernel::did_you_mean(name, classes, "the classes are " + kernel::quoted_list(classes)));
    double& weight = weights[static_cast<std::size_t>(*at)];
    if (weight >= 0)
      throw Error(Errc::bad_argument, fmt::format("the priors name class '{}' twice", name),
                  "give each class one prior");
    if (!(probability >= 0 && probability <= 1))
      throw Error(Errc::bad_argument,
                  fmt::format("the prior of class '{}' is {}", name, probability),
                  "a prior is a probability, in [0, 1]");
    weight = probability;
  }
  const auto unnamed = std::find(weights.begin(), weights.end(), -1);
  if (unnamed != weights.end())
    throw Error(Errc::bad_argument,
                fmt::format("the priors leave out class '{}'",
                            classes[static_cast<std::size_t>(unnamed - weights.begin())]),
                "give every class a prior");
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (std::abs(sum - 1) > tolerated_sum_error)
    throw Error(Errc::bad_argument, fmt::format("the priors sum to {}, not to 1", sum),
                "give probabilities that sum to 1");
  return Prior(std::move(weights));
}

}  // namespace genera
