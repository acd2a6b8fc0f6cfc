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
  std::optional<char> delimiter{};  ///< empty: the one of , ; tab | that fits the data
  std::optional<char> decimal{};    ///< '.' or ','; empty: detected (',' only with ';')
  /// Cells that mean "missing" in addition to empty ones.
  std::vector<std::string> missing_tokens{"NA"};
  Index skip = 0;                 ///< lines before the header (or the first row) that are not read
  std::optional<char> comment{};  ///< lines that begin with it, after optional blanks, are not read
};

/// How a source is read, independent of its columns.
struct StreamOptions {
  Kept kept{};
  /// For ExpectedRoles, whose rows are usually scored as they arrive: allows a pipe or callback to
  /// be read more than once. It is copied to a temporary file, and pauses of a pipe do not end a
  /// chunk.
  bool reread = false;
};

/// Rows of a source, read from front to back in chunks. Chunk boundaries depend only on the bytes
/// and the number of columns, so sums over chunks have the same bits for a file, a pipe, gzip and a
/// text in memory. Exception: if rows are to be scored (ExpectedRoles without a required target), a
/// pause of a pipe ends a chunk early.
///
/// The second pass over a pipe that was not copied (StreamOptions::reread) is an Error (bad_data).
class RowStream final : public RowSource {
 public:
  RowStream(Source source, CsvOptions csv, Roles roles, StreamOptions options = {});
  RowStream(Source source, CsvOptions csv, ExpectedRoles roles, StreamOptions options = {});
  RowStream(RowStream&&) noexcept;
  RowStream& operator=(RowStream&&) noexcept;
  ~RowStream() override;

  /// The columns in file order, as guessed from the first MiB and corrected once a pass has seen
  /// all rows.
  [[nodiscard]] const std::vector<Column>& columns() const;
  [[nodiscard]] const std::string& target() const;  ///< empty without labels
  /// The error with which Roles::refuse_measured_target refuses this target; empty if the labels
  /// look like classes, or if their column was declared.
  [[nodiscard]] std::optional<Error> target_refusal() const;
  /// Decisions and doubts for the user: "target: 'species' (the last column)", ids, dates, ...
  [[nodiscard]] const std::vector<Note>& notes() const override;
  [[nodiscard]] const std::string& name() const override;  ///< of the source, in messages
  /// Content of the sparse matrix, if the source is one.
  [[nodiscard]] std::optional<SparseKind> sparse_matrix() const;
  /// A digest of the text of all rows, independent of their order; empty before a complete pass.
  /// Sources with equal rows have equal digests. A change in the middle of a row of more than 64
  /// bytes is not noticed.
  [[nodiscard]] std::string fingerprint() const;
  [[nodiscard]] CsvOptions format() const;  ///< as set or as detected
  [[nodiscard]] RowsSchema schema() const override;
  [[nodiscard]] Passes passes() const override;

  /// The roles set by the user; null with ExpectedRoles.
  [[nodiscard]] const Roles* roles() const;
  /// Sets other roles, from the next pass on, without opening a pipe again. Throws Error
  /// (bad_argument) with ExpectedRoles, or as the constructor does.
  void read_as(Roles roles);
  /// Columns whose type the user set; all columns with ExpectedRoles.
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
/// Its CSV text. Throws Error (bad_argument), with the nearest name, if it does not exist.
[[nodiscard]] std::string_view builtin_dataset(const std::string& name);

/// Number of rows in a chunk of a stream with `columns` numbers per row; a function of `columns`
/// only.
[[nodiscard]] Index rows_per_chunk(Index columns);

}  // namespace genera
