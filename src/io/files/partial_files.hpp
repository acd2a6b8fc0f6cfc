#pragma once

#include <string>

namespace genera::io {

/// While it lives, a signal that ends the program removes the file `path` (if the program asked for
/// that with remove_partial_files_on_signal).
class RemovedOnSignal {
 public:
  explicit RemovedOnSignal(const std::string& path) noexcept;
  RemovedOnSignal(const RemovedOnSignal&) = delete;
  RemovedOnSignal& operator=(const RemovedOnSignal&) = delete;
  ~RemovedOnSignal();

 private:
  int slot_;
};

}  // namespace genera::io
