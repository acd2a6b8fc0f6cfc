#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <genera/error.hpp>
#include <genera/stream.hpp>
#include "data/files/files.hpp"
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
  return {
      Errc::bad_data, name + ": cannot be read: " + std::strerror(reason),
      reason == EBADF ? "redirect it from a file or a pipe" : "check the permissions and the disk"};
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
  if (path.empty())
    throw Error(Errc::bad_data, "the name of a file is empty",
                "give the path of a file, - for standard input, or a built-in data set such as "
                "@iris");
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (number < 0) throw errno == ENOENT ? no_such_file(path) : unreadable(path, errno);
  return Descriptor(number);
}

Descriptor open_spool(const std::string& name) {
  std::error_code no_folder;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(no_folder);
#ifdef O_TMPFILE
  const int unnamed =
      ::open(no_folder ? "/tmp" : folder.c_str(), O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (unnamed >= 0) return Descriptor(unnamed);
#endif
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

class SeekableFile : public Bytes {
 public:
  SeekableFile(Descriptor file, std::string name)
      : file_(std::move(file)),
        name_(std::move(name)),
        start_(::lseek(file_.number(), 0, SEEK_CUR)) {
    struct stat status = {};
    if (::fstat(file_.number(), &status) == 0 && status.st_size > start_)
      size_ = static_cast<double>(status.st_size - start_);
  }
  std::size_t read(char* to, std::size_t size) override {
    const std::size_t got = read_some(file_, to, size, name_);
    done_ += static_cast<double>(got);
    return got;
  }
  [[nodiscard]] std::optional<double> share_read() const override {
    if (!(size_ > 0)) return std::nullopt;
    return std::min(done_ / size_, 1.0);
  }
  void rewind() override {
    if (::lseek(file_.number(), start_, SEEK_SET) < 0) throw unreadable(name_, errno);
    done_ = 0;
  }

 private:
  Descriptor file_;
  std::string name_;
  off_t start_;  // standard input may have been partly read before
  double size_ = 0, done_ = 0;
};

class Pipe : public Bytes {
 public:
  Pipe(Descriptor pipe, std::string name) : pipe_(std::move(pipe)), name_(std::move(name)) {}

  std::size_t read(char* to, std::size_t size) override {
    constexpr int milliseconds = 50;
    while (!given_up_ && !has_bytes(milliseconds)) {
    }
    return given_up_ ? 0 : read_some(pipe_, to, size, name_);
  }

  [[nodiscard]] bool is_pipe() const override { return true; }
  [[nodiscard]] bool ready() const override { return has_bytes(0); }
  void give_up() noexcept override { given_up_ = true; }
  void resume() noexcept override { given_up_ = false; }
  void rewind() override { throw read_once(name_, "a pipe"); }

 private:
  /// Also true at the end of the pipe.
  [[nodiscard]] bool has_bytes(int milliseconds) const {
    pollfd waiting{pipe_.number(), POLLIN, 0};
    return ::poll(&waiting, 1, milliseconds) != 0;
  }

  Descriptor pipe_;
  std::string name_;
  std::atomic<bool> given_up_ = false;
};

class TemporaryFile : public Spool {
 public:
  explicit TemporaryFile(const std::string& name) : file_(open_spool(name)), name_(name) {}

  void append(const char* from, std::size_t size) override {
    for (std::size_t done = 0; done < size;) {
      const ssize_t put = ::pwrite(file_.number(), from + done, size - done, size_);
      if (put < 0 && errno == EINTR) continue;
      if (put < 0)
        throw Error(Errc::bad_data,
                    name_ + ": cannot be copied to a temporary file: " + std::strerror(errno),
                    "set TMPDIR to a larger disk, or put the data into a file");
      done += static_cast<std::size_t>(put);
      size_ += put;
    }
  }

  std::size_t read(char* to, std::size_t size, std::uint64_t offset) override {
    const ssize_t got = ::pread(file_.number(), to, size, static_cast<off_t>(offset));
    if (got <= 0) throw unreadable(name_, errno);
    return static_cast<std::size_t>(got);
  }

 private:
  Descriptor file_;
  std::string name_;
  off_t size_ = 0;
};

}  // namespace

std::unique_ptr<Bytes> open_file_or_pipe(const std::string& path, Reread reread) {
  const std::string name = path == "-" ? "standard input" : path;
  Descriptor file = path == "-" ? Descriptor(::dup(STDIN_FILENO)) : open_file(path);
  struct stat about {};
  if (::fstat(file.number(), &about) != 0) throw unreadable(name, errno);
  if (S_ISDIR(about.st_mode))
    throw Error(Errc::bad_data, name + ": is a directory, not a table",
                "give the path of a file in it");
  if (S_ISREG(about.st_mode)) return std::make_unique<SeekableFile>(std::move(file), name);
  auto pipe = std::make_unique<Pipe>(std::move(file), name);
  if (reread == Reread::never) return pipe;
  return with_copy(std::move(pipe), make_temporary_file(name));
}

std::unique_ptr<Spool> make_temporary_file(const std::string& name) {
  return std::make_unique<TemporaryFile>(name);
}

}  // namespace genera::data
