#include <algorithm>

#include "blocks/gaussian/estimate/prior_covariance.hpp"
#include "blocks/gaussian/left_out/left_out.hpp"
#include "blocks/student/density.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

class TargetLeftOutWorker : public GaussianLeftOutWorker {
 public:
  using GaussianLeftOutWorker::GaussianLeftOutWorker;

 protected:
  bool add(const OneRow& one, const LeftOutChange& change, std::span<double> scores) override {
    if (!enough_is_left(one, change)) return false;
    const GaussianOptions& options = of_->options;
    const double alpha = options.rda->alpha;
    std::vector<TargetColumn> columns(x_.size());
    for (Index k = 0; k < of_->classes(); ++k) {
      const bool own = k == one.of_class;
      const double divisor = own ? change.a : of_->input.counts[at(k)] - of_->unbiased;
      for (Index j = 0; j < of_->dimension(); ++j) {
        const auto left = of_->left_of(j, change, x_[at(j)], delta_[at(j)]);
        double mine = diagonal_of(of_->input.scatter[at(k)], j);
        if (own && mine > 0) mine -= left.gone;
        columns[at(j)] = {alpha * (divisor > 0 ? mine / divisor : 0) + (1 - alpha) * left.pooled,
                          min_variance_of(left.pooled, options), left.total};
      }
      const Vector v = simple_target(columns, options);
      if (!std::ranges::all_of(v, [](double x) { return x > 0; })) return false;
      add_diagonal(
          residual(k, one, change), [&](Index j) { return v[at(j)]; }, scores[at(k)]);
    }
    return true;
  }
};

class EstimateLeftOutWorker : public GaussianLeftOutWorker {
 public:
  explicit EstimateLeftOutWorker(const SharedLeftOut& of)
      : GaussianLeftOutWorker(of), input_(of->input), z_(x_.size()) {}

 protected:
  bool add(const OneRow& one, const LeftOutChange& change, std::span<double> scores) override {
    if (!enough_is_left(one, change)) return false;
    leave_out(one, change);
    const bool usable = add_estimated(one, change, scores);
    restore(one);
    return usable;
  }

 private:
  void leave_out(const OneRow& one, const LeftOutChange& change) {
    const std::size_t c = at(one.of_class);
    input_.counts[c] -= one.weight;
    --input_.rows[c];
    Matrix& scatter = input_.scatter[c].own();
    const bool full = scatter.rows() > 1;
    for (Index j = 0; j < of_->dimension(); ++j) {
      const auto left = of_->left_of(j, change, x_[at(j)], delta_[at(j)]);
      input_.means(one.of_class, j) -= (change.rho - 1) * delta_[at(j)];
      input_.pooled_variance[at(j)] = left.pooled;
      input_.min_variance[at(j)] = min_variance_of(left.pooled, of_->options);
      input_.total_variance[at(j)] = left.total;
      if (diagonal_of(of_->input.scatter[c], j) == 0) continue;
      if (!full) scatter(0, j) -= left.gone;
      for (Index i = 0; full && i < of_->dimension(); ++i) {
        if (diagonal_of(of_->input.scatter[c], i) > 0)
          scatter(i, j) -= change.rank * delta_[at(i)] * delta_[at(j)];
      }
    }
  }
  void restore(const OneRow& one) {
    const std::size_t c = at(one.of_class);
    const GaussianInput& before = of_->input;
    input_.counts[c] = before.counts[c];
    input_.rows[c] = before.rows[c];
    std::ranges::copy(before.means.row(one.of_class), input_.means.row(one.of_class).begin());
    const Matrix& scatter = before.scatter[c];
    for (Index i = 0; i < scatter.rows(); ++i)
      std::ranges::copy(scatter.row(i), input_.scatter[c].own().row(i).begin());
  }

  bool add_estimated(const OneRow& one, const LeftOutChange& change, std::span<double> scores) {
    GaussianOptions options = of_->options;
    if (options.bayesian) options.bayesian = chosen_prior(input_, *options.bayesian).options();
    const auto tried = try_estimate(input_, options, {});
    if (!tried || tried->report.covariances_moved > 0) return false;
    const GaussianParameters& p = tried->parameters;
    std::optional<kernel::Factor> factor;
    for (Index k = 0; k < of_->classes(); ++k) {
      const std::span<const double> r = residual(k, one, change);
      if (p.covariances.empty()) {
        const Index row = p.variances.rows() == 1 ? 0 : k;
        add_diagonal(
            r, [&](Index j) { return p.variances(row, j); }, scores[at(k)]);
        continue;
      }
      if (at(k) < p.covariances.size()) factor = regular_factor(p.covariances[at(k)]);
      if (!factor) return false;
      times_lower(factor->inverse, r, z_);
      if (options.bayesian) {
        scores[at(k)] += log_predictive(k, *options.bayesian->prior_rows, *factor);
        continue;
      }
      scores[at(k)] -=
          (static_cast<double>(r.size()) * kernel::log_two_pi + factor->log_det + inner(z_, z_)) /
          2;
    }
    return true;
  }

  /// The t density of bqda at `z_`, the whitened residual.
  [[nodiscard]] double log_predictive(Index k, double prior_rows, const kernel::Factor& factor) {
    const auto d = static_cast<double>(z_.size());
    const double n = input_.counts[at(k)], degrees = n + prior_rows, spread = 1 + 1 / n;
    return log_student_factor(degrees, std::ssize(z_)) -
           (d * (kernel::log_two_pi + std::log(spread)) + factor.log_det) / 2 -
           (degrees + d) / 2 * std::log1p(inner(z_, z_) / spread / degrees);
  }

  GaussianInput input_;
  Vector z_;
};

template <class Worker>
class OneByOne : public LeaveOneOut {
 public:
  OneByOne(SharedLeftOut of, double operations) : of_(std::move(of)), operations_(operations) {}
  [[nodiscard]] std::unique_ptr<LeaveOneOutWorker> worker() const override {
    return std::make_unique<Worker>(of_);
  }
  [[nodiscard]] double operations() const override { return operations_; }

 private:
  SharedLeftOut of_;
  double operations_;
};

}  // namespace

std::unique_ptr<const LeaveOneOut> left_out_of_target(SharedLeftOut of, double operations) {
  return std::make_unique<OneByOne<TargetLeftOutWorker>>(std::move(of), operations);
}

std::unique_ptr<const LeaveOneOut> left_out_by_estimate(SharedLeftOut of, double operations) {
  return std::make_unique<OneByOne<EstimateLeftOutWorker>>(std::move(of), operations);
}

}  // namespace genera::blocks
