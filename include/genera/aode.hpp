#pragma once

#include <memory>
#include <string>
#include <vector>

#include <genera/table.hpp>
#include <genera/types.hpp>

namespace genera {

namespace detail {
class AodeTable;
}

/// Averaged one-dependence estimators (Webb, Boughton and Wang 2005): the mean over the columns i,
/// the super-parents, of p(x_i | k) prod_j p(x_j | k, x_i). All probabilities are estimated from
/// the weights of levels and of pairs of levels.
struct AodeParameters {
  /// p columns: categorical or binary, or numeric with a cut
  std::vector<Column> columns{};
  std::vector<std::vector<std::string>> levels{};  ///< of each column; of bins "0", "1", ...
  std::vector<Matrix> weights{};                   ///< of each column: K x levels
  /// For each pair of columns a < b, in lexicographic order: K x (levels of a times levels of b),
  /// the level of b changes fastest; of the rows in which both are known.
  std::vector<Matrix> pairs{};
  /// Prior weight, in rows, of the distribution of a column over all classes, and of p(x_j | k) in
  /// p(x_j | k, x_i).
  double smoothing = 1;
  /// weight of the rows of each class; empty: parameters were given, not estimated
  Vector counts{};
  friend bool operator==(const AodeParameters&, const AodeParameters&) = default;
};

/// Missing cells and unseen levels are marginalised exactly. In a bin, a number has a uniform
/// density; beyond the outer limits, an exponential one (Cut::below, Cut::above).
class AodeBlock {
 public:
  /// Throws Error (bad_model) if sizes disagree or a weight is negative.
  explicit AodeBlock(AodeParameters parameters);

  [[nodiscard]] const AodeParameters& parameters() const { return parameters_; }
  [[nodiscard]] std::vector<Column> features() const;
  [[nodiscard]] Index classes() const { return parameters_.weights.front().rows(); }
  [[nodiscard]] Index free_parameters() const;
  [[nodiscard]] const detail::AodeTable& density() const { return *density_; }
  friend bool operator==(const AodeBlock& a, const AodeBlock& b) {
    return a.parameters_ == b.parameters_;
  }

 private:
  AodeParameters parameters_;
  std::shared_ptr<const detail::AodeTable> density_;  // immutable, shared by copies
};

}  // namespace genera
