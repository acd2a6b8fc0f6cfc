#include "io/files/partial_files.hpp"

#include <genera/io.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <csignal>

#include <unistd.h>

namespace genera::io {
namespace {

enum class State { free, filling, armed };

struct Slot {
  std::atomic<State> state = State::free;
  std::array<char, PATH_MAX> path{};
};
static_assert(std::atomic<State>::is_always_lock_free);

// A handler may touch nothing but static storage: no allocation, no lock.
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

extern "C" void remove_and_end(int signal) {
  for (const Slot& slot : slots)
    if (slot.state == State::armed) ::unlink(slot.path.data());
  // SA_RESETHAND has put the default action back: it acts when this handler returns.
  ::raise(signal);
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

}  // namespace genera::io

namespace genera {

void remove_partial_files_on_signal() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGUSR1, SIGUSR2, SIGALRM,
                           SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    struct sigaction before = {};
    if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL)
      continue;  // nohup, a job in the background, or somebody's own handler
    struct sigaction action = {};
    action.sa_handler = io::remove_and_end;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigemptyset(&action.sa_mask);
    ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace genera
