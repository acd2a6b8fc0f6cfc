#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "blocks/mixture/plan.hpp"
#include "fit/em/iteration.hpp"
#include "fit/mixture/hierarchy.hpp"
#include "fit/mixture/k_means.hpp"
#include "fit/mixture/pace.hpp"
#include "kernel/shared_progress.hpp"

namespace genera::fit_detail {

/// A mixture that was found, and what speaks for it.
struct FoundMixture {
  MixtureParameters mixture{};  ///< of one class, emptied components included
  Outcome outcome = Outcome::converged;
  int iterations = 0;
  double log_likelihood_first = 0, log_likelihood = 0;
  Index components = 0;  ///< as asked for
  Index parameters = 0;
  double bic = 0;
  bool given_up = false;  ///< before its end: it was too far from the best of all candidates

  [[nodiscard]] bool on_floor() const { return outcome == Outcome::degenerate; }
};

/// Whether `a` is to be preferred: not on the floor, then the smaller BIC.
[[nodiscard]] bool better(const FoundMixture& a, const FoundMixture& b);

inline constexpr int usual_starts = 10;
/// Where a table is small more of them cost little, and find more.
[[nodiscard]] int starts_for(Index rows, Index columns);

/// Rows of one class, of which numbers may be missing.
struct MixtureRows {
  Rows rows;                    ///< all with one label
  blocks::GaussianFrame frame;  ///< of that class alone
  blocks::ComponentScale scale;
  /// Of full structures, if any is asked for: what one structure finds does not depend on others.
  std::optional<blocks::ComponentScale> full_scale;
  Matrix completed;  ///< n x d: what is missing stands there as expected
  /// d x d: random starts are looked for on the scale of this as well; empty: of columns alone.
  Matrix whitening;
};

/// Mixtures of one set of rows: several starts for each number of components.
class MixtureSearch {
 public:
  MixtureSearch(MixtureRows rows, const MixtureOptions& options, int starts, int threads);

  /// The best of each, in their order; `tell` hears of each once, and of the cost (SearchCost) now
  /// and then. Of many numbers, those that cannot become the best of all are not followed to their
  /// end.
  [[nodiscard]] std::vector<FoundMixture> find_all(std::span<const MixtureCandidate> candidates,
                                                   const kernel::Tell& tell);

 private:
  using Groups = std::vector<std::int32_t>;
  [[nodiscard]] const blocks::ComponentScale& scale_of(Covariance covariance) const;
  /// That of a hierarchy of the rows, if there is one, then random ones, each with its own seed: of
  /// more starts the first ones are the same, and they are the same for every structure.
  void find_starts(std::span<const MixtureCandidate> candidates, const kernel::Tell& tell);
  [[nodiscard]] const Pace& pace() const {
    return pace_for(rows_.completed.rows(), rows_.completed.columns());
  }

  struct Run {
    Model model;
    Outcome outcome = Outcome::iteration_limit;
    int iterations = 0;
    double log_likelihood_first = 0, log_likelihood = 0;
    std::size_t starts = 0;  // random ones so far, when it was admitted; 0: it always goes on
  };
  [[nodiscard]] static bool better_run(const Run& a, const Run& b);
  [[nodiscard]] double still_ahead(double gain) const;
  [[nodiscard]] bool gives_up(const Run& run, double gain, const Run& leader) const;
  [[nodiscard]] std::vector<Run> who_goes_on(std::vector<Run> runs, std::size_t one_in) const;
  [[nodiscard]] FoundMixture found_by(const Run& run, Index components) const;
  /// What is known of a candidate before its best starts are followed to the end.
  struct Scouted;
  [[nodiscard]] Scouted scout(const MixtureCandidate& candidate, int threads,
                              kernel::Budget& budget) const;
  /// `to_beat`: the least BIC that is known; a candidate far from it is given up.
  [[nodiscard]] FoundMixture follow(Scouted& scouted, double to_beat, int threads,
                                    kernel::Budget& budget) const;
  /// Whether all candidates can be scouted before one is followed: they are few or small.
  [[nodiscard]] bool can_scout_all(std::span<const MixtureCandidate> candidates) const;
  /// Is told the place of a candidate, how many threads it may use, and what it may cost.
  using CandidateWork = std::function<void(std::size_t place, int threads, kernel::Budget& budget)>;
  /// With each candidate, and `found` after each says how many more are found; those with the most
  /// work first if each has a thread.
  void each_candidate(std::vector<kernel::Budget> budgets, const std::function<Index()>& found,
                      const CandidateWork& work) const;
  class StartRuns;

  MixtureRows rows_;
  MixtureOptions options_;
  int start_count_;
  int threads_;
  SearchCost cost_;
  double weight_ = 0;
  Vector weights_;   // n
  KMeans scaled_;    // columns divided by their total standard deviation
  KMeans whitened_;  // rows on the other scale; empty: there is none
  Hierarchy hierarchy_;
  std::map<Index, std::vector<Groups>> starts_;  // by number of components
};

}  // namespace genera::fit_detail
