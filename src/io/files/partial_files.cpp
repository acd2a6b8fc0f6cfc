#include <genera/io.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstring>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace genera {
namespace {

enum class State { free, filling, armed };

struct Slot {
  std::atomic<State> state = State::free;
  std::array<char, PATH_MAX> path{};
};
static_assert(std::atomic<State>::is_always_lock_free);

// Signal handlers may use only static storage: no allocation, no lock.
std::array<Slot, 8> slots;

constexpr int no_slot = -1;

int take_slot() noexcept {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    State expected = State::free;
    if (slots[i].state.compare_exchange_strong(expected, State::filling))
      return static_cast<int>(i);
  }
  return no_slot;
}

/// Directory functions of the standard library allocate, so handlers cannot use them.
void remove_files_in([[maybe_unused]] int folder) noexcept {
#ifdef SYS_getdents64
  /// offsets in a directory entry as the kernel writes it
  constexpr std::size_t to_length = 16, to_name = 19;
  alignas(8) std::array<char, 4096> entries;
  while (true) {
    const long size = ::syscall(SYS_getdents64, folder, entries.data(), entries.size());
    if (size <= 0) return;
    for (long at = 0; at < size;) {
      const char* const entry = entries.data() + at;
      std::uint16_t length = 0;
      std::memcpy(&length, entry + to_length, sizeof length);
      ::unlinkat(folder, entry + to_name, 0);
      at += length;
    }
  }
#endif
}

void remove_folder(const char* path) noexcept {
  constexpr int max = 10;  // other threads may still write
  for (int i = 0; i < max && ::rmdir(path) != 0; ++i) {
    const int folder = ::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return;
    remove_files_in(folder);
    ::close(folder);
  }
}

extern "C" void remove_and_end(int signal) {
  const int error = errno;  // errno of the interrupted code
  remove_partial_files();
  // SA_RESETHAND has restored the default action, which happens when this handler returns.
  ::raise(signal);
  errno = error;
}

}  // namespace

RemovedOnSignal::RemovedOnSignal(const std::string& path) noexcept
    : slot_(path.size() < PATH_MAX ? take_slot() : no_slot) {
  if (slot_ == no_slot) return;
  Slot& slot = slots[static_cast<std::size_t>(slot_)];
  std::copy_n(path.c_str(), path.size() + 1, slot.path.data());
  slot.state = State::armed;
}

RemovedOnSignal::~RemovedOnSignal() {
  if (slot_ != no_slot) slots[static_cast<std::size_t>(slot_)].state = State::free;
}

void remove_partial_files() noexcept {
  for (const Slot& slot : slots)
    if (slot.state == State::armed && ::unlink(slot.path.data()) != 0)
      remove_folder(slot.path.data());
}

void remove_partial_files_on_signal() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGUSR1, SIGUSR2, SIGALRM,
                           SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    struct sigaction before = {};
    if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL)
      continue;  // nohup, a background job, or a handler of the program
    struct sigaction action = {};
    action.sa_handler = remove_and_end;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigemptyset(&action.sa_mask);
    ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace genera
