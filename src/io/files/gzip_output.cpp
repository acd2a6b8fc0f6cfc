#include "io/files/gzip_output.hpp"

#include <new>
#include <ostream>
#include <streambuf>
#include <vector>

#include <zlib.h>

namespace genera::io {
namespace {

class GzipBuffer : public std::streambuf {
 public:
  explicit GzipBuffer(std::ostream& out)
      : out_(out), plain_(std::size_t{1} << 18U), packed_(std::size_t{1} << 18U) {
    constexpr int gzip_window = 15 + 16, memory = 8;
    if (::deflateInit2(&deflater_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, memory,
                       Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
    setp(plain_.data(), plain_.data() + plain_.size());
  }
  GzipBuffer(const GzipBuffer&) = delete;
  GzipBuffer& operator=(const GzipBuffer&) = delete;
  ~GzipBuffer() override { ::deflateEnd(&deflater_); }

  /// Writes the end of the compressed data.
  void finish() { pack(Z_FINISH); }

 protected:
  int_type overflow(int_type c) override {
    pack(Z_NO_FLUSH);
    return traits_type::eq_int_type(c, traits_type::eof()) ? traits_type::not_eof(c)
                                                           : sputc(traits_type::to_char_type(c));
  }

  int sync() override {
    pack(Z_NO_FLUSH);
    return 0;
  }

 private:
  void pack(int how) {
    deflater_.next_in = reinterpret_cast<Bytef*>(pbase());
    deflater_.avail_in = static_cast<uInt>(pptr() - pbase());
    do {
      deflater_.next_out = reinterpret_cast<Bytef*>(packed_.data());
      deflater_.avail_out = static_cast<uInt>(packed_.size());
      ::deflate(&deflater_, how);
      out_.write(packed_.data(),
                 static_cast<std::streamsize>(packed_.size() - deflater_.avail_out));
    } while (deflater_.avail_out == 0);
    setp(plain_.data(), plain_.data() + plain_.size());
  }

  std::ostream& out_;
  std::vector<char> plain_, packed_;
  z_stream deflater_{};
};

}  // namespace

void write_packed(std::ostream& out, const std::function<void(std::ostream&)>& write) {
  GzipBuffer buffer(out);
  std::ostream packed(&buffer);
  packed.exceptions(std::ios::badbit);
  write(packed);
  buffer.finish();
}

}  // namespace genera::io
