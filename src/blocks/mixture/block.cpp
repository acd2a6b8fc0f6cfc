#include <cmath>

#include <fmt/format.h>

#include <genera/blocks.hpp>
#include <genera/error.hpp>

#include "blocks/probabilities.hpp"

namespace genera {
namespace {

using detail::refuse_model;

void check_owners(const MixtureParameters& p) {
  const auto components = static_cast<std::size_t>(p.components.means.rows());
  if (components == 0) refuse_model("a mixture needs components", "give at least one per class");
  if (p.component_class.size() != components || p.weights.size() != components)
    refuse_model(fmt::format("{}, but {} and {}", counted(p.components.means.rows(), "component"),
                             counted(std::ssize(p.component_class), "owner"),
                             counted(std::ssize(p.weights), "weight")),
                 "give every component its class and its weight");
  Index last = -1;
  for (const Index component_class : p.component_class) {
    if (component_class != last && component_class != last + 1)
      refuse_model(fmt::format("a component of class {} follows one of class {}",
                               component_class + 1, last + 1),
                   "order the components by class; each class needs at least one");
    last = component_class;
  }
  if (!p.components.counts.empty())
    refuse_model("the components of a mixture have counts of their own",
                 "give counts of classes, and weights of components");
}

void check_weights(const MixtureParameters& p) {
  constexpr double tolerance = 1e-6;
  Vector sums(static_cast<std::size_t>(p.component_class.back() + 1));
  for (std::size_t c = 0; c < p.weights.size(); ++c) {
    if (!(p.weights[c] > 0) || !std::isfinite(p.weights[c]))
      refuse_model(fmt::format("the weight of component {} is {}", c + 1, p.weights[c]),
                   "give weights greater than 0, or leave the component out");
    sums[static_cast<std::size_t>(p.component_class[c])] += p.weights[c];
  }
  for (std::size_t k = 0; k < sums.size(); ++k) {
    if (!(std::abs(sums[k] - 1) <= tolerance))
      refuse_model(
          fmt::format("the weights of the components of class {} sum to {:.9g}", k + 1, sums[k]),
          "the weights of a class sum to 1");
  }
}

void check_kernel(const MixtureParameters& p) {
  if (!p.kernel) return;
  if (!(p.kernel->bandwidth > 0) || !std::isfinite(p.kernel->bandwidth))
    refuse_model(fmt::format("the bandwidth of kernels is {}", p.kernel->bandwidth),
                 "give a finite number above 0");
  if (!(p.kernel->gamma >= 0 && p.kernel->gamma <= 1))
    refuse_model(fmt::format("the gamma of kernels is {}", p.kernel->gamma),
                 "give a number from 0 to 1");
  if (p.components.covariances.size() != 1)
    refuse_model("kernels share one full covariance", "give one covariance");
}

MixtureParameters checked(MixtureParameters p) {
  check_kernel(p);
  check_owners(p);
  check_weights(p);
  detail::check_counts(p.counts, p.component_class.back() + 1);
  return p;
}

}  // namespace

MixtureBlock::MixtureBlock(MixtureParameters parameters)
    : parameters_(checked(std::move(parameters))), components_(parameters_.components) {
  for (std::size_t c = 0; c < parameters_.component_class.size(); ++c) {
    if (c == 0 || parameters_.component_class[c] != parameters_.component_class[c - 1])
      first_.push_back(static_cast<Index>(c));
  }
  first_.push_back(static_cast<Index>(parameters_.component_class.size()));
}

}  // namespace genera
