#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <genera/control.hpp>
#include <genera/report.hpp>
#include <genera/roles.hpp>
#include <genera/source.hpp>
#include <genera/table.hpp>

namespace genera {

/// How a text file becomes columns.
struct CsvOptions {
  bool header = true;                         ///< false: columns are named c1, c2, ...
  std::optional<char> delimiter{};            ///< empty: recognised among , ; tab |
  std::optional<char> decimal{};              ///< '.' or ','; empty: recognised (',' only with ';')
  std::vector<std::string> missing_tokens{};  ///< cells that mean "missing" besides the empty one
};

/// How a source is read, whatever its columns.
struct StreamOptions {
  Kept kept{};
  /// Of ExpectedRoles, whose rows are usually answered as they come: a pipe can be read more than
  /// once, or a callback. It is copied to a temporary file, and its pauses end no chunk.
  bool reread = false;
};

/// Chunks of rows in another form than the source has them.
struct ChunkForm {
  std::vector<Column> columns{};              ///< of the changed chunks
  std::optional<SparseKind> sparse_matrix{};  ///< what they have instead of columns
  std::function<Table(Table&&)> change{};     ///< called on any thread; empty: as they are
};

/// Rows of a source, read from front to back in chunks that depend on nothing but the bytes and the
/// number of columns, so that sums over chunks have the same bits for a file, a pipe, gzip and a
/// text in memory. Only if rows are to be answered (ExpectedRoles that require no target), a pause
/// of a pipe ends a chunk early.
///
/// Each call of `reduce`, `for_each_chunk` or a function that takes a stream is a pass over all
/// rows, from the first one on. Throws Error (bad_data) if that would be the second pass over a
/// pipe that was not copied (StreamOptions::reread).
class RowStream {
 public:
  RowStream(Source source, CsvOptions csv, Roles roles, StreamOptions options = {});
  RowStream(Source source, CsvOptions csv, ExpectedRoles roles, StreamOptions options = {});
  RowStream(RowStream&&) noexcept;
  RowStream& operator=(RowStream&&) noexcept;
  ~RowStream();

  /// What was decided about the columns (features in file order), from the first MiB until a pass
  /// has seen all rows.
  [[nodiscard]] const std::vector<Column>& columns() const;
  [[nodiscard]] const std::string& target() const;  ///< empty if there is none
  /// Decisions and doubts worth telling: "target: 'species' (the last column)", ids, dates, ...
  [[nodiscard]] const std::vector<Note>& notes() const;
  [[nodiscard]] const std::string& name() const;  ///< of the source, in messages
  /// Of what its one sparse matrix is made, if the source is one.
  [[nodiscard]] std::optional<SparseKind> sparse_matrix() const;
  /// Whether this matrix has columns without an entry, too; see SparseColumns.
  [[nodiscard]] bool all_columns() const;
  [[nodiscard]] TextOptions text_options() const;
  [[nodiscard]] CsvOptions format() const;  ///< as told, or as recognised in the source

  /// Whether the weights of the rows are frequencies.
  [[nodiscard]] bool frequencies() const;
  /// What a person said about the columns; null if certain columns are expected.
  [[nodiscard]] const Roles* roles() const;
  /// Other parts for the columns, from the next pass on: also a pipe need not be opened again.
  /// Throws Error (bad_argument) if certain columns are expected, or as the constructor does.
  void read_as(Roles roles);
  /// Gives out chunks in another form from the next pass on. A sparse matrix made of columns has
  /// all of them.
  void give_as(ChunkForm form);

  /// The sum over all chunks: `work(Table&&)` makes a part of each, on any thread,
  /// and `merge(total, std::move(part))` adds them in the order of the rows, one at a time, to what
  /// `make_empty()` gave. If cells contradict the types that were guessed from the beginning of the
  /// data, the types are corrected and everything starts again, `make_empty` included.
  /// The first exception stops everything and comes out here.
  template <class MakeEmpty, class Work, class Merge>
  [[nodiscard]] auto reduce(const Control& control, const MakeEmpty& make_empty, const Work& work,
                            const Merge& merge) {
    auto total = make_empty();
    for_each_chunk(
        control,
        [&](Table&& chunk) -> std::function<void()> {
          auto part = work(std::move(chunk));
          return [&total, &merge, held = std::make_shared<decltype(part)>(std::move(part))] {
            merge(total, std::move(*held));
          };
        },
        [&] { total = make_empty(); });
    return total;
  }

  /// Calls `work` for each chunk, on any thread, and what it returns in the order of
  /// the rows, one at a time. `start_again` is called before a pass that corrected types make
  /// necessary; without it such types are an Error (bad_data). ExpectedRoles never need it.
  void for_each_chunk(const Control& control,
                      const std::function<std::function<void()>(Table&&)>& work,
                      const std::function<void()>& start_again = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// All rows of a stream, in memory.
[[nodiscard]] Table read_rows(RowStream& rows, const Control& control = {});

/// Some rows of many.
struct RowSample {
  Table rows;
  Index of = 0;           ///< rows of the source
  Index labelled_of = 0;  ///< labelled rows of the source

  /// What the weight of a row without a label is multiplied by, so that such rows weigh as much
  /// against the labelled ones as in the source.
  [[nodiscard]] double unlabelled_scale() const;
};
/// A random sample of `max_rows` labelled rows, stratified by class, in the order of the source:
/// all of them if there are no more. Each class has its share, rounded up, and at least 20 rows if
/// it has as many; weights make up for rows that exceed the share. Rows without a label are sampled
/// apart, `max_rows` at most. What is chosen depends on the content of the rows and on the seed,
/// not on the order of rows. Frequencies are resolved: each row of the sample stands for itself. At
/// most 12 `max_rows` + 256 rows per class and one chunk are kept in memory. Equal rows are counted
/// for a million different rows; copies of later ones enter the sample together.
[[nodiscard]] RowSample read_sample(RowStream& rows, Index max_rows, std::uint64_t seed = 1,
                                    const Control& control = {});

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
