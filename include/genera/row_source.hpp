#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <genera/control.hpp>
#include <genera/report.hpp>
#include <genera/rows.hpp>
#include <genera/table.hpp>

/// Rows that arrive in chunks: from a file (RowStream), from memory, or from a function of the
/// program (CallbackRows). Functions that take a RowsRef accept all of them:
///
///     fit(table, qda());     // a Table, or Rows of any layout
///     fit(stream, qda());    // RowStream stream("flowers.csv", {}, {});
///     fit(own, qda());       // CallbackRows own([&]() -> std::optional<RowChunk> { ... });
///
/// A function makes one pass over the rows and keeps no more than sums, unless it states that it
/// needs several passes, or all rows in memory.
namespace genera {

/// How often the rows of a source can be read.
enum class Passes { one, many };

/// What is known about the columns of rows before they are read.
struct RowsSchema {
  std::vector<Column> columns{};  ///< the features in order, without those of a sparse matrix
  std::string target{};           ///< name of the labels; empty: there are none
  LabelType label_type = LabelType::unknown;
  std::optional<SparseKind> sparse_matrix{};  ///< beside or instead of the columns
  bool all_columns = false;                   ///< of the sparse matrix; see SparseColumns
  TextOptions text{};                         ///< how text columns become terms
  bool frequencies = false;                   ///< the weights are frequencies; see Table
  friend bool operator==(const RowsSchema&, const RowsSchema&) = default;
};

/// Types that replace those of numeric columns, by name, and of the columns of a sparse matrix.
struct ColumnTypes {
  std::vector<std::pair<std::string, ColumnType>> types{};
  std::optional<ColumnType> default_type{};
};

/// Rows on their way from a source to an algorithm. Converts to `Rows` (a view, which the chunk
/// must outlive) and, as an rvalue, to `Table`.
class RowChunk {
 public:
  RowChunk(Table table);  // NOLINT(google-explicit-constructor): owns its rows
  /// A view. Its data must outlive the chunk; Rows(std::shared_ptr<const DataView>) can own them.
  /// `control` are the settings for work on these rows.
  RowChunk(Rows rows, Control control = {});  // NOLINT(google-explicit-constructor)
  RowChunk(RowChunk&&) noexcept;
  RowChunk& operator=(RowChunk&&) noexcept;
  ~RowChunk();

  [[nodiscard]] Rows rows() const;
  operator Rows() const { return rows(); }  // NOLINT(google-explicit-constructor)
  /// The owned table, or a copy of the viewed rows.
  [[nodiscard]] Table table() &&;
  operator Table() && { return std::move(*this).table(); }  // NOLINT(google-explicit-constructor)
  /// Settings for work on this chunk: one thread and no progress if other threads work on other
  /// chunks; those of the caller if this chunk has all rows.
  [[nodiscard]] const Control& control() const { return control_; }

 private:
  std::variant<Table, Rows> data_;
  Control control_;
};

/// Rows from front to back in chunks. Each call of `reduce`, `for_each_chunk` or a function that
/// takes a RowsRef is a pass over all rows, from the first one on.
class RowSource {
 public:
  virtual ~RowSource() = default;

  /// May change until a pass has seen all rows.
  [[nodiscard]] virtual RowsSchema schema() const = 0;
  [[nodiscard]] virtual const std::string& name() const = 0;  ///< in messages; may be empty
  /// Decisions and doubts about the rows, for the report.
  [[nodiscard]] virtual const std::vector<Note>& notes() const;
  /// With Passes::one, a second pass throws Error (bad_data).
  [[nodiscard]] virtual Passes passes() const { return Passes::many; }
  /// All rows, if they are in memory; else null.
  [[nodiscard]] virtual const Rows* in_memory() const { return nullptr; }
  /// Columns whose type must not be changed.
  [[nodiscard]] virtual std::vector<std::string> fixed_types() const { return {}; }
  /// Reads columns with other types from the next pass on. Replaces the types set by an earlier
  /// call; columns with fixed types keep theirs.
  virtual void set_types(const ColumnTypes& types) = 0;

  /// Processes a chunk on any thread. The function it returns is called in the order of the rows,
  /// one at a time.
  using Work = std::function<std::function<void()>(RowChunk&&)>;
  /// Calls `work` for each chunk. `start_again` is called before a pass that corrected column types
  /// make necessary; without it, such types are an Error (bad_data). The first exception stops the
  /// pass and is rethrown here.
  void for_each_chunk(const Control& control, const Work& work,
                      const std::function<void()>& start_again = {}) {
    run(control, work, start_again);
  }

  /// The sum over all chunks: `work(chunk)` makes a part of each, on any thread, and
  /// `merge(total, std::move(part))` adds the parts in the order of the rows, one at a time, to
  /// what `make_empty()` returned. If cells contradict the types that were guessed from the
  /// beginning of the data, the types are corrected and everything starts again, `make_empty`
  /// included.
  template <class MakeEmpty, class MakePart, class Merge>
  [[nodiscard]] auto reduce(const Control& control, const MakeEmpty& make_empty,
                            const MakePart& work, const Merge& merge) {
    auto total = make_empty();
    for_each_chunk(
        control,
        [&](RowChunk&& chunk) -> std::function<void()> {
          auto part = work(std::move(chunk));
          return [&total, &merge, held = std::make_shared<decltype(part)>(std::move(part))] {
            merge(total, std::move(*held));
          };
        },
        [&] { total = make_empty(); });
    return total;
  }

 protected:
  RowSource() = default;
  RowSource(const RowSource&) = default;
  RowSource(RowSource&&) = default;
  RowSource& operator=(const RowSource&) = default;
  RowSource& operator=(RowSource&&) = default;

 private:
  virtual void run(const Control& control, const Work& work,
                   const std::function<void()>& start_again) = 0;
};

struct CallbackOptions {
  /// Restarts `next` at the first row; called before every pass but the first. Without it,
  /// functions that need several passes keep the rows in memory or refuse them.
  std::function<void()> restart{};
  std::string name = "callback";  ///< in messages
};

/// The rows that a function of the program returns, chunk by chunk:
///
///     CallbackRows own([&]() -> std::optional<RowChunk> {
///       if (at_the_end()) return std::nullopt;
///       return make_table({"x", "y"}, next_numbers(), next_labels());  // or Rows
///     });
///
/// All chunks have the same columns; labels, levels and terms are matched by name. A chunk is the
/// unit of work of a thread: some thousand rows are a good size (rows_per_chunk). At most two
/// chunks per thread exist at a time, beside the one that `next` makes. `next` is called by one
/// thread at a time, which may not be the caller's; what it throws comes out of the pass.
class CallbackRows final : public RowSource {
 public:
  using Next = std::function<std::optional<RowChunk>()>;
  /// Requests the first chunk with rows, which defines the schema. Throws Error (bad_data) if there
  /// is no chunk.
  explicit CallbackRows(Next next, CallbackOptions options = {});

  [[nodiscard]] RowsSchema schema() const override { return schema_; }
  [[nodiscard]] const std::string& name() const override { return options_.name; }
  [[nodiscard]] Passes passes() const override {
    return options_.restart ? Passes::many : Passes::one;
  }
  void set_types(const ColumnTypes& types) override;

 private:
  void run(const Control& control, const Work& work,
           const std::function<void()>& start_again) override;
  /// The next chunk of a pass; throws Error (bad_data) if it does not have the schema.
  std::optional<RowChunk> next_chunk();

  Next next_;
  CallbackOptions options_;
  RowsSchema given_, schema_;  // of the first chunk, and after set_types
  ColumnTypes types_;
  std::optional<RowChunk> first_;  // until a pass has taken it
  bool begun_ = false;
};

/// Argument of functions that take rows: a source, or rows in memory as one chunk for all threads.
/// Converts implicitly; the source or rows must outlive it.
class RowsRef {
 public:
  RowsRef(RowSource& source);   // NOLINT(google-explicit-constructor)
  RowsRef(const Rows& rows);    // NOLINT(google-explicit-constructor)
  RowsRef(const Table& table);  // NOLINT(google-explicit-constructor)

  [[nodiscard]] RowSource& operator*() const { return *source_; }
  [[nodiscard]] RowSource* operator->() const { return source_.get(); }

 private:
  std::shared_ptr<RowSource> source_;
};

/// All rows, in memory.
[[nodiscard]] Table read_rows(RowsRef rows, const Control& control = {});

/// A random sample of rows.
struct RowSample {
  Table rows;
  Index of = 0;           ///< rows of the source
  Index labelled_of = 0;  ///< labelled rows of the source

  /// Factor for the weights of rows without a label that restores their share of the source
  /// relative to labelled rows.
  [[nodiscard]] double unlabelled_scale() const;
};
/// A random sample of `max_rows` labelled rows, stratified by class, in the order of the source;
/// all rows if there are not more. Each class gets its share, rounded up, and at least 20 rows if
/// it has them; weights compensate for rows beyond the share. Rows without a label are sampled
/// separately, at most `max_rows`. The sample depends on the content of the rows and on the seed,
/// not on the order of rows. Frequencies are expanded: each row of the sample counts once. Keeps at
/// most 12 `max_rows` + 256 rows per class and one chunk in memory. Equal rows are counted for the
/// first million different rows; copies of later ones enter the sample together.
[[nodiscard]] RowSample read_sample(RowsRef rows, Index max_rows, std::uint64_t seed = 1,
                                    const Control& control = {});

}  // namespace genera
