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

/// A fitted mixture and its criteria.
struct FoundMixture {
  MixtureParameters mixture{};  ///< of one class, including emptied components
  Outcome outcome = Outcome::converged;
  int iterations = 0;
  double log_likelihood_first = 0, log_likelihood = 0;
  Index components = 0;  ///< as requested
  Index parameters = 0;
  double bic = 0;
  bool given_up = false;  ///< stopped early: too far from the best candidate

  [[nodiscard]] bool on_floor() const { return outcome == Outcome::degenerate; }
};

/// Whether `a` is preferred: not on the floor, then lower BIC.
[[nodiscard]] bool better(const FoundMixture& a, const FoundMixture& b);

inline constexpr int usual_starts = 10;
/// Small tables get more starts, since these are cheap and improve the result.
[[nodiscard]] int starts_for(Index rows, Index columns);

/// Rows of one class, possibly with missing numbers.
struct MixtureRows {
  Rows rows;                    ///< all with the same label
  blocks::GaussianFrame frame;  ///< of this class
  blocks::ComponentScale scale;
  /// For full structures, if any is requested; results of one structure do not depend on others.
  std::optional<blocks::ComponentScale> full_scale;
  Matrix completed;  ///< n x d: missing values are replaced by expectations
  /// d x d: scale for additional random starts; empty: only column scales are used.
  Matrix whitening;
};

/// Fits mixtures to one set of rows, with several starts for each number of components.
class MixtureSearch {
 public:
  MixtureSearch(MixtureRows rows, const MixtureOptions& options, int starts, int threads);

  /// The best mixture for each candidate, in order; reports each to `tell`, and now and then the
  /// cost (SearchCost). With large tables, stops candidates that cannot become the best.
  [[nodiscard]] std::vector<FoundMixture> find_all(std::span<const MixtureCandidate> candidates,
                                                   const kernel::Tell& tell);

 private:
  using Groups = std::vector<std::int32_t>;
  [[nodiscard]] const blocks::ComponentScale& scale_of(Covariance covariance) const;
  /// The hierarchical start, if any, then random ones, each with its own seed: more starts only add
  /// to the first ones. All structures use the same starts.
  void find_starts(std::span<const MixtureCandidate> candidates, const kernel::Tell& tell);
  [[nodiscard]] const Pace& pace() const {
    return pace_for(rows_.completed.rows(), rows_.completed.columns());
  }

  struct Run {
    Model model;
    Outcome outcome = Outcome::iteration_limit;
    int iterations = 0;
    double log_likelihood_first = 0, log_likelihood = 0;
    std::size_t starts = 0;  // random starts when it was selected; 0: it always continues
  };
  [[nodiscard]] static bool better_run(const Run& a, const Run& b);
  [[nodiscard]] double remaining_gain(double gain) const;
  [[nodiscard]] bool gives_up(const Run& run, double gain, const Run& leader) const;
  [[nodiscard]] std::vector<Run> runs_to_continue(std::vector<Run> runs, std::size_t one_in) const;
  [[nodiscard]] FoundMixture found_by(const Run& run, Index components) const;
  /// The state of a candidate before its best starts run to the end.
  struct Scouted;
  [[nodiscard]] Scouted scout(const MixtureCandidate& candidate, int threads,
                              kernel::Budget& budget) const;
  /// `to_beat`: the lowest BIC so far; stops a candidate that is far from it.
  [[nodiscard]] FoundMixture follow(Scouted& scouted, double to_beat, int threads,
                                    kernel::Budget& budget) const;
  /// Whether all candidates can be tried briefly before one runs to its end: few or small ones.
  [[nodiscard]] bool can_scout_all(std::span<const MixtureCandidate> candidates) const;
  /// Called with the index of a candidate, the number of threads it may use, and its cost budget.
  using CandidateWork = std::function<void(std::size_t place, int threads, kernel::Budget& budget)>;
  /// Calls the work for each candidate. After each, `found` returns how many more are finished.
  /// Starts with the most expensive ones if each has a thread.
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
  KMeans whitened_;  // rows on the second scale; empty: none
  Hierarchy hierarchy_;
  std::map<Index, std::vector<Groups>> starts_;  // by number of components
};

}  // namespace genera::fit_detail
