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
  /// updates of what is known about the source; called in order; may be empty
  std::function<void()> remember;
};

/// Interface of a file format, used by RowStream: cuts the input into records and parses chunks of
/// them.
class RowReader {
 public:
  virtual ~RowReader() = default;
  RowReader(const RowReader&) = delete;
  RowReader& operator=(const RowReader&) = delete;

  [[nodiscard]] virtual const std::vector<Column>& columns() const = 0;
  [[nodiscard]] virtual const std::string& target() const = 0;
  [[nodiscard]] virtual const std::vector<Note>& notes() const = 0;
  [[nodiscard]] virtual CsvOptions format() const { return {}; }
  /// See RowStream.
  [[nodiscard]] virtual std::optional<Error> target_refusal() const { return {}; }
  /// Content of the sparse matrix, if the rows are one.
  [[nodiscard]] virtual std::optional<SparseKind> sparse_matrix() const { return {}; }

  /// The records of the next chunk; empty at the end.
  [[nodiscard]] virtual std::optional<RecordChunk> next() = 0;
  /// Called on any thread. Throws Error (bad_data), with the place, for input that cannot be read.
  [[nodiscard]] virtual ReadChunk parse(const RecordChunk& chunk) = 0;

  /// Called after the first complete pass. Corrects column types that the pass contradicted and
  /// returns messages about them; if there are any, another pass is needed.
  [[nodiscard]] virtual std::vector<std::string> correct_types() { return {}; }
  /// Sets other roles of the columns, from the next pass on.
  virtual void read_as(const RowRequest& request) = 0;
  virtual void rewind() = 0;
  /// Fraction read so far, if the size of the source is known.
  [[nodiscard]] std::optional<double> share_read() const { return cutter_.share_read(); }
  [[nodiscard]] bool is_pipe() const { return cutter_.is_pipe(); }
  /// After an error: threads stop waiting for input.
  void give_up() noexcept { cutter_.give_up(); }

 protected:
  explicit RowReader(const RowRequest& request)
      : cutter_(request.source, request.may_reread() ? Reread::possible : Reread::never,
                request.answers_rows() ? RecordCutter::Pause::answer : RecordCutter::Pause::wait) {}

  RecordCutter cutter_;
};

}  // namespace genera::data
