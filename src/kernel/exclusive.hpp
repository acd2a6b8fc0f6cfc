#pragma once

#include <functional>
#include <memory>

namespace genera::kernel {

/// Lets one thread at a time work on something that several share.
class Exclusive {
 public:
  Exclusive();
  Exclusive(const Exclusive&) = delete;
  Exclusive& operator=(const Exclusive&) = delete;
  ~Exclusive();

  void run(const std::function<void()>& work) const;

 private:
  struct Lock;  // hides the threads of the standard library
  std::unique_ptr<Lock> lock_;
};

}  // namespace genera::kernel
