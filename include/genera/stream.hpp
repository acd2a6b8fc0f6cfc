#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <genera/table.hpp>

namespace genera {

/// How a text file becomes columns.
struct CsvOptions {
  bool header = true;                         ///< false: columns are named c1, c2, ...
  std::optional<char> delimiter{};            ///< empty: recognised among , ; tab |
  std::optional<char> decimal{};              ///< '.' or ','; empty: recognised (',' only with ';')
  std::vector<std::string> missing_tokens{};  ///< cells that mean "missing" besides the empty one
};

/// Which columns play which part.
struct Roles {
  std::optional<std::string> target{};                      ///< empty: guessed by name or place
  bool use_target = true;                                   ///< false: there is no label column
  bool target_optional = false;                             ///< true: no label column is fine too
  std::optional<std::string> weights{};                     ///< column of row weights
  std::vector<std::string> features{};                      ///< only these; empty: all
  std::vector<std::string> drop{};                          ///< not these
  std::vector<std::pair<std::string, ColumnType>> types{};  ///< types that are told, not guessed
  /// Of every feature that is not told otherwise; text stays text unless they are categorical, and
  /// words are text where counts are wanted.
  std::optional<ColumnType> default_type{};
  TextOptions text{};                              ///< how text columns become terms
  std::optional<std::vector<Column>> expected{};   ///< exactly these features (of a model), by name
  std::optional<std::vector<std::string>> keep{};  ///< input columns to carry along; {}: all
  /// Rows are carried along whole, as they stand in the source (not of svmlight files): see
  /// Table::kept and Table::cells.
  bool keep_records = false;
  /// A pipe of `expected` features can be rewound: it is copied to a temporary file, and its pauses
  /// end no block.
  bool reread = false;
};

/// Rows of a CSV/TSV or svmlight file (plain or gzip), of standard input ("-") or of a built-in
/// data set
/// ("@iris"), read once from front to back in blocks that depend on nothing but the bytes and
/// the number of columns, so that sums over blocks have the same bits for a file, a pipe and gzip.
/// Only if rows are to be answered (`Roles::expected` without a target), a pause of a pipe ends a
/// block early.
class RowStream {
 public:
  RowStream(std::string source, CsvOptions options, Roles roles);
  RowStream(RowStream&&) noexcept;
  RowStream& operator=(RowStream&&) noexcept;
  ~RowStream();

  /// What was decided about the columns (features in file order), from the first MiB.
  [[nodiscard]] const std::vector<Column>& columns() const;
  [[nodiscard]] const std::string& target() const;  ///< empty if there is none
  /// Decisions and doubts worth telling: "target: 'species' (the last column)", ids, dates, ...
  [[nodiscard]] const std::vector<std::string>& notes() const;
  [[nodiscard]] const std::string& name() const;  ///< as given: for messages
  [[nodiscard]] bool is_svmlight() const;         ///< its columns are sparse and named by numbers
  [[nodiscard]] TextOptions text_options() const;
  [[nodiscard]] CsvOptions format() const;  ///< as told, or as recognised in the source

  /// Calls `work` for each block, on any of `threads` threads, and what it returns in the order of
  /// the rows, one at a time. The first exception stops everything and comes out here.
  void for_each_block(int threads, const std::function<std::function<void()>(Table&&)>& work);

  /// Called with the number of rows of each block that was finished, in order: for a progress line.
  void on_progress(std::function<void(Index)> report);

  /// After a pass: true if every cell agreed with the types guessed from the beginning of the data.
  /// Otherwise the types are corrected and the stream is rewound for another pass.
  /// Throws Error (bad_data) if a numeric column holds a few (< 5 %) non-numbers.
  [[nodiscard]] bool types_held();

  /// Back to the first row.
  void rewind();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// All rows of a stream that stands at its beginning, in memory.
[[nodiscard]] Table read_rows(RowStream& rows, int threads = 1);

/// The whole source in memory.
[[nodiscard]] Table read_csv(const std::string& source, const Roles& roles = {},
                             const CsvOptions& options = {}, int threads = 1);

/// A data set compiled into the library.
struct BuiltinDataset {
  std::string name;         ///< without the '@'
  std::string description;  ///< one line: what, rows, columns, classes, source
};
[[nodiscard]] std::vector<BuiltinDataset> builtin_datasets();
/// Its CSV text. Throws Error (bad_argument) with the nearest name if there is none.
[[nodiscard]] std::string_view builtin_dataset(const std::string& name);

/// Rows in a block of a stream with `columns` numbers per row: a function of nothing else.
[[nodiscard]] Index rows_per_block(Index columns);

}  // namespace genera
