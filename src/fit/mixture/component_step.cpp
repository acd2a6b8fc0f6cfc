#include "fit/mixture/component_step.hpp"

#include <algorithm>

#include "fit/gaussian.hpp"
#include "kernel/index.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;

/// Without a floor of the user's own: what is left for numbers to be numbers.
constexpr double least_floor = 1e-8;

double& diagonal(Matrix& scatter, Index j) { return scatter(scatter.rows() > 1 ? j : 0, j); }

/// (1 - rho) scatter + rho n reference, with the least rho that helps. Whether it was needed.
bool raise_one(Matrix& scatter, double n, const kernel::Yardstick& yardstick, const EmScale& scale,
               double floor) {
  const std::optional<double> least = yardstick.shortfall(scatter, n * floor);
  if (!least) return false;
  const double smallest = *least / n;
  const double rho = (floor - smallest) / (1 - smallest);
  for (Index i = 0; i < scatter.rows(); ++i) {
    for (Index j = 0; j < scatter.columns(); ++j)
      scatter(i, j) = (1 - rho) * scatter(i, j) + rho * n * scale.reference(i, j);
  }
  return true;
}

}  // namespace

ComponentStep::ComponentStep(std::vector<std::string> columns, const GaussianOptions& options,
                             EmScale scale)
    : columns_(std::move(columns)),
      options_(options),
      scale_(std::move(scale)),
      floor_(std::max(options.variance_floor, least_floor)) {
  options_.on_singular = OnSingular::shrink;
  options_.variance_floor = floor_;
  if (is_full(options.family)) yardstick_.emplace(scale_.reference);
}

/// What is left of the components, and their weights.
GaussianInput ComponentStep::input_of(const std::vector<Moments>& moments, const Limits& limits,
                                      const Matrix& means_before, Result& result) const {
  const auto d = static_cast<Index>(columns_.size());
  GaussianInput input;
  input.columns = columns_;
  input.means = Matrix(std::ssize(moments), d);
  for (std::size_t c = 0; c < moments.size(); ++c) {
    const Moments& m = moments[c];
    const auto row = static_cast<Index>(c);
    const bool emptied = m.weight < limits.emptied;
    const bool noise =
        options_.family == Family::qda && moments.size() > 1 && m.weight < limits.own_full;
    result.on_floor = result.on_floor || emptied || noise;
    result.weights.push_back(emptied ? 0 : m.weight);
    input.classes.push_back(std::to_string(c + 1));
    input.rows.push_back(0);
    input.counts.push_back(result.weights.back());
    input.scatter.push_back(emptied ? Matrix(m.scatter.rows(), d) : m.scatter);
    const bool stays = emptied && !means_before.empty();
    for (Index j = 0; j < d; ++j)
      input.means(row, j) = stays ? means_before(row, j) : m.mean[at(j)];
  }
  return input;
}

ComponentStep::Result ComponentStep::operator()(const std::vector<Moments>& moments,
                                                const Limits& limits,
                                                const Matrix& means_before) const {
  Result result;
  GaussianInput input = input_of(moments, limits, means_before, result);
  const double total = input.total_count();
  for (double& weight : result.weights) weight /= total;
  input.total_variance = scale_.unit;
  for (Index j = 0; j < input.dimension(); ++j) {
    double pooled = 0;
    for (Matrix& scatter : input.scatter) pooled += diagonal(scatter, j) / total;
    input.pooled_variance.push_back(pooled);
    input.least_variance.push_back(floor_ * scale_.reference(j, j));
  }
  const bool raised = raise(input);
  result.on_floor = result.on_floor || raised;
  for (std::size_t j = 0; j < columns_.size() && yardstick_; ++j)
    input.pooled_variance[j] = std::max(input.pooled_variance[j], input.least_variance[j]);
  Report of_step;  // how EM went is reported at its end
  result.gaussian = estimate_gaussian(input, options_, std::nullopt, of_step);
  for (std::size_t c = 0; c < moments.size(); ++c) {
    if (result.weights[c] == 0) result.gaussian.counts[c] = 0;
  }
  return result;
}

/// Whether anything had to be done.
bool ComponentStep::raise(GaussianInput& input) const {
  for (std::size_t c = 0; c < input.counts.size() && !is_shared(options_.family); ++c) {
    if (input.counts[c] > 0) continue;
    input.counts[c] = 1;  // what was emptied has nothing to be divided by: the reference stands in
    for (Index i = 0; i < input.scatter[c].rows(); ++i) {
      for (Index j = 0; j < input.scatter[c].columns(); ++j)
        input.scatter[c](i, j) = scale_.reference(input.scatter[c].rows() > 1 ? i : j, j);
    }
  }
  if (is_full(options_.family)) return raise_full(input);
  if (options_.family == Family::spherical || options_.family == Family::centroid)
    return raise_spherical(input);
  bool raised = false;
  for (Index j = 0; j < input.dimension(); ++j) {
    const double least = input.least_variance[at(j)];
    if (options_.family == Family::dlda) {
      raised = raised || input.pooled_variance[at(j)] < least;
      input.pooled_variance[at(j)] = std::max(input.pooled_variance[at(j)], least);
      continue;
    }
    for (std::size_t c = 0; c < input.counts.size(); ++c)
      raised = raised || diagonal(input.scatter[c], j) < least * input.counts[c];
  }
  return raised;
}

bool ComponentStep::raise_full(GaussianInput& input) const {
  bool raised = false;
  if (options_.family == Family::qda) {
    for (std::size_t c = 0; c < input.counts.size(); ++c)
      raised = raise_one(input.scatter[c], input.counts[c], *yardstick_, scale_, floor_) || raised;
    return raised;
  }
  const double n = input.total_count();
  Matrix pooled(input.dimension(), input.dimension());
  for (const Matrix& scatter : input.scatter) {
    for (Index i = 0; i < pooled.rows(); ++i) {
      for (Index j = 0; j < pooled.columns(); ++j) pooled(i, j) += scatter(i, j);
    }
  }
  raised = raise_one(pooled, n, *yardstick_, scale_, floor_);
  if (!raised) return false;
  for (Matrix& scatter : input.scatter) scatter = Matrix(pooled.rows(), pooled.columns());
  input.scatter.front() = std::move(pooled);
  return true;
}

bool ComponentStep::raise_spherical(GaussianInput& input) const {
  const auto d = static_cast<double>(input.dimension());
  const auto unit = [&](Index j) { return options_.raw_units ? 1 : scale_.unit[at(j)]; };
  double least = 0;  // of sigma^2
  for (Index j = 0; j < input.dimension(); ++j)
    least += floor_ * scale_.reference(j, j) / unit(j) / d;
  const auto raise_variances = [&](auto variance, auto set) {
    double mean = 0;
    for (Index j = 0; j < input.dimension(); ++j) mean += variance(j) / unit(j) / d;
    for (Index j = 0; mean < least && j < input.dimension(); ++j) set(j, least * unit(j));
    return mean < least;
  };
  bool raised =
      raise_variances([&](Index j) { return input.pooled_variance[at(j)]; },
                      [&](Index j, double value) { input.pooled_variance[at(j)] = value; });
  for (std::size_t c = 0; options_.family == Family::spherical && c < input.counts.size(); ++c)
    raised =
        raise_variances([&](Index j) { return diagonal(input.scatter[c], j) / input.counts[c]; },
                        [&](Index j, double value) {
                          diagonal(input.scatter[c], j) = value * input.counts[c];
                        }) ||
        raised;
  return raised;
}

}  // namespace genera::fit_detail
