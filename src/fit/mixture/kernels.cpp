#include "fit/mixture/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/random.hpp>

#include "blocks/mixture/kernel_rows.hpp"
#include "data/row_digests.hpp"
#include "fit/mixture/components.hpp"
#include "fit/report.hpp"
#include "kernel/cholesky.hpp"
#include "kernel/index.hpp"
#include "kernel/kernel_sums.hpp"
#include "kernel/log_sum.hpp"
#include "kernel/parallel.hpp"
#include "sums/weightless.hpp"

namespace genera::fit_detail {
namespace {

using blocks::GaussianInput;
using kernel::at;
using kernel::panel_rows;

constexpr Index max_kernels = 20000;
/// Rows that are held out to choose the bandwidth and gamma.
constexpr Index max_held_out = 2000;

/// The first `count` of a random order of the positions of `rows` that does not depend on their
/// order; ascending.
std::vector<Index> some_positions(const Rows& rows, Index count, Rng rng) {
  std::vector<Index> positions(at(rows.count()));
  std::iota(positions.begin(), positions.end(), Index{0});
  if (count >= rows.count()) return positions;
  data::sort_by_content(rows, positions);
  for (std::size_t i = 0; i < at(count); ++i) {
    const auto left = static_cast<double>(positions.size() - i);
    std::swap(positions[i], positions[i + static_cast<std::size_t>(rng.uniform() * left)]);
  }
  positions.resize(at(count));
  std::ranges::sort(positions);
  return positions;
}

/// The share of a class in a sample: at least one row.
Index share_of(Index own, Index all, Index sample) {
  if (all <= sample) return own;
  const double share =
      static_cast<double>(sample) * static_cast<double>(own) / static_cast<double>(all);
  return std::clamp<Index>(static_cast<Index>(std::lround(share)), 1, own);
}

/// The rows of all classes, class by class, complete.
struct KernelPoints {
  Matrix numbers{};  // n x d
  Vector weights{};  // n
  std::vector<Index> first{0};
  std::vector<Index> held_out{};
  Index all = 0;  // rows of which these are a sample
  [[nodiscard]] Index classes() const { return std::ssize(first) - 1; }
};

KernelPoints points_of(const Rows& rows, const ClassGaussians& gaussians, std::uint64_t seed) {
  const auto by_class = rows_by_class(rows, *gaussians.plan);
  KernelPoints points;
  for (const auto& own : by_class) points.all += std::ssize(own);
  std::vector<Matrix> parts;
  for (std::size_t k = 0; k < by_class.size(); ++k) {
    const Rows own = rows.only(by_class[k]);
    const Rng rng = Rng(seed).split(k);
    std::vector<Index> chosen;
    for (const Index i : some_positions(own, share_of(own.count(), points.all, max_kernels), rng))
      chosen.push_back(own.row(i));
    const Rows kept = own.only(chosen);
    parts.push_back(completed_numbers(gaussians, k, kept));
    const Index held = share_of(kept.count(), std::min(points.all, max_kernels), max_held_out);
    for (const Index i : some_positions(kept, held, rng.split(1)))
      points.held_out.push_back(points.first.back() + i);
    for (const Index row : chosen) points.weights.push_back(kept.weight(row));
    points.first.push_back(points.first.back() + kept.count());
  }
  points.numbers = Matrix(points.first.back(), gaussians.gaussian().frame().dimension());
  for (std::size_t k = 0; k < parts.size(); ++k) {
    for (Index i = 0; i < parts[k].rows(); ++i)
      std::ranges::copy(parts[k].row(i), points.numbers.row(points.first[k] + i).begin());
  }
  return points;
}

/// h^2 ((1 - gamma) P + gamma diag P), P the pooled covariance within classes.
Matrix kernel_covariance(const GaussianInput& input, double bandwidth, double gamma) {
  const Index d = input.dimension();
  Matrix covariance(d, d);
  const double n = input.total_count();
  for (const Matrix& scatter : input.scatter) {
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j < d; ++j)
        covariance(i, j) += scatter(i, j) / n * (i == j ? 1 : 1 - gamma) * bandwidth * bandwidth;
    }
  }
  for (const Index j : input.constant_within)
    covariance(j, j) = input.pooled_variance[at(j)] * bandwidth * bandwidth;
  return covariance;
}

void refuse_singular(const Matrix& covariance) {
  if (kernel::is_regular(covariance)) return;
  throw Error(Errc::bad_model, "the pooled covariance is singular, so that kernels have no density",
              {"use {}, or another number above 0", {{"kernel_gamma", {"0.1"}}}});
}

/// Leaves rows out of kernel densities with the pooled covariance of all rows.
class HeldOutKernels {
 public:
  HeldOutKernels(const KernelPoints& points, const Vector& log_prior)
      : points_(points), log_prior_(log_prior) {
    for (const double weight : points.weights) log_weights_.push_back(std::log(weight));
    for (Index k = 0; k < points.classes(); ++k)
      totals_.push_back(std::accumulate(points.weights.begin() + points.first[at(k)],
                                        points.weights.begin() + points.first[at(k) + 1], 0.0));
  }

  /// Mean of -log p(class | row) over the rows held out; each leaves a row of weight 1, or its
  /// smaller weight, out of its class. Classes with no other row are skipped.
  [[nodiscard]] double loss(const Matrix& covariance, int threads) const {
    GaussianParameters kernels;
    kernels.means = points_.numbers;
    kernels.covariances = {covariance};
    std::vector<Index> columns(at(points_.numbers.columns()));
    std::iota(columns.begin(), columns.end(), Index{0});
    const blocks::WhitenedRows rows(kernels, std::move(columns));
    const Index panels = blocks::panels_of(std::ssize(points_.held_out));
    Vector losses(at(panels)), weights(at(panels));
    kernel::parallel_for(panels, threads,
                         [&](Index p) { add_panel(rows, p, losses[at(p)], weights[at(p)]); });
    return std::accumulate(losses.begin(), losses.end(), 0.0) /
           std::accumulate(weights.begin(), weights.end(), 0.0);
  }

 private:
  void add_panel(const blocks::WhitenedRows& rows, Index p, double& loss, double& total) const {
    const Index d = rows.dimension(), first = p * panel_rows;
    const Index lanes = blocks::lanes_of(std::ssize(points_.held_out), p);
    kernel::AlignedVector panel(at(d * panel_rows));
    alignas(64) double point[panel_rows], weight[panel_rows], log_sums[panel_rows],
        nearest[panel_rows];
    Matrix scores(panel_rows, points_.classes());
    for (Index lane = 0; lane < lanes; ++lane) {
      for (Index j = 0; j < d; ++j)
        panel[at(j * panel_rows + lane)] = rows.points()(points_.held_out[at(first + lane)], j);
    }
    for (Index k = 0; k < points_.classes(); ++k) {
      const Index begin = points_.first[at(k)], end = points_.first[at(k) + 1];
      for (Index lane = 0; lane < panel_rows; ++lane) {
        const Index i = lane < lanes ? points_.held_out[at(first + lane)] : -1;
        const bool own = i >= begin && i < end;
        point[lane] = own ? static_cast<double>(i - begin) : -1;
        weight[lane] = own ? std::log(points_.weights[at(i)] - left_out(i)) : 0;
      }
      const kernel::ReplacedWeights replaced{point, weight};
      kernel::add_up_kernels(
          {{rows.points().data() + begin * d, end - begin, d}, log_weights_.data() + begin},
          panel.data(), &replaced, log_sums, nearest);
      for (Index lane = 0; lane < lanes; ++lane) {
        const double gone = point[lane] < 0 ? 0 : left_out(points_.held_out[at(first + lane)]);
        scores(lane, k) = log_prior_[at(k)] + log_sums[lane] - std::log(totals_[at(k)] - gone);
      }
    }
    for (Index lane = 0; lane < lanes; ++lane) {
      const Index i = points_.held_out[at(first + lane)];
      const auto k = std::ranges::upper_bound(points_.first, i) - points_.first.begin() - 1;
      if (!(totals_[at(k)] - left_out(i) > 1e-12 * totals_[at(k)])) continue;
      const double w = points_.weights[at(i)];
      loss += w * std::min(max_loss, kernel::log_sum(scores.row(lane)) - scores(lane, k));
      total += w;
    }
  }
  /// A row of weight 2 is two rows.
  [[nodiscard]] double left_out(Index i) const { return std::min(1.0, points_.weights[at(i)]); }

  static constexpr double max_loss = 700;  // -log of the smallest double; a far row cannot decide
  const KernelPoints& points_;
  const Vector& log_prior_;
  Vector log_weights_, totals_;
};

struct ChosenKernel {
  double bandwidth = 0, gamma = 0;
  std::optional<double> loss{};
};

ChosenKernel chosen_kernel(const KernelPoints& points, const GaussianInput& input,
                           const KernelOptions& options, const Vector& log_prior, int threads) {
  const Vector bandwidths =
      options.bandwidth ? Vector{*options.bandwidth} : Vector{0.25, 0.35, 0.5, 0.7, 1};
  const Vector gammas = options.gamma ? Vector{*options.gamma} : Vector{0.1, 1};
  for (const double gamma : gammas) refuse_singular(kernel_covariance(input, 1, gamma));
  if (bandwidths.size() * gammas.size() == 1) return {bandwidths.front(), gammas.front(), {}};
  const HeldOutKernels held_out(points, log_prior);
  ChosenKernel best;
  for (const double gamma : gammas) {
    for (const double bandwidth : bandwidths) {
      const double loss = held_out.loss(kernel_covariance(input, bandwidth, gamma), threads);
      if (!best.loss || loss < *best.loss) best = {bandwidth, gamma, loss};
    }
  }
  if (!std::isfinite(*best.loss)) return {bandwidths.back(), gammas.back(), {}};
  return best;
}

MixtureParameters kernels_of(const KernelPoints& points, const GaussianInput& input,
                             const ChosenKernel& chosen) {
  MixtureParameters p;
  p.kernel = {chosen.bandwidth, chosen.gamma};
  p.components.structure = Covariance::tied;
  p.components.columns = input.columns;
  p.components.means = points.numbers;
  p.components.covariances = {kernel_covariance(input, chosen.bandwidth, chosen.gamma)};
  for (Index k = 0; k < points.classes(); ++k) {
    const auto begin = points.weights.begin() + points.first[at(k)],
               end = points.weights.begin() + points.first[at(k) + 1];
    const double total = std::accumulate(begin, end, 0.0);
    for (auto weight = begin; weight != end; ++weight) {
      p.component_class.push_back(k);
      p.weights.push_back(*weight / total);
    }
  }
  return p;
}

void report_kernels(const KernelPoints& points, const ChosenKernel& chosen,
                    const ClassGaussians& gaussians, Report& report) {
  std::string text =
      fmt::format("kernel densities: bandwidth {:g}, gamma {:g}", chosen.bandwidth, chosen.gamma);
  if (chosen.loss)
    text += fmt::format(", chosen by the log loss of {} left out one by one ({:.5g})",
                        counted(std::ssize(points.held_out), "row"), *chosen.loss);
  report.notes.push_back({std::move(text)});
  const Index kept = points.numbers.rows();
  report.notes.push_back(
      {kept < points.all
           ? fmt::format("the model keeps {} of {} training rows, a random sample stratified by "
                         "class",
                         kept, points.all)
           : fmt::format("the model keeps all {} training rows", kept)});
  if (gaussians.model)
    report.notes.push_back(
        {"missing numbers of kept rows are replaced by their expectations given "
         "the class"});
}

}  // namespace

Fitted<Model> fit_kernels(const Rows& rows, ClassGaussians gaussians, const Recipe& recipe,
                          const Control& control) {
  Report report = std::move(gaussians.report);
  report.rows = sums::rows_with_weight(rows);
  const GaussianInput input = gaussians.input();
  const KernelPoints points = points_of(rows, gaussians, recipe.kernel->seed);
  const Prior prior =
      resolve(gaussians.plan->priors, gaussians.plan->classes, gaussians.sums.class_weights);
  const ChosenKernel chosen = naming_left_out(report, [&] {
    return chosen_kernel(points, input, *recipe.kernel, prior.log(), control.threads);
  });
  blocks::Estimating how;
  how.class_weights = gaussians.sums.class_weights;
  how.threads = control.threads;
  MixtureParameters kernels = kernels_of(points, input, chosen);
  kernels.counts = how.class_weights;
  std::vector<Block> parts;
  for (std::size_t b = 0; b < gaussians.plan->blocks.size(); ++b) {
    if (b == *gaussians.place)
      parts.push_back(blocks::block_of(std::move(kernels)));
    else
      parts.push_back(gaussians.plan->blocks[b]->estimate(*gaussians.sums.blocks[b], how, report));
  }
  report_kernels(points, chosen, gaussians, report);
  return with_report(
      Model(gaussians.plan->classes, prior, std::move(parts), gaussians.plan->target),
      std::move(report));
}

}  // namespace genera::fit_detail
