#include "diagnose/robust_shape.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "kernel/dense.hpp"
#include "kernel/index.hpp"
#include "kernel/distributions.hpp"

namespace genera::diagnose_detail {
namespace {

using kernel::at;

/// Fraction of the rows whose covariance is minimised; the others may be arbitrary.
constexpr double share = 0.75;
/// Number of rows used for the search.
constexpr Index max_searched = 1500;
/// Smaller pivots, relative to the spread of all rows, count as zero.
constexpr double min_pivot = 1e-10;

/// Mean and covariance of some rows.
struct Estimate {
  Eigen::VectorXd centre;
  Eigen::MatrixXd lower;  // L L' = covariance, divisor n
  double log_det = 0;
};

/// sum x x' / n over the columns of `points`.
Eigen::MatrixXd mean_square(const Eigen::MatrixXd& points) {
  const auto n = static_cast<double>(points.cols());
  return kernel::weighted_square(points, Eigen::VectorXd::Constant(points.cols(), 1 / n));
}

std::optional<Estimate> estimate_of(const Eigen::MatrixXd& points, std::span<const Index> which) {
  Eigen::MatrixXd some(points.rows(), std::ssize(which));
  for (Index i = 0; i < some.cols(); ++i) some.col(i) = points.col(which[at(i)]);
  Estimate found;
  found.centre = some.rowwise().mean();
  some.colwise() -= found.centre;
  auto lower = kernel::lower_of(mean_square(some));
  if (!lower) return std::nullopt;
  found.lower = *std::move(lower);
  const Eigen::ArrayXd pivots = found.lower.diagonal().array();
  if (!(pivots.minCoeff() * pivots.minCoeff() > min_pivot)) return std::nullopt;
  found.log_det = 2 * pivots.log().sum();
  return found;
}

Eigen::VectorXd distances_to(const Eigen::VectorXd& centre, const Eigen::MatrixXd& lower,
                             const Eigen::MatrixXd& points) {
  const Eigen::MatrixXd z = kernel::solve_lower(lower, points.colwise() - centre);
  return z.colwise().squaredNorm().transpose();
}

/// The h rows nearest to the estimate; ties go to the first.
std::vector<Index> nearest_rows(const Eigen::MatrixXd& points, const Estimate& to, Index h) {
  const Eigen::VectorXd distances = distances_to(to.centre, to.lower, points);
  std::vector<Index> order(at(points.cols()));
  std::iota(order.begin(), order.end(), Index{0});
  std::nth_element(order.begin(), order.begin() + h - 1, order.end(), [&](Index a, Index b) {
    return std::pair(distances(a), a) < std::pair(distances(b), b);
  });
  order.resize(at(h));
  std::ranges::sort(order);
  return order;
}

/// Concentration steps: each estimates from the rows nearest to the previous estimate, which never
/// increases the determinant.
std::optional<Estimate> concentrated(const Eigen::MatrixXd& points, std::optional<Estimate> from,
                                     Index h, int steps) {
  for (int step = 0; from && step < steps; ++step) {
    auto next = estimate_of(points, nearest_rows(points, *from, h));
    const bool same = next && !(next->log_det < from->log_det) && step > 0;
    from = std::move(next);
    if (same) break;
  }
  return from;
}

/// From d + 1 random rows; more are added while they lie in a hyperplane.
std::optional<Estimate> random_start(const Eigen::MatrixXd& points, Rng& rng) {
  const Index n = points.cols();
  std::vector<Index> order(at(n));
  std::iota(order.begin(), order.end(), Index{0});
  for (Index i = 0; i < n; ++i) {
    const auto other = i + static_cast<Index>(rng() % static_cast<std::uint64_t>(n - i));
    std::swap(order[at(i)], order[at(other)]);
    if (i < points.rows()) continue;
    const std::span<const Index> drawn(order.data(), at(i + 1));
    if (auto found = estimate_of(points, drawn)) return found;
    if (i > 3 * points.rows()) break;
  }
  return std::nullopt;
}

double median_of(Eigen::VectorXd values) {
  const Index middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + middle, values.end());
  return values(middle);
}

/// Diagonal estimate from medians and median absolute deviations.
Estimate by_medians(const Eigen::MatrixXd& points) {
  const Index d = points.rows();
  Estimate found{Eigen::VectorXd(d), Eigen::MatrixXd::Identity(d, d), 0};
  for (Index j = 0; j < d; ++j) {
    found.centre(j) = median_of(points.row(j).transpose());
    const double spread =
        median_of((points.row(j).array() - found.centre(j)).abs().matrix().transpose());
    if (spread > 0) found.lower(j, j) = spread;
  }
  return found;
}

/// A sample of the rows if there are very many.
Eigen::MatrixXd searched_rows(const Eigen::MatrixXd& points, Rng& rng) {
  const Index n = points.cols();
  if (n <= max_searched) return points;
  Eigen::MatrixXd some(points.rows(), max_searched);
  for (Index i = 0; i < max_searched; ++i)
    some.col(i) = points.col(static_cast<Index>(rng() % static_cast<std::uint64_t>(n)));
  return some;
}

Index max_of(Index n, Index d) {
  const auto wanted = static_cast<Index>(std::ceil(share * static_cast<double>(n)));
  return std::min(n, std::max(wanted, (n + d + 1) / 2));
}

/// The estimate with the smallest determinant that the search finds.
std::optional<Estimate> smallest(const Eigen::MatrixXd& points, Rng& rng) {
  const Eigen::MatrixXd some = searched_rows(points, rng);
  const Index d = some.rows(), h = max_of(some.cols(), d);
  const double cost = 4 * static_cast<double>(some.cols()) * static_cast<double>(d * d + 10);
  const int starts = static_cast<int>(std::clamp(2e9 / cost, 10.0, 100.0));
  std::vector<Estimate> found;
  const auto begin = [&](std::optional<Estimate> start) {
    if (auto better = concentrated(some, std::move(start), h, 2))
      found.push_back(*std::move(better));
  };
  std::vector<Index> all(at(some.cols()));
  std::iota(all.begin(), all.end(), Index{0});
  begin(estimate_of(some, all));
  begin(by_medians(some));
  for (int i = 0; i < starts; ++i) begin(random_start(some, rng));
  constexpr std::size_t carried_on = 5;
  constexpr int max_steps = 50;
  std::ranges::stable_sort(found, {}, &Estimate::log_det);
  if (found.size() > carried_on) found.resize(carried_on);
  std::optional<Estimate> best;
  for (Estimate& one : found) {
    auto settled = concentrated(some, std::move(one), h, max_steps);
    if (settled && (!best || settled->log_det < best->log_det)) best = std::move(settled);
  }
  if (some.cols() == points.cols()) return best;
  return concentrated(points, std::move(best), max_of(points.cols(), d), max_steps);
}

/// Factor by which its squared distances are too large, estimated from their median.
double excess_of(const Estimate& estimate, const Eigen::MatrixXd& points) {
  return median_of(distances_to(estimate.centre, estimate.lower, points)) /
         kernel::chi_square_exceeded(0.5, static_cast<double>(points.rows()));
}

template <class Condition>
std::vector<Index> rows_where(const Eigen::VectorXd& distances, Condition holds) {
  std::vector<Index> rows;
  for (Index i = 0; i < distances.size(); ++i) {
    if (holds(distances(i))) rows.push_back(i);
  }
  return rows;
}

}  // namespace

RobustShape::RobustShape(Eigen::VectorXd centre, Eigen::MatrixXd lower, double rows)
    : centre_(std::move(centre)), lower_(std::move(lower)), rows_(rows) {}

std::optional<RobustShape> RobustShape::of(const Eigen::MatrixXd& points, Rng rng) {
  if (points.cols() < min_rows(points.rows())) return std::nullopt;
  // The search works on whitened rows; the result is transformed back.
  const auto turn = kernel::lower_of(mean_square(points));
  if (!turn) return std::nullopt;
  const Eigen::MatrixXd turned = kernel::solve_lower(*turn, points);
  const auto raw = smallest(turned, rng);
  if (!raw) return std::nullopt;
  constexpr double trimmed = 0.025, unusual = 0.01;
  const double near = excess_of(*raw, turned) *
                      kernel::chi_square_exceeded(trimmed, static_cast<double>(turned.rows()));
  const auto kept = rows_where(distances_to(raw->centre, raw->lower, turned),
                               [&](double distance) { return distance <= near; });
  const auto first = of_rows(turned, kept);
  if (!first) return std::nullopt;
  // With few rows, chi-square would trim too many; the distribution of the result itself does not.
  const auto usual = rows_where(first->squared_distances(turned),
                                [&](double distance) { return first->tail(distance) >= unusual; });
  const auto found = of_rows(turned, usual);
  if (!found) return std::nullopt;
  return RobustShape(kernel::product(*turn, found->centre_), kernel::product(*turn, found->lower_),
                     found->rows_);
}

std::optional<RobustShape> RobustShape::of_rows(const Eigen::MatrixXd& points,
                                                std::span<const Index> kept) {
  const auto found = estimate_of(points, kept);
  if (!found) return std::nullopt;
  return RobustShape(found->centre, found->lower * std::sqrt(excess_of(*found, points)),
                     static_cast<double>(kept.size()));
}

Eigen::VectorXd RobustShape::squared_distances(const Eigen::MatrixXd& points) const {
  return distances_to(centre_, lower_, points);
}

double RobustShape::tail(double squared_distance) const {
  const auto d = static_cast<double>(centre_.size());
  const double rest = rows_ - d;
  return kernel::f_tail(squared_distance * rows_ / (rows_ + 1) * rest / ((rows_ - 1) * d), d, rest);
}

Eigen::VectorXd RobustShape::conditional_deviations(const Eigen::VectorXd& point) const {
  const Index d = centre_.size();
  const Eigen::MatrixXd inverse = kernel::solve_lower(lower_, Eigen::MatrixXd::Identity(d, d));
  const Eigen::VectorXd weighted =
      kernel::transposed_product(inverse, kernel::product(inverse, point - centre_));
  return weighted.cwiseQuotient(inverse.colwise().norm().transpose());
}

}  // namespace genera::diagnose_detail
