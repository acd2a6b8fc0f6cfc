// Tests of the class covariances: equality (Box) and near dependence (condition indices).
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "diagnose/tests_of_scatters.hpp"
#include "kernel/dense.hpp"
#include "kernel/eigen_of.hpp"
#include "kernel/index.hpp"
#include "kernel/distributions.hpp"

namespace genera::diagnose_detail {
namespace {

using kernel::at;

double log_det(const Eigen::MatrixXd& s) {
  return 2 * kernel::lower_of(s).value().diagonal().array().log().sum();
}

/// Terms of Box's test, for the classes with a regular covariance.
struct BoxSums {
  double m = 0;           // (n - K) log |S| - sum (n_k - 1) log |S_k|
  double likelihood = 0;  // the same with mle covariances and n, n_k
  double rows = 0, within = 0;
  double inverse = 0,
         inverse2 = 0;  // sums of 1 / (n_k - 1) and of its square, minus those of the total
  double classes = 0;
};

BoxSums box_sums(const ClassScatters& of, const std::vector<Index>& usable) {
  const auto d = static_cast<double>(of.dimension());
  BoxSums sums;
  sums.classes = static_cast<double>(usable.size());
  Eigen::MatrixXd pooled = Eigen::MatrixXd::Zero(of.dimension(), of.dimension());
  for (const Index k : usable) {
    const double n = of.counts[at(k)], nu = n - 1;
    const double of_scatter = log_det(of.scatters[at(k)]);
    pooled += of.scatters[at(k)];
    sums.rows += n;
    sums.within += nu;
    sums.inverse += 1 / nu;
    sums.inverse2 += 1 / (nu * nu);
    sums.m -= nu * (of_scatter - d * std::log(nu));
    sums.likelihood -= n * (of_scatter - d * std::log(n));
  }
  const double all = log_det(pooled);
  sums.m += sums.within * (all - d * std::log(sums.within));
  sums.likelihood += sums.rows * (all - d * std::log(sums.rows));
  sums.inverse -= 1 / sums.within;
  sums.inverse2 -= 1 / (sums.within * sums.within);
  return sums;
}

/// Box (1949).
std::optional<FTest> f_of(double m, double df, double c1, double c2) {
  FTest test{0, df, (df + 2) / std::abs(c2 - c1 * c1), 1};
  if (!std::isfinite(test.df2)) return std::nullopt;
  if (c2 > c1 * c1) {
    const double left = 1 - c1 - df / test.df2;
    if (!(left > 0)) return std::nullopt;
    test.f = m * left / df;
  } else {
    const double b = test.df2 / (1 - c1 + 2 / test.df2);
    if (!(b > m) || !(1 - c1 + 2 / test.df2 > 0)) return std::nullopt;
    test.f = test.df2 * m / (df * (b - m));
  }
  test.p = kernel::f_tail(test.f, test.df1, test.df2);
  return test;
}

BoxTest box_test(const BoxSums& sums, double d) {
  const double groups = sums.classes - 1;
  const double df = d * (d + 1) * groups / 2;
  const double c1 = sums.inverse * (2 * d * d + 3 * d - 1) / (6 * (d + 1) * groups);
  const double c2 = sums.inverse2 * (d - 1) * (d + 2) / (6 * groups);
  // With equal covariances, rounding may make M negative.
  BoxTest box{.m = std::max(0.0, sums.m)};
  box.chi_square = {std::max(0.0, box.m * (1 - c1)), df, 1};
  box.chi_square.p = kernel::chi_square_tail(box.chi_square.chi2, df);
  if (c1 < 1) box.f = f_of(box.m, df, c1, c2);
  box.bic_gain = sums.likelihood - df * std::log(sums.rows);
  return box;
}

Advice meaning_of(const BoxTest& box) {
  if (!(box.chi_square.p < significant))
    return {"no sign that the covariances differ: {}", {{"model", {"lda"}}}};
  if (box.bic_gain > 0)
    return {"the covariances differ enough to be worth their parameters: {}", {{"model", {"qda"}}}};
  return {
      "the covariances differ, but there are few rows for one of each class: {} lies between "
      "{} and {}",
      {{"model", {"rda"}}, {"model", {"lda"}}, {"model", {"qda"}}}};
}

Advice meaning_without(const ClassScatters& of) {
  if (of.size() < 2) return "there is nothing to compare";
  return {"without a covariance of its own for each class {} cannot be learned: {}, {} or {}",
          {{"model", {"qda"}}, {"model", {"lda"}}, {"model", {"gnb"}}, {"shrinkage", {"oas"}}}};
}

/// A larger condition index indicates near dependence (Belsley, Kuh and Welsch 1980).
constexpr double large_index = 30;

/// The columns with the largest loadings, at least two of them.
NearDependence dependence_of(const Eigen::VectorXd& vector, double index, const ClassScatters& of) {
  constexpr double notable = 0.2;
  std::vector<Index> order;
  for (Index j = 0; j < vector.size(); ++j) order.push_back(j);
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](Index j) { return std::abs(vector(j)); });
  const double sign = vector(order.front()) < 0 ? -1 : 1;
  NearDependence found{.condition_index = index};
  for (const Index j : order) {
    if (found.columns.size() >= 2 && std::abs(vector(j)) < notable) break;
    found.columns.push_back(of.columns[at(j)]);
    found.loadings.push_back(sign * vector(j));
  }
  return found;
}

/// The column of the set that contributes least beyond the others; empty if every column
/// contributes.
std::optional<std::string> dispensable(const NearDependence& set, const Diagnosis& diagnosis) {
  std::optional<std::string> weakest;
  double min = HUGE_VAL;
  for (const FeatureTest& feature : diagnosis.features) {
    if (std::ranges::find(set.columns, feature.name) == set.columns.end()) continue;
    if (!feature.given_others || feature.given_others->p < significant) continue;
    if (feature.given_others->f >= min) continue;
    min = feature.given_others->f;
    weakest = feature.name;
  }
  return weakest;
}

Advice meaning_of(const NearDependence& set, const Diagnosis& diagnosis) {
  if (const auto weakest = dispensable(set, diagnosis))
    return {"a full covariance hangs on small differences of these columns: {}, or {}",
            {{"drop", {*weakest}}, {"shrinkage", {"oas"}}}};
  return {
      "small differences of these columns tell classes apart: keep them, with a full covariance "
      "({}); {} cannot see that",
      {{"model", {"lda"}}, {"model", {"gnb"}}}};
}

Advice meaning_of(const Collinearity& found, const Diagnosis& diagnosis) {
  const bool dropped =
      std::ranges::any_of(diagnosis.columns_left_out, [](const ColumnLeftOut& column) {
        return column.reason == ColumnLeftOut::Reason::dependent;
      });
  if (dropped) return {"columns are determined by others: leave them out with {}", {{"drop"}}};
  if (!found.sets.empty())
    return "coefficients of full covariances are uncertain in these directions";
  return "no column is nearly determined by others: full covariances are well determined";
}

}  // namespace

void compare_covariances(const ClassScatters& of, Diagnosis& to) {
  to.covariances.meaning = meaning_without(of);
  to.covariances.why_not = of.size() < 2 ? "there is only one class" : of.singular;
  if (!to.covariances.why_not.empty()) return;
  std::vector<Index> usable;
  std::vector<std::string> left_out;
  for (Index k = 0; k < of.size(); ++k) {
    const std::string why = of.singular_class(k);
    if (why.empty())
      usable.push_back(k);
    else
      left_out.push_back(of.classes[at(k)]);
    if (!why.empty() && to.covariances.why_not.empty())
      to.covariances.why_not =
          fmt::format("the covariance of class '{}' is singular: {}", of.classes[at(k)], why);
  }
  if (usable.size() < 2) return;
  to.covariances.why_not.clear();
  BoxTest box = box_test(box_sums(of, usable), static_cast<double>(of.dimension()));
  box.classes_left_out = std::move(left_out);
  to.covariances.meaning = box.classes_left_out.empty() ? meaning_of(box) : meaning_without(of);
  to.covariances.result = std::move(box);
}

void find_dependence(const ClassScatters& of, Diagnosis& to) {
  to.collinearity.why_not = of.singular;
  if (!of.singular.empty()) {
    to.collinearity.meaning = {"no full covariance can be learned: {}, {} or {}",
                               {{"model", {"dlda"}}, {"model", {"gnb"}}, {"shrinkage", {"oas"}}}};
    return;
  }
  const auto [values, vectors] = kernel::eigen_of(of.correlations);
  const double largest = values(values.size() - 1);
  Collinearity found;
  for (Index i = 0; i < values.size(); ++i) {
    const double index = std::sqrt(largest / std::max(values(i), 1e-300));
    found.condition = std::max(found.condition, index);
    if (!(index > large_index)) continue;
    found.sets.push_back(dependence_of(vectors.col(i), index, of));
    found.sets.back().meaning = meaning_of(found.sets.back(), to);
  }
  to.collinearity.meaning = meaning_of(found, to);
  to.collinearity.result = std::move(found);
}

}  // namespace genera::diagnose_detail
