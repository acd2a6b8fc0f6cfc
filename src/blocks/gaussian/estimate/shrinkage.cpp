#include "blocks/gaussian/estimate/shrinkage.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "blocks/second_pass.hpp"
#include "data/columns.hpp"
#include "sums/summarise.hpp"

namespace genera::blocks {
namespace {

/// ||R - (t/d) I||^2; zero, meaning that R equals the target, if below the rounding error of q.
double distance_to_target(const Spread& s) {
  constexpr double rounding = 1e-15;
  const double distance = s.squares - s.trace * s.trace / static_cast<double>(s.d);
  return distance <= rounding * s.squares ? 0 : distance;
}

}  // namespace

double common_unit(const Vector& variances) {
  const double largest = std::accumulate(variances.begin(), variances.end(), 0.0,
                                         [](double a, double b) { return std::max(a, b); });
  return largest > 0 ? std::ldexp(1.0, std::ilogb(largest) / 2) : 1;
}

Spread spread_of(const Matrix& covariance, const Vector& sd) {
  Spread s{.d = covariance.rows()};
  for (Index i = 0; i < s.d; ++i) {
    for (Index j = 0; j < s.d; ++j) {
      const double r =
          covariance(i, j) / sd[static_cast<std::size_t>(i)] / sd[static_cast<std::size_t>(j)];
      s.squares += r * r;
      if (i == j) s.trace += r;
    }
  }
  return s;
}

double oas_amount(const Spread& s, double nu) {
  if (s.d == 1) return 0;
  const double distance = distance_to_target(s);
  if (distance == 0) return 1;
  const double over_d = 2 / static_cast<double>(s.d);
  if (nu + 1 <= over_d) return 1;  // less than one row: no information
  const double amount =
      ((1 - over_d) * s.squares + s.trace * s.trace) / ((nu + 1 - over_d) * distance);
  return std::clamp(amount, 0.0, 1.0);
}

double lw_amount(const Spread& s, double fourth, double n) {
  if (s.d == 1) return 0;
  const double distance = distance_to_target(s);
  if (distance == 0) return 1;
  return std::clamp((fourth / (n * n) - s.squares / n) / distance, 0.0, 1.0);
}

Matrix moved(const Matrix& covariance, const Vector& sd, double rho, double target) {
  Matrix result = covariance;
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.columns(); ++j) result(i, j) *= 1 - rho;
    result(i, i) +=
        rho * target * sd[static_cast<std::size_t>(i)] * sd[static_cast<std::size_t>(i)];
  }
  return result;
}

FourthMomentPass::FourthMomentPass(const Statistics& statistics, const GaussianOptions& options,
                                   Missing missing)
    : missing_(missing) {
  Report of_columns;  // the estimate reports the same
  const sums::ClassList classes = sums::sorted_classes(statistics);
  const GaussianFrame frame = gaussian_frame(statistics, classes, options, of_columns);
  GaussianInput input = gaussian_input(frame, moments_of(frame, classes), options);
  classes_ = std::move(input.classes);
  columns_ = std::move(input.columns);
  means_ = std::move(input.means);
  means_low_ = std::move(input.means_low);
  const double unit = common_unit(input.pooled_variance);
  for (const double variance : input.pooled_variance)
    scales_.push_back(options.raw_units ? 1 / (unit * unit) : 1 / variance);
}

Vector FourthMomentPass::of(const Rows& rows) const {
  const DataView& data = rows.data();
  const std::vector<Index> places = find_labels(classes_, data.labels.names);
  const data::NumberColumns columns(data, data::number_places(data, columns_));
  const auto usable = genera::sums::usable_rows(rows, missing_);
  Vector sums(classes_.size());
  for (Index i = 0; i < rows.count(); ++i) {
    const Index row = rows.row(i);
    const std::int32_t label = data.labels(row);
    if (label < 0 || !usable(row)) continue;
    const Index k = places[static_cast<std::size_t>(label)];
    const double weight = rows.weight(row);
    if (k < 0 || weight == 0) continue;
    double norm = 0;
    for (std::size_t j = 0; j < scales_.size(); ++j) {
      const auto column = static_cast<Index>(j);
      const double low = means_low_(k, column);
      const double z = (columns(row, column) - means_(k, column)) - low;
      norm += z * z * scales_[j];
    }
    sums[static_cast<std::size_t>(k)] += weight * norm * norm;
  }
  return sums;
}

}  // namespace genera::blocks
