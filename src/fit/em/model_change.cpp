#include "fit/em/model_change.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace genera::fit_detail {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double largest(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.columns() != b.columns()) return infinity;
  double most = 0;
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.columns(); ++j) most = std::max(most, std::abs(a(i, j) - b(i, j)));
  }
  return most;
}

double change(const GaussianBlock& a, const GaussianBlock& b) {
  if (a.parameters().columns != b.parameters().columns || a.classes() != b.classes())
    return infinity;
  double most = 0;
  for (Index k = 0; k < a.classes(); ++k) {
    const Matrix before = a.covariance(k), after = b.covariance(k);
    Vector sd;
    for (Index j = 0; j < after.rows(); ++j) sd.push_back(std::sqrt(after(j, j)));
    for (Index i = 0; i < after.rows(); ++i) {
      const double scale = sd[static_cast<std::size_t>(i)];
      most =
          std::max(most, std::abs(a.parameters().means(k, i) - b.parameters().means(k, i)) / scale);
      for (Index j = 0; j <= i; ++j)
        most = std::max(
            most, std::abs(after(i, j) - before(i, j)) / (scale * sd[static_cast<std::size_t>(j)]));
    }
    if (a.shared() && a.parameters().means == b.parameters().means) break;
  }
  return most;
}

double change(const CategoricalBlock& a, const CategoricalBlock& b) {
  if (a.parameters().levels != b.parameters().levels) return infinity;
  double most = 0;
  for (std::size_t j = 0; j < a.parameters().probabilities.size(); ++j)
    most =
        std::max(most, largest(a.parameters().probabilities[j], b.parameters().probabilities[j]));
  return most;
}

double change(const JointBlock& a, const JointBlock& b) {
  if (a.parameters().levels != b.parameters().levels) return infinity;
  return largest(a.parameters().probabilities, b.parameters().probabilities);
}

double change(const CountBlock& a, const CountBlock& b) {
  if (a.parameters().terms != b.parameters().terms) return infinity;
  return largest(a.parameters().probabilities, b.parameters().probabilities);
}

/// EM is not run on mixtures from here.
double change(const MixtureBlock&, const MixtureBlock&) { return infinity; }

}  // namespace

double change_between(const Model& before, const Model& after) {
  if (before.blocks().size() != after.blocks().size()) return infinity;
  double most = 0;
  for (std::size_t k = 0; k < before.classes().size(); ++k)
    most = std::max(most,
                    std::abs(before.prior().probabilities()[k] - after.prior().probabilities()[k]));
  for (std::size_t b = 0; b < before.blocks().size(); ++b) {
    most = std::max(most, std::visit(
                              []<class A, class B>(const A& one, const B& other) {
                                if constexpr (std::is_same_v<A, B>)
                                  return change(one, other);
                                else
                                  return infinity;
                              },
                              before.blocks()[b], after.blocks()[b]));
  }
  return most;
}

}  // namespace genera::fit_detail
