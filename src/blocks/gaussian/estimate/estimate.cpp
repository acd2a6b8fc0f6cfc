#include "blocks/gaussian/estimate/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/gaussian/estimate/prior_covariance.hpp"
#include "blocks/gaussian/estimate/remedies.hpp"
#include "blocks/gaussian/estimate/raised.hpp"
#include "blocks/gaussian/estimate/shrink_singular.hpp"
#include "blocks/gaussian/estimate/shrinkage.hpp"
#include "blocks/gaussian/estimate/singular.hpp"
#include "kernel/cholesky.hpp"
#include "kernel/double_double.hpp"

namespace genera::blocks {
namespace {

/// A full covariance and its origin.
struct Estimated {
  Matrix covariance;
  std::string whose;  // "class 'a' (12 rows)"
  double nu = 0;      // degrees of freedom
  double n = 0;       // weight of its rows
  double divisor = 0;
  double fourth = 0;  // for Ledoit-Wolf
  CollapsePrior prior{};
};

Matrix divided(const Matrix& scatter, double divisor) {
  Matrix result = scatter;
  for (Index i = 0; i < result.rows(); ++i) {
    for (double& value : result.row(i)) value = divisor > 0 ? value / divisor : 0;
  }
  return result;
}

Matrix pooled_scatter(const GaussianInput& input) {
  const Matrix& first = input.scatter.front();
  Matrix sum(first.rows(), first.columns());
  for (const Matrix& scatter : input.scatter) {
    for (Index i = 0; i < sum.rows(); ++i) {
      for (Index j = 0; j < sum.columns(); ++j) sum(i, j) += scatter(i, j);
    }
  }
  return sum;
}

Matrix combination(double a, const Matrix& x, double b, const Matrix& y) {
  Matrix result = x;
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.columns(); ++j) result(i, j) = a * x(i, j) + b * y(i, j);
  }
  return result;
}

class Estimator {
 public:
  /// `trial`: only tests whether the estimate is possible.
  Estimator(const GaussianInput& input, const GaussianOptions& options,
            const GaussianExtras& extras, Report& report, bool trial = false)
      : input_(input), options_(options), extras_(extras), report_(report), trial_(trial) {
    result_.structure = options.covariance;
    result_.columns = input.columns;
    result_.means = input.means;
    result_.counts = input.counts;
    result_.unbiased = options.divisor == Divisor::unbiased;
    result_.raw_units = options.raw_units;
    result_.variance_prior = options.variance_prior;
  }

  GaussianParameters run() {
    switch (options_.covariance) {
      case Covariance::full:
        if (options_.bayesian)
          with_prior_covariance();
        else
          options_.rda ? regularised(*options_.rda) : full_own();
        break;
      case Covariance::tied:
        full_shared();
        break;
      case Covariance::diag:
        diagonal_own();
        break;
      case Covariance::tied_diag:
        diagonal_shared();
        break;
      case Covariance::spherical:
        spherical(false);
        break;
      case Covariance::tied_spherical:
        spherical(true);
        break;
    }
    const auto zero = [](double amount) { return amount == 0; };
    if (std::all_of(result_.shrinkage.begin(), result_.shrinkage.end(), zero))
      result_.shrinkage.clear();
    keep_low_parts();
    report_shrunk(shrunk_, report_);
    return std::move(result_);
  }

 private:
  [[nodiscard]] double deviation(Index k, Index j) const {
    const auto covariance = result_.covariances.size() > 1 ? static_cast<std::size_t>(k) : 0;
    return std::sqrt(result_.covariances.empty()
                         ? result_.variances(result_.variances.rows() > 1 ? k : 0, j)
                         : result_.covariances[covariance](j, j));
  }

  /// Keeps low parts only for columns in which they matter, so that the others give the same
  /// results as without low parts.
  void keep_low_parts() {
    const Matrix& low = input_.means_low;
    Matrix kept(low.rows(), low.columns());
    bool any = false;
    for (Index j = 0; j < low.columns(); ++j) {
      bool shows = false;
      for (Index k = 0; k < low.rows(); ++k)
        shows = shows || low_part_shows(low(k, j), deviation(k, j));
      for (Index k = 0; shows && k < low.rows(); ++k) {
        const kernel::HighLow mean = kernel::two_sum(result_.means(k, j), low(k, j));
        result_.means(k, j) = mean.high;
        kept(k, j) = mean.low;
      }
      any = any || shows;
    }
    if (any) result_.means_low = std::move(kept);
  }

  [[nodiscard]] std::size_t classes() const { return input_.classes.size(); }
  /// Whether the first covariance is shared by all classes.
  [[nodiscard]] bool shared() const {
    return options_.covariance == Covariance::tied || (options_.rda && options_.rda->alpha == 0);
  }

  Estimated own(std::size_t k) const {
    const CollapsePrior prior = prior_of(k);
    const double divisor = own_divisor(input_, k, options_.divisor) + prior.rows;
    return {divided(with_prior(input_.scatter[k], prior), divisor),
            fmt::format("class '{}' ({})", input_.classes[k], counted(input_.rows[k], "row")),
            input_.counts[k] - 1,
            input_.counts[k],
            divisor,
            extras_.fourth ? (*extras_.fourth)[k] : 0,
            prior};
  }

  [[nodiscard]] CollapsePrior prior_of(std::size_t covariance) const {
    const auto& priors = extras_.priors.of;
    return covariance < priors.size() ? priors[covariance] : CollapsePrior{};
  }

  /// The scatter with the rows of the prior.
  [[nodiscard]] Matrix with_prior(Matrix scatter, const CollapsePrior& prior) const {
    for (Index j = 0; prior.rows > 0 && j < scatter.columns(); ++j)
      scatter(j, j) += prior.rows * extras_.priors.variances[static_cast<std::size_t>(j)];
    return scatter;
  }

  Estimated pooled() const {
    const CollapsePrior prior = shared() ? prior_of(0) : CollapsePrior{};
    const double divisor = pooled_divisor(input_.counts, options_.divisor) + prior.rows;
    double fourth = 0;
    for (std::size_t k = 0; extras_.fourth && k < classes(); ++k) fourth += (*extras_.fourth)[k];
    Index rows = 0;
    for (const Index r : input_.rows) rows += r;
    return {divided(with_prior(pooled_scatter(input_), prior), divisor),
            fmt::format("all classes together ({})", counted(rows, "row")),
            input_.total_count() - static_cast<double>(classes()),
            input_.total_count(),
            divisor,
            fourth,
            prior};
  }

  Vector shrinkage_scale() const {
    Vector sd(input_.columns.size(), common_unit(input_.pooled_variance));
    for (std::size_t j = 0; j < sd.size() && !options_.raw_units; ++j)
      sd[j] = std::sqrt(input_.pooled_variance[j]);
    return sd;
  }

  double shrinkage_amount(const Estimated& e, const Vector& sd) const {
    switch (options_.shrinkage.kind) {
      case Shrinkage::Kind::none:
        return 0;
      case Shrinkage::Kind::fixed:
        return options_.shrinkage.amount;
      case Shrinkage::Kind::oas:
        return oas_amount(spread_of(e.covariance, sd), e.nu);
      case Shrinkage::Kind::lw:
        break;
    }
    const Matrix mle = combination(e.divisor / e.n, e.covariance, 0, e.covariance);
    return lw_amount(spread_of(mle, sd), e.fourth, e.n);
  }

  /// Shrinks as requested, then ensures that the inverse exists.
  Matrix finished(Estimated e) {
    for (const Index j :
         input_
             .constant_within)  // nonempty only with OnSingular::shrink; gets the floor as variance
      e.covariance(j, j) = input_.pooled_variance[static_cast<std::size_t>(j)];
    const Vector sd = shrinkage_scale();
    double amount = shrinkage_amount(e, sd);
    if (amount > 0) {
      const double target = spread_of(e.covariance, sd).trace / static_cast<double>(sd.size());
      e.covariance = moved(e.covariance, sd, amount, target);
    }
    if (!e.prior.singular.empty()) {
      amount = std::max(amount, e.prior.rows / e.divisor);
      add_shrunk(e.whose, amount, e.prior.singular);
    }
    if (!kernel::is_regular(e.covariance)) amount = std::max(amount, rescue(e));
    result_.shrinkage.push_back(amount);
    return std::move(e.covariance);
  }

  /// Shrinks a singular covariance towards the pooled variances D^2; returns the amount.
  double rescue(Estimated& e) {
    if (options_.on_singular == OnSingular::error) refuse({e.whose, e.covariance});
    Vector sd;
    for (const double variance : input_.pooled_variance) sd.push_back(std::sqrt(variance));
    auto [shrunk, amount] = shrink_singular(e.covariance, sd, e.nu);
    if (!kernel::is_regular(shrunk)) refuse({e.whose, e.covariance});
    add_shrunk(e.whose, amount, trial_ ? "" : singular_reason(input_, e.covariance, e.nu));
    e.covariance = std::move(shrunk);
    return amount;
  }

  void add_shrunk(const std::string& whose, double amount, const std::string& reason) {
    ++report_.covariances_moved;
    if (!trial_) shrunk_.push_back(fmt::format("{} by {:.4g} ({})", whose, amount, reason));
  }

  [[noreturn]] void refuse(const SingularCase& found) const {
    if (trial_) throw Error(Errc::bad_model, "", "");
    throw singular_error(input_, found, remedies_for(input_, options_, extras_));
  }

  void full_own() {
    for (std::size_t k = 0; k < classes(); ++k) result_.covariances.push_back(finished(own(k)));
  }

  void full_shared() { result_.covariances.push_back(finished(pooled())); }

  void regularised(const RdaOptions& rda) {
    result_.rda = {.alpha = rda.alpha, .gamma = rda.gamma};
    const Estimated all = pooled();
    const std::size_t matrices = rda.alpha == 0 ? 1 : classes();
    for (std::size_t k = 0; k < matrices; ++k) {
      Estimated e = rda.alpha == 0 ? all : own(k);
      e.covariance = combination(rda.alpha, e.covariance, 1 - rda.alpha, all.covariance);
      if (rda.alpha < 1) e.nu = all.nu;  // it has the null space of the pooled covariance
      const Vector target = target_of(e.covariance);
      for (Index i = 0; i < e.covariance.rows(); ++i) {
        for (Index j = 0; j < e.covariance.columns(); ++j) e.covariance(i, j) *= 1 - rda.gamma;
        e.covariance(i, i) += rda.gamma * target[static_cast<std::size_t>(i)];
      }
      result_.covariances.push_back(finished(std::move(e)));
    }
  }

  /// (nu P0 + W_k) / (nu + n_k)
  void with_prior_covariance() {
    const CovariancePrior prior = chosen_prior(input_, *options_.bayesian);
    const Estimated all = pooled();
    for (std::size_t k = 0; k < classes(); ++k) {
      Estimated e = own(k);
      e.covariance = prior.posterior_centre(input_.scatter[k], input_.counts[k]);
      e.nu = all.nu;  // it has the null space of the pooled covariance
      result_.covariances.push_back(finished(std::move(e)));
    }
  }

  [[nodiscard]] Vector target_of(const Matrix& covariance) const {
    std::vector<TargetColumn> columns;
    for (std::size_t j = 0; j < input_.columns.size(); ++j)
      columns.push_back({covariance(static_cast<Index>(j), static_cast<Index>(j)),
                         input_.min_variance[j], input_.total_variance[j]});
    return simple_target(columns, options_);
  }

  /// Unit of variances: the total variance of the column, so that units do not matter.
  [[nodiscard]] double unit(std::size_t j) const {
    return options_.raw_units ? 1 : input_.total_variance[j];
  }

  [[nodiscard]] double variance(std::size_t k, std::size_t j) const {
    const Matrix& scatter = input_.scatter[k];
    const auto at = static_cast<Index>(j);
    const double divisor = own_divisor(input_, k, options_.divisor);
    return divisor > 0 ? scatter(scatter.rows() > 1 ? at : 0, at) / divisor : 0;
  }

  void set_variance(Index k, std::size_t j, double value) {
    if (!(value > 0))
      throw Error(Errc::bad_model,
                  fmt::format("class '{}': the variance of '{}' is zero",
                              input_.classes[static_cast<std::size_t>(k)], input_.columns[j]),
                  {"use a {} greater than 0, or leave the column out with {}",
                   {{"variance_floor"}, {"drop"}}});
    result_.variances(k, static_cast<Index>(j)) = value;
  }

  /// (n s^2 + kappa pooled) / (n + kappa)
  [[nodiscard]] double with_variance_prior(std::size_t k, double own, double pooled) const {
    const double n = input_.counts[k], rows = options_.variance_prior;
    return rows > 0 ? (n * own + rows * pooled) / (n + rows) : own;
  }

  void diagonal_own() {
    result_.variances = Matrix(static_cast<Index>(classes()), input_.dimension());
    std::vector<Index> raised(input_.columns.size());
    for (std::size_t k = 0; k < classes(); ++k) {
      for (std::size_t j = 0; j < input_.columns.size(); ++j) {
        const double estimated = with_variance_prior(k, variance(k, j), input_.pooled_variance[j]);
        if (estimated < input_.min_variance[j]) ++raised[j];
        set_variance(static_cast<Index>(k), j, std::max(estimated, input_.min_variance[j]));
      }
    }
    if (trial_)
      report_.variances_raised += std::accumulate(raised.begin(), raised.end(), Index{0});
    else
      report_raised(input_, options_, raised, report_);
  }

  void diagonal_shared() {
    result_.variances = Matrix(1, input_.dimension());
    for (std::size_t j = 0; j < input_.columns.size(); ++j)
      set_variance(0, j, input_.pooled_variance[j]);
  }

  void spherical(bool shared) {
    const std::size_t d = input_.columns.size();
    double all = 0;
    for (std::size_t j = 0; j < d; ++j)
      all += input_.pooled_variance[j] / unit(j) / static_cast<double>(d);
    Index raised = 0;
    result_.variances = Matrix(shared ? 1 : static_cast<Index>(classes()), input_.dimension());
    for (Index k = 0; k < result_.variances.rows(); ++k) {
      double mean = 0;
      for (std::size_t j = 0; j < d && !shared; ++j)
        mean += variance(static_cast<std::size_t>(k), j) / unit(j) / static_cast<double>(d);
      double sigma2 = all;
      if (!shared) {
        const double min = options_.variance_floor * all;
        sigma2 = with_variance_prior(static_cast<std::size_t>(k), mean, all);
        if (sigma2 < min) ++raised;
        sigma2 = std::max(sigma2, min);
      }
      for (std::size_t j = 0; j < d; ++j) set_variance(k, j, sigma2 * unit(j));
    }
    if (trial_)
      report_.variances_raised += raised;
    else
      report_raised(input_, options_, raised, report_);
  }

  const GaussianInput& input_;
  const GaussianOptions& options_;
  const GaussianExtras& extras_;
  Report& report_;
  bool trial_;
  std::vector<std::string> shrunk_;  // singular covariances, in words
  GaussianParameters result_;
};

}  // namespace

GaussianParameters estimate_gaussian(const GaussianInput& input, const GaussianOptions& options,
                                     const GaussianExtras& extras, Report& report) {
  return Estimator(input, options, extras, report).run();
}

Vector simple_target(std::span<const TargetColumn> columns, const GaussianOptions& options) {
  const auto unit = [&](const TargetColumn& column) {
    return options.raw_units ? 1 : column.total;
  };
  Vector target;
  double mean = 0;
  for (const TargetColumn& column : columns) {
    target.push_back(std::max(column.variance, column.min));
    mean += column.variance / unit(column) / static_cast<double>(columns.size());
  }
  if (options.rda && options.rda->toward == Toward::identity) {
    for (std::size_t j = 0; j < target.size(); ++j) target[j] = mean * unit(columns[j]);
  }
  return target;
}

std::optional<TriedEstimate> try_estimate(const GaussianInput& input,
                                          const GaussianOptions& options,
                                          const GaussianExtras& extras) {
  TriedEstimate tried;
  try {
    tried.parameters = Estimator(input, options, extras, tried.report, true).run();
    return tried;
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool can_estimate(const GaussianInput& input, const GaussianOptions& options,
                  const GaussianExtras& extras) {
  return try_estimate(input, options, extras).has_value();
}

}  // namespace genera::blocks
