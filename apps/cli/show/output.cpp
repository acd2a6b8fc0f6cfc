#include "show/output.hpp"

#include "show/terminal.hpp"

#include <genera/error.hpp>
#include <genera/io.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <ostream>
#include <streambuf>

namespace genera::cli {
namespace {

/// Standard output that reports why writing failed, unlike std::cout.
class StandardOutput : public std::streambuf {
 public:
  StandardOutput() { setp(buffer_.data(), buffer_.data() + buffer_.size()); }

  [[nodiscard]] bool failed() const { return failed_; }

 protected:
  int_type overflow(int_type c) override {
    sync();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }

  std::streamsize xsputn(const char* text, std::streamsize size) override {
    if (size > epptr() - pptr()) sync();
    if (size > epptr() - pptr()) {
      write_all(text, static_cast<std::size_t>(size));
    } else {
      std::memcpy(pptr(), text, static_cast<std::size_t>(size));
      pbump(static_cast<int>(size));
    }
    return size;
  }

  int sync() override {
    const char* begin = pbase();
    const std::size_t size = static_cast<std::size_t>(pptr() - begin);
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    write_all(begin, size);
    return 0;
  }

 private:
  void write_all(const char* text, std::size_t size) {
    while (size > 0) {
      const ssize_t written = ::write(STDOUT_FILENO, text, size);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) refuse(errno);
      text += written;
      size -= static_cast<std::size_t>(written);
    }
  }

  [[noreturn]] void refuse(int reason) {
    failed_ = true;
    if (reason == EPIPE) throw ClosedPipe{};
    const bool full = reason == ENOSPC || reason == EDQUOT || reason == EFBIG;
    throw Error(Errc::bad_data,
                std::string("standard output cannot be written: ") + std::strerror(reason),
                full ? "make room, or write to another place"
                     : "redirect it to a file or a pipe that can be written");
  }

  bool failed_ = false;

  std::array<char, 1 << 16> buffer_{};
};

bool is_regular(const struct stat& status) { return S_ISREG(status.st_mode); }

}  // namespace

void write_output(const Common& common, const std::function<void(std::ostream&)>& write) {
  if (common.output) {
    write_file(*common.output, write);
    return;
  }
  StandardOutput buffer;
  std::ostream out(&buffer);
  out.exceptions(std::ios::badbit);  // rethrows the error of write_all
  try {
    write(out);
  } catch (...) {
    if (!buffer.failed()) out.flush();  // the answers before the error are valid
    throw;
  }
  out.flush();
}

void write_output(const Common& common, const std::string& text) {
  const bool coloured_text = !common.output && !common.json && shows_colours(STDOUT_FILENO);
  write_output(common, [&](std::ostream& out) { out << (coloured_text ? coloured(text) : text); });
}

bool answers_are_awaited(const Common& common) {
  struct stat status {};
  const int known =
      common.output ? ::stat(common.output->c_str(), &status) : ::fstat(STDOUT_FILENO, &status);
  if (known != 0) return false;  // a new file
  return !is_regular(status);
}

bool goes_to_terminal(const Common& common) {
  return !common.output && ::isatty(STDOUT_FILENO) == 1;
}

void refuse_output_onto(const Common& common, const std::vector<std::string>& inputs) {
  if (!common.output || *common.output == "-") return;
  for (const std::string& input : inputs) {
    std::error_code none;
    if (!std::filesystem::equivalent(*common.output, input, none)) continue;
    if (!std::filesystem::is_regular_file(input, none)) continue;
    throw Error(Errc::bad_argument, "-o names '" + *common.output + "', which is also read",
                "write to another file");
  }
}

}  // namespace genera::cli
