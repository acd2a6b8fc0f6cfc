#include "data/bytes/open_bytes.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <genera/error.hpp>
#include <genera/stream.hpp>
#include "data/bytes/file_access.hpp"
#include "data/bytes/json_lines.hpp"

namespace genera::data {
namespace {

using namespace std::string_view_literals;

class Memory : public Bytes {
 public:
  explicit Memory(std::string_view text) : text_(text) {}
  std::size_t read(char* to, std::size_t size) override {
    const std::size_t got = text_.copy(to, size, at_);
    at_ += got;
    return got;
  }
  void rewind() override { at_ = 0; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

class Callback : public Bytes {
 public:
  Callback(Source::Read read, std::string name) : read_(std::move(read)), name_(std::move(name)) {}

  std::size_t read(char* to, std::size_t size) override {
    if (ended_) return 0;
    const std::size_t got = read_(to, size);
    if (got > size)
      throw Error(Errc::bad_argument,
                  name_ + ": the function says that it has read more bytes than fit",
                  "return how many bytes were put there, 0 at the end");
    ended_ = got == 0;
    return got;
  }
  void rewind() override { throw read_once(name_, "a callback"); }

 private:
  Source::Read read_;
  std::string name_;
  bool ended_ = false;  // do not ask the source for its end twice
};

class MemorySpool : public Spool {
 public:
  void append(const char* from, std::size_t size) override { bytes_.append(from, size); }
  std::size_t read(char* to, std::size_t size, std::uint64_t offset) override {
    return bytes_.copy(to, size, static_cast<std::size_t>(offset));
  }

 private:
  std::string bytes_;
};

/// Bytes whose beginning was read in advance.
class Peeked : public Bytes {
 public:
  explicit Peeked(std::unique_ptr<Bytes> bytes) : bytes_(std::move(bytes)) {
    while (size_ < first_.size()) {
      const std::size_t got = bytes_->read(first_.data() + size_, first_.size() - size_);
      if (got == 0) break;
      size_ += got;
    }
  }

  [[nodiscard]] std::string_view first() const { return {first_.data(), size_}; }

  std::size_t read(char* to, std::size_t size) override {
    if (at_ == size_) return bytes_->read(to, size);
    const std::size_t got = first().copy(to, size, at_);
    at_ += got;
    return got;
  }
  [[nodiscard]] std::optional<double> share_read() const override { return bytes_->share_read(); }
  [[nodiscard]] bool is_pipe() const override { return bytes_->is_pipe(); }
  [[nodiscard]] bool ready() const override { return at_ < size_ || bytes_->ready(); }
  void give_up() noexcept override { bytes_->give_up(); }
  void resume() noexcept override { bytes_->resume(); }
  void rewind() override {
    bytes_->rewind();
    at_ = size_ = 0;
  }

 private:
  std::unique_ptr<Bytes> bytes_;
  std::array<char, 2> first_{};
  std::size_t size_ = 0;
  std::size_t at_ = 0;
};

/// Opens each kind of source.
struct Opener {
  const std::string& name;
  const FileAccess* files;
  Reread reread;

  std::unique_ptr<Bytes> operator()(const Source::Path& source) const {
    if (source.path.starts_with('@'))
      return std::make_unique<Memory>(builtin_dataset(source.path.substr(1)));
    if (!files)
      throw Error(Errc::bad_data, name + ": this program has no access to files",
                  "link genera::genera, or give the text itself with Source::text");
    return files->open(source.path, reread);
  }

  std::unique_ptr<Bytes> operator()(std::string_view text) const {
    return std::make_unique<Memory>(text);
  }

  std::unique_ptr<Bytes> operator()(const Source::Read& read) const {
    auto once = std::make_unique<Callback>(read, name);
    if (reread == Reread::never) return once;
    return with_copy(std::move(once),
                     files ? files->make_spool(name) : std::make_unique<MemorySpool>());
  }
};

}  // namespace

namespace {

std::unique_ptr<Bytes> open_unpacked(const Source& source, Reread reread) {
  const FileAccess* const files = source.access();
  auto bytes =
      std::make_unique<Peeked>(std::visit(Opener{source.name(), files, reread}, source.bytes()));
  if (bytes->first() != "\x1f\x8b"sv) return bytes;
  if (files) return files->unpack_gzip(std::move(bytes), source.name());
  throw Error(Errc::bad_data, source.name() + ": is gzip data, which this program cannot unpack",
              "link genera::genera, or unpack it first");
}

}  // namespace

std::unique_ptr<Bytes> open_bytes(const Source& source, Reread reread) {
  std::unique_ptr<Bytes> bytes = open_unpacked(source, reread);
  if (source.format() != Source::Format::json_lines) return bytes;
  return json_lines(std::move(bytes), source.name());
}

}  // namespace genera::data
