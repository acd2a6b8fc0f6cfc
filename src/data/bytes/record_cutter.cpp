#include "data/bytes/record_cutter.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include <genera/error.hpp>

#include "kernel/bytes.hpp"
#include "kernel/exclusive.hpp"

namespace genera::data {
namespace {

bool is_blank(char c, char delimiter) { return (c == ' ' || c == '\t') && c != delimiter; }

const char* find(const char* at, const char* end, char c) {
  return static_cast<const char*>(std::memchr(at, c, static_cast<std::size_t>(end - at)));
}

// The closing quote of the field that begins at `at`; null if it is not in the text.
const char* find_closing_quote(const char* at, const char* end) {
  for (const char* quote = find(at + 1, end, '"'); quote; quote = find(quote + 2, end, '"')) {
    if (quote + 1 == end) return nullptr;
    if (quote[1] != '"') return quote;
    if (quote + 2 == end) return nullptr;
  }
  return nullptr;
}

}  // namespace

bool begins_with_comment_line(std::string_view text, char comment) {
  if (comment == '\0') return false;
  const std::size_t first = text.find_first_not_of(" \t");
  return first != std::string_view::npos && text[first] == comment &&
         text.find('\n', first) != std::string_view::npos;
}

bool begins_with_blank_line(std::string_view text, char delimiter) {
  for (const char c : text) {
    if (c == '\n') return true;
    if (!is_blank(c, delimiter) && c != '\r') return false;
  }
  return false;
}

RecordEnd find_record_end(std::string_view text, char delimiter) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    while (at < end && is_blank(*at, delimiter)) ++at;
    if (at < end && *at == '"') {
      const char* const close = find_closing_quote(at, end);
      if (!close) return {.open_quote = at};
      at = close + 1;
    }
    while (at < end && *at != delimiter && *at != '\n') ++at;
    if (at == end) return {};
    if (*at++ == '\n') return {.end = at};
  }
}

/// Storage that threads return when they are done with their chunks.
struct RecordCutter::Storages {
  kernel::Exclusive exclusive;
  std::vector<std::unique_ptr<char[]>> unused;  // buffers of the usual size
  std::size_t count = 0;
};

RecordCutter::RecordCutter(const Source& source, Reread reread, Pause pause, Buffers buffers)
    : name_(source.name()),
      bytes_(open_bytes(source, reread)),
      pause_(pause),
      buffers_(buffers),
      storages_(std::make_shared<Storages>()),
      line_(bytes_->first_line()) {}

std::shared_ptr<char[]> RecordCutter::unused_storage() {
  std::unique_ptr<char[]> found;
  storages_->exclusive.run([&] {
    std::vector<std::unique_ptr<char[]>>& unused = storages_->unused;
    if (unused.empty()) {
      unused.reserve(++storages_->count);
      return;
    }
    found = std::move(unused.back());
    unused.pop_back();
  });
  if (!found) found.reset(new char[buffers_.storage]);
  return {found.release(), [all = storages_](char* done) {
            all->exclusive.run([&] { all->unused.emplace_back(done); });
          }};
}

void RecordCutter::make_room(std::size_t size) {
  if (end_ + size <= capacity_) return;
  // Chunks handed out still refer to the old storage, so it is replaced, not moved.
  const std::size_t left = end_ - begin_;
  capacity_ = std::max(buffers_.storage, 2 * left + size);
  std::shared_ptr<char[]> next = capacity_ == buffers_.storage
                                     ? unused_storage()
                                     : std::shared_ptr<char[]>(new char[capacity_]);
  if (left > 0) std::memcpy(next.get(), storage_.get() + begin_, left);
  storage_ = std::move(next);
  at_ -= begin_;
  end_ = left;
  quotes_until_ = quotes_until_ > begin_ ? quotes_until_ - begin_ : 0;
  begin_ = 0;
}

bool RecordCutter::read_more() {
  if (ended_) return false;
  // Doubles the space for the unfinished record, so that repeated scans stay linear in its length.
  const std::size_t size = std::max(buffers_.at_once, end_ - at_);
  make_room(size + 1);
  char* const to = storage_.get() + end_;
  std::size_t got = bytes_->read(to, size);
  if (got == 0) {
    ended_ = true;
    if (begin_ == end_ || to[-1] == '\n') return false;
    to[0] = '\n';
    got = 1;
    newline_added_ = true;
  }
  const void* const quote = ::memrchr(to, '"', got);
  if (quote)
    quotes_until_ = end_ + static_cast<std::size_t>(static_cast<const char*>(quote) - to) + 1;
  end_ += got;
  return true;
}

bool RecordCutter::has_lines(int lines) const {
  const char* at = storage_.get() + begin_;
  const char* const end = storage_.get() + end_;
  for (; lines > 0; --lines) {
    while (at < end && (*at == '\n' || *at == '\r')) ++at;
    at = at < end ? find(at, end, '\n') : nullptr;
    if (!at) return false;
  }
  return true;
}

std::string_view RecordCutter::look_ahead(std::size_t size, int enough_lines) {
  const auto enough = [&] {
    return end_ - begin_ >= size ||
           (pause_ == Pause::answer && has_lines(enough_lines) && !bytes_->ready());
  };
  while (!enough() && read_more()) {
  }
  return {storage_.get() + begin_, std::min(size, end_ - begin_)};
}

void RecordCutter::skip(std::size_t bytes) {
  const char* const from = storage_.get() + begin_;
  line_ += kernel::count_byte(from, from + bytes, '\n');
  at_ = begin_ += bytes;
}

RecordEnd RecordCutter::scan_record(RecordForm form) const {
  const std::string_view text = unscanned();
  const char* const newline = find(text.data(), text.data() + text.size(), '\n');
  if (form.plain || at_ >= quotes_until_) return {.end = newline ? newline + 1 : nullptr};
  if (newline && !find(text.data(), newline, '"')) return {.end = newline + 1};
  return find_record_end(text, form.delimiter);
}

bool RecordCutter::skip_line_without_record(RecordForm form) {
  const bool comment = begins_with_comment_line(unscanned(), form.comment);
  if (form.blank_records && !comment) return false;
  const std::string_view text = unscanned();
  if (text.starts_with('\n')) {  // includes all blank lines that follow
    const std::size_t empty = std::min(text.find_first_not_of('\n'), text.size());
    at_ += empty;
    line_ += static_cast<std::int64_t>(empty);
    return true;
  }
  if (!comment && !begins_with_blank_line(text, form.delimiter)) return false;
  const char* const newline = find(unscanned().data(), storage_.get() + end_, '\n');
  at_ = static_cast<std::size_t>(newline + 1 - storage_.get());
  ++line_;
  return true;
}

void RecordCutter::skip_lines_without_record(RecordForm form) {
  at_ = begin_;
  do {
    while (skip_line_without_record(form)) begin_ = at_;
  } while (begin_ == end_ && read_more());
}

std::optional<RecordChunk> RecordCutter::next(Index records, RecordForm form) {
  at_ = begin_;
  RecordChunk chunk{.storage = nullptr, .text = {}, .records = 0, .first_line = 0};
  // Trailing blank lines count, too.
  const auto full = [&] {
    return chunk.records == records || (chunk.records > 0 && at_ - begin_ >= longest_chunk);
  };
  while (!full()) {
    const std::int64_t line = line_;
    if (skip_line_without_record(form)) {
      if (chunk.records > 0) continue;
      if (!form.blanks_before)
        begin_ = at_;
      else if (chunk.first_line == 0)
        chunk.first_line = line;
      if (at_ - begin_ > longest_record) refuse_blank_lines();
      continue;
    }
    if (chunk.records == 0 && (chunk.first_line == 0 || !form.blanks_before))
      chunk.first_line = line_;
    const RecordEnd record = at_ < end_ ? scan_record(form) : RecordEnd{};
    check_unfinished(record, form);
    if (record.end) {
      const bool quotes = !form.plain && at_ < quotes_until_;
      line_ += quotes ? kernel::count_byte(unscanned().data(), record.end, '\n') : 1;
      at_ = static_cast<std::size_t>(record.end - storage_.get());
      ++chunk.records;
      continue;
    }
    if (chunk.records > 0 && pause_ == Pause::answer && !bytes_->ready()) break;
    if (!read_more()) {
      // The storage may have been replaced, so `record` may point to the old one.
      check_unfinished(at_ < end_ ? scan_record(form) : RecordEnd{}, form);
      break;
    }
  }
  if (chunk.records == 0 && !(form.blanks_behind && at_ > begin_)) return std::nullopt;
  if (form.blanks_behind) take_blank_lines(form);
  chunk.newline_added = newline_added_ && ended_ && at_ == end_;
  chunk.quotes = begin_ < quotes_until_;
  chunk.storage = storage_;
  chunk.text = {storage_.get() + begin_, at_ - begin_};
  begin_ = at_;
  return chunk;
}

/// Takes the blank lines after the last record that are already in the buffer.
void RecordCutter::take_blank_lines(RecordForm form) {
  while (at_ - begin_ < longest_chunk) {
    if (skip_line_without_record(form)) continue;
    const bool open = std::all_of(unscanned().begin(), unscanned().end(),
                                  [&](char c) { return is_blank(c, form.delimiter) || c == '\r'; });
    if (!open || (pause_ == Pause::answer && !bytes_->ready()) || !read_more()) return;
  }
}

void RecordCutter::refuse_blank_lines() const {
  throw Error(Errc::bad_data, name_ + ": holds more than 64 MiB of blank lines in a row",
              "take them out");
}

void RecordCutter::check_unfinished(const RecordEnd& record, RecordForm form) const {
  const char* const begin = unscanned().data();
  const std::size_t length = record.end ? static_cast<std::size_t>(record.end - begin) : end_ - at_;
  if (length > longest_record)
    throw Error(Errc::bad_data,
                name_ + ":" + std::to_string(line_) + ": a record longer than 64 MiB begins here",
                form.plain ? "look for line ends other than LF or CRLF"
                           : "look for a quote that is never closed, or for line ends other than "
                             "LF or CRLF");
  if (!record.open_quote || !ended_) return;
  const std::int64_t line = line_ + std::count(begin, record.open_quote, '\n');
  throw Error(Errc::bad_data,
              name_ + ":" + std::to_string(line) + ": a quote is opened here and never closed",
              "close it, or double it (\"\") if it belongs to the text");
}

void RecordCutter::rewind() {
  bytes_->rewind();
  begin_ = at_ = end_ = quotes_until_ = 0;
  // Chunks of an interrupted pass may still refer to the storage.
  storage_.reset();
  capacity_ = 0;
  line_ = bytes_->first_line();
  ended_ = newline_added_ = false;
}

}  // namespace genera::data
