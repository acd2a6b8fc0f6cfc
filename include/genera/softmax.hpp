#pragma once

#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <genera/fit.hpp>

/// Softmax regression of rows in several partitions that are never brought together:
///
///   1. Every partition calls `collect_softmax`. The driver merges the results and calls
///      `plan_softmax`.
///   2. Every partition constructs a `SoftmaxPartition` from `plan.layout` and its rows.
///   3. The driver calls `fit_softmax` with a function that sends a request to all partitions and
///      merges their sums.
///
/// The model equals that of `fit(rows, logistic(options))` on all rows, to the tolerance of the
/// options. It has the same bits in every run if statistics and sums are merged in the order of
/// partitions. Statistics, layout, requests and sums have bytes: `to_bytes` in <genera/io.hpp>.
namespace genera {

/// Statistics of the complete, labelled rows of a partition, from which the features are chosen.
/// The default value is the identity of `merge`.
struct SoftmaxStatistics {
  Statistics statistics{};  ///< with Scatter::diagonal
  /// Range of each count column, in the order of the columns; empty without such columns or rows.
  Vector count_min{}, count_max{};
  std::optional<double> min_weight{};  ///< smallest weight of a row; none without rows
  Index max_rows = 0;                  ///< rows of the largest partition
  Index dropped_rows = 0;              ///< incomplete or unlabelled, with Missing::drop
  Index unlabelled_left_out = 0;       ///< rows without a label, otherwise

  [[nodiscard]] Index rows() const;  ///< of a weight above 0
  /// Throws Error (bad_data) if the columns differ.
  void merge(const SoftmaxStatistics& other);
  friend bool operator==(const SoftmaxStatistics&, const SoftmaxStatistics&) = default;
};

/// The statistics of one partition, which may have no rows. Missing::drop leaves out incomplete and
/// unlabelled rows; otherwise a missing value is an Error (bad_data), and unlabelled rows are left
/// out.
[[nodiscard]] SoftmaxStatistics collect_softmax(const Rows& rows, Missing missing = Missing::refuse,
                                                const Control& control = {});

/// Features of one kind. A column of the design is feature / scale - mean.
struct SoftmaxPart {
  LinearFeatures features{};
  Vector scales{};  ///< by feature; empty: 1
  /// By feature, in units of the scale: the means of the training rows; of products without the
  /// covariances. They keep digits and do not change the minimum.
  Vector means{};
  friend bool operator==(const SoftmaxPart&, const SoftmaxPart&) = default;
};

/// The design matrix that every partition makes of its rows: a constant 1, then the features of all
/// parts.
struct SoftmaxLayout {
  std::vector<std::string> classes{};
  std::vector<SoftmaxPart> parts{};  ///< dense parts precede sparse ones
  bool sparse_matrix = false;        ///< the numbers of the rows are a sparse matrix

  [[nodiscard]] Index columns() const;  ///< of the design, with the constant
  [[nodiscard]] Index dense_columns() const;
  [[nodiscard]] Index coefficients() const { return columns() * std::ssize(classes); }
  friend bool operator==(const SoftmaxLayout&, const SoftmaxLayout&) = default;
};

/// All that the driver knows before the first iteration.
struct SoftmaxPlan {
  SoftmaxLayout layout{};
  Vector class_weights{};  ///< K
  Index rows = 0;
  double min_weight = 0;
  std::string target{};
  LogisticOptions options{};
  Report report{};
};

/// Throws Error if there is no row (bad_data), no feature varies (bad_model), or an option is out
/// of range (bad_argument). Squares and products of a sparse matrix are refused (bad_data): its
/// columns are not laid out here.
[[nodiscard]] SoftmaxPlan plan_softmax(const SoftmaxStatistics& statistics,
                                       const LogisticOptions& options = {});

/// What the driver asks of every partition. Coefficients are columns x K numbers; those of a column
/// are adjacent. The answer is a function of layout, rows and request alone, so that a partition
/// that was lost can be prepared again at any time.
struct SoftmaxRequest {
  enum class Kind {
    column_sums,       ///< sum of w x: one number for each column of the design
    gradient,          ///< value and gradient of sum of w (-log p(y | x)) at `point`
    hessian_product,   ///< its Hessian at `point` times `along`
    hessian,           ///< its Hessian at `point` over every `step`-th row of all partitions
    hessian_diagonal,  ///< of its Hessian at `point`
    scatter,           ///< sum of w x x' over the columns of numbers
    largest_change,    ///< of the difference of two scores of a row, for a step `along`
  };
  Kind kind = Kind::column_sums;
  Vector point{};
  Vector along{};
  Index step = 1;
  friend bool operator==(const SoftmaxRequest&, const SoftmaxRequest&) = default;
};
[[nodiscard]] std::string_view name_of(SoftmaxRequest::Kind kind);

/// The answer to a request. The ridge penalty is not part of it. The default value is the identity
/// of `merge`.
struct SoftmaxSums {
  SoftmaxRequest::Kind kind = SoftmaxRequest::Kind::column_sums;
  double value = 0;   ///< gradient: of the loss; hessian: weight of the rows that were used
  Vector sums{};      ///< symmetric matrices: their lower triangle, row by row
  double weight = 0;  ///< of all rows of the partitions

  /// Adds `other`; of `largest_change` the maximum remains. Throws Error (bad_argument) if the two
  /// do not answer the same request.
  void merge(const SoftmaxSums& other);
  friend bool operator==(const SoftmaxSums&, const SoftmaxSums&) = default;
};

/// The rows of one partition, laid out once: rows x (dense columns + classes) numbers and the
/// entries of the sparse columns.
class SoftmaxPartition {
 public:
  /// The rows need not outlive it. Incomplete and unlabelled rows are left out. `first_row` is the
  /// number of rows in the partitions before this one: with it, the rows that `hessian` samples do
  /// not depend on how the rows are divided. Throws Error (bad_data) if a column is missing or a
  /// label is not one of the classes.
  SoftmaxPartition(const SoftmaxLayout& layout, const Rows& rows, Index first_row = 0,
                   const Control& control = {});
  SoftmaxPartition(SoftmaxPartition&&) noexcept;
  SoftmaxPartition& operator=(SoftmaxPartition&&) noexcept;
  ~SoftmaxPartition();

  /// Same bits for any number of threads. Throws Error (bad_argument) if `point` or `along` has the
  /// wrong size.
  [[nodiscard]] SoftmaxSums answer(const SoftmaxRequest& request);

 private:
  struct Prepared;
  std::unique_ptr<Prepared> prepared_;
};

/// Returns the merged answers of all partitions.
using AskPartitions = std::function<SoftmaxSums(const SoftmaxRequest&)>;

/// Minimises the penalised loss of all partitions. Throws Error (bad_data) if an answer does not
/// fit the plan, and (bad_argument) if it is not of all rows: a lost partition is noticed.
[[nodiscard]] Fitted<LinearModel> fit_softmax(const SoftmaxPlan& plan, const AskPartitions& ask,
                                              const Control& control = {});

}  // namespace genera
