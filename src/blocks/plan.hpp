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

/// How blocks are learned. A plan fixes columns, levels, terms and units of a block; from then on
/// sums, estimates and comparisons of EM use indices only.
namespace genera::blocks {

/// Sums over rows of all classes, from which a block is estimated; latent values count with their
/// expectation.
class BlockSums {
 public:
  BlockSums() = default;
  virtual ~BlockSums() = default;
  [[nodiscard]] virtual std::unique_ptr<BlockSums> clone() const = 0;

  /// Adds the sums of other rows, made by the same plan.
  virtual void add(const BlockSums& other) = 0;

  /// Writes the sums as unit-free numbers that are linear in the rows, for extrapolation, and reads
  /// them. Reading returns false if no rows can have such sums.
  virtual void write(Vector& coordinates) const = 0;
  [[nodiscard]] virtual bool read(std::span<const double>& coordinates) = 0;

  /// The sums as a document, and their inverse for the same plan. Reading throws Error (bad_model)
  /// if the shape differs or no rows can have such sums.
  [[nodiscard]] virtual document::Value to_document() const = 0;
  virtual void read_document(const document::Field& field) = 0;

 protected:
  BlockSums(const BlockSums&) = default;
  BlockSums& operator=(const BlockSums&) = default;
};

/// Prior that keeps a density from collapsing in EM.
struct CollapsePrior {
  double rows = 0;         ///< its weight in rows; 0: none
  std::string singular{};  ///< reason why the complete rows are singular; empty if they are not
};

/// Arguments of an estimate besides the sums.
struct Estimating {
  Vector class_weights{};                   ///< K
  const Vector* fourth = nullptr;           ///< sums of the second pass of Ledoit-Wolf
  bool maximum_likelihood = false;          ///< ignore the requested divisor, in an iteration of EM
  std::span<const CollapsePrior> priors{};  ///< one for each density (see collapsing)
  int threads = 1;
};

/// Rows with the same observed pattern columns of a block (ascending) and their weight in each
/// class; for rows without a label, weight times squared posterior.
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

  /// Empty sums.
  [[nodiscard]] virtual std::unique_ptr<BlockSums> no_sums() const = 0;
  /// Sums from statistics that contain the columns of the plan.
  [[nodiscard]] virtual std::unique_ptr<BlockSums> read(const Statistics& statistics) const = 0;
  /// The same from statistics that are no longer needed, whose large parts may be moved.
  [[nodiscard]] virtual std::unique_ptr<BlockSums> take(Statistics& statistics) const {
    return read(statistics);
  }

  /// True if `read` gives all sums of rows without latent values; otherwise EM reads these rows.
  [[nodiscard]] virtual bool complete_rows_are_statistics() const { return false; }

  /// The M-step, in closed form or not. Adjustments beyond the formulas are added to `report`.
  [[nodiscard]] virtual Block estimate(const BlockSums& sums, const Estimating& how,
                                       Report& report) const = 0;

  /// Null: each row needs its own fit.
  [[nodiscard]] virtual std::unique_ptr<const LeaveOneOut> leave_one_out(
      const LeaveOneOutInput& /*input*/) const {
    return nullptr;
  }

  // Used by EM.

  /// Log-likelihood of rows without latent values, from their sums.
  [[nodiscard]] virtual double log_likelihood(const Block& block, const BlockSums& sums) const = 0;
  /// False if statistics are not sufficient for it: rows have coefficients or components.
  [[nodiscard]] virtual bool statistics_tell_likelihood() const { return true; }
  /// Terms of the objective of an estimate besides the likelihood: smoothing and weak priors.
  [[nodiscard]] virtual double log_prior(const Block& block,
                                         std::span<const CollapsePrior> priors) const = 0;
  /// Largest change of a parameter: means and covariances in units of the covariance, probabilities
  /// as they are.
  [[nodiscard]] virtual double change(const Block& before, const Block& after) const = 0;
  /// Number of columns whose patterns `informed` needs; 0: none. Rows without a label are scored
  /// once more for them.
  [[nodiscard]] virtual Index pattern_columns() const { return 0; }
  /// The block with effective counts, if rows had missing values.
  [[nodiscard]] virtual Block informed(Block block, std::span<const PatternWeight> /*rows*/) const {
    return block;
  }
  /// Priors for densities whose likelihood has no maximum, or that are observed too poorly to be
  /// estimated, given the sums of the rows without latent values and the weight of all labelled
  /// rows of each class; empty: none. Throws Error (bad_model) if the complete rows alone are
  /// singular and the options refuse it.
  [[nodiscard]] virtual std::vector<CollapsePrior> collapsing(
      const Block& /*block*/, const BlockSums& /*complete*/,
      std::span<const double> /*labelled*/) const {
    return {};
  }
};

/// Input of plans.
struct PlanInput {
  const Statistics& statistics;
  const sums::ClassList& classes;
  const Recipe& recipe;
};
using BlockPlans = std::vector<std::unique_ptr<const BlockPlan>>;

/// The block of a variant made by a plan.
template <class B>
[[nodiscard]] const B& block_as(const Block& block) {
  return std::get<B>(block);
}
/// The sums made by a plan.
template <class S>
[[nodiscard]] const S& sums_as(const BlockSums& sums) {
  return static_cast<const S&>(sums);
}
template <class S>
[[nodiscard]] S& sums_as(BlockSums& sums) {
  return static_cast<S&>(sums);
}

}  // namespace genera::blocks
