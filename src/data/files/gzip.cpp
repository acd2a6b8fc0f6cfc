#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include <zlib.h>

#include <genera/error.hpp>
#include "data/files/files.hpp"

namespace genera::data {
namespace {

class Gunzip : public Bytes {
 public:
  Gunzip(std::unique_ptr<Bytes> packed, std::string name)
      : packed_(std::move(packed)), name_(std::move(name)), buffer_(std::size_t{1} << 18) {
    if (::inflateInit2(&inflater_, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  ~Gunzip() override { ::inflateEnd(&inflater_); }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  std::size_t read(char* to, std::size_t size) override {
    const auto room = static_cast<uInt>(std::min<std::size_t>(size, 1U << 30));
    inflater_.next_out = reinterpret_cast<Bytef*>(to);
    inflater_.avail_out = room;
    while (inflater_.avail_out == room) {
      if (between_members_ && !next_member()) return 0;
      if (!refill())
        throw Error(Errc::bad_data, name_ + ": the gzip data end too early: the file is truncated",
                    "fetch or make the file again; gzip -t tests it");
      const int status = ::inflate(&inflater_, Z_NO_FLUSH);
      if (status == Z_STREAM_END) between_members_ = true;
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
        throw Error(Errc::bad_data,
                    name_ + ": the gzip data are damaged" +
                        (inflater_.msg ? std::string(" (") + inflater_.msg + ")" : ""),
                    "fetch or make the file again; gzip -t tests it");
    }
    return room - inflater_.avail_out;
  }

  [[nodiscard]] std::optional<double> share_read() const override { return packed_->share_read(); }
  [[nodiscard]] std::optional<std::uint64_t> packed() const override { return packed_read_; }
  [[nodiscard]] bool is_pipe() const override { return packed_->is_pipe(); }
  [[nodiscard]] bool ready() const override { return inflater_.avail_in > 0 || packed_->ready(); }
  void give_up() noexcept override { packed_->give_up(); }
  void resume() noexcept override { packed_->resume(); }
  void rewind() override {
    packed_->rewind();
    packed_read_ = 0;
    between_members_ = false;
    inflater_.avail_in = 0;
    ::inflateReset(&inflater_);
  }

 private:
  // Returns false at the end of the compressed bytes.
  bool refill() {
    if (inflater_.avail_in > 0) return true;
    inflater_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
    inflater_.avail_in = static_cast<uInt>(packed_->read(buffer_.data(), buffer_.size()));
    packed_read_ += inflater_.avail_in;
    return inflater_.avail_in > 0;
  }

  // A gzip file may consist of several members; zeros after the last are padding.
  bool next_member() {
    while (refill() && between_members_) {
      if (*inflater_.next_in == 0) {
        ++inflater_.next_in;
        --inflater_.avail_in;
      } else {
        ::inflateReset(&inflater_);
        between_members_ = false;
      }
    }
    return !between_members_;
  }

  std::unique_ptr<Bytes> packed_;
  std::string name_;
  std::vector<char> buffer_;  // compressed bytes
  z_stream inflater_{};
  std::uint64_t packed_read_ = 0;
  bool between_members_ = false;
};

}  // namespace

std::unique_ptr<Bytes> unpack_gzip(std::unique_ptr<Bytes> packed, const std::string& name) {
  return std::make_unique<Gunzip>(std::move(packed), name);
}

}  // namespace genera::data
