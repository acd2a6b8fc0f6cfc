// Gaussian densities of all rows but one. Leaving x out of class c with weight w moves its mean by
// -w d / (n_c - w), d = x - mean, and takes w n_c / (n_c - w) d d' from its scatter and the pooled
// one: a factor of the covariance of all rows tells all, by the formula of Sherman and Morrison.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "blocks/gaussian/estimate.hpp"
#include "blocks/gaussian/plan.hpp"
#include "kernel/cholesky.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

const double log_two_pi = std::log(2 * std::numbers::pi);

/// Where alpha is neither 0 nor 1 each weight has factors of its own: of more weights than this
/// the covariances are estimated row by row.
constexpr std::size_t most_weights = 64;

double diagonal_of(const Matrix& scatter, Index j) {
  return scatter(scatter.rows() > 1 ? j : 0, j);
}

Matrix only_diagonal(const Matrix& scatter) {
  Matrix result(1, scatter.columns());
  for (Index j = 0; j < result.columns(); ++j) result(0, j) = diagonal_of(scatter, j);
  return result;
}

bool has_full_covariance(const GaussianOptions& options) {
  return structure_of(options.family).full;
}

std::optional<kernel::Factor> regular_factor(const Matrix& s) {
  return kernel::is_regular(s) ? kernel::factorise(s) : std::nullopt;
}

/// A z, A lower triangular.
void times_lower(const Matrix& a, std::span<const double> z, std::span<double> to) {
  for (Index i = 0; i < a.rows(); ++i) {
    const double* row = a.row(i).data();
    double sum = 0;
    for (Index j = 0; j <= i; ++j) sum += row[j] * z[at(j)];
    to[at(i)] = sum;
  }
}

double inner(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// What leaving a row out changes, in numbers.
struct Change {
  double rho = 0;     // n_c / (n_c - w)
  double rank = 0;    // w rho: d d' times this leaves the scatter
  double a = 0;       // divisor of the class
  double b = 0;       // divisor of all
  double rest = 0;    // N - w
  double weight = 0;  // w
};

/// What all ways of leaving a row out have in common.
struct LeftOutGaussian {
  GaussianOptions options;
  GaussianInput input;
  Matrix means_low;  // K x d, to be added to the means
  data::NumberColumns columns;
  Vector within, total, mean;  // d: sums of squares within classes and in total, grand mean
  double unbiased = 0;         // u

  [[nodiscard]] Index dimension() const { return input.dimension(); }
  [[nodiscard]] Index classes() const { return std::ssize(input.counts); }

  /// x - mean_k
  void residual(const double* x, Index k, std::span<double> to) const {
    for (Index j = 0; j < dimension(); ++j)
      to[at(j)] = (x[j] - input.means(k, j)) - means_low(k, j);
  }

  /// Nothing if the class or the data would have nothing left.
  [[nodiscard]] std::optional<Change> change_by(const OneRow& one) const {
    const double n = input.counts[at(one.of_class)], w = one.weight;
    const double all = input.total_count();
    if (vanishes(n - w, n)) return std::nullopt;
    Change change{n / (n - w),      w * n / (n - w),
                  n - w - unbiased, all - w - unbiased * static_cast<double>(classes()),
                  all - w,          w};
    if (!(change.a > 0) || !(change.b > 0)) return std::nullopt;
    return change;
  }

  /// What is left of a column: its share of the scatter of the class, the pooled variance, and the
  /// variance around the grand mean.
  struct Left {
    double gone, pooled, total;
  };
  [[nodiscard]] Left left_of(Index j, const Change& change, double x, double delta) const {
    const double gone = change.rank * delta * delta, off = x - mean[at(j)];
    const double all = change.rest + change.weight;
    return {gone, (within[at(j)] - gone) / change.b,
            (total[at(j)] - change.weight * all / change.rest * off * off) / change.rest};
  }

  /// Whether so much of the variances is left that no digits are lost, and no column is constant.
  [[nodiscard]] bool enough_is_left(const OneRow& one, const Change& change, const double* x,
                                    std::span<const double> delta) const {
    const bool own = !structure_of(options.family).shared;
    const double all = change.rest + one.weight;
    for (Index j = 0; j < dimension(); ++j) {
      const double gone = change.rank * delta[at(j)] * delta[at(j)];
      const double off = x[j] - mean[at(j)];
      if (within[at(j)] - gone < least_remaining_share * within[at(j)]) return false;
      if (total[at(j)] - one.weight * all / change.rest * off * off <
          least_remaining_share * total[at(j)])
        return false;
      const double mine = diagonal_of(input.scatter[at(one.of_class)], j);
      if (own && mine > 0 && mine - gone < least_remaining_share * mine) return false;
    }
    return true;
  }
};

using Shared = std::shared_ptr<const LeftOutGaussian>;

class GaussianLeftOutWorker : public LeaveOneOutWorker {
 public:
  explicit GaussianLeftOutWorker(Shared of)
      : of_(std::move(of)), x_(at(of_->dimension())), delta_(x_.size()), r_(x_.size()) {}

  bool add(const OneRow& one, std::span<double> scores) final {
    const std::optional<Change> change = of_->change_by(one);
    if (!change) return false;
    of_->columns.gather_rows({&one.row, 1}, of_->dimension(), x_.data());
    of_->residual(x_.data(), one.of_class, delta_);
    return add(one, *change, scores);
  }

 protected:
  virtual bool add(const OneRow& one, const Change& change, std::span<double> scores) = 0;

  [[nodiscard]] bool enough_is_left(const OneRow& one, const Change& change) const {
    return of_->enough_is_left(one, change, x_.data(), delta_);
  }
  /// x - mean_k of the rows that are left.
  std::span<const double> residual(Index k, const OneRow& one, const Change& change) {
    if (k != one.of_class) {
      of_->residual(x_.data(), k, r_);
      return r_;
    }
    for (std::size_t j = 0; j < r_.size(); ++j) r_[j] = change.rho * delta_[j];
    return r_;
  }
  /// Adds log N(r; 0, diag(variances)).
  template <class Variance>
  void add_diagonal(std::span<const double> r, Variance variance, double& score) const {
    double sum = 0;
    for (std::size_t j = 0; j < r.size(); ++j) {
      const double v = variance(static_cast<Index>(j));
      sum += log_two_pi + std::log(v) + r[j] * r[j] / v;
    }
    score -= sum / 2;
  }

  Shared of_;
  Vector x_, delta_, r_;
};

// Full covariances as they are: alpha S_k + (1 - alpha) S.

/// S = scale F, where F has been factorised.
struct Scaled {
  const kernel::Factor* factor;
  double scale;
};

class FullFactors {
 public:
  /// Nothing if a covariance is singular, or the factors would be too many.
  static std::optional<FullFactors> of(const LeftOutGaussian& g, std::span<const double> weights) {
    FullFactors f;
    f.alpha_ = g.options.family == Family::qda   ? 1
               : g.options.family == Family::lda ? 0
                                                 : g.options.alpha;
    Matrix pooled(g.dimension(), g.dimension());
    for (const Matrix& scatter : g.input.scatter) add(pooled, 1, scatter);
    if (f.alpha_ == 0) return f.keep(pooled) ? std::optional(std::move(f)) : std::nullopt;
    if (f.alpha_ == 1) {
      for (const Matrix& scatter : g.input.scatter) {
        if (!f.keep(scatter)) return std::nullopt;
      }
      return f;
    }
    for (const double w : weights) {
      if (!f.keep_mixed(g, pooled, w)) return std::nullopt;
    }
    return f;
  }

  [[nodiscard]] double alpha() const { return alpha_; }
  /// A_c of the class of the row, B_k of the others.
  [[nodiscard]] Scaled own(Index c, double weight, const Change& change) const {
    if (alpha_ == 0) return {&factors_.front(), 1 / change.b};
    if (alpha_ == 1) return {&factors_[at(c)], 1 / change.a};
    return {&factors_[first_of_.at(weight) + at(c)], 1};
  }
  [[nodiscard]] Scaled other(Index k, double weight, const Change& change,
                             const LeftOutGaussian& g) const {
    if (alpha_ == 0) return {&factors_.front(), 1 / change.b};
    if (alpha_ == 1) return {&factors_[at(k)], 1 / (g.input.counts[at(k)] - g.unbiased)};
    return {&factors_[first_of_.at(weight) + at(g.classes() + k)], 1};
  }

 private:
  static void add(Matrix& to, double factor, const Matrix& more) {
    for (Index i = 0; i < to.rows(); ++i) {
      for (Index j = 0; j < to.columns(); ++j) to(i, j) += factor * more(i, j);
    }
  }
  bool keep(const Matrix& s) {
    auto factor = regular_factor(s);
    if (factor) factors_.push_back(*std::move(factor));
    return factor.has_value();
  }
  bool keep_mixed(const LeftOutGaussian& g, const Matrix& pooled, double w) {
    first_of_[w] = factors_.size();
    const double b = g.input.total_count() - w - g.unbiased * static_cast<double>(g.classes());
    for (const double left : {w, 0.0}) {
      for (Index k = 0; k < g.classes(); ++k) {
        const double divisor = g.input.counts[at(k)] - left - g.unbiased;
        Matrix mixed(g.dimension(), g.dimension());
        // Rows that leave nothing of their class are not asked for.
        if (divisor > 0) add(mixed, alpha_ / divisor, g.input.scatter[at(k)]);
        add(mixed, (1 - alpha_) / b, pooled);
        if (!(b > 0) || !keep(mixed)) return false;
      }
    }
    return true;
  }

  double alpha_ = 0;
  std::vector<kernel::Factor> factors_;
  std::map<double, std::size_t> first_of_;  // of a weight: K factors A, then K factors B
};

class FullLeftOut : public LeaveOneOut {
 public:
  FullLeftOut(Shared of, FullFactors factors) : shared(std::move(of)), full(std::move(factors)) {}
  [[nodiscard]] std::unique_ptr<LeaveOneOutWorker> worker() const override;
  [[nodiscard]] double operations() const override {
    const auto d = static_cast<double>(shared->dimension());
    return d * d * static_cast<double>(shared->classes());
  }

  Shared shared;
  FullFactors full;
};

class FullLeftOutWorker : public GaussianLeftOutWorker {
 public:
  explicit FullLeftOutWorker(const FullLeftOut& of)
      : GaussianLeftOutWorker(of.shared), full_(of.full), y_{Vector(x_.size())}, z_(x_.size()) {}

 protected:
  bool add(const OneRow& one, const Change& change, std::span<double> scores) override {
    turned_by_ = nullptr;
    for (Index k = 0; k < of_->classes(); ++k) {
      const bool usable = k == one.of_class ? add_own(one, change, scores[at(k)])
                                            : add_other(k, one, change, scores[at(k)]);
      if (!usable) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] double constant(const Scaled& s) const {
    const auto d = static_cast<double>(x_.size());
    return d * log_two_pi + s.factor->log_det + d * std::log(s.scale);
  }

  bool add_own(const OneRow& one, const Change& change, double& score) {
    const double alpha = full_.alpha();
    const Scaled a = full_.own(one.of_class, one.weight, change);
    const double q = turned_delta(*a.factor).square / a.scale;
    const double h = 1 - change.rank * (alpha / change.a + (1 - alpha) / change.b) * q;
    if (h < least_remaining_share) return false;
    score -= (constant(a) + std::log(h) + change.rho * change.rho * q / h) / 2;
    return true;
  }

  bool add_other(Index k, const OneRow& one, const Change& change, double& score) {
    const Scaled b = full_.other(k, one.weight, change, *of_);
    of_->residual(x_.data(), k, r_);
    times_lower(b.factor->inverse, r_, z_);
    const double f = inner(z_, z_) / b.scale;
    const double t = change.rank * (1 - full_.alpha()) / change.b;
    if (t == 0) {
      score -= (constant(b) + f) / 2;
      return true;
    }
    const Turned& y = turned_delta(*b.factor);
    const double g = inner(z_, y.vector) / b.scale;
    const double h = 1 - t * y.square / b.scale;
    if (h < least_remaining_share) return false;
    score -= (constant(b) + std::log(h) + f + t * g * g / h) / 2;
    return true;
  }

  struct Turned {
    Vector vector;  // L^-1 delta
    double square = 0;
  };
  /// Made once for all classes that share a factor.
  const Turned& turned_delta(const kernel::Factor& factor) {
    if (turned_by_ != &factor) {
      times_lower(factor.inverse, delta_, y_.vector);
      y_.square = inner(y_.vector, y_.vector);
      turned_by_ = &factor;
    }
    return y_;
  }

  const FullFactors& full_;
  Turned y_;
  const kernel::Factor* turned_by_ = nullptr;  // of this row
  Vector z_;
};

std::unique_ptr<LeaveOneOutWorker> FullLeftOut::worker() const {
  return std::make_unique<FullLeftOutWorker>(*this);
}

// rda with gamma 1: what is left of a covariance is its target.

class TargetLeftOutWorker : public GaussianLeftOutWorker {
 public:
  using GaussianLeftOutWorker::GaussianLeftOutWorker;

 protected:
  bool add(const OneRow& one, const Change& change, std::span<double> scores) override {
    if (!enough_is_left(one, change)) return false;
    const GaussianOptions& options = of_->options;
    std::vector<TargetColumn> columns(x_.size());
    for (Index k = 0; k < of_->classes(); ++k) {
      const bool own = k == one.of_class;
      const double divisor = own ? change.a : of_->input.counts[at(k)] - of_->unbiased;
      for (Index j = 0; j < of_->dimension(); ++j) {
        const auto left = of_->left_of(j, change, x_[at(j)], delta_[at(j)]);
        double mine = diagonal_of(of_->input.scatter[at(k)], j);
        if (own && mine > 0) mine -= left.gone;
        columns[at(j)] = {
            options.alpha * (divisor > 0 ? mine / divisor : 0) + (1 - options.alpha) * left.pooled,
            least_variance_of(left.pooled, options), left.total};
      }
      const Vector v = simple_target(columns, options);
      if (!std::ranges::all_of(v, [](double x) { return x > 0; })) return false;
      add_diagonal(
          residual(k, one, change), [&](Index j) { return v[at(j)]; }, scores[at(k)]);
    }
    return true;
  }
};

// Everything else: the estimate itself, of the sums that are left.

class EstimateLeftOutWorker : public GaussianLeftOutWorker {
 public:
  explicit EstimateLeftOutWorker(const Shared& of)
      : GaussianLeftOutWorker(of), input_(of->input), z_(x_.size()) {}

 protected:
  bool add(const OneRow& one, const Change& change, std::span<double> scores) override {
    if (!enough_is_left(one, change)) return false;
    leave_out(one, change);
    const bool usable = add_estimated(one, change, scores);
    restore(one);
    return usable;
  }

 private:
  void leave_out(const OneRow& one, const Change& change) {
    const std::size_t c = at(one.of_class);
    input_.counts[c] -= one.weight;
    --input_.rows[c];
    Matrix& scatter = input_.scatter[c];
    const bool full = scatter.rows() > 1;
    for (Index j = 0; j < of_->dimension(); ++j) {
      const auto left = of_->left_of(j, change, x_[at(j)], delta_[at(j)]);
      input_.means(one.of_class, j) -= (change.rho - 1) * delta_[at(j)];
      input_.pooled_variance[at(j)] = left.pooled;
      input_.least_variance[at(j)] = least_variance_of(left.pooled, of_->options);
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
    for (Index i = 0; i < before.scatter[c].rows(); ++i)
      std::ranges::copy(before.scatter[c].row(i), input_.scatter[c].row(i).begin());
  }

  bool add_estimated(const OneRow& one, const Change& change, std::span<double> scores) {
    const auto tried = try_estimate(input_, of_->options, {});
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
      scores[at(k)] -=
          (static_cast<double>(r.size()) * log_two_pi + factor->log_det + inner(z_, z_)) / 2;
    }
    return true;
  }

  GaussianInput input_;
  Vector z_;
};

template <class Worker>
class OneByOne : public LeaveOneOut {
 public:
  OneByOne(Shared of, double operations) : of_(std::move(of)), operations_(operations) {}
  [[nodiscard]] std::unique_ptr<LeaveOneOutWorker> worker() const override {
    return std::make_unique<Worker>(of_);
  }
  [[nodiscard]] double operations() const override { return operations_; }

 private:
  Shared of_;
  double operations_;
};

std::vector<double> different_weights(const DataView& data) {
  if (data.weights.empty()) return {1};
  std::vector<double> weights(data.weights.begin(), data.weights.end());
  std::ranges::sort(weights);
  weights.erase(std::unique(weights.begin(), weights.end()), weights.end());
  return weights;
}

}  // namespace

std::unique_ptr<const LeaveOneOut> GaussianPlan::leave_one_out(const LeaveOneOutInput& from) const {
  if (sparse_ || !frame_.constant_within.empty() || options_.shrinkage.kind == Shrinkage::Kind::lw)
    return nullptr;
  const auto& moments = sums_as<ComponentSums>(from.sums).moments;
  auto shared = std::make_shared<LeftOutGaussian>(
      LeftOutGaussian{.options = options_,
                      .input = input(from.sums),
                      .means_low = Matrix(std::ssize(moments), frame_.dimension()),
                      .columns = {from.rows.rows.data(), from.places.numbers},
                      .within = {},
                      .total = {},
                      .mean = frame_.units->centre,
                      .unbiased = options_.divisor == Divisor::unbiased ? 1.0 : 0.0});
  for (std::size_t k = 0; k < moments.size(); ++k)
    std::ranges::copy(moments[k].mean_low, shared->means_low.row(static_cast<Index>(k)).begin());
  GaussianInput& all = shared->input;
  const double divisor = pooled_divisor(all.counts, options_.divisor);
  for (std::size_t j = 0; j < all.columns.size(); ++j) {
    shared->within.push_back(all.pooled_variance[j] * divisor);
    shared->total.push_back(all.total_variance[j] * all.total_count());
  }
  const auto cells = static_cast<double>(all.dimension()) * static_cast<double>(all.classes.size());
  const bool rda = options_.family == Family::rda;
  if (rda && options_.gamma == 1)
    return std::make_unique<OneByOne<TargetLeftOutWorker>>(shared, cells);
  if (!has_full_covariance(options_)) {
    for (Matrix& scatter : all.scatter) scatter = only_diagonal(scatter);
    return std::make_unique<OneByOne<EstimateLeftOutWorker>>(shared, cells);
  }
  const bool as_it_is =
      options_.shrinkage.kind == Shrinkage::Kind::none && (!rda || options_.gamma == 0);
  const std::vector<double> weights = different_weights(from.rows.rows.data());
  const bool mixed = rda && options_.alpha > 0 && options_.alpha < 1;
  if (as_it_is && (!mixed || weights.size() <= most_weights)) {
    auto factors = FullFactors::of(*shared, weights);
    if (!factors) return nullptr;
    return std::make_unique<FullLeftOut>(shared, *std::move(factors));
  }
  // Of each class: a factor, a test whether there is one, and the matrices themselves.
  const auto d = static_cast<double>(all.dimension());
  return std::make_unique<OneByOne<EstimateLeftOutWorker>>(shared, 2 * cells * d * (d + 10));
}

}  // namespace genera::blocks
