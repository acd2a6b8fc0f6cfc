#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "kernel/exclusive.hpp"

namespace genera::kernel {

/// Objects that are currently not in use.
template <class Thing>
class FreeList {
 public:
  /// Empty if there is none.
  [[nodiscard]] std::optional<Thing> take() {
    std::optional<Thing> own;
    one_at_a_time_.run([&] {
      if (things_.empty()) return;
      own = std::move(things_.back());
      things_.pop_back();
    });
    return own;
  }
  void give(Thing thing) {
    one_at_a_time_.run([&] { things_.push_back(std::move(thing)); });
  }

 private:
  std::vector<Thing> things_;
  Exclusive one_at_a_time_;
};

/// Lends objects that are expensive to make. Their number equals the largest number in use at the
/// same time.
template <class Thing>
class ObjectPool {
 public:
  explicit ObjectPool(std::function<Thing()> make) : make_(std::move(make)) {}

  template <class Work>
  void use(Work work) {
    std::optional<Thing> own = free_.take();
    if (!own) own = make_();
    work(*own);
    free_.give(*std::move(own));
  }

 private:
  std::function<Thing()> make_;
  FreeList<Thing> free_;
};

}  // namespace genera::kernel
