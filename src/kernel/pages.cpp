#include <genera/types.hpp>

#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace genera::detail {
namespace {

constexpr std::size_t page = std::size_t{2} << 20;  // a large page
constexpr std::size_t many = 2 * page;

bool is_large(std::size_t count) { return count >= many / sizeof(double); }

/// A hint, which systems without large pages may ignore.
void ask_for_large_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
  (void)madvise(begin, bytes / page * page, MADV_HUGEPAGE);
#endif
}

}  // namespace

double* allocate_numbers(std::size_t count) {
  const std::size_t bytes = count * sizeof(double);
  if (!is_large(count)) return static_cast<double*>(::operator new(bytes));
  void* numbers = ::operator new (bytes, std::align_val_t{page});
  ask_for_large_pages(numbers, bytes);
  return static_cast<double*>(numbers);
}

void free_numbers(double* numbers, std::size_t count) noexcept {
  if (is_large(count))
    ::operator delete (numbers, std::align_val_t{page});
  else
    ::operator delete(numbers);
}

}  // namespace genera::detail
