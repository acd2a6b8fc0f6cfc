#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <genera/rows.hpp>

#include "blocks/places.hpp"

/// How blocks are asked. A bound block is immutable and shared by all threads; a worker is the
/// scratch of one thread. Generic code calls a worker once per group of rows, so that the calls
/// cost nothing; inside are plain loops over panels or rows.
namespace genera::blocks {

enum class Mode {
  exact,     ///< log densities
  relative,  ///< up to a number that all classes of a row share: enough to compare them, and exact
             ///< where log densities are so far below zero that their differences lose digits
};

/// Where a worker adds what it found about the n rows of a group. The score of class k is
/// ((log prior + constants) + lanes) + by_row, in this order, so that the sums have the same bits
/// however the rows are grouped.
struct Scores {
  Index stride = 0;             ///< doubles from one panel to the next, at least K x 16
  double* constants = nullptr;  ///< K: what all rows of the group share
  double* lanes = nullptr;      ///< per panel K x 16: of blocks that work on panels
  double* by_row = nullptr;     ///< n x K: of blocks that work row by row
  double* common = nullptr;  ///< n: log densities have it besides, in every class; null: not wanted
  double* squares = nullptr;  ///< per panel K x 16: squared Mahalanobis distances; null: not wanted
  bool fresh = false;  ///< lanes and squares hold nothing yet: they are written, not added to
};

/// Two classes that are compared.
struct Pair {
  Index best, second;
};

/// What one feature of a block says for one class against another, in nats.
struct Share {
  Index feature;  ///< named by ScoreWorker::feature_name
  double log_odds;
};

class ScoreWorker {
 public:
  ScoreWorker() = default;
  ScoreWorker(const ScoreWorker&) = delete;
  ScoreWorker& operator=(const ScoreWorker&) = delete;
  virtual ~ScoreWorker() = default;

  /// Of the rows to come these pattern columns of the block are there (ascending), the others are
  /// missing; until told otherwise all are there.
  virtual void observe(std::span<const Index> /*columns*/) noexcept {}
  virtual void observe_all() noexcept {}

  /// Takes the positions [begin, end) of `rows`, which are rows of the data it was bound to. False
  /// (also of `score`) if a value cannot be used: a pattern column that is missing though it should
  /// be there, an infinite number, what is not a count.
  virtual bool begin(const Rows& rows, Index begin, Index end) noexcept = 0;
  /// Both modes may follow one begin, where they differ; else one of them.
  virtual bool score(Mode mode, const Scores& to) noexcept = 0;

  /// Categories so far that the model has never seen.
  [[nodiscard]] virtual Index unseen() const { return 0; }

  /// Why a row of the data, whatever it lacks, is of one class rather than another: adds a share
  /// for each of its features that counts, and returns the rest, which is due to none of them.
  virtual double explain(Index row, Pair pair, std::vector<Share>& to) = 0;
  [[nodiscard]] virtual std::string feature_name(Index feature) const = 0;
};

class BlockSums;

/// The worker of a block of a joint distribution, which can be learned from.
class BlockWorker : public ScoreWorker {
 public:
  /// The E-step, of rows that lack the pattern columns last told: adds to `sums` what the positions
  /// [begin, end) of `rows` hold, each counting with weights[k * (end - begin) + i] in class k.
  /// What is latent within a class (missing cells, components) counts with its expectation.
  virtual void expect(const Rows& rows, Index begin, Index end, const double* weights,
                      BlockSums& sums) = 0;
  /// The same as expect, and returns sum over rows and classes of weight x log p(what is there |
  /// k).
  virtual double expect_likelihood(const Rows& rows, Index begin, Index end, const double* weights,
                                   BlockSums& sums) = 0;
  /// Adds what `expect` has kept back, to be summed up together.
  virtual void finish(BlockSums& /*sums*/) {}
};

/// Labels of one block without finishing every score: argmax_k (log prior + log density), ties to
/// the first, -1 where every class is impossible.
class Decision {
 public:
  Decision() = default;
  Decision(const Decision&) = delete;
  Decision& operator=(const Decision&) = delete;
  virtual ~Decision() = default;
  /// Of `count` rows of the data from `first` on. False (and no promise about the labels) if a
  /// number is missing or infinite.
  virtual bool run(Index first, Index count, std::int32_t* labels) noexcept = 0;
};

/// Whether rows to come may lack pattern columns; what that takes may be a lot of memory.
enum class MissingMode {
  none,
  possible,
  learned,  ///< possible, and what is missing is to be expected, too
};

/// What a classifier is a sum of, where the columns have been found: a block, or a part of a linear
/// model.
class BoundPart {
 public:
  BoundPart() = default;
  BoundPart(const BoundPart&) = delete;
  BoundPart& operator=(const BoundPart&) = delete;
  virtual ~BoundPart() = default;

  /// The numbers (places among all of the data) whose holes call for another density; the holes of
  /// all other columns are a matter of a single cell.
  [[nodiscard]] virtual std::span<const Index> pattern_columns() const { return {}; }
  /// Whether relative scores are other sums than exact ones.
  [[nodiscard]] virtual bool relative_differs() const { return false; }
  /// Panels that are best taken together; 0: it works row by row.
  [[nodiscard]] virtual Index panels_per_group() const { return 0; }
  /// Doubles that a panel of scores takes, at least K x 16.
  [[nodiscard]] virtual Index panel_size() const { return 0; }

  [[nodiscard]] virtual std::unique_ptr<ScoreWorker> worker(MissingMode missing) const = 0;
  /// Null: there is no shorter way to a label.
  [[nodiscard]] virtual std::unique_ptr<Decision> decision(const Vector& /*log_prior*/) const {
    return nullptr;
  }
};

class BoundBlock : public BoundPart {
 public:
  /// Whether nothing of a row of the data is latent once its class is known: its sums are then the
  /// same under any parameters.
  [[nodiscard]] virtual bool nothing_latent(Index row) const = 0;

  /// The length of a row of the data (the sum of its counts), if its density is that of rows of
  /// this length; -1: it is not, or the text is missing.
  [[nodiscard]] virtual Index given_length(Index /*row*/) const { return -1; }

  [[nodiscard]] virtual std::unique_ptr<BlockWorker> block_worker(MissingMode missing) const = 0;
  [[nodiscard]] std::unique_ptr<ScoreWorker> worker(MissingMode missing) const final {
    return block_worker(missing);
  }
};

}  // namespace genera::blocks
