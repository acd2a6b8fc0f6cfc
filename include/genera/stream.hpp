#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <genera/control.hpp>
#include <genera/report.hpp>
#include <genera/roles.hpp>
#include <genera/row_source.hpp>
#include <genera/source.hpp>
#include <genera/table.hpp>

namespace genera {

/// How a text file becomes columns.
struct CsvOptions {
  bool header = true;               ///< false: columns are named c1, c2, ...
  std::optional<char> delimiter{};  ///< empty: recognised among , ; tab |
  std::optional<char> decimal{};    ///< '.' or ','; empty: recognised (',' only with ';')
  /// Cells that mean "missing" besides the empty one.
  std::vector<std::string> missing_tokens{"NA"};
};

/// How a source is read, whatever its columns.
struct StreamOptions {
  Kept kept{};
  /// Of ExpectedRoles, whose rows are usually answered as they come: a pipe can be read more than
  /// once, or a callback. It is copied to a temporary file, and its pauses end no chunk.
  bool reread = false;
};

/// Rows of a source, read from front to back in chunks that depend on nothing but the bytes and the
/// number of columns, so that sums over chunks have the same bits for a file, a pipe, gzip and a
/// text in memory. Only if rows are to be answered (ExpectedRoles that require no target), a pause
/// of a pipe ends a chunk early.
///
/// The second pass over a pipe that was not copied (StreamOptions::reread) is an Error (bad_data).
class RowStream final : public RowSource {
 public:
  RowStream(Source source, CsvOptions csv, Roles roles, StreamOptions options = {});
  RowStream(Source source, CsvOptions csv, ExpectedRoles roles, StreamOptions options = {});
  RowStream(RowStream&&) noexcept;
  RowStream& operator=(RowStream&&) noexcept;
  ~RowStream() override;

  /// What was decided about the columns (features in file order), from the first MiB until a pass
  /// has seen all rows.
  [[nodiscard]] const std::vector<Column>& columns() const;
  [[nodiscard]] const std::string& target() const;  ///< empty if there is none
  /// Decisions and doubts worth telling: "target: 'species' (the last column)", ids, dates, ...
  [[nodiscard]] const std::vector<Note>& notes() const override;
  [[nodiscard]] const std::string& name() const override;  ///< of the source, in messages
  /// Of what its one sparse matrix is made, if the source is one.
  [[nodiscard]] std::optional<SparseKind> sparse_matrix() const;
  /// After a pass over all rows: a digest of their text, whatever their order; empty before. Equal
  /// rows of two sources have the same, different rows almost surely not.
  [[nodiscard]] std::string fingerprint() const;
  [[nodiscard]] CsvOptions format() const;  ///< as told, or as recognised in the source
  [[nodiscard]] RowsSchema schema() const override;
  [[nodiscard]] Passes passes() const override;

  /// What a person said about the columns; null if certain columns are expected.
  [[nodiscard]] const Roles* roles() const;
  /// Other parts for the columns, from the next pass on: also a pipe need not be opened again.
  /// Throws Error (bad_argument) if certain columns are expected, or as the constructor does.
  void read_as(Roles roles);
  /// Those that a person gave a type, or all if certain columns are expected.
  [[nodiscard]] std::vector<std::string> fixed_types() const override;
  void set_types(const ColumnTypes& types) override;

 private:
  void run(const Control& control, const Work& work,
           const std::function<void()>& start_again) override;

  struct State;
  std::unique_ptr<State> state_;
};

/// Limits that divide a numeric target into `bins` classes of about the same weight: see
/// Roles::target_edges. Each is the smallest value above a quantile, so that values that are
/// frequent may make fewer classes. Reads the source once. Throws Error (bad_data) if the target
/// does not hold numbers, (bad_argument) if there are fewer than two bins or two different values,
/// or the source can be read only once.
[[nodiscard]] Vector target_edges(const Source& source, const Roles& roles, const CsvOptions& csv,
                                  Index bins, const Control& control = {});

/// The whole source in memory.
[[nodiscard]] Table read_csv(const Source& source, const Roles& roles = {},
                             const CsvOptions& csv = {}, const Control& control = {});
[[nodiscard]] Table read_csv(const Source& source, const ExpectedRoles& roles,
                             const CsvOptions& csv = {}, const Control& control = {});

/// A data set compiled into the library.
struct BuiltinDataset {
  std::string name;         ///< without the '@'
  std::string description;  ///< one line: what, rows, columns, classes, source
};
[[nodiscard]] std::vector<BuiltinDataset> builtin_datasets();
/// Its CSV text. Throws Error (bad_argument) with the nearest name if there is none.
[[nodiscard]] std::string_view builtin_dataset(const std::string& name);

/// Rows in a chunk of a stream with `columns` numbers per row: a function of nothing else.
[[nodiscard]] Index rows_per_chunk(Index columns);

}  // namespace genera
