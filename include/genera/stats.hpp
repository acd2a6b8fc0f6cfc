#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <genera/control.hpp>
#include <genera/names.hpp>
#include <genera/report.hpp>
#include <genera/rows.hpp>
#include <genera/stream.hpp>

namespace genera {

/// Which second moments are kept.
enum class Scatter {
  full,      ///< d x d: every model can be estimated from it
  diagonal,  ///< d: sufficient for gnb, dlda, spherical, centroid
  none,      ///< sparse matrices of counts: sums are sufficient (with numbers: as diagonal)
};

/// Weight, mean and scatter of some rows. A default-constructed value is the identity of `merge`.
struct Moments {
  double weight = 0;
  Vector mean;      ///< d
  Vector mean_low;  ///< d; mean + mean_low has about 32 digits, for means of any size
  Matrix scatter;   ///< sum of w (x - mean)(x - mean)': d x d (symmetric) or 1 x d

  Moments() = default;
  Moments(Index d, Scatter kind);

  void merge(const Moments& other);
  /// Reverses `merge(other)`, accurate to `forgetting_accuracy` of the scatter before. Smaller sums
  /// of squares become zero.
  void subtract(const Moments& other);
  static constexpr double forgetting_accuracy = 1e-13;

  friend bool operator==(const Moments&, const Moments&) = default;
};

/// Sums over the count columns of the rows of a class.
struct CountSums {
  Vector sums{};      ///< of w x
  Vector observed{};  ///< of w over the rows in which the count is not missing
  friend bool operator==(const CountSums&, const CountSums&) = default;
};

/// Sums over the sparse entries of the rows of a class, by term. Vectors may be shorter than the
/// vocabulary; the rest is zero.
struct TermSums {
  double weight = 0;  ///< of the rows with a text
  Vector sums;        ///< of w x
  Vector present;     ///< sum of w over rows with x not 0
  /// sum of w (x - mean)^2 over the stored entries; empty for text and if no scatter is kept
  Vector scatter;
  Vector sums_low{};  ///< low parts of `sums`, if there is a scatter
  friend bool operator==(const TermSums&, const TermSums&) = default;
};

/// Statistics of the rows of one class.
struct ClassStatistics {
  std::string name;
  Index rows = 0;                 ///< rows with a weight above 0
  double weight = 0;              ///< of these rows
  Moments moments{};              ///< of the numeric columns; empty without any
  std::vector<Vector> levels{};   ///< for each coded column: the weight of each of its levels
  CountSums counts{};             ///< of the count columns
  std::vector<TermSums> terms{};  ///< for each sparse column
  /// For each pair of coded columns a < b, in lexicographic order (see StatisticsSchema::pairs):
  /// the weight of the rows with each level of a (row) and of b (column). May have fewer rows and
  /// columns than levels; the rest is zero.
  std::vector<Matrix> pairs{};
  friend bool operator==(const ClassStatistics&, const ClassStatistics&) = default;
};

/// Columns of the statistics, and what is kept of each.
struct StatisticsSchema {
  std::vector<Column> features{};  ///< all columns except those of a sparse matrix
  std::string target{};
  LabelType label_type = LabelType::unknown;
  Scatter scatter = Scatter::full;
  /// Categorical and binary columns are counted jointly: each combination of levels is one level.
  bool joint = false;
  /// The levels of each pair of categorical and binary columns are also counted together. Numbers
  /// are cut into bins (Column::cut) and counted as categories.
  bool pairs = false;
  /// Content of the columns of a sparse matrix beside (or instead of) `features`.
  std::optional<SparseKind> sparse_matrix{};
  bool all_columns = false;  ///< of the sparse matrix; see SparseColumns
  TextOptions text{};        ///< how texts became terms

  [[nodiscard]] std::vector<std::string> names_of(ColumnType type) const;
  /// Groups of columns whose levels are counted: one group per column, or all columns jointly.
  [[nodiscard]] std::vector<std::vector<std::string>> coded() const;
  /// Names of the text columns; one empty name for a sparse matrix.
  [[nodiscard]] std::vector<std::string> sparse() const;
  /// True if there is no column.
  [[nodiscard]] bool empty() const { return features.empty() && !sparse_matrix; }
  friend bool operator==(const StatisticsSchema&, const StatisticsSchema&) = default;
};

/// Additive sufficient statistics of a table. `merge` is associative and commutative (up to
/// rounding), with the empty statistics as identity; `subtract` reverses it. Classes, levels and
/// terms may appear at any time and are matched by name.
class Statistics {
 public:
  Statistics() = default;
  explicit Statistics(StatisticsSchema schema);
  Statistics(const Statistics&);  // these five are defined in one source, to keep callers small
  Statistics(Statistics&&) noexcept;
  Statistics& operator=(const Statistics&);
  Statistics& operator=(Statistics&&) noexcept;
  ~Statistics();

  [[nodiscard]] const StatisticsSchema& schema() const { return schema_; }
  /// The numeric columns, in the order of the moments.
  [[nodiscard]] const std::vector<std::string>& columns() const { return numeric_; }
  [[nodiscard]] const std::string& target() const { return schema_.target; }
  [[nodiscard]] Scatter scatter() const { return schema_.scatter; }
  /// Sorted by name as text.
  [[nodiscard]] const std::vector<ClassStatistics>& classes() const { return classes_; }
  [[nodiscard]] double weight() const;
  /// Levels of each group of schema().coded(), in order of first appearance. The levels of a joint
  /// group are the levels of its columns joined by `level_separator`.
  [[nodiscard]] const std::vector<SharedNames>& levels() const { return levels_; }
  static constexpr char level_separator = '\x1f';
  /// Terms of each column of schema().sparse(), in order of first appearance.
  [[nodiscard]] const std::vector<SharedNames>& terms() const { return terms_; }

  /// The statistics of class `name`; inserts empty ones if the class is new.
  ClassStatistics& of_class(const std::string& name);
  /// Inserts a new class with these moments and nothing else.
  ClassStatistics& add_class(const std::string& name, Moments moments);
  /// The names for modification. Statistics that share their names are merged without comparing
  /// them.
  SharedNames& levels_of(std::size_t coded) { return levels_[coded]; }
  SharedNames& terms_of(std::size_t sparse) { return terms_[sparse]; }

  /// Rows must be labelled and have complete numbers. Same bits for any number of threads.
  void add(const Rows& rows, const Control& control = {});
  void merge(const Statistics& other);
  /// The same; moves large parts where possible.
  void merge(Statistics&& other);
  /// Throws Error (bad_data) if `other` contains more than these statistics. Classes without
  /// remaining weight are removed. Returns warnings about digits lost by cancellation.
  std::vector<Note> subtract(const Statistics& other);
  void forget_class(const std::string& name);

  friend bool operator==(const Statistics&, const Statistics&) = default;

 private:
  [[nodiscard]] Moments no_moments() const;
  [[nodiscard]] ClassStatistics empty_class(const std::string& name, Moments moments) const;
  /// Inserts all new classes in one step, which is linear in their number.
  void add_classes_of(const Statistics& other);
  /// `owned`: equal to `other` if its parts may be moved from.
  void merge(const Statistics& other, Statistics* owned);

  StatisticsSchema schema_;
  std::vector<std::string> numeric_;
  std::vector<SharedNames> levels_;
  std::vector<SharedNames> terms_;
  std::vector<ClassStatistics> classes_;
};

/// The statistics without levels and terms that no longer occur in any row, so that forgotten words
/// are not stored. Models do not change.
[[nodiscard]] Statistics without_unused_names(const Statistics& statistics);

/// Treatment of rows with a missing value or label.
enum class Missing {
  /// missing numbers are an error that names the columns; other missing cells are left out
  refuse,
  drop,  ///< the row is left out and counted
  em,    ///< the row is used by EM: for fit() only; statistics alone refuse it
};

struct CollectOptions {
  Scatter scatter = Scatter::full;
  bool joint = false;  ///< see StatisticsSchema
  Missing missing = Missing::refuse;
  bool pairs = false;               ///< see StatisticsSchema
  std::optional<Index> max_bins{};  ///< of a number, if pairs are counted: see find_cuts
  /// How numbers are cut if pairs are counted: statistics can be merged only if their cuts are
  /// equal. Columns without a cut are cut by a random sample of the rows (see find_cuts).
  Cuts cuts{};
};

struct Collected {
  Statistics statistics;
  Index dropped_rows = 0;         ///< rows left out because a value or the label is missing
  Index unlabelled_left_out = 0;  ///< rows without a label, if the fit gives them no weight
  Index missing_cells = 0;        ///< of columns that are not numeric; each cell is left out
  std::vector<Note> notes;        ///< about dropped rows, and the notes of the stream
};

/// One pass over the rows; two if a late cell changes the type of a column in a file. Memory does
/// not grow with the number of rows. Throws Error (bad_data) on infinite numbers, negative counts,
/// and weights that are negative or not finite.
[[nodiscard]] Collected collect(RowsRef rows, const CollectOptions& options = {},
                                const Control& control = {});

/// Cuts of all numeric columns into at most `max_bins` bins of about the same weight (default: the
/// cube root of the weight of the rows, from 4 to 20); a value that is as frequent as a bin has a
/// bin of its own. Limits are values of the column, so that bins do not depend on its unit. Reads
/// the rows once, and cuts by a stratified random sample of at most 50,000 of them. Throws Error
/// (bad_argument) if there are fewer than two bins.
[[nodiscard]] Cuts find_cuts(RowsRef rows, std::optional<Index> max_bins = {},
                             const Control& control = {});
/// The cuts of the columns of statistics that count pairs.
[[nodiscard]] Cuts cuts_of(const StatisticsSchema& schema);

/// The statistics of each fold, in one pass. `fold_of` gives the fold of each position of `rows`
/// (negative: none). The training statistics of a fold are the merge of all others. Throws Error
/// (bad_argument) if a fold is out of range.
[[nodiscard]] std::vector<Statistics> collect_folds(const Rows& rows,
                                                    std::span<const std::int32_t> fold_of,
                                                    Index folds, const CollectOptions& options = {},
                                                    const Control& control = {});

}  // namespace genera
