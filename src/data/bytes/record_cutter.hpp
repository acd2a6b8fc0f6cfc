#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <genera/types.hpp>
#include "data/bytes/open_bytes.hpp"

namespace genera::data {

/// Whole records, each ended by a newline (blank and comment lines may stand between them; before
/// the first only if they are kept).
struct RecordChunk {
  std::shared_ptr<const char[]> storage;  ///< shared by neighbours
  std::string_view text;
  Index records = 0;
  std::int64_t first_line = 1;  ///< of the text
  bool newline_added = false;   ///< the last newline is not in the source
  bool quotes = true;           ///< there may be some
};

/// Where a record ends, if its end is in the text.
struct RecordEnd {
  const char* end = nullptr;         ///< behind its newline; null: not in the text
  const char* open_quote = nullptr;  ///< if the text ends inside quotes
};

/// How records are told apart.
struct RecordForm {
  char delimiter = ',';
  bool plain = false;  ///< a record is a line, quotes mean nothing, and '#' begins a comment
  bool blank_records = false;  ///< a blank line is a record: in a file of one column
  /// Blank lines before the first record, and behind the last, are handed out with them; those at
  /// the end that come too late for that (after a pause) are a chunk without records.
  bool blanks_before = false, blanks_behind = false;
};
inline constexpr RecordForm plain_lines{.delimiter = '\0', .plain = true};

/// A quote opens a quoted field only at the start of a field, after optional blanks; newlines in
/// it belong to it.
[[nodiscard]] RecordEnd find_record_end(std::string_view text, char delimiter);

/// Whether nothing but blanks stands before the first newline of `text`.
[[nodiscard]] bool begins_with_blank_line(std::string_view text, char delimiter);

/// Cuts a byte stream into chunks of a given number of records.
class RecordCutter {
 public:
  static constexpr std::size_t longest_record = std::size_t{64} << 20;
  /// Wide or long records make shorter chunks, so that memory is bounded; the cut depends on the
  /// bytes alone.
  static constexpr std::size_t longest_chunk = std::size_t{32} << 20;

  /// How bytes are stored meanwhile, which changes nothing of the records.
  struct Buffers {
    std::size_t storage = std::size_t{4} << 20;  ///< at least so much is allocated
    std::size_t at_once = std::size_t{1} << 18;  ///< at least so much is asked for
  };

  enum class Pause {
    wait,    ///< chunks are full, however slowly the bytes come
    answer,  ///< when the source pauses, the whole records that are there make a short chunk
  };
  RecordCutter(const Source& source, Reread reread, Pause pause)
      : RecordCutter(source, reread, pause, Buffers{}) {}
  RecordCutter(const Source& source, Reread reread, Pause pause, Buffers buffers);

  /// The next `size` bytes, less at the end of the source; in the mode `answer` `enough_lines`
  /// that are not empty are enough when the source pauses. A missing last newline is added.
  [[nodiscard]] std::string_view look_ahead(std::size_t size, int enough_lines);
  [[nodiscard]] bool saw_end() const { return ended_; }
  /// Bytes that were looked at.
  void skip(std::size_t bytes);

  /// Blank and comment lines before the next record.
  void skip_lines_without_record(RecordForm form);
  [[nodiscard]] std::int64_t line() const { return line_; }  ///< of what was not handed out

  /// Up to `records` records, fewer only at the end (or in a pause); empty at the end.
  /// Throws Error (bad_data) on an unclosed quote or a record longer than `longest_record`.
  [[nodiscard]] std::optional<RecordChunk> next(Index records, RecordForm form);

  /// How much of the source has been read, if its size is known.
  [[nodiscard]] std::optional<double> share_read() const { return bytes_->share_read(); }

  [[nodiscard]] bool is_pipe() const { return bytes_->is_pipe(); }

  void give_up() noexcept { bytes_->give_up(); }
  void rewind();

 private:
  [[nodiscard]] std::string_view unscanned() const { return {storage_.get() + at_, end_ - at_}; }
  bool read_more();
  void make_room(std::size_t size);
  struct Storages;
  /// Of the usual size: one that no chunk looks at any more, or a new one.
  [[nodiscard]] std::shared_ptr<char[]> unused_storage();
  [[nodiscard]] RecordEnd scan_record(RecordForm form) const;
  void check_unfinished(const RecordEnd& record, RecordForm form) const;
  [[nodiscard]] bool has_lines(int lines) const;
  bool skip_line_without_record(RecordForm form);
  void take_blank_lines(RecordForm form);
  [[noreturn]] void refuse_blank_lines() const;

  std::string name_;
  std::unique_ptr<Bytes> bytes_;
  Pause pause_;
  Buffers buffers_;
  std::shared_ptr<Storages> storages_;  // of the usual size
  std::shared_ptr<char[]> storage_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;         // of what was not handed out
  std::size_t at_ = 0;            // of what was not scanned
  std::size_t end_ = 0;           // of what was read
  std::size_t quotes_until_ = 0;  // there is no quote at or behind this offset
  std::int64_t line_ = 1;         // at at_
  bool ended_ = false;
  bool newline_added_ = false;
};

}  // namespace genera::data
