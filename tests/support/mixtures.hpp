#pragma once

#include <cmath>
#include <numbers>

#include <genera/genera.hpp>

/// Mixtures with known parameters, and the plain formula of their density.
namespace genera::testing {

/// Two classes of 2 and 3 components over two columns.
inline MixtureParameters small_mixture(Family family = Family::qda) {
  MixtureParameters p;
  p.components.family = family;
  p.components.columns = {"a", "b"};
  p.components.means = Matrix(5, 2, Vector{0, 0, 4, 1, -3, 2, 0, -4, 6, 6});
  p.component_class = {0, 0, 1, 1, 1};
  p.weights = {0.25, 0.75, 0.5, 0.375, 0.125};
  const Matrix first(2, 2, Vector{1, 0.3, 0.3, 2}), second(2, 2, Vector{3, -1, -1, 0.5});
  if (family == Family::qda) p.components.covariances = {first, second, first, first, second};
  if (family == Family::lda) p.components.covariances = {second};
  if (family == Family::gnb)
    p.components.variances = Matrix(5, 2, Vector{1, 2, 0.5, 0.25, 3, 1, 1, 1, 2, 4});
  if (family == Family::dlda) p.components.variances = Matrix(1, 2, Vector{1, 2});
  return p;
}

inline Model small_mixture_model(Family family = Family::qda) {
  return {{"no", "yes"}, Prior({0.25, 0.75}), {MixtureBlock(small_mixture(family))}};
}

/// log N(x; mean_c, covariance_c) in two dimensions.
inline double log_normal(const MixtureBlock& block, Index c, double x, double y) {
  const Matrix s = block.components().covariance(c);
  const double u = x - block.parameters().components.means(c, 0);
  const double v = y - block.parameters().components.means(c, 1);
  const double det = s(0, 0) * s(1, 1) - s(0, 1) * s(1, 0);
  const double square = (s(1, 1) * u * u - 2 * s(0, 1) * u * v + s(0, 0) * v * v) / det;
  return -std::log(2 * std::numbers::pi) - 0.5 * std::log(det) - 0.5 * square;
}

/// p(x | k), summed without any care.
inline double plain_density(const MixtureBlock& block, Index k, double x, double y) {
  double sum = 0;
  for (std::size_t c = 0; c < block.parameters().component_class.size(); ++c) {
    if (block.parameters().component_class[c] == k)
      sum +=
          block.parameters().weights[c] * std::exp(log_normal(block, static_cast<Index>(c), x, y));
  }
  return sum;
}

}  // namespace genera::testing
