#pragma once

#include <cstdint>
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

/// What labels were before they became names of classes. Labels of an unknown type come from a
/// file: many different numbers among them are taken for measurements, and refused.
enum class LabelType { unknown, text, integer, real, boolean };

[[nodiscard]] std::string_view name_of(LabelType type);

/// A feature as the data or the model know it.
struct Column {
  std::string name;
  ColumnType type = ColumnType::numeric;
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
  /// The code of the first row in column j; those of the others are columns() apart.
  [[nodiscard]] const std::int32_t* column(Index j) const { return values_.data() + j; }
  friend bool operator==(const Codes&, const Codes&) = default;

 private:
  Index rows_ = 0;
  Index columns_ = 0;
  std::vector<std::int32_t> values_;
};

/// How a text becomes terms. Words are runs of two or more letters, digits or underscores, in lower
/// case.
struct TextOptions {
  struct Lengths {
    int min = 1, max = 1;
    friend bool operator==(const Lengths&, const Lengths&) = default;
  };
  Lengths words{};  ///< terms are so many words in a row, joined by blanks
  /// Instead, and then `words` stays as it is: so many characters in a row, blanks squeezed.
  std::optional<Lengths> chars{};
  int hash_bits = 0;  ///< terms share 2^hash_bits places; 0: each has its own
  friend bool operator==(const TextOptions&, const TextOptions&) = default;
};
/// Throws Error (bad_argument) on lengths or bits out of range, and on both words and characters.
void validate(const TextOptions& options);

/// What the columns of a sparse matrix are.
enum class SparseKind {
  text,     ///< the terms of a text column, and how often each occurs
  counts,   ///< columns of counts
  numbers,  ///< columns of numbers; what is not there is zero
};

/// Rows that have a few of many columns each: the terms of a text column, or the columns of a
/// sparse matrix such as an svmlight file.
struct SparseColumns {
  std::string name{};                   ///< of the text column
  TextOptions text_options{};           ///< how the texts became terms
  std::vector<std::string> terms{};     ///< those that occur here, in order of first appearance
  std::vector<Index> begins{0};         ///< n + 1: row i has the entries [begins[i], begins[i + 1])
  std::vector<std::int32_t> places{};   ///< into `terms`, each at most once in a row
  std::vector<double> values{};         ///< counts of text; anything but 0 of a sparse matrix
  std::vector<std::uint8_t> missing{};  ///< n, or empty: 1 where the text is missing
  SparseKind kind = SparseKind::text;
  bool all_columns = false;  ///< `terms` has columns without an entry, too: they are all zeros
};

/// Rows that were observed. A table describes itself: labels index into `classes`, codes into
/// `levels`, both in order of first appearance and private to this table, so that two tables are
/// joined by name and never by position. A chunk of a stream is such a table too.
struct Table {
  Table();
  Table(const Table&);  // these five are compiled once, not wherever it is used
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
  std::vector<SparseColumns> sparse;             ///< for each text column, or a sparse matrix

  std::string target;                ///< name of the label column; empty if there is none
  std::vector<std::string> classes;  ///< the labels that occur here
  std::vector<std::int32_t> labels;  ///< n, or empty without a target; -1 is missing
  LabelType label_type = LabelType::unknown;

  std::vector<double> weights;  ///< n, or empty: every row counts once
  /// The weights are frequencies: a row of weight 7 stands for seven equal rows.
  bool frequencies = false;

  std::string kept_header;        ///< the input columns carried along, as CSV text
  std::vector<std::string> kept;  ///< n or empty: their cells, as CSV text
  /// With KeptRecords `kept_header` and then `kept` are the bytes of the source: records with their
  /// line ends and the blank lines around them, and cell (i, j) of the columns is there at
  /// cells[i * columns.size() + j].
  struct CellPlace {
    std::uint32_t begin, end;
  };
  std::vector<CellPlace> cells;
  /// With KeptRecords: blank lines at the end of the source that came after the last row had been
  /// handed out; the table is then one without rows.
  std::string kept_rest;

  std::string source;               ///< the file they came from, if any
  std::vector<std::int64_t> lines;  ///< n, or empty without a file: where each row begins
  /// Where a row is: "iris.csv:17", or "row 16" without a file.
  [[nodiscard]] std::string place(Index row) const;

  [[nodiscard]] Index rows() const { return row_count; }
  Index row_count = 0;

  /// Appends the rows of `other`, which has the same columns; labels and codes are matched by name.
  void append(const Table& other);
};

/// A table from numbers in memory; `labels` are class names, one per row (or none).
[[nodiscard]] Table make_table(const std::vector<std::string>& names, Matrix numbers,
                               const std::vector<std::string>& labels = {});

/// A table of texts in memory, with one text column. Tells `control` how many texts were read, and
/// throws Error (stopped) if its caller wants no more.
[[nodiscard]] Table make_text_table(const std::string& column,
                                    const std::vector<std::string>& texts,
                                    const std::vector<std::string>& labels = {},
                                    const TextOptions& text_options = {},
                                    const Control& control = {});

/// Sorts class names: as numbers if all of them are numbers, else as text.
void sort_labels(std::vector<std::string>& labels);

/// The place of `label` in `classes`: the same text, or else the same number ("1" and "1.0") if a
/// double holds it exactly.
[[nodiscard]] std::optional<Index> find_label(const std::vector<std::string>& classes,
                                              const std::string& label);
/// The same of each of the labels, -1 where there is none: quick for many classes. A class that is
/// itself among the labels is found by its text only.
[[nodiscard]] std::vector<Index> find_labels(const std::vector<std::string>& classes,
                                             std::span<const std::string> labels);

}  // namespace genera
