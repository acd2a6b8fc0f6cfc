#include "fit/mixture/search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <genera/error.hpp>

#include "fit/mixture/k_means.hpp"
#include "kernel/cholesky.hpp"
#include "kernel/index.hpp"
#include "kernel/parallel.hpp"
#include "sums/row_moments.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;

constexpr int short_iterations = 20;
/// How many of the first so many starts are followed to the end.
constexpr std::size_t starts_to_follow(std::size_t starts) {
  return std::max<std::size_t>(3, starts / 5);
}
constexpr double rough_tolerance = 1e-7;  // of the log-likelihood per row: enough to see who leads
/// How much log-likelihood per row may still be ahead of who has slowed down to that.
constexpr double rough_distance = 0.01;
/// Two starts whose log-likelihoods per row differ by less are on the way to the same maximum.
constexpr double same_maximum = 1e-7;

bool is_diagonal(const Matrix& s) {
  for (Index i = 0; i < s.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      if (s(i, j) != 0) return false;
    }
  }
  return true;
}

/// A x with A' A = reference^-1: groups that lie along correlated columns come apart.
Matrix whitened(const Matrix& rows, const Matrix& reference) {
  std::vector<Index> order(at(rows.columns()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto factor = kernel::factorise(reference, order);
  if (!factor) return {};
  Matrix result(rows.rows(), rows.columns());
  for (Index i = 0; i < rows.rows(); ++i) {
    for (Index k = 0; k < rows.columns(); ++k) {
      for (Index j = 0; j <= k; ++j) result(i, k) += factor->inverse(k, j) * rows(i, j);
    }
  }
  return result;
}

/// What a search does about one number of components.
Plan plan_for(const blocks::GaussianFrame& frame, const blocks::ComponentScale& scale,
              Index components, const GaussianOptions& options) {
  Plan plan{frame.classes, "class", {}, {}};
  plan.blocks.push_back(
      std::make_unique<blocks::MixturePlan>(frame, options, std::vector<Index>(at(components), 0),
                                            std::vector<blocks::ComponentScale>{scale}));
  return plan;
}

}  // namespace

bool better(const FoundMixture& a, const FoundMixture& b) {
  if (a.on_floor() != b.on_floor()) return b.on_floor();
  return a.bic < b.bic;
}

bool MixtureSearch::better_run(const Run& a, const Run& b) {
  const bool floor = b.outcome == Outcome::degenerate;
  if ((a.outcome == Outcome::degenerate) != floor) return floor;
  return a.log_likelihood > b.log_likelihood;
}

/// All before `first`; of the others the best after a few steps, and those that were among the best
/// when there were fewer: with more starts the same ones are followed, and others behind them. Of
/// those on the way to the same maximum only the one that comes first.
std::vector<MixtureSearch::Run> MixtureSearch::to_follow(std::vector<Run> runs,
                                                         std::size_t first) const {
  std::vector<std::size_t> ranked, chosen(first);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  std::vector<char> is_chosen(runs.size());
  for (std::size_t s = first; s < runs.size(); ++s) {
    const auto place = std::upper_bound(
        ranked.begin(), ranked.end(), s,
        [&](std::size_t a, std::size_t b) { return better_run(runs[a], runs[b]); });
    ranked.insert(place, s);
    const std::size_t best = std::min(ranked.size(), starts_to_follow(ranked.size()));
    for (std::size_t r = 0; r < best; ++r) {
      if (!std::exchange(is_chosen[ranked[r]], 1)) chosen.push_back(ranked[r]);
    }
  }
  std::vector<Run> kept;
  for (const std::size_t s : chosen) {
    const bool known = std::ranges::any_of(kept, [&](const Run& run) {
      return (run.outcome == Outcome::degenerate) == (runs[s].outcome == Outcome::degenerate) &&
             std::abs(run.log_likelihood - runs[s].log_likelihood) <= same_maximum * weight_;
    });
    if (!known) kept.push_back(std::move(runs[s]));
  }
  return kept;
}

MixtureSearch::MixtureSearch(MixtureRows rows, const MixtureOptions& options, Running running)
    : rows_(std::move(rows)),
      options_(options),
      running_(std::move(running)),
      scaled_(rows_.completed) {
  for (Index i = 0; i < rows_.rows.count(); ++i)
    weights_.push_back(rows_.rows.weight(rows_.rows.row(i)));
  weight_ = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  for (Index i = 0; i < scaled_.rows(); ++i) {
    for (Index j = 0; j < scaled_.columns(); ++j)
      scaled_(i, j) /= std::sqrt(rows_.scale.unit[at(j)]);
  }
  if (options_.components.most == 1 || options_.starts == 1) return;
  hierarchy_ = Hierarchy(evened_axes(rows_.completed, weights_), weights_);
  if (!rows_.whitening.empty() && !is_diagonal(rows_.whitening))
    whitened_ = whitened(rows_.completed, rows_.whitening);
}

const blocks::ComponentScale& MixtureSearch::scale_of(Family family) const {
  return structure_of(family).full && rows_.full_scale ? *rows_.full_scale : rows_.scale;
}

const std::vector<MixtureSearch::Groups>& MixtureSearch::starts(Index components) {
  std::vector<Groups>& found = starts_[components];
  if (!found.empty()) return found;
  if (components == 1) {
    found.emplace_back(weights_.size(), 0);
    return found;
  }
  found.resize(at(options_.starts));
  const Rng rng = Rng(options_.seed).split(static_cast<std::uint64_t>(components));
  kernel::parallel_for(options_.starts, running_.threads, [&](Index s) {
    const bool second = s % 2 == 1 && !whitened_.empty();
    found[at(s)] = k_means(second ? whitened_ : scaled_, weights_, components,
                           rng.split(static_cast<std::uint64_t>(s)));
  });
  if (hierarchy_.usable()) found.insert(found.begin() + 1, hierarchy_.groups(components));
  return found;
}

/// All starts of one number of components, over the same rows.
class MixtureSearch::StartRuns {
 public:
  StartRuns(const MixtureSearch& search, Index components, const GaussianOptions& options)
      : search_(search),
        plan_(plan_for(search.rows_.frame, search.scale_of(options.family), components, options)) {}

  /// A start is a model: that of groups of completed rows.
  [[nodiscard]] Run begin(const Groups& groups) const {
    PlanSums sums(plan_);
    sums.class_weights = {search_.weight_};
    auto& to = blocks::sums_as<blocks::ComponentSums>(*sums.blocks.front());
    genera::sums::RowMoments moments(data::NumberColumns(search_.rows_.completed), search_.weights_,
                                     to.kind());
    for (std::size_t c = 0; c < to.moments.size(); ++c) {
      std::vector<Index> own;
      for (std::size_t i = 0; i < groups.size(); ++i) {
        if (groups[i] == static_cast<std::int32_t>(c) && search_.weights_[i] > 0)
          own.push_back(static_cast<Index>(i));
      }
      if (!own.empty()) to.moments[c] = moments.of(own);
    }
    Report report;
    return {estimate_model(plan_, sums, {}, {}, report)};
  }

  /// Finds the columns in the rows; before anything is run.
  void prepare(const Model& like) {
    latent_ = std::make_unique<const LatentRows>(search_.rows_.rows, plan_, like, 1.0,
                                                 search_.running_.threads);
  }

  template <class Pause>
  void iterate(Run& run, const EmOptions& options, int threads, Pause pause) const {
    Em em(plan_, std::move(run.model), {latent_->complete_sums(), latent_->weight()}, options,
          nullptr, threads);
    genera::fit_detail::run(em, *latent_, threads, pause);
    if (run.iterations == 0) run.log_likelihood_first = em.first().log_likelihood;
    run.iterations += em.step().iteration;
    run.model = em.model();
    run.outcome = em.outcome();
    run.log_likelihood = em.step().log_likelihood;
  }

  [[nodiscard]] Index missing_numbers() const { return latent_->missing_numbers(); }

 private:
  const MixtureSearch& search_;
  Plan plan_;
  std::unique_ptr<const LatentRows> latent_;
};

FoundMixture MixtureSearch::find(Index components, const GaussianOptions& options) {
  StartRuns starts_of(*this, components, options);
  const std::vector<Groups>& groups = starts(components);
  std::vector<Run> runs(groups.size(), starts_of.begin(groups.front()));
  starts_of.prepare(runs.front().model);
  const bool closed_form = components == 1 && starts_of.missing_numbers() == 0;
  const bool side_by_side = std::ssize(groups) >= running_.threads;  // which changes no bit
  const int short_run = std::min(short_iterations, options_.most_iterations);
  kernel::parallel_for(
      std::ssize(groups), side_by_side ? running_.threads : 1,
      [&](Index s) {
        if (s > 0) runs[at(s)] = starts_of.begin(groups[at(s)]);
        starts_of.iterate(runs[at(s)],
                          {.most_iterations = closed_form ? 1 : short_run, .accelerated = false},
                          side_by_side ? 1 : running_.threads, [] {});
      },
      [&](Index) { running_.pause(); });
  if (closed_form && runs.front().outcome == Outcome::iteration_limit)
    runs.front().outcome = Outcome::converged;  // there was nothing to iterate
  const int left = options_.most_iterations - short_iterations;
  if (!closed_form && left > 0) {
    // With one start alone there is no hierarchy, which is the second.
    runs = to_follow(std::move(runs), hierarchy_.usable() && components > 1 ? 2 : 0);
    const auto others = std::ssize(runs) - 1;  // the first leads at first, and goes to the end
    const bool apart = others >= running_.threads;
    kernel::parallel_for(
        others, apart ? running_.threads : 1,
        [&](Index s) {
          starts_of.iterate(runs[at(s + 1)],
                            {.most_iterations = left, .tolerance = rough_tolerance, .rough = true},
                            apart ? 1 : running_.threads, [] {});
        },
        [&](Index) { running_.pause(); });
    // Only who may lead goes to the end, which does not depend on the starts behind it.
    const auto may_lead = [&](Run run, const Run& before) {
      run.log_likelihood += rough_distance * weight_;
      return better_run(run, before);
    };
    std::size_t leader = runs.size();
    for (std::size_t r = 0; r < runs.size(); ++r) {
      if (leader < runs.size() && !may_lead(runs[r], runs[leader])) continue;
      starts_of.iterate(runs[r], {.most_iterations = left}, running_.threads, running_.pause);
      if (leader == runs.size() || better_run(runs[r], runs[leader])) leader = r;
    }
    if (leader > 0) std::swap(runs.front(), runs[leader]);
  } else {
    std::stable_sort(runs.begin(), runs.end(), better_run);
  }
  const Run& best = runs.front();
  FoundMixture found{blocks::mixtures_of(best.model.blocks().front()),
                     best.outcome,
                     best.iterations,
                     best.log_likelihood_first,
                     best.log_likelihood,
                     components,
                     best.model.free_parameters().total(),
                     0};
  found.bic = -2 * found.log_likelihood + static_cast<double>(found.parameters) * std::log(weight_);
  return found;
}

std::vector<std::size_t> heaviest_first(const MixtureParameters& mixture) {
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < mixture.weights.size(); ++c) {
    if (mixture.weights[c] > blocks::emptied_weight) order.push_back(c);
  }
  const Matrix& means = mixture.components.means;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (mixture.weights[a] != mixture.weights[b]) return mixture.weights[a] > mixture.weights[b];
    return std::ranges::lexicographical_compare(means.row(static_cast<Index>(a)),
                                                means.row(static_cast<Index>(b)));
  });
  return order;
}

GaussianParameters selected(const GaussianParameters& all,
                            const std::vector<std::size_t>& components) {
  GaussianParameters chosen = all;
  const Index d = all.means.columns();
  chosen.means = Matrix(std::ssize(components), d);
  if (!all.means_low.empty()) chosen.means_low = chosen.means;
  const bool own_covariances = all.covariances.size() > 1;
  const bool own_variances = all.variances.rows() > 1;
  if (own_covariances) chosen.covariances.clear();
  if (own_variances) chosen.variances = Matrix(std::ssize(components), d);
  chosen.counts.clear();
  for (std::size_t to = 0; to < components.size(); ++to) {
    const std::size_t from = components[to];
    const auto row = [&](const Matrix& a, Matrix& b) {
      std::ranges::copy(a.row(static_cast<Index>(from)), b.row(static_cast<Index>(to)).begin());
    };
    row(all.means, chosen.means);
    if (!all.means_low.empty()) row(all.means_low, chosen.means_low);
    if (own_covariances) chosen.covariances.push_back(all.covariances[from]);
    if (own_variances) row(all.variances, chosen.variances);
    if (!all.counts.empty()) chosen.counts.push_back(all.counts[from]);
  }
  return chosen;
}

void refuse_for_mixtures(const GaussianOptions& options) {
  const auto refuse = [](const std::string& what, const Advice& hint) {
    throw Error(Errc::bad_argument, what, hint);
  };
  if (options.family == Family::rda)
    refuse("mixtures have no covariance structure rda",
           {"choose {}, lda, gnb, dlda, spherical or centroid", {{"covariance", {"qda"}}}});
  if (options.shrinkage.kind != Shrinkage::Kind::none)
    refuse("mixtures have no shrinkage: the variance floor keeps their covariances regular",
           {"leave {} out, or choose a simpler {}", {{"shrinkage"}, {"covariance"}}});
  if (options.variance_prior > 0)
    refuse("mixtures have no variance prior: the variance floor keeps their components regular",
           {"leave {} out", {{"variance_prior"}}});
  if (options.divisor == Divisor::unbiased)
    refuse("mixtures are fitted by maximum likelihood: they have no unbiased divisor",
           {"leave {} out", {{"divisor"}}});
}

}  // namespace genera::fit_detail
