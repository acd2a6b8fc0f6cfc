#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <genera/error.hpp>

namespace genera::data {

/// Bytes from front to back, wherever they come from.
class Bytes {
 public:
  virtual ~Bytes() = default;
  Bytes() = default;
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  /// Puts up to `size` bytes at `to`, at least one unless the end is reached.
  /// Throws Error (bad_data) if they cannot be read.
  [[nodiscard]] virtual std::size_t read(char* to, std::size_t size) = 0;
  /// How much of the bytes has been read, from 0 to 1; none if nobody knows their number.
  [[nodiscard]] virtual std::optional<double> share_read() const { return std::nullopt; }
  /// How many packed bytes have been read to unpack these; none if they are not packed.
  [[nodiscard]] virtual std::optional<std::uint64_t> packed() const { return std::nullopt; }
  /// Whether somebody writes them meanwhile, so that they can be read only once.
  [[nodiscard]] virtual bool is_pipe() const { return false; }
  /// False if `read` would have to wait for the writer.
  [[nodiscard]] virtual bool ready() const { return true; }
  /// Another thread's `read` of a pipe returns soon, as if the end were reached, until `resume`.
  virtual void give_up() noexcept {}
  virtual void resume() noexcept {}
  /// Back to the first byte. Throws Error (bad_data) if that is not possible.
  virtual void rewind() = 0;
};

enum class Reread {
  possible,  ///< what cannot be rewound is copied while it is read
  never,     ///< nothing is copied: the reader answers as it goes
};

/// The copy of what was read.
class Spool {
 public:
  virtual ~Spool() = default;
  Spool() = default;
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  virtual void append(const char* from, std::size_t size) = 0;
  /// Puts up to `size` bytes that begin at `offset` at `to`, at least one of those that are there.
  [[nodiscard]] virtual std::size_t read(char* to, std::size_t size, std::uint64_t offset) = 0;
};

/// `once`, which cannot be rewound, together with a copy of what was read of it.
[[nodiscard]] std::unique_ptr<Bytes> with_copy(std::unique_ptr<Bytes> once,
                                               std::unique_ptr<Spool> spool);

/// `what` ("a pipe") cannot be rewound.
[[nodiscard]] inline Error read_once(const std::string& name, const std::string& what) {
  return {Errc::bad_data, name + ": " + what + " can be read only once here",
          "put the data into a file"};
}

}  // namespace genera::data
