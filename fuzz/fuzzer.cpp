// libFuzzer's entry to one target: GENERA_FUZZ_TARGET is its name.
#include "targets.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace {

struct Bytes {  // libFuzzer counts executions, but not what they read
  std::size_t count = 0;
  ~Bytes() { std::fprintf(stderr, "stat::executed_bytes: %zu\n", count); }
} bytes;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bytes.count += size;
  genera::fuzz::GENERA_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
