#include "query/explain/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernel/cholesky.hpp"
#include "model/gaussian_density.hpp"

namespace genera::query {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

GaussianEvidence::GaussianEvidence(const GaussianBlock& block) : block_(&block) {
  std::vector<Index> order(at(block.dimension()));
  std::iota(order.begin(), order.end(), Index{0});
  for (const Matrix& covariance : block.parameters().covariances)
    inverse_factors_.push_back(kernel::factorise(covariance, order)->inverse);
}

double GaussianEvidence::base(Pair pair) const {
  const Vector& constants = block_->density().log_constants();
  return constants[at(pair.best)] - constants[at(pair.second)];
}

/// covariance_k^-1 y = A' A y.
Vector GaussianEvidence::solve(Index k, const Vector& y) const {
  const Matrix& a = inverse_factors_[inverse_factors_.size() == 1 ? 0 : at(k)];
  Vector result(y.size());
  for (Index i = 0; i < a.rows(); ++i) {
    double product = 0;
    for (Index j = 0; j <= i; ++j) product += a(i, j) * y[at(j)];
    for (Index j = 0; j <= i; ++j) result[at(j)] += a(i, j) * product;
  }
  return result;
}

void GaussianEvidence::add(const Vector& x, Pair pair, std::vector<Evidence>& to) const {
  const GaussianParameters& p = block_->parameters();
  const auto shares = [&](Index k) {  // of the columns in -D^2_k / 2
    Vector y(x.size());
    for (std::size_t j = 0; j < x.size(); ++j) y[j] = x[j] - p.means(k, static_cast<Index>(j));
    const Vector z = block_->diagonal() ? Vector() : solve(k, y);
    Vector share(x.size());
    for (std::size_t j = 0; j < x.size(); ++j) {
      const auto column = static_cast<Index>(j);
      share[j] =
          -0.5 * y[j] *
          (block_->diagonal() ? y[j] / p.variances(p.variances.rows() == 1 ? 0 : k, column) : z[j]);
    }
    return share;
  };
  Vector of_columns(x.size());
  if (block_->shared() && !block_->diagonal()) {
    Vector difference(x.size());
    for (std::size_t j = 0; j < x.size(); ++j)
      difference[j] =
          p.means(pair.best, static_cast<Index>(j)) - p.means(pair.second, static_cast<Index>(j));
    const Vector coefficients = solve(0, difference);
    for (std::size_t j = 0; j < x.size(); ++j) {
      const auto column = static_cast<Index>(j);
      const double middle = std::midpoint(p.means(pair.best, column), p.means(pair.second, column));
      of_columns[j] = (x[j] - middle) * coefficients[j];
    }
  } else {
    const Vector best = shares(pair.best);
    const Vector second = shares(pair.second);
    for (std::size_t j = 0; j < x.size(); ++j) of_columns[j] = best[j] - second[j];
  }
  for (std::size_t j = 0; j < x.size(); ++j) to.push_back({p.columns[j], of_columns[j]});
}

std::string mixture_name(const MixtureBlock& block) {
  std::string names;
  for (const std::string& column : block.parameters().components.columns)
    names += (names.empty() ? "" : ", ") + column;
  return "mixture(" + names + ")";
}

std::string level_name(const std::string& column, const std::string& level) {
  return column + "=" + level;
}

std::string cell_name(const JointParameters& p, Index cell) {
  std::vector<std::string> names(p.columns.size());
  for (std::size_t j = p.columns.size(); j-- > 0;) {
    const Index levels = std::ssize(p.levels[j]);
    names[j] = level_name(p.columns[j], p.levels[j][at(cell % levels)]);
    cell /= levels;
  }
  std::string name;
  for (const std::string& part : names) name += (name.empty() ? "" : ", ") + part;
  return name;
}

std::string term_name(const Model& model, const CountParameters& p, Index term) {
  const auto texts =
      std::count_if(model.features().begin(), model.features().end(),
                    [](const Column& column) { return column.type == ColumnType::text; });
  return (texts > 1 && !p.text.empty() ? p.text + ":" : std::string()) + p.terms[at(term)];
}

double keep_largest(std::vector<Evidence>& evidence, Index most, bool absolute) {
  const auto size = [&](const Evidence& e) { return absolute ? std::abs(e.log_odds) : e.log_odds; };
  const auto before = [&](const Evidence& a, const Evidence& b) {
    return size(a) != size(b) ? size(a) > size(b) : a.feature < b.feature;
  };
  const Index kept = std::clamp<Index>(most, 0, std::ssize(evidence));
  std::partial_sort(evidence.begin(), evidence.begin() + kept, evidence.end(), before);
  double rest = 0;
  for (std::size_t i = at(kept); i < evidence.size(); ++i) rest += evidence[i].log_odds;
  evidence.resize(at(kept));
  return rest;
}

}  // namespace genera::query
