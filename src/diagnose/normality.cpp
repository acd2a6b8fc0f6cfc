// Mardia (1970, 1974): with z the rows of a class minus its mean, whitened by the covariance with
// divisor n, b1 = sum_ij (z_i'z_j)^3 / n^2 and b2 = sum_i |z_i|^4 / n.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "diagnose/tests_of_rows.hpp"
#include "diagnose/tests_of_scatters.hpp"
#include "kernel/dense.hpp"
#include "kernel/index.hpp"
#include "kernel/distributions.hpp"

namespace genera::diagnose_detail {
namespace {

/// With more products than this, a sample of the rows is tested.
constexpr double max_products = 4e10;

/// Whitened rows and their weights.
struct Whitened {
  Eigen::MatrixXd z;  // d x n
  Eigen::VectorXd weights;
  [[nodiscard]] double total() const { return weights.sum(); }
};

/// Empty if the rows lie in a hyperplane.
std::optional<Whitened> whitened(const Eigen::MatrixXd& points, const Eigen::VectorXd& weights,
                                 const Eigen::MatrixXd& scatter) {
  const auto lower = kernel::lower_of(scatter / weights.sum());
  if (!lower) return std::nullopt;
  return Whitened{kernel::solve_lower(*lower, points), weights};
}

double products_of(double d, double n) { return std::min(n * d * d * d, n * n * d); }

/// A sample of the rows at regular intervals, whitened separately.
std::optional<Whitened> part_of(const ClassRows& of) {
  const auto d = static_cast<double>(of.points.rows());
  const Index n = of.points.cols(), max = static_cast<Index>(std::sqrt(max_products / d));
  Whitened part{Eigen::MatrixXd(of.points.rows(), max), Eigen::VectorXd(max)};
  for (Index i = 0; i < max; ++i) {
    const auto from = static_cast<Index>(static_cast<double>(i) * static_cast<double>(n) /
                                         static_cast<double>(max));
    part.z.col(i) = of.points.col(from);
    part.weights(i) = of.weights(from);
  }
  const Eigen::VectorXd mean = kernel::product(part.z, part.weights) / part.total();
  part.z.colwise() -= mean;
  return whitened(part.z, part.weights, kernel::weighted_square(part.z, part.weights));
}

/// Uses third moments (n d^3 products) or pairs of rows (n^2 d), whichever is cheaper.
double skewness_of(const Whitened& of) {
  const double n = of.total();
  double sum = 0;
  if (of.z.rows() * of.z.rows() <= of.z.cols()) {
    for (Index a = 0; a < of.z.rows(); ++a) {
      const Eigen::VectorXd weights = of.weights.cwiseProduct(of.z.row(a).transpose());
      sum += (kernel::weighted_square(of.z, weights) / n).squaredNorm();
    }
    return sum;
  }
  constexpr Index rows_at_once = 256;
  for (Index i = 0; i < of.z.cols(); i += rows_at_once) {
    const Index rows = std::min(rows_at_once, of.z.cols() - i);
    const Eigen::MatrixXd inner = kernel::transposed_product(of.z.middleCols(i, rows), of.z);
    const Eigen::VectorXd cubes = kernel::product(inner.array().cube().matrix(), of.weights);
    sum += of.weights.segment(i, rows).dot(cubes);
  }
  return sum / (n * n);
}

/// Corrected so that its expectation equals that of chi-square.
ChiSquareTest test_of_skewness(double b1, double n, double d) {
  const double correction = (d + 1) * (n + 1) * (n + 3) / (n * ((n + 1) * (d + 1) - 6));
  ChiSquareTest test{n * correction * b1 / 6, d * (d + 1) * (d + 2) / 6, 1};
  test.p = kernel::chi_square_tail(test.chi2, test.df);
  return test;
}

/// Deviation from the expectation in standard deviations, both for n Gaussian rows.
double standardised_kurtosis(double b2, double n, double d) {
  const double mean = d * (d + 2) * (n - 1) / (n + 1);
  const double variance = 8 * d * (d + 2) * (n - 3) * (n - d - 1) * (n - d + 1) /
                          ((n + 1) * (n + 1) * (n + 3) * (n + 5));
  return (b2 - mean) / std::sqrt(variance);
}

Advice meaning_of(const MardiaTest& test) {
  const bool skewed = test.skew.p < significant, peaked = test.kurtosis_p < significant;
  if (skewed && peaked && test.kurtosis_z > 0)
    return {
        "skewed, with heavy tails or outliers: take logarithms of skewed columns, look at the "
        "outliers, or use {}",
        {{"model", {"mda"}}}};
  if (skewed) return {"skewed: take logarithms of skewed columns, or use {}", {{"model", {"mda"}}}};
  if (peaked && test.kurtosis_z > 0)
    return {
        "heavy tails or outliers: a Gaussian is too sure far from the mean; look at the "
        "outliers, or use {}",
        {{"model", {"mda"}}}};
  if (peaked) return {"flatter than a Gaussian, as several groups are: {}", {{"model", {"mda"}}}};
  return "a Gaussian is believable";
}

}  // namespace

Finding<MardiaTest> test_normality(const ClassRows& of, const Eigen::MatrixXd& scatter) {
  Finding<MardiaTest> finding;
  const auto d = static_cast<double>(of.points.rows());
  const double all = of.weights.sum();
  if (!(all > std::max(3.0, d + 1))) {
    finding.why_not =
        counted(of.points.cols(), "row") + " for " + counted(of.points.rows(), "column");
    finding.meaning = "too few rows to tell whether a Gaussian fits";
    return finding;
  }
  const bool all_rows = products_of(d, static_cast<double>(of.points.cols())) <= max_products;
  const auto rows = all_rows ? whitened(of.points, of.weights, scatter) : part_of(of);
  if (!rows) {
    finding.why_not = "the part of its rows that was looked at lies in a plane";
    finding.meaning = "no word on whether a Gaussian fits";
    return finding;
  }
  const double n = rows->total();
  MardiaTest test{.rows = n, .skewness = skewness_of(*rows)};
  test.skew = test_of_skewness(test.skewness, n, d);
  test.kurtosis = rows->z.colwise().squaredNorm().cwiseAbs2().transpose().dot(rows->weights) / n;
  test.kurtosis_z = standardised_kurtosis(test.kurtosis, n, d);
  test.kurtosis_p = kernel::normal_tails(test.kurtosis_z);
  finding.meaning = meaning_of(test);
  finding.result = test;
  return finding;
}

}  // namespace genera::diagnose_detail
