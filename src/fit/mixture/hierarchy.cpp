#include "fit/mixture/hierarchy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernel/cholesky.hpp"
#include "kernel/index.hpp"
#include "kernel/symmetric_eigen.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;

/// The cost is quadratic in the rows and cubic in the columns.
constexpr double max_work = 1.2e10;
constexpr double max_rows = 1000;
constexpr Index min_sampled = 50;

Index rows_that_take_part(Index rows, Index columns) {
  const auto d = static_cast<double>(columns);
  const auto few = static_cast<Index>(std::min(max_rows, std::sqrt(max_work / (d * d * d))));
  if (rows <= few) return rows;
  return few >= min_sampled ? few : 0;
}

/// A group, described by the moments of its rows.
struct Group {
  Vector mean;
  Matrix scatter;  // lower triangle; empty for a single row
  double weight = 0;
  double trace = 0;
  Index rows = 1;
  double cost = 0;
};

double squared_distance(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

/// Joining two groups adds this times the squared distance of their means to the scatter.
double weight_of_shift(const Group& a, const Group& b) {
  return a.weight * b.weight / (a.weight + b.weight);
}

double trace_of_both(const Group& a, const Group& b) {
  return a.trace + b.trace + weight_of_shift(a, b) * squared_distance(a.mean, b.mean);
}

class Merging {
 public:
  Merging(const Matrix& rows, const Vector& weights, const std::vector<Index>& chosen)
      : d_(rows.columns()),
        n_(std::ssize(chosen)),
        costs_(at(n_ * n_)),
        nearest_(at(n_), -1),
        scatter_(d_, d_) {
    double total = 0;
    Vector mean(at(d_));
    for (const Index i : chosen) {
      const auto row = rows.row(i);
      Group one;
      one.mean.assign(row.begin(), row.end());
      one.weight = weights[at(i)];
      total += one.weight;
      for (Index j = 0; j < d_; ++j) mean[at(j)] += one.weight * row[at(j)];
      groups_.push_back(std::move(one));
    }
    for (double& value : mean) value /= total;
    for (const Group& one : groups_) min_ += one.weight * squared_distance(one.mean, mean);
    // The mean variance of a column keeps the cost of equal rows finite.
    min_ = std::max(min_ / (total * static_cast<double>(d_)), std::numeric_limits<double>::min());
    for (Group& one : groups_) one.cost = one.weight * std::log(min_ / one.weight);
    active_.resize(at(n_));
    std::iota(active_.begin(), active_.end(), Index{0});
  }

  std::vector<std::pair<Index, Index>> run() {
    std::vector<std::pair<Index, Index>> merged;
    for (Index i = 0; i < n_; ++i) {
      for (Index j = i + 1; j < n_; ++j) cost(i, j) = cost_of_merging(i, j);
    }
    for (Index i = 0; i < n_; ++i) find_nearest(i);
    while (active_.size() > 1) {
      Index best = -1;
      for (const Index i : active_) {
        const Index j = nearest_[at(i)];
        if (j >= 0 && (best < 0 || cost(i, j) < cost(best, nearest_[at(best)]))) best = i;
      }
      const Index gone = nearest_[at(best)];
      merged.emplace_back(best, gone);
      merge(best, gone);
    }
    return merged;
  }

 private:
  double& cost(Index i, Index j) { return costs_[at(std::min(i, j) * n_ + std::max(i, j))]; }

  /// Among the groups after it.
  void find_nearest(Index i) {
    Index best = -1;
    for (const Index j : active_) {
      if (j > i && (best < 0 || cost(i, j) < cost(i, best))) best = j;
    }
    nearest_[at(i)] = best;
  }

  /// Writes the scatter of both groups together to scatter_.
  void join_scatters(const Group& a, const Group& b) {
    const double share = weight_of_shift(a, b);
    for (Index i = 0; i < d_; ++i) {
      const auto row = scatter_.row(i);
      const double shift = share * (a.mean[at(i)] - b.mean[at(i)]);
      for (Index j = 0; j <= i; ++j) row[at(j)] = shift * (a.mean[at(j)] - b.mean[at(j)]);
      for (const Group* group : {&a, &b}) {
        if (group->scatter.empty()) continue;
        const auto own = group->scatter.row(i);
        for (Index j = 0; j <= i; ++j) row[at(j)] += own[at(j)];
      }
    }
  }

  /// n log(|W / n| + (tr W + min_) / n): the trace keeps the cost of small groups finite.
  [[nodiscard]] double cost_of(double weight, double trace, double determinant) const {
    return weight * std::log(determinant + (trace + min_) / weight);
  }

  [[nodiscard]] double cost_of_pair(const Group& a, const Group& b) {
    const double weight = a.weight + b.weight;
    double determinant = 0;
    if (a.rows + b.rows > d_) {
      join_scatters(a, b);
      for (Index i = 0; i < d_; ++i) {
        for (double& value : scatter_.row(i).first(at(i + 1))) value /= weight;
      }
      determinant = kernel::determinant_in_place(scatter_);
    }
    return cost_of(weight, trace_of_both(a, b), determinant);
  }

  [[nodiscard]] double cost_of_merging(Index i, Index j) {
    const Group &a = groups_[at(i)], &b = groups_[at(j)];
    return cost_of_pair(a, b) - a.cost - b.cost;
  }

  void merge(Index i, Index j) {
    Group &a = groups_[at(i)], &b = groups_[at(j)];
    const double weight = a.weight + b.weight;
    const double joined = cost_of_pair(a, b);
    a.trace = trace_of_both(a, b);
    join_scatters(a, b);
    a.scatter = scatter_;
    for (std::size_t k = 0; k < a.mean.size(); ++k)
      a.mean[k] = (a.weight * a.mean[k] + b.weight * b.mean[k]) / weight;
    a.weight = weight;
    a.rows += b.rows;
    a.cost = joined;
    b = {};
    std::erase(active_, j);
    for (const Index k : active_) {
      if (k != i) cost(i, k) = cost_of_merging(i, k);
    }
    find_nearest(i);
    for (const Index k : active_) {
      const Index before = nearest_[at(k)];
      if (before == i || before == j)
        find_nearest(k);
      else if (k < i && before >= 0 && cost(k, i) < cost(k, before))
        nearest_[at(k)] = i;
    }
  }

  Index d_, n_;
  double min_ = 0;
  std::vector<Group> groups_;
  std::vector<double> costs_;
  std::vector<Index> nearest_, active_;
  Matrix scatter_;  // of the two groups to join
};

/// Columns of mean zero and variance one; constant ones are zero.
Matrix standardised(const Matrix& rows, const Vector& weights) {
  const Index n = rows.rows(), d = rows.columns();
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  Matrix x = rows;
  for (Index j = 0; j < d; ++j) {
    double mean = 0, variance = 0;
    for (Index i = 0; i < n; ++i) mean += weights[at(i)] * x(i, j) / total;
    for (Index i = 0; i < n; ++i) {
      x(i, j) -= mean;
      variance += weights[at(i)] * x(i, j) * x(i, j) / total;
    }
    const double unit = variance > 0 ? 1 / std::sqrt(variance) : 1;
    for (Index i = 0; i < n; ++i) x(i, j) *= unit;
  }
  return x;
}

/// X' diag(w) X / sum of w, the lower triangle.
Matrix second_moments(const Matrix& x, const Vector& weights) {
  const Index n = x.rows(), d = x.columns();
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  Matrix moments(d, d);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < d; ++j) {
      const double share = weights[at(i)] / total * x(i, j);
      for (Index k = 0; k <= j; ++k) moments(j, k) += share * x(i, k);
    }
  }
  return moments;
}

}  // namespace

Hierarchy::Hierarchy(const Matrix& rows, const Vector& weights) : all_(rows.rows()) {
  std::vector<Index> heavy;
  for (Index i = 0; i < all_; ++i) {
    if (weights[at(i)] > 0) heavy.push_back(i);
  }
  const Index count = rows_that_take_part(std::ssize(heavy), rows.columns());
  for (Index i = 0; i < count; ++i) rows_.push_back(heavy[at(i * std::ssize(heavy) / count)]);
  if (count > 1) merged_ = Merging(rows, weights, rows_).run();
}

std::vector<std::int32_t> Hierarchy::groups(Index count) const {
  std::vector<Index> head(rows_.size());
  std::iota(head.begin(), head.end(), Index{0});
  const auto left_out =
      static_cast<std::size_t>(std::min<Index>(std::ssize(merged_), std::max<Index>(count - 1, 0)));
  for (std::size_t m = 0; m + left_out < merged_.size(); ++m)
    head[at(merged_[m].second)] = merged_[m].first;
  std::vector<std::int32_t> of_head(rows_.size(), -1), result(at(all_), -1);
  std::int32_t found = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    Index top = static_cast<Index>(i);
    while (head[at(top)] != top) top = head[at(top)];
    if (of_head[at(top)] < 0) of_head[at(top)] = found++;
    result[at(rows_[i])] = of_head[at(top)];
  }
  return result;
}

Matrix evened_axes(const Matrix& rows, const Vector& weights) {
  const Matrix x = standardised(rows, weights);
  const auto axes = kernel::symmetric_eigen(second_moments(x, weights));
  const Index n = rows.rows(), d = rows.columns();
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  Vector unit(at(d));
  for (Index j = 0; j < d; ++j) {
    const double variance = std::max(axes.values[at(j)], 1e-12 * axes.values.back());
    unit[at(j)] = std::pow(total * variance, -0.25);
  }
  Matrix result(n, d);
  for (Index i = 0; i < n; ++i) {
    const auto out = result.row(i);
    for (Index j = 0; j < d; ++j) {
      for (Index k = 0; k < d; ++k) out[at(k)] += x(i, j) * axes.vectors(j, k);
    }
    for (Index k = 0; k < d; ++k) out[at(k)] *= unit[at(k)];
  }
  return result;
}

}  // namespace genera::fit_detail
