#include "fit/mixture/hierarchy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include "kernel/index.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;

/// The work grows with the square of the rows and the cube of the columns.
constexpr double most_work = 1.2e10;
constexpr double most_rows = 1000;
constexpr Index least_sampled = 50;

Index rows_that_take_part(Index rows, Index columns) {
  const auto d = static_cast<double>(columns);
  const auto few = static_cast<Index>(std::min(most_rows, std::sqrt(most_work / (d * d * d))));
  if (rows <= few) return rows;
  return few >= least_sampled ? few : 0;
}

/// A group, as moments of its rows.
struct Group {
  Eigen::VectorXd mean;
  Eigen::MatrixXd scatter;  // empty: of one row
  double weight = 0;
  double trace = 0;
  Index rows = 1;
  double cost = 0;
};

class Merging {
 public:
  Merging(const Matrix& rows, const Vector& weights, const std::vector<Index>& chosen)
      : d_(rows.columns()), n_(std::ssize(chosen)), costs_(at(n_ * n_)), nearest_(at(n_), -1) {
    double total = 0;
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(d_);
    for (const Index i : chosen) {
      Group one;
      one.mean = Eigen::Map<const Eigen::VectorXd>(rows.row(i).data(), d_);
      one.weight = weights[at(i)];
      total += one.weight;
      mean += one.weight * one.mean;
      groups_.push_back(std::move(one));
    }
    mean /= total;
    for (const Group& one : groups_) least_ += one.weight * (one.mean - mean).squaredNorm();
    // The mean variance of a column: what keeps the cost of rows that are equal finite.
    least_ =
        std::max(least_ / (total * static_cast<double>(d_)), std::numeric_limits<double>::min());
    for (Group& one : groups_) one.cost = one.weight * std::log(least_ / one.weight);
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

  /// Among those behind it.
  void find_nearest(Index i) {
    Index best = -1;
    for (const Index j : active_) {
      if (j > i && (best < 0 || cost(i, j) < cost(i, best))) best = j;
    }
    nearest_[at(i)] = best;
  }

  [[nodiscard]] Eigen::MatrixXd scatter_of(const Group& a, const Group& b) const {
    Eigen::MatrixXd scatter = Eigen::MatrixXd::Zero(d_, d_);
    if (a.scatter.size() > 0) scatter += a.scatter;
    if (b.scatter.size() > 0) scatter += b.scatter;
    const Eigen::VectorXd shift = a.mean - b.mean;
    scatter.selfadjointView<Eigen::Lower>().rankUpdate(shift,
                                                       a.weight * b.weight / (a.weight + b.weight));
    return scatter;
  }

  /// n log(|W / n| + (tr W + least) / n): the trace keeps the cost of few rows finite.
  [[nodiscard]] double cost_of(double weight, double trace, double determinant) const {
    return weight * std::log(determinant + (trace + least_) / weight);
  }

  [[nodiscard]] double cost_of_pair(const Group& a, const Group& b) const {
    const double weight = a.weight + b.weight;
    const double trace =
        a.trace + b.trace + a.weight * b.weight / weight * (a.mean - b.mean).squaredNorm();
    double determinant = 0;
    if (a.rows + b.rows > d_) {
      const Eigen::LLT<Eigen::MatrixXd> factor(scatter_of(a, b) / weight);
      if (factor.info() == Eigen::Success) {
        determinant = 1;
        for (Index j = 0; j < d_; ++j) determinant *= factor.matrixLLT()(j, j);
        determinant *= determinant;
      }
    }
    return cost_of(weight, trace, determinant);
  }

  [[nodiscard]] double cost_of_merging(Index i, Index j) const {
    const Group &a = groups_[at(i)], &b = groups_[at(j)];
    return cost_of_pair(a, b) - a.cost - b.cost;
  }

  void merge(Index i, Index j) {
    Group &a = groups_[at(i)], &b = groups_[at(j)];
    const double weight = a.weight + b.weight;
    const double joined = cost_of_pair(a, b);
    a.trace += b.trace + a.weight * b.weight / weight * (a.mean - b.mean).squaredNorm();
    a.scatter = scatter_of(a, b);
    a.mean = (a.weight * a.mean + b.weight * b.mean) / weight;
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
  double least_ = 0;
  std::vector<Group> groups_;
  std::vector<double> costs_;
  std::vector<Index> nearest_, active_;
};

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
  const Index n = rows.rows(), d = rows.columns();
  Eigen::MatrixXd x =
      Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
          rows.data(), n, d);
  const Eigen::Map<const Eigen::VectorXd> w(weights.data(), n);
  const double total = w.sum();
  x.rowwise() -= (w.transpose() * x / total).eval();
  for (Index j = 0; j < d; ++j) {
    const double variance = (w.array() * x.col(j).array().square()).sum() / total;
    if (variance > 0) x.col(j) /= std::sqrt(variance);
  }
  const Eigen::MatrixXd correlations = x.transpose() * w.asDiagonal() * x / total;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes(correlations);
  const double largest = axes.eigenvalues().maxCoeff();
  Matrix result(n, d);
  for (Index j = 0; j < d; ++j) {
    const double variance = std::max(axes.eigenvalues()(j), 1e-12 * largest);
    const Eigen::VectorXd along = x * axes.eigenvectors().col(j) / std::pow(variance, 0.25);
    for (Index i = 0; i < n; ++i) result(i, j) = along(i);
  }
  return result;
}

}  // namespace genera::fit_detail
