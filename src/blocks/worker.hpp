#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <genera/rows.hpp>

#include "blocks/places.hpp"

/// Scoring with blocks. A bound block is immutable and shared by all threads; a worker is the
/// scratch memory of one thread. Generic code calls a worker once per group of rows, so the cost of
/// virtual calls is negligible; the workers loop over panels or rows.
namespace genera::blocks {

enum class Mode {
  exact,  ///< log densities
  /// up to a constant shared by all classes of a row: sufficient to compare classes, and accurate
  /// if log densities are so negative that their differences lose digits
  relative,
};

/// Destination of the scores for the n rows of a group. The score of class k is ((log prior +
/// constants) + lanes) + by_row, in this order, so that sums have the same bits however rows are
/// grouped.
struct Scores {
  Index stride = 0;             ///< doubles between consecutive panels, at least K x 16
  double* constants = nullptr;  ///< K: terms shared by all rows of the group
  double* lanes = nullptr;      ///< per panel K x 16: for blocks that work on panels
  double* by_row = nullptr;     ///< n x K: for blocks that work row by row
  /// n: additional term of the log densities, the same in every class; null: not requested
  double* common = nullptr;
  /// per panel K x 16: squared Mahalanobis distances; null: not requested
  double* squares = nullptr;
  bool fresh = false;  ///< lanes and squares are uninitialised: written instead of added to
};

/// Two classes to compare.
struct Pair {
  Index best, second;
};

/// Contribution of one feature of a block to one class against another, in nats.
struct Share {
  Index feature;  ///< its name is given by ScoreWorker::feature_name
  double log_odds;
};

class ScoreWorker {
 public:
  ScoreWorker() = default;
  ScoreWorker(const ScoreWorker&) = delete;
  ScoreWorker& operator=(const ScoreWorker&) = delete;
  virtual ~ScoreWorker() = default;

  /// Sets the observed pattern columns (ascending) of the following rows; the others are missing.
  /// Initially all are observed.
  virtual void observe(std::span<const Index> /*columns*/) noexcept {}
  virtual void observe_all() noexcept {}

  /// Takes the positions [begin, end) of `rows`, which belong to the data it is bound to. Returns
  /// false (as does `score`) if a value is invalid: a missing pattern column that should be
  /// observed, an infinite number, or an invalid count.
  virtual bool begin(const Rows& rows, Index begin, Index end) noexcept = 0;
  /// After one begin, both modes may be scored if they differ, otherwise one.
  virtual bool score(Mode mode, const Scores& to) noexcept = 0;

  /// Number of unseen categories so far.
  [[nodiscard]] virtual Index unseen() const { return 0; }

  /// Explains a row of the data with any missing cells: adds a share for each contributing feature
  /// and returns the remainder, which belongs to no feature.
  virtual double explain(Index row, Pair pair, std::vector<Share>& to) = 0;
  [[nodiscard]] virtual std::string feature_name(Index feature) const = 0;
};

class BlockSums;

/// The worker of a block of a joint distribution, which can also take part in EM.
class BlockWorker : public ScoreWorker {
 public:
  /// The E-step for rows with the pattern set by observe: adds to `sums` the positions [begin, end)
  /// of `rows`, each with weight weights[k * (end - begin) + i] in class k. Latent values within a
  /// class (missing cells, components) count with their expectation.
  virtual void expect(const Rows& rows, Index begin, Index end, const double* weights,
                      BlockSums& sums) = 0;
  /// Like expect; also returns the sum over rows and classes of weight x log p(observed | k).
  virtual double expect_likelihood(const Rows& rows, Index begin, Index end, const double* weights,
                                   BlockSums& sums) = 0;
  /// Adds sums that `expect` has deferred.
  virtual void finish(BlockSums& /*sums*/) {}
};

/// Labels of one block without computing every score: argmax_k (log prior + log density), ties to
/// the first, -1 if every class is impossible.
class Decision {
 public:
  Decision() = default;
  Decision(const Decision&) = delete;
  Decision& operator=(const Decision&) = delete;
  virtual ~Decision() = default;
  /// Labels `count` rows of the data from `first` on. Returns false, with undefined labels, if a
  /// number is missing or infinite.
  virtual bool run(Index first, Index count, std::int32_t* labels) noexcept = 0;
};

/// Whether rows may have missing pattern columns, which may need much memory.
enum class MissingMode {
  none,
  possible,
  learned,  ///< possible, and missing values are to be expected in EM
};

/// A summand of a classifier with located columns: a block, or a part of a linear model.
class BoundPart {
 public:
  BoundPart() = default;
  BoundPart(const BoundPart&) = delete;
  BoundPart& operator=(const BoundPart&) = delete;
  virtual ~BoundPart() = default;

  /// Numeric columns (indices among all numbers of the data) whose absence changes the density of
  /// the others; missing cells of other columns are left out one by one.
  [[nodiscard]] virtual std::span<const Index> pattern_columns() const { return {}; }
  /// True if relative scores are different sums than exact ones.
  [[nodiscard]] virtual bool relative_differs() const { return false; }
  /// Preferred number of panels per group; 0: works row by row.
  [[nodiscard]] virtual Index panels_per_group() const { return 0; }
  /// Number of doubles for the scores of a panel, at least K x 16.
  [[nodiscard]] virtual Index panel_size() const { return 0; }

  [[nodiscard]] virtual std::unique_ptr<ScoreWorker> worker(MissingMode missing) const = 0;
  /// Null: labels need all scores.
  [[nodiscard]] virtual std::unique_ptr<Decision> decision(const Vector& /*log_prior*/) const {
    return nullptr;
  }
};

class BoundBlock : public BoundPart {
 public:
  /// True if a row of the data has no latent value once its class is known, so that its sums are
  /// the same for any parameters.
  [[nodiscard]] virtual bool nothing_latent(Index row) const = 0;

  /// Length of a row of the data (the sum of its counts), if the density is conditional on it; -1
  /// otherwise, or if the text is missing.
  [[nodiscard]] virtual Index given_length(Index /*row*/) const { return -1; }

  [[nodiscard]] virtual std::unique_ptr<BlockWorker> block_worker(MissingMode missing) const = 0;
  [[nodiscard]] std::unique_ptr<ScoreWorker> worker(MissingMode missing) const final {
    return block_worker(missing);
  }
};

}  // namespace genera::blocks
