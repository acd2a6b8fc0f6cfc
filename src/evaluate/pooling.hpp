#pragma once

#include <vector>

#include <genera/control.hpp>
#include <genera/curves.hpp>
#include <genera/select.hpp>

/// Which candidates are pooled, with which weights, and what the pool is worth on new rows.
namespace genera::select_detail {

/// Held-out losses of one candidate; all candidates have the same rows and folds.
struct CandidateLosses {
  const Vector* losses;
  std::size_t family;  ///< of several candidates of a family only the best can be a member
};
/// The candidate of each family with the lowest loss by these weights of the rows, the best first;
/// ties go to the first candidate.
[[nodiscard]] std::vector<std::size_t> best_of_families(
    const std::vector<CandidateLosses>& candidates, const Vector& row_weights);

struct PoolCandidate {
  CandidateLosses about;
  const HeldOutScores* scores;
};

struct PoolOptions {
  bool calibrate = true;  ///< fit a temperature for each candidate
  /// A single candidate is preferred unless the pool is better by this many standard errors.
  double standard_errors = 1;
};

struct Pool {
  struct Member {
    std::size_t candidate;
    double weight;
  };
  std::vector<Member> members{};            ///< at least two, the largest weight first; or none
  std::vector<Calibration> calibrations{};  ///< of each candidate
  std::size_t best = 0;                     ///< the best single candidate
  bool alone = true;                        ///< the best candidate is preferred to the pool
  /// Held-out log losses of the procedures: in each fold, candidates, temperatures and weights are
  /// chosen by the rows of the other folds.
  Average log_loss{}, best_log_loss{};
};

/// Pools the best candidate of each family. The weights maximise the sum of log sum_m v_m
/// p_m(truth) with p_m bounded as in fit_temperature, plus a Dirichlet prior worth one row, by EM;
/// members with less than 2 % are left out and the others fitted again. Same bits for any number of
/// threads.
[[nodiscard]] Pool pool_candidates(const std::vector<PoolCandidate>& candidates,
                                   const std::vector<std::int32_t>& truths,
                                   const PoolOptions& options, const Control& control);

/// Weights of a pool by EM: `probabilities` of the truth, one vector for each member, each above 0;
/// `row_weights` may be 0.
[[nodiscard]] Vector pool_weights(const std::vector<const Vector*>& probabilities,
                                  const Vector& row_weights);

}  // namespace genera::select_detail
