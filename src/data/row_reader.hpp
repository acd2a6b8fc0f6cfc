#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <genera/stream.hpp>
#include "data/bytes/record_cutter.hpp"
#include "data/row_request.hpp"

namespace genera::data {

struct ReadChunk {
  Table table;
  std::function<void()> remember;  ///< what it told about the source; called in order, or empty
};

/// What a RowStream reads: the records of one format, which become chunks of rows.
class RowReader {
 public:
  virtual ~RowReader() = default;
  RowReader(const RowReader&) = delete;
  RowReader& operator=(const RowReader&) = delete;

  [[nodiscard]] virtual const std::vector<Column>& columns() const = 0;
  [[nodiscard]] virtual const std::string& target() const = 0;
  [[nodiscard]] virtual const std::vector<Note>& notes() const = 0;
  [[nodiscard]] virtual CsvOptions format() const { return {}; }
  /// Of what its rows are made if they have no columns but entries.
  [[nodiscard]] virtual std::optional<SparseKind> sparse_matrix() const { return {}; }

  /// The records of the next chunk; empty at the end.
  [[nodiscard]] virtual std::optional<RecordChunk> next() = 0;
  /// Called on any thread. Throws Error (bad_data) with the place on what cannot be read.
  [[nodiscard]] virtual ReadChunk parse(const RecordChunk& chunk) = 0;

  /// After the first whole pass: corrects the types of columns that it contradicted and says how.
  /// If it says anything, another pass is needed.
  [[nodiscard]] virtual std::vector<std::string> correct_types() { return {}; }
  /// The parts of the columns are others from the next pass on.
  virtual void read_as(const RowRequest& request) = 0;
  virtual void rewind() = 0;
  /// How much has been read, if the size of the source is known.
  [[nodiscard]] std::optional<double> share_read() const { return cutter_.share_read(); }
  [[nodiscard]] bool is_pipe() const { return cutter_.is_pipe(); }
  /// After an error no thread should wait for more input.
  void give_up() noexcept { cutter_.give_up(); }

 protected:
  explicit RowReader(const RowRequest& request)
      : cutter_(request.source, request.may_reread() ? Reread::possible : Reread::never,
                request.answers_rows() ? RecordCutter::Pause::answer : RecordCutter::Pause::wait) {}

  RecordCutter cutter_;
};

}  // namespace genera::data
