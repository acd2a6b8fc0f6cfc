#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <genera/types.hpp>
#include "data/bytes/open_bytes.hpp"

namespace genera::data {

/// Complete records, each ended by a newline. Blank and comment lines may lie between them, and
/// before the first if they are kept.
struct RecordChunk {
  std::shared_ptr<const char[]> storage;  ///< shared with adjacent chunks
  std::string_view text;
  Index records = 0;
  std::int64_t first_line = 1;  ///< line number of the text
  bool newline_added = false;   ///< the last newline is not in the source
  bool quotes = true;           ///< the text may contain quotes
};

/// End of a record, if the text contains it.
struct RecordEnd {
  const char* end = nullptr;         ///< after its newline; null: not in the text
  const char* open_quote = nullptr;  ///< set if the text ends inside quotes
};

/// How records are separated.
struct RecordForm {
  char delimiter = ',';
  bool plain = false;          ///< a record is a line, and quotes have no meaning
  char comment = '\0';         ///< lines that begin with it are not records; '\0': there are none
  bool blank_records = false;  ///< a blank line is a record, as in a file of one column
  /// Blank lines before the first record, and after the last, are included in their chunks. Those
  /// at the end that arrive too late for that (after a pause) form a chunk without records.
  bool blanks_before = false, blanks_behind = false;
};
inline constexpr RecordForm plain_lines{.delimiter = '\0', .plain = true, .comment = '#'};

/// A quote opens a quoted field only at the start of a field, after optional blanks; newlines
/// inside belong to the field.
[[nodiscard]] RecordEnd find_record_end(std::string_view text, char delimiter);

/// True if only blanks precede the first newline of `text`.
[[nodiscard]] bool begins_with_blank_line(std::string_view text, char delimiter);
/// True if `text` begins with optional blanks and `comment`, and has a newline; false if `comment`
/// is '\0'.
[[nodiscard]] bool begins_with_comment_line(std::string_view text, char comment);
/// Either of the two.
[[nodiscard]] inline bool begins_without_record(std::string_view text, char delimiter,
                                                char comment) {
  return begins_with_blank_line(text, delimiter) || begins_with_comment_line(text, comment);
}

/// Cuts a byte stream into chunks of a given number of records.
class RecordCutter {
 public:
  static constexpr std::size_t longest_record = std::size_t{64} << 20;
  /// Wide or long records give chunks with fewer records, to bound memory. The chunks depend only
  /// on the bytes.
  static constexpr std::size_t longest_chunk = std::size_t{32} << 20;

  /// Sizes of buffers, which do not change the records.
  struct Buffers {
    std::size_t storage = std::size_t{4} << 20;  ///< smallest allocation
    std::size_t at_once = std::size_t{1} << 18;  ///< smallest read request
  };

  enum class Pause {
    wait,    ///< chunks are complete, however slowly the bytes arrive
    answer,  ///< if the source pauses, the available complete records form a short chunk
  };
  RecordCutter(const Source& source, Reread reread, Pause pause)
      : RecordCutter(source, reread, pause, Buffers{}) {}
  RecordCutter(const Source& source, Reread reread, Pause pause, Buffers buffers);

  /// The next `size` bytes, fewer at the end of the source. In mode `answer`, `enough_lines`
  /// non-empty lines are sufficient if the source pauses. Adds a missing last newline.
  [[nodiscard]] std::string_view look_ahead(std::size_t size, int enough_lines);
  [[nodiscard]] bool saw_end() const { return ended_; }
  /// Skips bytes that look_ahead returned.
  void skip(std::size_t bytes);

  /// Skips blank and comment lines before the next record.
  void skip_lines_without_record(RecordForm form);
  [[nodiscard]] std::int64_t line() const { return line_; }  ///< line of the next record

  /// Up to `records` records, fewer only at the end (or in a pause); empty at the end. Throws Error
  /// (bad_data) for an unclosed quote or a record longer than `longest_record`.
  [[nodiscard]] std::optional<RecordChunk> next(Index records, RecordForm form);

  /// Fraction of the source read so far, if its size is known.
  [[nodiscard]] std::optional<double> share_read() const { return bytes_->share_read(); }

  [[nodiscard]] bool is_pipe() const { return bytes_->is_pipe(); }

  void give_up() noexcept { bytes_->give_up(); }
  void rewind();

 private:
  [[nodiscard]] std::string_view unscanned() const { return {storage_.get() + at_, end_ - at_}; }
  bool read_more();
  void make_room(std::size_t size);
  struct Storages;
  /// A buffer of the usual size: one that no chunk refers to any more, or a new one.
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
  std::size_t begin_ = 0;         // of the data not handed out yet
  std::size_t at_ = 0;            // of the data not scanned yet
  std::size_t end_ = 0;           // end of the data read
  std::size_t quotes_until_ = 0;  // there is no quote at or after this offset
  std::int64_t line_;             // at at_
  bool ended_ = false;
  bool newline_added_ = false;
};

}  // namespace genera::data
