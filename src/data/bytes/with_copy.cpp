#include <algorithm>
#include <utility>

#include "data/bytes/bytes.hpp"

namespace genera::data {
namespace {

class WithCopy : public Bytes {
 public:
  WithCopy(std::unique_ptr<Bytes> once, std::unique_ptr<Spool> spool)
      : once_(std::move(once)), spool_(std::move(spool)) {}

  std::size_t read(char* to, std::size_t size) override {
    if (at_ < copied_) {
      const auto left = static_cast<std::size_t>(std::min<std::uint64_t>(size, copied_ - at_));
      const std::size_t got = spool_->read(to, left, at_);
      at_ += got;
      return got;
    }
    const std::size_t got = once_->read(to, size);
    spool_->append(to, got);
    at_ = copied_ += got;
    return got;
  }

  [[nodiscard]] bool is_pipe() const override { return once_->is_pipe(); }
  [[nodiscard]] bool ready() const override { return at_ < copied_ || once_->ready(); }
  void give_up() noexcept override { once_->give_up(); }
  void resume() noexcept override { once_->resume(); }
  void rewind() override {
    at_ = 0;
    resume();
  }

 private:
  std::unique_ptr<Bytes> once_;
  std::unique_ptr<Spool> spool_;
  std::uint64_t copied_ = 0;
  std::uint64_t at_ = 0;  // position of the reader; below copied_ it reads the copy
};

}  // namespace

std::unique_ptr<Bytes> with_copy(std::unique_ptr<Bytes> once, std::unique_ptr<Spool> spool) {
  return std::make_unique<WithCopy>(std::move(once), std::move(spool));
}

}  // namespace genera::data
