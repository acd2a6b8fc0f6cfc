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

/// How much of the second moments is kept.
enum class Scatter {
  full,      ///< d x d: every model can be estimated from it
  diagonal,  ///< d: enough for gnb, dlda, spherical, centroid
  none,      ///< of a sparse matrix of counts: sums are enough (diagonal for columns of numbers)
};

/// Mean and scatter of some rows, and the weight behind them. The empty one is the identity of
/// `merge`.
struct Moments {
  double weight = 0;
  Vector mean;      ///< d
  Vector mean_low;  ///< d; mean + mean_low has about 32 digits, so that no mean is too large
  Matrix scatter;   ///< sum of w (x - mean)(x - mean)': d x d (symmetric) or 1 x d

  Moments() = default;
  Moments(Index d, Scatter kind);

  void merge(const Moments& other);
  /// Undoes `merge(other)`, to `forgetting_accuracy` of the scatter before. A sum of squares that
  /// is less than that is zero.
  void subtract(const Moments& other);
  static constexpr double forgetting_accuracy = 1e-13;

  friend bool operator==(const Moments&, const Moments&) = default;
};

/// What is kept of count columns: sums over the rows of a class, by column.
struct CountSums {
  Vector sums{};      ///< of w x
  Vector observed{};  ///< of w over the rows in which the count is not missing
  friend bool operator==(const CountSums&, const CountSums&) = default;
};

/// What is kept of sparse entries: sums over the rows of a class, by term. A vector may be shorter
/// than the vocabulary: the rest is zero.
struct TermSums {
  double weight = 0;  ///< of the rows whose text is not missing
  Vector sums;        ///< of w x
  Vector present;     ///< of w where x is not 0
  Vector scatter;  ///< of w (x - mean)^2 over the entries that are there; empty for text, and if no
                   ///< scatter is kept
  Vector sums_low{};  ///< beside a scatter: what the doubles of `sums` leave out
  friend bool operator==(const TermSums&, const TermSums&) = default;
};

/// What is kept of the rows of one class.
struct ClassStatistics {
  std::string name;
  Index rows = 0;                 ///< rows of a weight above 0
  double weight = 0;              ///< of these rows
  Moments moments{};              ///< of the numeric columns; empty if there is none
  std::vector<Vector> levels{};   ///< for each coded column: the weight of each of its levels
  CountSums counts{};             ///< of the count columns
  std::vector<TermSums> terms{};  ///< for each sparse column
  friend bool operator==(const ClassStatistics&, const ClassStatistics&) = default;
};

/// Which statistics of which columns are kept.
struct StatisticsSchema {
  std::vector<Column> features{};  ///< all columns but those of a sparse matrix
  std::string target{};
  LabelType label_type = LabelType::unknown;
  Scatter scatter = Scatter::full;
  /// Categorical and binary columns are counted as one: each combination of levels is a level.
  bool joint = false;
  /// Of what a sparse matrix beside (or instead of) the columns is made: numbers or counts.
  std::optional<SparseKind> sparse_matrix{};
  bool all_columns = false;  ///< of the sparse matrix; see SparseColumns
  TextOptions text{};        ///< how its texts became terms

  [[nodiscard]] std::vector<std::string> names_of(ColumnType type) const;
  /// The columns of which levels are counted: each alone, or all of them jointly.
  [[nodiscard]] std::vector<std::vector<std::string>> coded() const;
  /// The text columns; or a nameless one for a sparse matrix.
  [[nodiscard]] std::vector<std::string> sparse() const;
  /// Whether there is nothing of which statistics could be kept.
  [[nodiscard]] bool empty() const { return features.empty() && !sparse_matrix; }
  friend bool operator==(const StatisticsSchema&, const StatisticsSchema&) = default;
};

/// Additive sufficient statistics of a table: `merge` is associative and commutative (to rounding)
/// with the empty one as identity, `subtract` undoes it. Classes, levels and terms may appear at
/// any time; everything is matched by name.
class Statistics {
 public:
  Statistics() = default;
  explicit Statistics(StatisticsSchema schema);
  Statistics(const Statistics&);  // these five are compiled once, not wherever it is used
  Statistics(Statistics&&) noexcept;
  Statistics& operator=(const Statistics&);
  Statistics& operator=(Statistics&&) noexcept;
  ~Statistics();

  [[nodiscard]] const StatisticsSchema& schema() const { return schema_; }
  /// The numeric columns, in the order of the moments.
  [[nodiscard]] const std::vector<std::string>& columns() const { return numeric_; }
  [[nodiscard]] const std::string& target() const { return schema_.target; }
  [[nodiscard]] Scatter scatter() const { return schema_.scatter; }
  /// In the order of their names as text.
  [[nodiscard]] const std::vector<ClassStatistics>& classes() const { return classes_; }
  [[nodiscard]] double weight() const;
  /// The levels seen in each of schema().coded(), in order of first appearance; of a joint one the
  /// levels of its columns with `level_separator` between them.
  [[nodiscard]] const std::vector<SharedNames>& levels() const { return levels_; }
  static constexpr char level_separator = '\x1f';
  /// The terms seen in each of schema().sparse(), in order of first appearance.
  [[nodiscard]] const std::vector<SharedNames>& terms() const { return terms_; }

  /// The statistics of class `name`, made empty if it is new.
  ClassStatistics& of_class(const std::string& name);
  /// A new class with these moments; the rest is empty.
  ClassStatistics& add_class(const std::string& name, Moments moments);
  /// To be changed; statistics that share their names add up without comparing them.
  SharedNames& levels_of(std::size_t coded) { return levels_[coded]; }
  SharedNames& terms_of(std::size_t sparse) { return terms_[sparse]; }

  /// Rows must be labelled and their numbers complete. Same bits for any number of threads.
  void add(const Rows& rows, const Control& control = {});
  void merge(const Statistics& other);
  /// The same; what is large is not copied where it need not be.
  void merge(Statistics&& other);
  /// Throws Error (bad_data) if `other` holds more than there is. Classes left without weight
  /// vanish. Returns warnings about digits lost by cancellation.
  std::vector<Note> subtract(const Statistics& other);
  void forget_class(const std::string& name);

  friend bool operator==(const Statistics&, const Statistics&) = default;

 private:
  [[nodiscard]] Moments no_moments() const;
  [[nodiscard]] ClassStatistics empty_class(const std::string& name, Moments moments) const;
  /// All at once: one after the other would move the classes behind them each time.
  void add_classes_of(const Statistics& other);
  /// `owned`: the same as `other`, if it may be taken apart.
  void merge(const Statistics& other, Statistics* owned);

  StatisticsSchema schema_;
  std::vector<std::string> numeric_;
  std::vector<SharedNames> levels_;
  std::vector<SharedNames> terms_;
  std::vector<ClassStatistics> classes_;
};

/// The same without the levels and terms that no row has any more: of what was forgotten not even
/// the words remain. Models do not change by it.
[[nodiscard]] Statistics without_unused_names(const Statistics& statistics);

/// What to do with a row that has a missing value or no label.
enum class Missing {
  refuse,  ///< a number: an error that names the columns; other missing cells are left out alone
  drop,    ///< the row is left out and counted
  em,      ///< the row is learned from by EM: fit() only, statistics alone refuse it
};

struct CollectOptions {
  Scatter scatter = Scatter::full;
  bool joint = false;  ///< see StatisticsSchema
  Missing missing = Missing::refuse;
};

struct Collected {
  Statistics statistics;
  Index dropped_rows = 0;         ///< left out, because a value or the label is missing
  Index unlabelled_left_out = 0;  ///< rows without a label, where a fit gives them no weight
  Index missing_cells = 0;        ///< of columns that are not numbers: left out one by one
  std::vector<Note> notes;        ///< rows dropped, and what the stream found
};

/// One pass over the rows (two, if a column's type showed itself late in a file). Memory does not
/// grow with rows. Throws Error (bad_data) on an infinite number, a negative count, and a weight
/// that is negative or not finite.
[[nodiscard]] Collected collect(RowsRef rows, const CollectOptions& options = {},
                                const Control& control = {});

/// The statistics of each of several folds, in one pass: `fold_of` is the fold of each position of
/// `rows` (negative: in none). Those of all folds but one, merged, are what that fold is trained
/// on. Throws Error (bad_argument) on a fold that is not one of them.
[[nodiscard]] std::vector<Statistics> collect_folds(const Rows& rows,
                                                    std::span<const std::int32_t> fold_of,
                                                    Index folds, const CollectOptions& options = {},
                                                    const Control& control = {});

}  // namespace genera
