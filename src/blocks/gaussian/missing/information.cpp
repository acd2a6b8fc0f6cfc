// Fisher information of incomplete rows about a Gaussian density.
#include "blocks/gaussian/missing/information.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernel/cholesky.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

/// With more columns, the information matrix of d (d + 1) / 2 entries is too large.
constexpr Index max_columns = 24;
constexpr double min_count = 1;

/// The weight of the rows with certain observed columns.
struct ObservedWeight {
  std::span<const Index> columns;
  double weight;
};
using ObservedWeights = std::vector<ObservedWeight>;

/// The projection onto the observed columns where the covariance is the identity: with S = L L',
/// P = L_o' (S_oo)^-1 L_o.
Matrix projection(const Matrix& covariance, const Matrix& lower, std::span<const Index> columns) {
  const auto count = std::ssize(columns);
  const Index d = covariance.rows();
  Matrix own(count, count), directions(count, d), p(d, d);
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < count; ++j) own(i, j) = covariance(columns[at(i)], columns[at(j)]);
  }
  const auto factor = kernel::factorise(own);
  if (!factor) return p;
  for (Index i = 0; i < count; ++i) {
    for (Index l = 0; l <= i; ++l) {
      for (Index j = 0; j <= columns[at(l)]; ++j)
        directions(i, j) += factor->inverse(i, l) * lower(columns[at(l)], j);
    }
  }
  for (Index i = 0; i < count; ++i) {
    for (Index a = 0; a < d; ++a) {
      for (Index b = 0; b < d; ++b) p(a, b) += directions(i, a) * directions(i, b);
    }
  }
  return p;
}

/// Adds weight times the information tr(P M P M) / 2 about a symmetric matrix M, in units of the
/// information of a complete row.
void add_information(const Matrix& p, double weight, Matrix& to) {
  const Index d = p.rows();
  const double diagonal = std::sqrt(0.5);
  Index i = 0;
  for (Index a = 0; a < d; ++a) {
    for (Index b = 0; b <= a; ++b, ++i) {
      const double own = weight * (a == b ? diagonal : 1);
      Index j = 0;
      for (Index c = 0; c <= a; ++c) {
        for (Index e = 0; e <= c && j <= i; ++e, ++j)
          to(i, j) += own * (c == e ? diagonal : 1) * (p(a, c) * p(b, e) + p(a, e) * p(b, c));
      }
    }
  }
}

/// The number of complete rows with the same mean variance of the covariance entries, over the
/// directions in which they can vary.
double rows_by_information(const Matrix& covariance, const ObservedWeights& rows) {
  const Index d = covariance.rows(), entries = d * (d + 1) / 2;
  const Matrix lower = kernel::lower_factor(covariance);
  Matrix information(entries, entries);
  for (const auto& [columns, weight] : rows) {
    if (std::ssize(columns) < d) {
      add_information(projection(covariance, lower, columns), weight, information);
      continue;
    }
    for (Index i = 0; i < entries; ++i) information(i, i) += weight;
  }
  for (Index i = 0; i < entries; ++i) {
    for (Index j = 0; j < i; ++j) information(j, i) = information(i, j);
  }
  const auto factor = kernel::factorise(information);
  if (!factor) return min_count;
  double trace = 0;  // trace of the inverse
  for (Index i = 0; i < entries; ++i) {
    for (const double a : factor->inverse.row(i)) trace += a * a;
  }
  return static_cast<double>(entries) / trace;
}

/// The same for uncorrelated columns: the harmonic mean of the weights of the rows with both
/// columns of a pair.
double rows_by_pairs(Index d, const ObservedWeights& rows) {
  Matrix pairs(d, d);
  for (const auto& [columns, weight] : rows) {
    for (const Index i : columns) {
      for (const Index j : columns) pairs(i, j) += weight;
    }
  }
  double inverse = 0;
  for (Index i = 0; i < d; ++i) {
    for (const double pair : pairs.row(i)) inverse += 1 / std::max(pair, min_count);
  }
  return static_cast<double>(d * d) / inverse;
}

double rows_of_covariance(const Matrix& covariance, const ObservedWeights& rows) {
  return covariance.rows() <= max_columns ? rows_by_information(covariance, rows)
                                          : rows_by_pairs(covariance.rows(), rows);
}

ObservedWeights weights_of_class(std::span<const PatternWeight> rows, Index k) {
  ObservedWeights own;
  for (const PatternWeight& pattern : rows) {
    if (pattern.weights[at(k)] > 0) own.push_back({pattern.observed, pattern.weights[at(k)]});
  }
  return own;
}

ObservedWeights weights_of_all(std::span<const PatternWeight> rows) {
  ObservedWeights all;
  for (const PatternWeight& pattern : rows)
    all.push_back(
        {pattern.observed, std::accumulate(pattern.weights.begin(), pattern.weights.end(), 0.0)});
  return all;
}

Matrix counts_of_full(const GaussianParameters& p, std::span<const PatternWeight> rows) {
  const Index classes = p.means.rows();
  Matrix counts(classes, 1);
  const double all = std::accumulate(p.counts.begin(), p.counts.end(), 0.0);
  const bool shared = p.covariances.size() == 1;
  const double together =
      shared ? rows_of_covariance(p.covariances.front(), weights_of_all(rows)) : 0;
  for (Index k = 0; k < classes; ++k)
    counts(k, 0) = shared ? together * (p.counts[at(k)] / all)
                          : rows_of_covariance(p.covariances[at(k)], weights_of_class(rows, k));
  return counts;
}

Matrix counts_of_diagonal(const GaussianParameters& p, std::span<const PatternWeight> rows) {
  Matrix counts(p.means.rows(), p.means.columns());
  for (const PatternWeight& pattern : rows) {
    for (Index k = 0; k < counts.rows(); ++k) {
      for (const Index j : pattern.observed) counts(k, j) += pattern.weights[at(k)];
    }
  }
  return counts;
}

}  // namespace

Matrix effective_counts(const GaussianParameters& parameters, std::span<const PatternWeight> rows) {
  Matrix counts = parameters.covariances.empty() ? counts_of_diagonal(parameters, rows)
                                                 : counts_of_full(parameters, rows);
  constexpr double rounding = 1e-9;
  bool fewer = false;
  for (Index k = 0; k < counts.rows(); ++k) {
    const double all = parameters.counts[at(k)];
    for (double& count : counts.row(k)) {
      count = std::clamp(count, std::min(min_count, all), all);
      fewer = fewer || count < all * (1 - rounding);
    }
  }
  return fewer ? counts : Matrix();
}

double effective_count(const GaussianParameters& parameters, Index k, Index j) {
  const Matrix& counts = parameters.effective_counts;
  if (counts.empty()) return parameters.counts[at(k)];
  if (counts.columns() == 1) return counts(k, 0);
  if (j >= 0) return counts(k, j);
  return std::accumulate(counts.row(k).begin(), counts.row(k).end(), 0.0) /
         static_cast<double>(counts.columns());
}

}  // namespace genera::blocks
