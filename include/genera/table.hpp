#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <genera/control.hpp>
#include <genera/types.hpp>

namespace genera {

enum class ColumnType { numeric, categorical, binary, count, text };

[[nodiscard]] std::string_view name_of(ColumnType type);

/// Type of the labels before they became class names. Labels of unknown type come from a file; if
/// they contain many different numbers they are rejected as measurements.
enum class LabelType { unknown, text, integer, real, boolean };

[[nodiscard]] std::string_view name_of(LabelType type);

/// Limits that divide numbers into bins. Bin b holds the numbers x with limits[b - 1] <= x <
/// limits[b]; the first bin is unbounded below, the last one above.
struct Cut {
  Vector limits{};  ///< ascending; empty: one bin
  /// Mean distance from the first limit of the numbers below it, and from the last limit of those
  /// above it; > 0.
  double below = 1, above = 1;

  [[nodiscard]] Index bins() const { return static_cast<Index>(limits.size()) + 1; }
  [[nodiscard]] Index bin(double x) const {
    return std::upper_bound(limits.begin(), limits.end(), x) - limits.begin();
  }
  friend bool operator==(const Cut&, const Cut&) = default;
};
/// By name of the column.
using Cuts = std::map<std::string, Cut>;

/// A feature of a table or a model.
struct Column {
  std::string name;
  ColumnType type = ColumnType::numeric;
  std::optional<Cut> cut{};  ///< the levels are bins of numbers, named "0", "1", ... in ascending
                             ///< order
  friend bool operator==(const Column&, const Column&) = default;
};

/// Integer codes of the categorical and binary columns, row-major; -1 is missing.
class Codes {
 public:
  Codes() = default;
  Codes(Index rows, Index columns)
      : rows_(rows), columns_(columns), values_(static_cast<std::size_t>(rows * columns), -1) {}
  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index columns() const { return columns_; }
  std::int32_t& operator()(Index i, Index j) {
    return values_[static_cast<std::size_t>(i * columns_ + j)];
  }
  std::int32_t operator()(Index i, Index j) const {
    return values_[static_cast<std::size_t>(i * columns_ + j)];
  }
  /// The code of the first row in column j. Consecutive rows are columns() elements apart.
  [[nodiscard]] const std::int32_t* column(Index j) const { return values_.data() + j; }
  friend bool operator==(const Codes&, const Codes&) = default;

 private:
  Index rows_ = 0;
  Index columns_ = 0;
  std::vector<std::int32_t> values_;
};

/// How a text becomes terms. A word is a run of two or more letters, digits or underscores, in
/// lower case.
struct TextOptions {
  struct Lengths {
    int min = 1, max = 1;
    friend bool operator==(const Lengths&, const Lengths&) = default;
  };
  Lengths words{};  ///< lengths of word n-grams, joined by blanks
  /// If set, terms are character n-grams of these lengths instead (runs of blanks count as one),
  /// and `words` must have its default.
  std::optional<Lengths> chars{};
  int hash_bits = 0;  ///< terms are hashed to 2^hash_bits places; 0: no hashing
  friend bool operator==(const TextOptions&, const TextOptions&) = default;
};
/// Throws Error (bad_argument) if lengths or bits are out of range, or if both words and characters
/// are set.
void validate(const TextOptions& options);

/// Content of the columns of a sparse matrix.
enum class SparseKind {
  text,     ///< number of occurrences of each term of a text column
  counts,   ///< columns of counts
  numbers,  ///< columns of numbers; entries that are not stored are zero
};

/// Rows with entries in few of many columns: the terms of a text column, or a sparse matrix such as
/// an svmlight file.
struct SparseColumns {
  std::string name{};          ///< of the text column
  TextOptions text_options{};  ///< how the texts became terms
  /// terms that occur in this table, in order of first appearance
  std::vector<std::string> terms{};
  std::vector<Index> begins{0};         ///< n + 1: row i has the entries [begins[i], begins[i + 1])
  std::vector<std::int32_t> places{};   ///< indices into `terms`, each at most once per row
  std::vector<double> values{};         ///< counts of terms; nonzero entries of a sparse matrix
  std::vector<std::uint8_t> missing{};  ///< n, or empty: 1 where the text is missing
  SparseKind kind = SparseKind::text;
  bool all_columns = false;  ///< `terms` also lists columns without an entry, which are all zeros
};

/// Observed rows. A table describes itself: labels index into `classes`, codes into `levels`, both
/// in order of first appearance and private to this table, so that tables are joined by name and
/// never by position. A chunk of a stream is such a table too.
struct Table {
  Table();
  Table(const Table&);  // these five are defined in one source, to keep callers small
  Table(Table&&) noexcept;
  Table& operator=(const Table&);
  Table& operator=(Table&&) noexcept;
  ~Table();

  std::vector<Column>
      columns;  ///< the features, in the order of the source; not those of a sparse matrix

  Matrix numbers;  ///< n x (numeric and count columns, in order); NaN is missing
  std::vector<std::string> number_names() const;
  Codes codes;  ///< n x (categorical and binary columns, in order); -1 is missing
  std::vector<std::vector<std::string>> levels;  ///< for each column of `codes`
  std::vector<SparseColumns> sparse;             ///< one for each text column, or one sparse matrix

  std::string target;                ///< name of the label column; empty without one
  std::vector<std::string> classes;  ///< the labels that occur in this table
  std::vector<std::int32_t> labels;  ///< n, or empty without a target; -1 is missing
  LabelType label_type = LabelType::unknown;

  std::vector<double> weights;  ///< n, or empty: all weights are 1
  /// The weights are frequencies: a row of weight 7 stands for seven equal rows.
  bool frequencies = false;

  std::string kept_header;  ///< names of the input columns to be written to the output, as CSV text
  std::vector<std::string> kept;  ///< n or empty: their cells, as CSV text
  /// With KeptRecords, `kept_header` and `kept` hold the bytes of the source: records with their
  /// line ends and the blank lines around them. Cell (i, j) of the columns lies at cells[i *
  /// columns.size() + j].
  struct CellPlace {
    std::uint32_t begin, end;
  };
  std::vector<CellPlace> cells;
  /// With KeptRecords: blank lines at the end of the source that follow the last row of the
  /// previous table; this table then has no rows.
  std::string kept_rest;

  std::string source;  ///< the file of the rows, if any
  /// n, or empty without a file: the line on which each row begins
  std::vector<std::int64_t> lines;
  /// Place of a row for messages: "iris.csv:17", or "row 16" without a file.
  [[nodiscard]] std::string place(Index row) const;

  [[nodiscard]] Index rows() const { return row_count; }
  Index row_count = 0;

  /// Appends the rows of `other`, which must have the same columns; labels and codes are matched by
  /// name.
  void append(const Table& other);
};

/// A table of numbers in memory. `labels` are class names, one per row, or empty.
[[nodiscard]] Table make_table(const std::vector<std::string>& names, Matrix numbers,
                               const std::vector<std::string>& labels = {});

/// A table with one text column from texts in memory. Reports the number of texts read to
/// `control`; throws Error (stopped) if that returns false.
[[nodiscard]] Table make_text_table(const std::string& column,
                                    const std::vector<std::string>& texts,
                                    const std::vector<std::string>& labels = {},
                                    const TextOptions& text_options = {},
                                    const Control& control = {});

/// Sorts class names: as numbers if all of them are numbers, else as text.
void sort_labels(std::vector<std::string>& labels);

/// Index of `label` in `classes`: the class with the same text, or else the one with the same
/// number ("1" and "1.0"), provided that a double represents it exactly.
[[nodiscard]] std::optional<Index> find_label(const std::vector<std::string>& classes,
                                              const std::string& label);
/// The same for each label, -1 if there is none; efficient for many classes. A class whose text is
/// itself among the labels is matched by text only.
[[nodiscard]] std::vector<Index> find_labels(const std::vector<std::string>& classes,
                                             std::span<const std::string> labels);

}  // namespace genera
