#pragma once

#include <functional>
#include <memory>

namespace genera::kernel {

/// Serialises access to an object that several threads share.
class Exclusive {
 public:
  Exclusive();
  Exclusive(const Exclusive&) = delete;
  Exclusive& operator=(const Exclusive&) = delete;
  ~Exclusive();

  void run(const std::function<void()>& work) const;

 private:
  struct Lock;  // keeps <mutex> out of this header
  std::unique_ptr<Lock> lock_;
};

}  // namespace genera::kernel
