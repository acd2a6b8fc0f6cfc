#include "blocks/gaussian/estimate/remedies.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "kernel/cholesky.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

/// Longer lists of columns do not fit into an option.
constexpr std::size_t max_dropped = 8;
/// An amount of shrinkage to the simple target that suffices for an inverse and changes little.
constexpr double some_gamma = 0.1;
constexpr double small_alpha = 0.1;

/// EM starts from single columns: such sums do not show whether columns are dependent.
bool correlations_known(const GaussianInput& input) {
  if (input.dimension() == 1 || input.scatter.front().get().rows() == 1) return true;
  for (const Matrix& scatter : input.scatter) {
    for (Index i = 0; i < scatter.rows(); ++i) {
      for (Index j = 0; j < i; ++j)
        if (scatter(i, j) != 0) return true;
    }
  }
  return false;
}

Matrix sum_of(const std::vector<ClassScatter>& scatter) {
  Matrix sum = scatter.front();
  for (std::size_t k = 1; k < scatter.size(); ++k) {
    const Matrix& more = scatter[k];
    for (Index i = 0; i < sum.rows(); ++i) {
      for (Index j = 0; j < sum.columns(); ++j) sum(i, j) += more(i, j);
    }
  }
  return sum;
}

/// The columns without which every covariance has an inverse.
std::set<Index> columns_to_drop(const GaussianInput& input, const GaussianOptions& options) {
  const bool own =
      options.covariance == Covariance::full && (!options.rda || options.rda->alpha == 1);
  std::set<Index> columns;
  const auto add = [&](const Matrix& scatter) {
    const kernel::Rank rank = kernel::rank_of(scatter);
    columns.insert(rank.constant.begin(), rank.constant.end());
    columns.insert(rank.dependent.begin(), rank.dependent.end());
  };
  if (!own) {
    add(sum_of(input.scatter));
    return columns;
  }
  for (const Matrix& scatter : input.scatter) {
    add(scatter);
    if (columns.size() > max_dropped) break;
  }
  return columns;
}

/// Leaving out these columns, if they are few and the remaining ones can be estimated.
std::optional<OptionUse> dropping(const GaussianInput& input, const GaussianOptions& options,
                                  const GaussianExtras& extras, const std::set<Index>& columns) {
  if (!correlations_known(input) || columns.empty() || columns.size() > max_dropped ||
      std::ssize(columns) == input.dimension())
    return std::nullopt;
  GaussianExtras rest_of_extras = extras;
  Vector variances;
  for (Index j = 0; j < std::ssize(extras.priors.variances); ++j)
    if (!columns.contains(j)) variances.push_back(extras.priors.variances[at(j)]);
  rest_of_extras.priors.variances = variances;
  if (!can_estimate(without_columns(input, columns), options, rest_of_extras)) return std::nullopt;
  OptionUse use{"drop"};
  for (const Index j : columns) use.values.push_back(input.columns[at(j)]);
  return use;
}

/// Collects remedies that work.
class Remedies {
 public:
  Remedies(const GaussianInput& input, const GaussianOptions& options, const GaussianExtras& extras)
      : input_(input), options_(options), extras_(extras) {}

  /// Returns whether it works.
  bool add(const GaussianOptions& other, const Advice& advice) {
    if (!can_estimate(input_, other, extras_)) return false;
    found_.push_back(advice);
    return true;
  }

  void add_shrinkage() {
    if (!is_full(options_.covariance) || options_.rda ||
        options_.shrinkage.kind != Shrinkage::Kind::none)
      return;
    GaussianOptions other = options_;
    other.shrinkage = {.kind = Shrinkage::Kind::oas};
    add(other, OptionUse{"shrinkage", {"oas"}});
  }

  void add_rda() {
    if (options_.bayesian) return;
    GaussianOptions other = options_;
    other.shrinkage = {};
    const OptionUse gamma{"gamma", {fmt::format("{}", some_gamma)}};
    if (options_.rda) {
      other.rda->gamma = some_gamma;
      if (options_.rda->gamma < some_gamma && add(other, gamma)) return;
      other.rda->gamma = options_.rda->gamma;
      other.rda->alpha = small_alpha;
      if (options_.rda->alpha > small_alpha)
        add(other, OptionUse{"alpha", {fmt::format("{}", small_alpha)}});
      return;
    }
    const bool instead = options_.shrinkage.kind != Shrinkage::Kind::none;
    other.covariance = Covariance::full;
    other.rda = RdaOptions{};
    const OptionUse rda{"model", {"rda"}};
    const Advice rest = instead ? Advice(" instead of {}", {{"shrinkage"}}) : Advice();
    if (correlations_known(input_) && add(other, Advice(rda) + rest)) return;
    other.rda->gamma = some_gamma;
    add(other, Advice("{} with {}", {rda, gamma}) + rest);
  }

  void add_bayesian() {
    if (options_.bayesian) {
      GaussianOptions other = options_;
      other.bayesian->prior_gamma = some_gamma;
      add(other, OptionUse{"prior_gamma", {fmt::format("{}", some_gamma)}});
      return;
    }
    // bqda has none of these options.
    if (options_.covariance != Covariance::full || options_.rda || options_.raw_units ||
        options_.shrinkage.kind != Shrinkage::Kind::none || options_.divisor != Divisor::mle)
      return;
    GaussianOptions other = options_;
    other.bayesian.emplace();
    add(other, OptionUse{"model", {"bqda"}});
  }

  void add_shrink() {
    GaussianOptions other = options_;
    other.on_singular = OnSingular::shrink;
    add(other, OptionUse{"on_singular", {"shrink"}});
  }

  void add_structure(Covariance covariance) {
    GaussianOptions other = options_;
    other.covariance = covariance;
    add(other, OptionUse{"covariance", {std::string(name_of(covariance))}});
  }

  void add_diagonal() {
    GaussianOptions other = options_;
    other.shrinkage = {};
    other.covariance = Covariance::diag;
    other.rda.reset();
    other.bayesian.reset();
    add(other, OptionUse{"model", {"gnb"}});
  }

  [[nodiscard]] bool empty() const { return found_.empty(); }

  [[nodiscard]] Advice listed() const {
    Advice all("use ");
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (i > 0) all += i + 1 == found_.size() ? " or " : ", ";
      all += found_[i];
    }
    return all;
  }

 private:
  const GaussianInput& input_;
  const GaussianOptions& options_;
  GaussianExtras extras_;
  std::vector<Advice> found_;
};

Advice or_without(const std::optional<OptionUse>& drop, const Remedies& remedies) {
  if (remedies.empty())
    return drop ? Advice("leave these columns out ({})", {*drop})
                : Advice("give more rows, or fewer columns");
  return drop ? remedies.listed() + Advice(", or leave these columns out with {}", {*drop})
              : remedies.listed();
}

}  // namespace

Advice remedies_for(const GaussianInput& input, const GaussianOptions& options,
                    const GaussianExtras& extras) {
  Remedies remedies(input, options, extras);
  remedies.add_shrinkage();
  remedies.add_rda();
  remedies.add_bayesian();
  remedies.add_shrink();
  if (remedies.empty()) remedies.add_diagonal();
  return or_without(dropping(input, options, extras, columns_to_drop(input, options)), remedies);
}

Advice remedies_for_mixture(const GaussianInput& input, const GaussianOptions& options) {
  Remedies remedies(input, options, {});
  remedies.add_structure(Covariance::diag);
  remedies.add_structure(Covariance::spherical);
  remedies.add_shrink();
  return or_without(dropping(input, options, {}, columns_to_drop(input, options)), remedies);
}

Advice remedies_for_constant_within(const GaussianInput& input, const GaussianOptions& options,
                                    const std::vector<Index>& columns) {
  const auto drop = dropping(input, options, {}, {columns.begin(), columns.end()});
  Remedies remedies(input, options, {});
  remedies.add_shrink();
  const Advice start("such a column tells the class by itself: ");
  if (remedies.empty())
    return drop ? start + Advice("leave it out ({})", {*drop})
                : start + "give a column that varies within the classes";
  return drop ? start + Advice("leave it out ({}), or ", {*drop}) + remedies.listed()
              : start + remedies.listed();
}

}  // namespace genera::blocks
