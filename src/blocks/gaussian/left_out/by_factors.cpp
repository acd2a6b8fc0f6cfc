// Scores without one row from the factor of all rows, by the Sherman-Morrison formula.
#include <map>

#include "blocks/gaussian/left_out/left_out.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

/// S = scale F, with the factorised matrix F.
struct Scaled {
  const kernel::Factor* factor;
  double scale;
};

class FullFactors {
 public:
  /// Empty if a covariance is singular or there would be too many factors.
  static std::optional<FullFactors> of(const LeftOutGaussian& g, std::span<const double> weights) {
    FullFactors f;
    f.alpha_ = g.options.rda ? g.options.rda->alpha : is_tied(g.options.covariance) ? 0 : 1;
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
  /// A_c for the class of the row, B_k for the others.
  [[nodiscard]] Scaled own(Index c, double weight, const LeftOutChange& change) const {
    if (alpha_ == 0) return {&factors_.front(), 1 / change.b};
    if (alpha_ == 1) return {&factors_[at(c)], 1 / change.a};
    return {&factors_[first_of_.at(weight) + at(c)], 1};
  }
  [[nodiscard]] Scaled other(Index k, double weight, const LeftOutChange& change,
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
        // Rows whose class would be empty without them are handled elsewhere.
        if (divisor > 0) add(mixed, alpha_ / divisor, g.input.scatter[at(k)]);
        add(mixed, (1 - alpha_) / b, pooled);
        if (!(b > 0) || !keep(mixed)) return false;
      }
    }
    return true;
  }

  double alpha_ = 0;
  std::vector<kernel::Factor> factors_;
  std::map<double, std::size_t> first_of_;  // by weight: K factors A, then K factors B
};

class FullLeftOut : public LeaveOneOut {
 public:
  FullLeftOut(SharedLeftOut of, FullFactors factors)
      : shared(std::move(of)), full(std::move(factors)) {}
  [[nodiscard]] std::unique_ptr<LeaveOneOutWorker> worker() const override;
  [[nodiscard]] double operations() const override {
    const auto d = static_cast<double>(shared->dimension());
    return d * d * static_cast<double>(shared->classes());
  }

  SharedLeftOut shared;
  FullFactors full;
};

class FullLeftOutWorker : public GaussianLeftOutWorker {
 public:
  explicit FullLeftOutWorker(const FullLeftOut& of)
      : GaussianLeftOutWorker(of.shared), full_(of.full), y_{Vector(x_.size())}, z_(x_.size()) {}

 protected:
  bool add(const OneRow& one, const LeftOutChange& change, std::span<double> scores) override {
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
    return d * kernel::log_two_pi + s.factor->log_det + d * std::log(s.scale);
  }

  bool add_own(const OneRow& one, const LeftOutChange& change, double& score) {
    const double alpha = full_.alpha();
    const Scaled a = full_.own(one.of_class, one.weight, change);
    const double q = turned_delta(*a.factor).square / a.scale;
    const double h = 1 - change.rank * (alpha / change.a + (1 - alpha) / change.b) * q;
    if (h < min_remaining_share) return false;
    score -= (constant(a) + std::log(h) + change.rho * change.rho * q / h) / 2;
    return true;
  }

  bool add_other(Index k, const OneRow& one, const LeftOutChange& change, double& score) {
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
    if (h < min_remaining_share) return false;
    score -= (constant(b) + std::log(h) + f + t * g * g / h) / 2;
    return true;
  }

  struct Turned {
    Vector vector;  // L^-1 delta
    double square = 0;
  };
  /// Computed once for all classes that share a factor.
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
  const kernel::Factor* turned_by_ = nullptr;  // factor of the current row
  Vector z_;
};

std::unique_ptr<LeaveOneOutWorker> FullLeftOut::worker() const {
  return std::make_unique<FullLeftOutWorker>(*this);
}

}  // namespace

std::unique_ptr<const LeaveOneOut> left_out_by_factors(SharedLeftOut of,
                                                       std::span<const double> weights) {
  auto factors = FullFactors::of(*of, weights);
  if (!factors) return nullptr;
  return std::make_unique<FullLeftOut>(std::move(of), *std::move(factors));
}

}  // namespace genera::blocks
