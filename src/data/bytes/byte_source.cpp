#include "data/bytes/byte_source.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <genera/error.hpp>
#include <genera/stream.hpp>
#include "kernel/text.hpp"

namespace genera::data {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

Error unreadable(const std::string& name, int reason) {
  return {Errc::bad_data, name + ": cannot be read: " + std::strerror(reason),
          "check the permissions and the disk"};
}

Error no_such_file(const std::string& path) {
  std::vector<std::string> names;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::directory_iterator(folder.empty() ? "." : folder, ignored))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  if (folder.empty())
    for (const BuiltinDataset& builtin : builtin_datasets()) names.push_back("@" + builtin.name);
  return {Errc::bad_data, path + ": there is no such file",
          kernel::did_you_mean(std::filesystem::path(path).filename().string(), names,
                               "give the path of a file, - for standard input, or a built-in data "
                               "set such as @iris")};
}

Descriptor open_file(const std::string& path) {
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (number < 0) throw errno == ENOENT ? no_such_file(path) : unreadable(path, errno);
  return Descriptor(number);
}

Descriptor open_spool(const std::string& name) {
  std::error_code no_folder;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(no_folder);
  std::string path = (no_folder ? "/tmp" : folder) / "genera-XXXXXX";
  const int number = ::mkostemp(path.data(), O_CLOEXEC);
  if (number < 0)
    throw Error(Errc::bad_data,
                name + ": no temporary file for a second reading: " + std::strerror(errno),
                "set TMPDIR to a folder that can be written, or put the data into a file");
  ::unlink(path.c_str());
  return Descriptor(number);
}

std::size_t read_some(const Descriptor& from, char* to, std::size_t size, const std::string& name) {
  while (true) {
    const ssize_t got = ::read(from.number(), to, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) throw unreadable(name, errno);
  }
}

/// Bytes as they are stored, before any decompression.
class RawBytes {
 public:
  virtual ~RawBytes() = default;
  virtual std::size_t read(char* to, std::size_t size) = 0;
  [[nodiscard]] virtual bool ready() const { return true; }
  virtual void give_up() noexcept {}
  virtual void rewind() = 0;
};

class Memory : public RawBytes {
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

class SeekableFile : public RawBytes {
 public:
  SeekableFile(Descriptor file, std::string name)
      : file_(std::move(file)),
        name_(std::move(name)),
        start_(::lseek(file_.number(), 0, SEEK_CUR)) {}
  std::size_t read(char* to, std::size_t size) override {
    return read_some(file_, to, size, name_);
  }
  void rewind() override {
    if (::lseek(file_.number(), start_, SEEK_SET) < 0) throw unreadable(name_, errno);
  }

 private:
  Descriptor file_;
  std::string name_;
  off_t start_;  // standard input may have been read by somebody else before
};

class Pipe : public RawBytes {
 public:
  Pipe(Descriptor pipe, std::string name, Reread reread)
      : pipe_(std::move(pipe)), name_(std::move(name)) {
    if (reread == Reread::possible) spool_.emplace(open_spool(name_));
  }

  std::size_t read(char* to, std::size_t size) override {
    if (at_ < spooled_) return reread(to, size);
    constexpr int milliseconds = 50;
    while (!given_up_ && !has_bytes(milliseconds)) {
    }
    if (given_up_) return 0;
    const std::size_t got = read_some(pipe_, to, size, name_);
    if (spool_) spool(to, got);
    return got;
  }

  [[nodiscard]] bool ready() const override { return at_ < spooled_ || has_bytes(0); }

  void give_up() noexcept override { given_up_ = true; }

  void rewind() override {
    if (!spool_)
      throw Error(Errc::bad_data, name_ + ": a pipe can be read only once here",
                  "put the data into a file");
    at_ = 0;
    given_up_ = false;
  }

 private:
  /// Also true at the end of the pipe.
  [[nodiscard]] bool has_bytes(int milliseconds) const {
    pollfd waiting{pipe_.number(), POLLIN, 0};
    return ::poll(&waiting, 1, milliseconds) != 0;
  }

  std::size_t reread(char* to, std::size_t size) {
    const auto left = static_cast<std::size_t>(spooled_ - at_);
    const ssize_t got = ::pread(spool_->number(), to, std::min(size, left), at_);
    if (got <= 0) throw unreadable(name_, errno);
    at_ += got;
    return static_cast<std::size_t>(got);
  }

  void spool(const char* from, std::size_t size) {
    for (std::size_t done = 0; done < size;) {
      const ssize_t put = ::pwrite(spool_->number(), from + done, size - done, spooled_);
      if (put < 0 && errno == EINTR) continue;
      if (put < 0)
        throw Error(Errc::bad_data,
                    name_ + ": cannot be copied to a temporary file: " + std::strerror(errno),
                    "set TMPDIR to a larger disk, or put the data into a file");
      done += static_cast<std::size_t>(put);
      spooled_ += put;
    }
    at_ = spooled_;
  }

  Descriptor pipe_;
  std::string name_;
  std::optional<Descriptor> spool_;
  off_t spooled_ = 0;
  off_t at_ = 0;  // < spooled_: reading what was read before
  std::atomic<bool> given_up_ = false;
};

std::unique_ptr<RawBytes> open_raw(const std::string& source, Reread reread) {
  if (source.starts_with('@')) return std::make_unique<Memory>(builtin_dataset(source.substr(1)));
  const std::string name = shown_name(source);
  Descriptor file = source == "-" ? Descriptor(::dup(STDIN_FILENO)) : open_file(source);
  struct stat about {};
  if (::fstat(file.number(), &about) != 0) throw unreadable(name, errno);
  if (S_ISDIR(about.st_mode))
    throw Error(Errc::bad_data, name + ": is a directory, not a table",
                "give the path of a file in it");
  if (S_ISREG(about.st_mode)) return std::make_unique<SeekableFile>(std::move(file), name);
  return std::make_unique<Pipe>(std::move(file), name, reread);
}

}  // namespace

/// The raw bytes, through zlib if they begin like gzip.
struct ByteSource::Impl {
  Impl(const std::string& source, Reread reread)
      : name(shown_name(source)), raw(open_raw(source, reread)) {
    while (magic_size < magic.size()) {
      const std::size_t got = raw->read(magic.data() + magic_size, magic.size() - magic_size);
      if (got == 0) break;
      magic_size += got;
    }
    gzip = magic_size == 2 && magic[0] == '\x1f' && magic[1] == '\x8b';
    if (!gzip) return;
    packed.resize(std::size_t{1} << 18);
    if (::inflateInit2(&inflater, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    if (gzip) ::inflateEnd(&inflater);
  }

  std::size_t read_raw(char* to, std::size_t size) {
    if (magic_at == magic_size) return raw->read(to, size);
    const std::size_t got = std::min(size, magic_size - magic_at);
    std::copy_n(magic.data() + magic_at, got, to);
    magic_at += got;
    return got;
  }

  // False at the end of the raw bytes.
  bool refill() {
    if (inflater.avail_in > 0) return true;
    inflater.next_in = reinterpret_cast<Bytef*>(packed.data());
    inflater.avail_in = static_cast<uInt>(read_raw(packed.data(), packed.size()));
    return inflater.avail_in > 0;
  }

  // A gzip file may be several, one behind the other; zeros behind the last one are padding.
  bool next_member() {
    while (refill() && between_members) {
      if (*inflater.next_in == 0) {
        ++inflater.next_in;
        --inflater.avail_in;
      } else {
        ::inflateReset(&inflater);
        between_members = false;
      }
    }
    return !between_members;
  }

  std::size_t inflate_some(char* to, std::size_t size) {
    const auto room = static_cast<uInt>(std::min<std::size_t>(size, 1U << 30));
    inflater.next_out = reinterpret_cast<Bytef*>(to);
    inflater.avail_out = room;
    while (inflater.avail_out == room) {
      if (between_members && !next_member()) return 0;
      if (!refill())
        throw Error(Errc::bad_data, name + ": the gzip data end too early: the file is truncated",
                    "fetch or make the file again; gzip -t tests it");
      const int status = ::inflate(&inflater, Z_NO_FLUSH);
      if (status == Z_STREAM_END) between_members = true;
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
        throw Error(Errc::bad_data,
                    name + ": the gzip data are damaged" +
                        (inflater.msg ? std::string(" (") + inflater.msg + ")" : ""),
                    "fetch or make the file again; gzip -t tests it");
    }
    return room - inflater.avail_out;
  }

  std::string name;
  std::unique_ptr<RawBytes> raw;
  std::array<char, 2> magic{};  // looked at before anybody asked for them
  std::size_t magic_size = 0;
  std::size_t magic_at = 0;
  bool gzip = false;
  std::vector<char> packed;
  z_stream inflater{};
  bool between_members = false;
};

std::string shown_name(const std::string& source) {
  return source == "-" ? "standard input" : source;
}

ByteSource::ByteSource(const std::string& source, Reread reread)
    : impl_(std::make_unique<Impl>(source, reread)) {}
ByteSource::ByteSource(ByteSource&&) noexcept = default;
ByteSource& ByteSource::operator=(ByteSource&&) noexcept = default;
ByteSource::~ByteSource() = default;

std::size_t ByteSource::read(char* to, std::size_t size) {
  return impl_->gzip ? impl_->inflate_some(to, size) : impl_->read_raw(to, size);
}

bool ByteSource::ready() const {
  const bool bytes_at_hand = impl_->magic_at < impl_->magic_size || impl_->inflater.avail_in > 0;
  return bytes_at_hand || impl_->raw->ready();
}

void ByteSource::give_up() noexcept { impl_->raw->give_up(); }

void ByteSource::rewind() {
  impl_->raw->rewind();
  impl_->magic_at = impl_->magic_size = 0;
  impl_->between_members = false;
  impl_->inflater.avail_in = 0;
  if (impl_->gzip) ::inflateReset(&impl_->inflater);
}

}  // namespace genera::data
