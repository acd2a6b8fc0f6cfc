#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <genera/error.hpp>

namespace genera::data {

/// A sequence of bytes that is read from front to back.
class Bytes {
 public:
  virtual ~Bytes() = default;
  Bytes() = default;
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  /// Writes up to `size` bytes to `to`, at least one unless the end is reached. Throws Error
  /// (bad_data) if they cannot be read.
  [[nodiscard]] virtual std::size_t read(char* to, std::size_t size) = 0;
  /// Fraction of the bytes read so far, in [0, 1]; empty if their number is unknown.
  [[nodiscard]] virtual std::optional<double> share_read() const { return std::nullopt; }
  /// Number of compressed bytes read so far to unpack these; empty if they are not compressed.
  [[nodiscard]] virtual std::optional<std::uint64_t> packed() const { return std::nullopt; }
  /// True if another process writes them, so that they can be read only once.
  [[nodiscard]] virtual bool is_pipe() const { return false; }
  /// Line number of the first byte: 0 if the first line is not in the source.
  [[nodiscard]] virtual std::int64_t first_line() const { return 1; }
  /// False if `read` would have to wait for the writer.
  [[nodiscard]] virtual bool ready() const { return true; }
  /// Makes a `read` of a pipe by another thread return soon, as at the end, until `resume`.
  virtual void give_up() noexcept {}
  virtual void resume() noexcept {}
  /// Returns to the first byte. Throws Error (bad_data) if that is not possible.
  virtual void rewind() = 0;
};

enum class Reread {
  possible,  ///< input that cannot be rewound is copied while it is read
  never,     ///< nothing is copied: rows are scored as they arrive
};

/// A copy of the bytes read so far.
class Spool {
 public:
  virtual ~Spool() = default;
  Spool() = default;
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  virtual void append(const char* from, std::size_t size) = 0;
  /// Writes up to `size` bytes from position `offset` to `to`, at least one of the available ones.
  [[nodiscard]] virtual std::size_t read(char* to, std::size_t size, std::uint64_t offset) = 0;
};

/// Makes `once`, which cannot be rewound, rewindable by copying what is read.
[[nodiscard]] std::unique_ptr<Bytes> with_copy(std::unique_ptr<Bytes> once,
                                               std::unique_ptr<Spool> spool);

/// The error for a second pass over `what` ("a pipe").
[[nodiscard]] inline Error read_once(const std::string& name, const std::string& what) {
  return {Errc::bad_data, name + ": " + what + " can be read only once here",
          "put the data into a file"};
}

}  // namespace genera::data
