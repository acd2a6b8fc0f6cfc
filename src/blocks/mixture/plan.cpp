#include "blocks/mixture/plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <genera/error.hpp>

#include "blocks/gaussian/estimate/estimate.hpp"
#include "blocks/gaussian/estimate/likelihood.hpp"
#include "blocks/mixture/kind.hpp"
#include "kernel/cholesky.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

/// If the user allows no floor: keeps the numbers finite.
constexpr double min_floor = 1e-8;

Index diagonal_row(const Matrix& scatter, Index j) { return scatter.rows() > 1 ? j : 0; }
double diagonal(const Matrix& scatter, Index j) { return scatter(diagonal_row(scatter, j), j); }

/// (1 - rho) scatter + rho n reference, with the smallest sufficient rho. Returns whether rho > 0.
bool apply_floor_to(ClassScatter& of_class, double n, const ComponentScale& scale, double floor) {
  const std::optional<double> min =
      kernel::smallest_relative_eigenvalue(of_class.get(), scale.reference, n * floor);
  if (!min) return false;
  const double smallest = *min / n;
  const double rho = (floor - smallest) / (1 - smallest);
  Matrix& scatter = of_class.own();
  for (Index i = 0; i < scatter.rows(); ++i) {
    for (Index j = 0; j < scatter.columns(); ++j)
      scatter(i, j) = (1 - rho) * scatter(i, j) + rho * n * scale.reference(i, j);
  }
  return true;
}

}  // namespace

/// The components that remain after a step.
struct MixturePlan::Step {
  Vector weights;  // 0 for emptied components
  bool on_floor = false;
};

MixturePlan::MixturePlan(GaussianFrame frame, const GaussianOptions& options,
                         std::vector<Index> component_class, std::vector<ComponentScale> scales)
    : frame_(std::move(frame)),
      options_(options),
      component_class_(std::move(component_class)),
      scales_(std::move(scales)),
      floor_(options.variance_floor) {
  if (component_class_.size() > scales_.size()) floor_ = std::max(floor_, min_floor);
  options_.on_singular = OnSingular::shrink;
  options_.variance_floor = floor_;
  frame_.scatter = is_full(options.covariance) ? Scatter::full : Scatter::diagonal;
}

ComponentScale component_scale(const GaussianInput& input, const GaussianParameters& plain,
                               std::size_t k) {
  const bool shared = is_tied(plain.structure);
  const Index d = input.dimension();
  ComponentScale scale{Matrix(d, d), input.total_variance, input.pooled_variance,
                       input.min_variance};
  if (plain.covariances.empty()) {
    for (Index j = 0; j < d; ++j) scale.reference(j, j) = input.pooled_variance[at(j)];
    return scale;
  }
  scale.reference = plain.covariances[shared ? 0 : k];
  if (plain.shrinkage.empty()) return scale;
  constexpr double below_one = 1 - std::numeric_limits<double>::epsilon();
  const double amount = std::min(plain.shrinkage[shared ? 0 : k], below_one);
  scale.prior_rows = amount / (1 - amount) * input.counts[k];
  return scale;
}

const MixtureParameters& mixtures_of(const Block& block) {
  return block_as<MixtureBlock>(block).parameters();
}
Block block_of(MixtureParameters mixtures) { return MixtureBlock(std::move(mixtures)); }

std::unique_ptr<BlockSums> MixturePlan::no_sums() const {
  return std::make_unique<ComponentSums>(std::ssize(component_class_), frame_.scatter,
                                         frame_.units);
}

std::unique_ptr<BlockSums> MixturePlan::read(const Statistics&) const {
  throw Error(Errc::bad_argument, "mda needs the rows again, not only their statistics",
              {"fit from the table, or use {}", {{"model", {"qda"}}}});
}

/// Empties components with less than one row, or less than half of an even share of their class;
/// with fewer rows than its own covariance needs, this covariance is mostly noise.
GaussianInput MixturePlan::input_of(const std::vector<Moments>& moments, Step& step) const {
  Vector totals(scales_.size());
  std::vector<Index> members(scales_.size());
  for (std::size_t c = 0; c < moments.size(); ++c) {
    totals[at(component_class_[c])] += moments[c].weight;
    ++members[at(component_class_[c])];
  }
  const double all = std::accumulate(totals.begin(), totals.end(), 0.0);
  const double one_row =
      all / static_cast<double>(std::accumulate(frame_.rows.begin(), frame_.rows.end(), Index{0}));
  GaussianInput input;
  input.columns = frame_.columns;
  input.constant_within = frame_.constant_within;
  input.means = input.means_low = Matrix(std::ssize(moments), frame_.dimension());
  for (std::size_t c = 0; c < moments.size(); ++c) {
    const Moments& m = moments[c];
    const std::size_t k = at(component_class_[c]);
    const bool emptied =
        m.weight < std::min(one_row, 0.5 * totals[k] / static_cast<double>(members[k]));
    const bool noise = members[k] > 1 && m.weight < one_row * rows_needed();
    step.on_floor = step.on_floor || emptied || noise;
    step.weights.push_back(emptied ? 0 : m.weight);
    input.classes.push_back(std::to_string(c + 1));
    input.rows.push_back(0);
    input.counts.push_back(step.weights.back());
    if (emptied)
      input.scatter.emplace_back(Matrix(m.scatter.rows(), frame_.dimension()));
    else
      input.scatter.emplace_back(&m.scatter);
    for (Index j = 0; j < frame_.dimension(); ++j) {
      const auto row = static_cast<Index>(c);
      input.means(row, j) = m.weight > 0 ? m.mean[at(j)] : frame_.units->centre[at(j)];
      input.means_low(row, j) = m.weight > 0 ? m.mean_low[at(j)] : 0;
    }
  }
  return input;
}

/// A variance needs two rows, a full covariance one more than columns; a shared one needs none.
double MixturePlan::rows_needed() const {
  if (is_tied(options_.covariance)) return 0;
  return is_full(options_.covariance) ? static_cast<double>(frame_.dimension() + 1) : 2.0;
}

Block MixturePlan::estimate(const BlockSums& sums, const Estimating& how, Report& report) const {
  Step step;
  GaussianInput input = input_of(sums_as<ComponentSums>(sums).moments, step);
  const double total = input.total_count();
  input.total_variance = scales_.front().unit;
  for (Index j = 0; j < input.dimension(); ++j) {
    double pooled = 0;
    for (const Matrix& scatter : input.scatter) pooled += diagonal(scatter, j) / total;
    input.pooled_variance.push_back(pooled);
  }
  const ComponentScale& scale = scales_.front();
  for (const Index j : input.constant_within) input.pooled_variance[at(j)] = scale.variances[at(j)];
  for (std::size_t j = 0; j < input.columns.size(); ++j)
    input.min_variance.push_back(std::max(scale.min_variance[j], floor_ * scale.variances[j]));
  add_priors(input);
  const bool raised = apply_floor(input);
  for (std::size_t j = 0; j < input.columns.size() && is_full(options_.covariance); ++j)
    input.pooled_variance[j] = std::max(input.pooled_variance[j], input.min_variance[j]);
  Report of_step;  // EM is reported at its end
  MixtureParameters p{.components = estimate_gaussian(input, options_, {}, of_step),
                      .component_class = component_class_,
                      .weights = {},
                      .counts = how.class_weights};
  p.components.counts.clear();
  p.components.shrinkage.clear();  // the floor is not the shrinkage of the options
  Vector totals(scales_.size());
  for (std::size_t c = 0; c < component_class_.size(); ++c)
    totals[at(component_class_[c])] += step.weights[c];
  for (std::size_t c = 0; c < component_class_.size(); ++c)
    p.weights.push_back(
        std::max(emptied_weight, step.weights[c] / totals[at(component_class_[c])]));
  if (step.on_floor || raised) report.outcome = Outcome::degenerate;
  return MixtureBlock(std::move(p));
}

/// (W + r D^2) / (n + r), with the weights of the components.
void MixturePlan::add_priors(GaussianInput& input) const {
  if (!is_full(options_.covariance)) return;
  for (std::size_t c = 0; c < input.counts.size(); ++c) {
    const Vector& variances = scales_[at(component_class_[c])].variances;
    const double own = input.counts[c],
                 n = is_tied(options_.covariance) ? input.total_count() : own;
    const double rows = prior_rows(c);
    if (!(own > 0) || (rows == 0 && input.constant_within.empty())) continue;
    Matrix& scatter = input.scatter[c].own();
    for (const Index j : input.constant_within) scatter(j, j) = own * variances[at(j)];
    for (Index i = 0; i < scatter.rows(); ++i) {
      for (double& value : scatter.row(i)) value *= n / (n + rows);
      scatter(i, i) += own * rows / (n + rows) * variances[at(i)];
    }
  }
}

/// For the covariance of a component.
double MixturePlan::prior_rows(std::size_t c) const {
  if (!is_tied(options_.covariance)) return scales_[at(component_class_[c])].prior_rows;
  double rows = 0;
  for (const ComponentScale& scale : scales_) rows += scale.prior_rows;
  return rows;
}

double MixturePlan::log_prior(const Block& block, std::span<const CollapsePrior>) const {
  double total = 0;
  const GaussianParameters& p = mixtures_of(block).components;
  for (std::size_t c = 0; c < p.covariances.size(); ++c)
    total += blocks::log_prior(p.covariances[c], prior_rows(c),
                               scales_[at(component_class_[c])].variances);
  return total;
}

/// The component of a row is never known.
double MixturePlan::log_likelihood(const Block&, const BlockSums&) const { return 0; }

double MixturePlan::change(const Block& before, const Block& after) const {
  const MixtureParameters& a = block_as<MixtureBlock>(before).parameters();
  const MixtureParameters& b = block_as<MixtureBlock>(after).parameters();
  double max = change_between(a.components, b.components);
  for (std::size_t c = 0; c < a.weights.size(); ++c)
    max = std::max(max, std::abs(a.weights[c] - b.weights[c]));
  return max;
}

/// Returns whether any covariance changed.
bool MixturePlan::apply_floor(GaussianInput& input) const {
  for (std::size_t c = 0; c < input.counts.size() && !is_tied(options_.covariance); ++c) {
    if (input.counts[c] > 0) continue;
    input.counts[c] = 1;  // avoids a division by 0; emptied components get the reference
    Matrix& scatter = input.scatter[c].own();
    for (Index i = 0; i < scatter.rows(); ++i) {
      for (Index j = 0; j < scatter.columns(); ++j)
        scatter(i, j) = scales_[at(component_class_[c])].reference(scatter.rows() > 1 ? i : j, j);
    }
  }
  if (is_full(options_.covariance)) return apply_floor_full(input);
  if (is_spherical(options_.covariance)) return apply_floor_spherical(input);
  bool raised = false;
  for (Index j = 0; j < input.dimension(); ++j) {
    const double min = input.min_variance[at(j)];
    if (is_tied(options_.covariance)) {
      raised = raised || input.pooled_variance[at(j)] < min;
      input.pooled_variance[at(j)] = std::max(input.pooled_variance[at(j)], min);
      continue;
    }
    for (std::size_t c = 0; c < input.counts.size(); ++c)
      raised = raised || diagonal(input.scatter[c], j) < min * input.counts[c];
  }
  return raised;
}

bool MixturePlan::apply_floor_full(GaussianInput& input) const {
  bool raised = false;
  if (!is_tied(options_.covariance)) {
    for (std::size_t c = 0; c < input.counts.size(); ++c)
      raised = apply_floor_to(input.scatter[c], input.counts[c], scales_[at(component_class_[c])],
                              floor_) ||
               raised;
    return raised;
  }
  const double n = input.total_count();
  Matrix sum(input.dimension(), input.dimension());
  for (const Matrix& scatter : input.scatter) {
    for (Index i = 0; i < sum.rows(); ++i) {
      for (Index j = 0; j < sum.columns(); ++j) sum(i, j) += scatter(i, j);
    }
  }
  ClassScatter pooled(std::move(sum));
  raised = apply_floor_to(pooled, n, scales_.front(), floor_);
  if (!raised) return false;
  for (ClassScatter& scatter : input.scatter)
    scatter = Matrix(input.dimension(), input.dimension());
  input.scatter.front() = std::move(pooled);
  return true;
}

bool MixturePlan::apply_floor_spherical(GaussianInput& input) const {
  const auto d = static_cast<double>(input.dimension());
  const auto unit = [&](Index j) { return options_.raw_units ? 1 : scales_.front().unit[at(j)]; };
  double min = 0;  // minimum of sigma^2
  for (Index j = 0; j < input.dimension(); ++j)
    min += floor_ * scales_.front().variances[at(j)] / unit(j) / d;
  const auto apply_floor_to_variances = [&](auto variance, auto set) {
    double mean = 0;
    for (Index j = 0; j < input.dimension(); ++j) mean += variance(j) / unit(j) / d;
    for (Index j = 0; mean < min && j < input.dimension(); ++j) set(j, min * unit(j));
    return mean < min;
  };
  bool raised = apply_floor_to_variances(
      [&](Index j) { return input.pooled_variance[at(j)]; },
      [&](Index j, double value) { input.pooled_variance[at(j)] = value; });
  for (std::size_t c = 0; !is_tied(options_.covariance) && c < input.counts.size(); ++c)
    raised = apply_floor_to_variances(
                 [&](Index j) { return diagonal(input.scatter[c], j) / input.counts[c]; },
                 [&](Index j, double value) {
                   Matrix& scatter = input.scatter[c].own();
                   scatter(diagonal_row(scatter, j), j) = value * input.counts[c];
                 }) ||
             raised;
  return raised;
}

/// A search over the rows chooses the number of components and makes the plan.
BlockPlans MixtureKind::plans(const PlanInput&, Report&) { return {}; }

}  // namespace genera::blocks
