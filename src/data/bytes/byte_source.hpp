#pragma once

#include <cstddef>
#include <memory>
#include <string>

/// Bytes from front to back, wherever they come from.
namespace genera::data {

/// How a source is called in messages.
[[nodiscard]] std::string shown_name(const std::string& source);

enum class Reread {
  possible,  ///< what cannot seek is copied to an unlinked temporary file while it is read
  never,     ///< nothing is copied: the reader answers as it goes
};

/// A file, standard input ("-") or a built-in data set ("@iris"); gzip is recognised by its first
/// bytes and undone.
class ByteSource {
 public:
  /// Throws Error (bad_data) if the source cannot be opened or read.
  ByteSource(const std::string& source, Reread reread);
  ByteSource(ByteSource&&) noexcept;
  ByteSource& operator=(ByteSource&&) noexcept;
  ~ByteSource();

  /// Puts up to `size` bytes at `to`, at least one unless the end is reached.
  [[nodiscard]] std::size_t read(char* to, std::size_t size);
  /// False if `read` would have to wait for whoever writes.
  [[nodiscard]] bool ready() const;
  /// Another thread's `read` of a pipe returns soon, as if the end were reached.
  void give_up() noexcept;
  /// Back to the first byte. Throws Error (bad_data) if that was given up (Reread::never).
  void rewind();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace genera::data
