#include <genera/io.hpp>

#include "io/files/gzip_output.hpp"
#include "kernel/text.hpp"

#include <genera/error.hpp>

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <ostream>
#include <streambuf>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace genera {
namespace {

[[noreturn]] void refuse(const std::string& path, int error) {
  const char* hint = error == ENOENT                      ? "make the folder first"
                     : error == ENOSPC || error == EDQUOT ? "free some space, or write elsewhere"
                     : error == EFBIG ? "raise the limit of file sizes, which ulimit -f shows"
                                      : "write to another place";
  throw Error(Errc::bad_data,
              path + ": cannot be written: " + std::generic_category().message(error), hint);
}

/// An open file descriptor, closed by the destructor.
class Descriptor {
 public:
  Descriptor(int number, const std::string& path) : number_(number), path_(path) {
    if (number_ < 0) refuse(path_, errno);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] const std::string& path() const { return path_; }

  void write(const char* data, std::size_t size) const {
    while (size > 0) {
      const ssize_t written = ::write(number_, data, size);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) refuse(path_, errno);
      data += written;
      size -= static_cast<std::size_t>(written);
    }
  }

  /// Flushes to disk: after a power cut the name must not exist without its bytes.
  void sync() const {
    while (::fsync(number_) != 0) {
      if (errno == EINVAL || errno == EROFS) return;  // devices and pipes cannot be flushed
      if (errno != EINTR) refuse(path_, errno);
    }
  }

  /// Some file systems report a full disk only on close.
  void close() {
    if (::close(std::exchange(number_, -1)) != 0 && errno != EINTR) refuse(path_, errno);
  }

 private:
  int number_;
  std::string path_;
};

/// Throws from the stream at the first failed write, so that a long job ends there.
class DescriptorBuffer : public std::streambuf {
 public:
  explicit DescriptorBuffer(const Descriptor& file) : file_(file), buffer_(std::size_t{1} << 18U) {
    setp(buffer_.data(), buffer_.data() + buffer_.size());
  }

 protected:
  int_type overflow(int_type c) override {
    sync();
    return traits_type::eq_int_type(c, traits_type::eof()) ? traits_type::not_eof(c)
                                                           : sputc(traits_type::to_char_type(c));
  }

  int sync() override {
    const auto size = static_cast<std::size_t>(pptr() - pbase());
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    file_.write(buffer_.data(), size);
    return 0;
  }

 private:
  const Descriptor& file_;
  std::vector<char> buffer_;
};

using Write = std::function<void(std::ostream&)>;

/// Compresses if the name of the file asks for it.
void pour(Descriptor& file, const Write& write) {
  DescriptorBuffer buffer(file);
  std::ostream out(&buffer);
  out.exceptions(std::ios::badbit);  // rethrows exceptions of the buffer
  if (file.path().ends_with(".gz"))
    io::write_packed(out, write);
  else
    write(out);
  out.flush();
}

/// File descriptor named by a path such as /dev/stdout or /dev/fd/3. Opening it by name would write
/// from the beginning or replace it.
std::optional<int> open_file_named(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string folder : {"/dev/fd/", "/proc/self/fd/"}) {
    double number = 0;
    if (path.starts_with(folder) && kernel::parse_whole(path.substr(folder.size()), number) &&
        number >= 0 && number < 1e6)
      return static_cast<int>(number);
  }
  return std::nullopt;
}

/// Target of a symbolic link, which need not exist.
std::string follow_links(const std::string& path) {
  constexpr int max = 40;  // as the kernel does
  std::filesystem::path file = path;
  std::error_code error;
  for (int i = 0; std::filesystem::is_symlink(file, error); ++i) {
    if (i == max) refuse(path, ELOOP);
    file = file.parent_path() / std::filesystem::read_symlink(file, error);
    if (error) refuse(path, error.value());
  }
  return file.string();
}

/// An unused name in the directory of `target`; short, because a long one may not be allowed.
std::string partial_name(const std::string& target) {
  static std::atomic<unsigned> counter = 0;
  const std::filesystem::path folder = std::filesystem::path(target).parent_path();
  while (true) {
    const std::string name = fmt::format(".genera-{}-{}.partial", ::getpid(), counter++);
    std::error_code error;  // opening then fails, too, and reports it
    const auto status = std::filesystem::symlink_status(folder / name, error);
    if (error || !std::filesystem::exists(status)) return (folder / name).string();
  }
}

/// Path by which an open unnamed file is linked to a name.
std::string link_of(int number) { return fmt::format("/proc/self/fd/{}", number); }

/// Opens an unnamed file in `folder`, which disappears however the program ends; negative if the
/// file system does not support it, or it could not be linked.
int open_unnamed(const std::filesystem::path& folder) {
#ifdef O_TMPFILE
  const int number =
      ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (number < 0) return number;
  struct stat status = {};
  if (::stat(link_of(number).c_str(), &status) == 0) return number;
  ::close(number);
#endif
  return -1;
}

/// An unnamed or temporarily named file that replaces `target` at the end, or disappears.
class PartialFile {
 public:
  PartialFile(const std::string& path, std::string target)
      : target_(std::move(target)),
        name_(partial_name(target_)),
        removed_on_signal_(name_),
        file_(open(), path) {}
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;
  ~PartialFile() {
    if (named_) ::unlink(name_.c_str());
  }

  /// Takes owner and permissions from the file to be replaced.
  void inherit(const struct stat& old) const {
    [[maybe_unused]] const int may_fail = ::fchown(file_.number(), old.st_uid, old.st_gid);
    if (::fchmod(file_.number(), old.st_mode & 07777U) != 0) refuse(file_.path(), errno);
  }

  void write(const Write& write) {
    pour(file_, write);
    file_.sync();
    const bool in_place = !named_ && link_to(target_);
    if (!named_ && !in_place) name_it();
    file_.close();
    if (in_place) return;
    if (::rename(name_.c_str(), target_.c_str()) != 0) refuse(file_.path(), errno);
    named_ = false;
  }

 private:
  int open() {
    const int unnamed = open_unnamed(std::filesystem::path(target_).parent_path());
    named_ = unnamed < 0;
    return named_ ? ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : unnamed;
  }

  /// False if the name exists.
  [[nodiscard]] bool link_to(const std::string& name) const {
    const std::string from = link_of(file_.number());
    if (::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0)
      return true;
    if (errno != EEXIST) refuse(file_.path(), errno);
    return false;
  }

  /// Only a named file can replace another.
  void name_it() {
    if (!link_to(name_)) refuse(file_.path(), EEXIST);
    named_ = true;
  }

  std::string target_;
  std::string name_;
  RemovedOnSignal removed_on_signal_;
  bool named_ = false;  ///< declared before file_, whose opening sets it
  Descriptor file_;
};

void write_directly(const std::string& path, int descriptor, const Write& write) {
  Descriptor file(descriptor, path);
  pour(file, write);
  file.close();
}

}  // namespace

void write_file(const std::string& path, const Write& write) {
  if (const auto number = open_file_named(path))
    return write_directly(path, ::fcntl(*number, F_DUPFD_CLOEXEC, 0), write);
  struct stat old = {};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) refuse(path, EISDIR);
  if (exists && !S_ISREG(old.st_mode))
    return write_directly(path, ::open(path.c_str(), O_WRONLY | O_CLOEXEC), write);
  if (exists && ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) refuse(path, errno);
  PartialFile file(path, follow_links(path));
  if (exists) file.inherit(old);
  file.write(write);
}

}  // namespace genera
