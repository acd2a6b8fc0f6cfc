#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <genera/blocks.hpp>
#include <genera/recipe.hpp>
#include <genera/report.hpp>

#include "blocks/leave_one_out.hpp"
#include "document/fields.hpp"
#include "sums/classes.hpp"

/// How blocks are learned. A plan fixes what a block is about: its columns, levels, terms and
/// units. From then on everything is told by place: sums of rows, estimates, and what EM compares.
namespace genera::blocks {

/// What a block is estimated from: sums over rows, of all classes, where what is latent counts with
/// its expectation.
class BlockSums {
 public:
  BlockSums() = default;
  virtual ~BlockSums() = default;
  [[nodiscard]] virtual std::unique_ptr<BlockSums> clone() const = 0;

  /// Adds the sums of other rows, made by the same plan.
  virtual void add(const BlockSums& other) = 0;

  /// The sums as numbers without a unit that are linear in the rows, for extrapolation; and back.
  /// False if no rows can have such sums.
  virtual void write(Vector& coordinates) const = 0;
  [[nodiscard]] virtual bool read(std::span<const double>& coordinates) = 0;

  /// The sums as a document; and back, into sums of the same plan. Reading throws Error (bad_model)
  /// if they have another shape, or if no rows can have them.
  [[nodiscard]] virtual document::Value to_document() const = 0;
  virtual void read_document(const document::Field& field) = 0;

 protected:
  BlockSums(const BlockSums&) = default;
  BlockSums& operator=(const BlockSums&) = default;
};

/// A prior of a density that EM would let collapse.
struct CollapsePrior {
  double rows = 0;         ///< its weight; 0: none
  std::string singular{};  ///< why the complete rows are singular; empty if they are not
};

/// What an estimate takes besides the sums.
struct Estimating {
  Vector class_weights{};                   ///< K
  const Vector* fourth = nullptr;           ///< sums of Ledoit-Wolf's second pass
  bool maximum_likelihood = false;          ///< whatever divisor is asked for: an iteration of EM
  std::span<const CollapsePrior> priors{};  ///< of each density (see collapsing)
  int threads = 1;
};

/// Rows that have the same pattern columns of a block (ascending), and how much they say of each
/// class: their weight; of rows without a label, weight times squared posterior.
struct PatternWeight {
  std::vector<Index> observed;
  Vector weights;  ///< K
};

class BlockPlan {
 public:
  BlockPlan() = default;
  BlockPlan(const BlockPlan&) = delete;
  BlockPlan& operator=(const BlockPlan&) = delete;
  virtual ~BlockPlan() = default;

  /// Of no row.
  [[nodiscard]] virtual std::unique_ptr<BlockSums> no_sums() const = 0;
  /// Of the rows of these statistics, which have the columns of those the plan was made of.
  [[nodiscard]] virtual std::unique_ptr<BlockSums> read(const Statistics& statistics) const = 0;
  /// The same of statistics that nobody needs any more: what is large may be taken out of them.
  [[nodiscard]] virtual std::unique_ptr<BlockSums> take(Statistics& statistics) const {
    return read(statistics);
  }

  /// Whether `read` gives all sums of rows in which nothing is latent. Else EM reads these rows.
  [[nodiscard]] virtual bool complete_rows_are_statistics() const { return false; }

  /// The one M-step, closed form or not. What was done beyond the formulas is added to `report`.
  [[nodiscard]] virtual Block estimate(const BlockSums& sums, const Estimating& how,
                                       Report& report) const = 0;

  /// Null: each row takes a fit of its own.
  [[nodiscard]] virtual std::unique_ptr<const LeaveOneOut> leave_one_out(
      const LeaveOneOutInput& /*input*/) const {
    return nullptr;
  }

  // What EM needs to know.

  /// Of rows in which nothing is latent, from their sums.
  [[nodiscard]] virtual double log_likelihood(const Block& block, const BlockSums& sums) const = 0;
  /// Whether sums that come from statistics are enough for that: not if a row has a coefficient of
  /// its own, or a component.
  [[nodiscard]] virtual bool statistics_tell_likelihood() const { return true; }
  /// What an estimate maximises besides the likelihood: smoothing and weak priors.
  [[nodiscard]] virtual double log_prior(const Block& block,
                                         std::span<const CollapsePrior> priors) const = 0;
  /// The largest change of a parameter: of means and covariances in units of the covariance, of
  /// probabilities as they are.
  [[nodiscard]] virtual double change(const Block& before, const Block& after) const = 0;
  /// The columns whose patterns `informed` asks for; 0: it needs no rows. Rows without a label are
  /// scored once more for them.
  [[nodiscard]] virtual Index pattern_columns() const { return 0; }
  /// The block with how much is known of it, where it was learned from such rows.
  [[nodiscard]] virtual Block informed(Block block, std::span<const PatternWeight> /*rows*/) const {
    return block;
  }
  /// The priors of densities that run into a likelihood without a maximum, or are observed too
  /// poorly for one to be trusted, given the sums of the rows in which nothing is latent and the
  /// weight of all labelled rows of each class; empty: none. Throws Error (bad_model) if the
  /// complete rows by themselves are singular and the options say so.
  [[nodiscard]] virtual std::vector<CollapsePrior> collapsing(
      const Block& /*block*/, const BlockSums& /*complete*/,
      std::span<const double> /*labelled*/) const {
    return {};
  }
};

/// What plans are made of.
struct PlanInput {
  const Statistics& statistics;
  const sums::ClassList& classes;
  const Recipe& recipe;
};
using BlockPlans = std::vector<std::unique_ptr<const BlockPlan>>;

/// The block of a variant that a plan has made.
template <class B>
[[nodiscard]] const B& block_as(const Block& block) {
  return std::get<B>(block);
}
/// The sums that a plan has made.
template <class S>
[[nodiscard]] const S& sums_as(const BlockSums& sums) {
  return static_cast<const S&>(sums);
}
template <class S>
[[nodiscard]] S& sums_as(BlockSums& sums) {
  return static_cast<S&>(sums);
}

}  // namespace genera::blocks
