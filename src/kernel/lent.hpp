#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "kernel/exclusive.hpp"

namespace genera::kernel {

/// Things that take long to make, lent to whoever needs one: there are as many as are in use at the
/// same time.
template <class Thing>
class Lent {
 public:
  explicit Lent(std::function<Thing()> make) : make_(std::move(make)) {}

  template <class Work>
  void use(Work work) {
    std::optional<Thing> own;
    one_at_a_time_.run([&] {
      if (free_.empty()) return;
      own = std::move(free_.back());
      free_.pop_back();
    });
    if (!own) own = make_();
    work(*own);
    one_at_a_time_.run([&] { free_.push_back(*std::move(own)); });
  }

 private:
  std::function<Thing()> make_;
  std::vector<Thing> free_;
  kernel::Exclusive one_at_a_time_;
};

}  // namespace genera::kernel
