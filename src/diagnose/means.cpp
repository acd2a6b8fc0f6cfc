// Tests of the class means. With W the scatter within classes, B that of the class means and T = W
// + B, all are functions of the eigenvalues of W^-1 B.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "diagnose/tests_of_scatters.hpp"
#include "kernel/dense.hpp"
#include "kernel/directions.hpp"
#include "kernel/index.hpp"
#include "kernel/distributions.hpp"

namespace genera::diagnose_detail {
namespace {

using kernel::at;

/// Eigenvalues of W^-1 B and vectors a with a'Wa / (n - K) = 1, in standard deviations.
kernel::Directions discriminants_of(const ClassScatters& of) {
  Eigen::MatrixXd between = of.offsets;  // K x d, B = between' between
  for (Index k = 0; k < of.size(); ++k) between.row(k) *= std::sqrt(of.counts[at(k)]);
  kernel::Directions found = kernel::directions(of.correlations, between.transpose(),
                                                std::min(of.dimension(), of.size() - 1));
  found.values /= of.within_df();
  return found;
}

/// Rao's F of Lambda = exp(log_lambda) with d columns and q = K - 1.
WilksTest wilks_test(double log_lambda, double n, double d, double q) {
  const double sum = d * d + q * q - 5;
  const double t = sum > 0 ? std::sqrt((d * d * q * q - 4) / sum) : 1;
  const double df1 = d * q;
  const double df2 = (n - 1 - (d + q + 1) / 2) * t - (df1 - 2) / 2;
  WilksTest wilks{.log_lambda = log_lambda, .test = {}, .exact = d <= 2 || q <= 2};
  wilks.test = {std::expm1(-log_lambda / t) * df2 / df1, df1, df2, 1};
  wilks.test.p = kernel::f_tail(wilks.test.f, df1, df2);
  return wilks;
}

Advice meaning_of(const WilksTest& wilks) {
  if (wilks.test.p < significant)
    return {"the means differ: linear boundaries ({}) have something to go by",
            {{"model", {"lda"}}}};
  return {
      "no sign that the means differ: linear boundaries will hardly do better than the largest "
      "class; {} sees differences of the spread, too",
      {{"model", {"qda"}}}};
}

/// Bartlett's test of the eigenvalues from `first` on.
ChiSquareTest rest_of(const Eigen::VectorXd& eigenvalues, Index first, const ClassScatters& of) {
  const auto d = static_cast<double>(of.dimension()), classes = static_cast<double>(of.size());
  const auto m = static_cast<double>(first);
  double sum = 0;
  for (Index i = first; i < eigenvalues.size(); ++i) sum += std::log1p(eigenvalues(i));
  ChiSquareTest test{std::max(0.0, of.total() - 1 - (d + classes) / 2) * sum,
                     (d - m) * (classes - m - 1), 1};
  test.p = kernel::chi_square_tail(test.chi2, test.df);
  return test;
}

/// In the units of the data.
Vector coefficients_of(const Eigen::VectorXd& vector, const Vector& deviations) {
  Vector coefficients;
  for (Index j = 0; j < vector.size(); ++j) coefficients.push_back(vector(j) / deviations[at(j)]);
  return coefficients;
}

std::vector<CanonicalVariate> variates_of(const kernel::Directions& found,
                                          const ClassScatters& of) {
  const double sum = found.values.sum();
  std::vector<CanonicalVariate> variates;
  for (Index i = 0; i < found.values.size(); ++i) {
    const double value = found.values(i);
    CanonicalVariate one{.eigenvalue = value,
                         .proportion = sum > 0 ? value / sum : 0,
                         .correlation = std::sqrt(value / (1 + value)),
                         .test = rest_of(found.values, i, of),
                         .coefficients = coefficients_of(found.vectors.col(i), of.deviations)};
    one.meaning =
        one.test.p < significant
            ? fmt::format("a direction that {} uses", i == 0 ? "every linear model" : "lda")
            : fmt::format("from here on chance: {}",
                          i == 0
                              ? "no direction tells the classes apart"
                              : counted(static_cast<Index>(i), "direction is", "directions are") +
                                    " enough");
    variates.push_back(std::move(one));
  }
  return variates;
}

FTest feature_alone(const ClassScatters& of, Index j) {
  double between = 0;  // in units of the within-class variance
  for (Index k = 0; k < of.size(); ++k)
    between += of.counts[at(k)] * of.offsets(k, j) * of.offsets(k, j);
  const double df1 = static_cast<double>(of.size()) - 1, df2 = of.within_df();
  FTest test{between / df1, df1, df2, 1};
  test.p = kernel::f_tail(test.f, df1, df2);
  return test;
}

/// Diagonals of the inverses of W / (n - K) and T / (n - K).
struct Inverses {
  Eigen::VectorXd within, total;
};

Inverses inverses_of(const ClassScatters& of) {
  const Index d = of.dimension();
  Eigen::MatrixXd between = of.offsets;
  for (Index k = 0; k < of.size(); ++k)
    between.row(k) *= std::sqrt(of.counts[at(k)] / of.within_df());
  const auto diagonal = [d](const Eigen::MatrixXd& s) -> Eigen::VectorXd {
    const Eigen::MatrixXd inverse =
        kernel::solve_lower(kernel::lower_of(s).value(), Eigen::MatrixXd::Identity(d, d));
    return inverse.colwise().squaredNorm().transpose();
  };
  return {diagonal(of.correlations),
          diagonal(of.correlations + kernel::transposed_product(between, between))};
}

FTest feature_given_others(const Inverses& inverses, const ClassScatters& of, Index j) {
  const double lambda = std::min(1.0, inverses.total(j) / inverses.within(j));
  const double df1 = static_cast<double>(of.size()) - 1;
  const double df2 = of.within_df() - static_cast<double>(of.dimension()) + 1;
  FTest test{(1 - lambda) / lambda * df2 / df1, df1, df2, 1};
  test.p = kernel::f_tail(test.f, df1, df2);
  return test;
}

Advice meaning_of(const FeatureTest& feature) {
  const bool alone = feature.alone.p < significant;
  const bool also = feature.given_others && feature.given_others->p < significant;
  if (!feature.given_others)
    return alone ? "tells classes apart by its mean" : "its mean is the same in all classes";
  if (alone) return also ? "tells classes apart" : "says nothing that the other columns do not say";
  if (also)
    return {"counts only beside the others: {} uses that, {} cannot",
            {{"model", {"lda"}}, {"model", {"gnb"}}}};
  return "its mean is the same in all classes: no use to a linear model";
}

}  // namespace

void compare_means(const ClassScatters& of, Diagnosis& to) {
  to.means.why_not = of.size() < 2 ? "there is only one class" : of.singular;
  if (!to.means.why_not.empty()) {
    to.means.meaning = of.size() < 2 ? Advice("there is nothing to tell apart")
                                     : Advice("look at the columns one by one");
    return;
  }
  const kernel::Directions found = discriminants_of(of);
  double log_lambda = 0;
  for (const double value : found.values) log_lambda -= std::log1p(value);
  const WilksTest wilks = wilks_test(log_lambda, of.total(), static_cast<double>(of.dimension()),
                                     static_cast<double>(of.size()) - 1);
  if (!(wilks.test.df2 > 0)) {
    to.means.why_not = "there are too few rows for so many columns and classes";
    to.means.meaning = "look at the columns one by one";
    return;
  }
  to.means.result = wilks;
  to.means.meaning = meaning_of(wilks);
  to.variates = variates_of(found, of);
}

void test_features(const ClassScatters& of, Diagnosis& to) {
  if (of.size() < 2 || !(of.within_df() > 0)) return;
  const bool full = of.singular.empty();
  const Inverses inverses = full ? inverses_of(of) : Inverses{};
  for (Index j = 0; j < of.dimension(); ++j) {
    FeatureTest feature{.name = of.columns[at(j)], .alone = feature_alone(of, j)};
    if (full) {
      feature.given_others = feature_given_others(inverses, of, j);
      feature.inflation = inverses.within(j);
    }
    feature.meaning = meaning_of(feature);
    to.features.push_back(std::move(feature));
  }
}

}  // namespace genera::diagnose_detail

namespace genera {

double WilksTest::lambda() const { return std::exp(log_lambda); }

}  // namespace genera
