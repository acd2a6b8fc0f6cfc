#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <genera/table.hpp>
#include <genera/types.hpp>

/// Densities of discrete columns. With smoothing 0, probabilities may be zero: log 0 = -inf, never
/// NaN.
namespace genera {

namespace detail {
class LevelTables;
class JointTable;
class TermWeights;
class RateTable;
class AodeTable;
}  // namespace detail

/// Categorical columns, independent within a class.
struct CategoricalParameters {
  enum class Kind { categorical, bernoulli };  ///< bernoulli: two levels in each column
  Kind kind = Kind::categorical;
  std::vector<std::string> columns{};              ///< p names
  std::vector<std::vector<std::string>> levels{};  ///< of each column, sorted as class names
  std::vector<Matrix> probabilities{};             ///< of each column: K x levels
  double smoothing = 1;
  /// weight of the rows of each class; empty: parameters were given, not estimated
  Vector counts{};
  friend bool operator==(const CategoricalParameters&, const CategoricalParameters&) = default;
};

/// p(x | k) = product over columns of p_j(x_j | k). Missing and unseen levels are left out.
class CategoricalBlock {
 public:
  /// Throws Error (bad_model) if sizes disagree or a row of probabilities does not sum to one.
  explicit CategoricalBlock(CategoricalParameters parameters);

  [[nodiscard]] const CategoricalParameters& parameters() const { return parameters_; }
  [[nodiscard]] std::vector<Column> features() const;
  [[nodiscard]] Index classes() const { return parameters_.probabilities.front().rows(); }
  [[nodiscard]] Index free_parameters() const;
  [[nodiscard]] const detail::LevelTables& density() const { return *density_; }
  friend bool operator==(const CategoricalBlock& a, const CategoricalBlock& b) {
    return a.parameters_ == b.parameters_;
  }

 private:
  CategoricalParameters parameters_;
  std::shared_ptr<const detail::LevelTables> density_;  // immutable, shared by copies
};

/// A joint distribution of all columns: one probability for each combination of levels.
struct JointParameters {
  std::vector<std::string> columns{};
  std::vector<std::vector<std::string>> levels{};
  Matrix probabilities{};  ///< K x cells; the level of the last column changes fastest
  double smoothing = 1;
  Vector counts{};
  friend bool operator==(const JointParameters&, const JointParameters&) = default;
};

/// The full discrete Bayes classifier. Missing and unseen levels are marginalised.
class JointBlock {
 public:
  explicit JointBlock(JointParameters parameters);

  [[nodiscard]] const JointParameters& parameters() const { return parameters_; }
  [[nodiscard]] std::vector<Column> features() const;
  [[nodiscard]] Index classes() const { return parameters_.probabilities.rows(); }
  [[nodiscard]] Index free_parameters() const;
  [[nodiscard]] const detail::JointTable& density() const { return *density_; }
  friend bool operator==(const JointBlock& a, const JointBlock& b) {
    return a.parameters_ == b.parameters_;
  }

 private:
  JointParameters parameters_;
  std::shared_ptr<const detail::JointTable> density_;
};

/// Counts: of the terms of a text column, or in count columns.
struct CountParameters {
  enum class Kind {
    multinomial,  ///< counts given their total, with the multinomial coefficient
    bernoulli,    ///< presence or absence
  };
  Kind kind = Kind::multinomial;
  std::string text{};  ///< name of the text column; empty: `terms` are columns
  TextOptions text_options{};
  std::vector<std::string> terms{};  ///< V; terms are sorted as text, columns as class names
  Matrix probabilities{};            ///< K x V
  Vector lengths{};                  ///< K: mean total of a row; empty: unknown
  double smoothing = 1;
  Vector counts{};
  friend bool operator==(const CountParameters&, const CountParameters&) = default;
};

/// Terms that are not in the model are left out.
class CountBlock {
 public:
  /// `threads` is used for the preparation only.
  explicit CountBlock(CountParameters parameters, int threads = 1);

  [[nodiscard]] const CountParameters& parameters() const { return parameters_; }
  [[nodiscard]] std::vector<Column> features() const;
  [[nodiscard]] Index classes() const { return parameters_.probabilities.rows(); }
  [[nodiscard]] Index free_parameters() const;
  [[nodiscard]] const detail::TermWeights& density() const { return *density_; }
  friend bool operator==(const CountBlock& a, const CountBlock& b) {
    return a.parameters_ == b.parameters_;
  }

 private:
  CountParameters parameters_;
  std::shared_ptr<const detail::TermWeights> density_;
};

[[nodiscard]] std::string_view name_of(CategoricalParameters::Kind kind);
[[nodiscard]] std::string_view name_of(CountParameters::Kind kind);

/// Independent Poisson counts.
struct PoissonParameters {
  std::vector<std::string> columns{};  ///< p names
  Matrix rates{};                      ///< K x p: mean counts, from 0 to 2^53
  double smoothing = 1;
  /// weight of the rows of each class; empty: parameters were given, not estimated
  Vector counts{};
  friend bool operator==(const PoissonParameters&, const PoissonParameters&) = default;
};

/// p(x | k) = product over columns of exp(-rate) rate^x / x!. Missing counts are left out. With
/// rate zero, a positive count has log probability -inf, never NaN.
class PoissonBlock {
 public:
  /// Throws Error (bad_model) if sizes disagree or a rate is out of range.
  explicit PoissonBlock(PoissonParameters parameters);

  [[nodiscard]] const PoissonParameters& parameters() const { return parameters_; }
  [[nodiscard]] std::vector<Column> features() const;
  [[nodiscard]] Index classes() const { return parameters_.rates.rows(); }
  [[nodiscard]] const detail::RateTable& density() const { return *density_; }
  friend bool operator==(const PoissonBlock& a, const PoissonBlock& b) {
    return a.parameters_ == b.parameters_;
  }

 private:
  PoissonParameters parameters_;
  std::shared_ptr<const detail::RateTable> density_;  // immutable, shared by copies
};

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
