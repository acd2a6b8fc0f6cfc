#pragma once

#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <optional>
#include <utility>

#include <nanobind/nanobind.h>

#include <genera/control.hpp>

/// Long work without the GIL, which Ctrl-C ends.
namespace genera::python {

namespace nb = nanobind;

/// How much work a call may be: short calls are not worth a thread that listens.
enum class Work { brief, lasting };
[[nodiscard]] inline Work work_of(Index cells) {
  constexpr Index brief_cells = 20000;
  return cells <= brief_cells ? Work::brief : Work::lasting;
}

/// All that may be used, unless it is told.
[[nodiscard]] int threads_of(nb::handle threads);

/// Tells a function of Python how far a call is, and listens to signals meanwhile.
class Listener {
 public:
  explicit Listener(nb::object tell) : tell_(std::move(tell)) {}

  /// With the GIL, on the thread that was called. False: the work should end.
  bool listen();
  /// From any thread, without the GIL.
  bool report(const Progress& progress);
  /// Throws what listening met, with the GIL.
  void rethrow();

 private:
  nb::object tell_;
  std::mutex mutex_;
  std::optional<Progress> latest_;
  std::atomic<bool> stop_ = false;
  std::optional<nb::python_error> error_;
};

/// What `work(control)` returns. A lasting one runs on another thread, while this one listens to
/// signals and calls `tell(task, done, total)` now and then, if it is not None.
template <class F>
auto run(Work size, int threads, nb::object tell, F&& work) {
  if (size == Work::brief && tell.is_none()) {
    const nb::gil_scoped_release release;
    return work(Control{});  // other threads would take longer to start
  }
  Listener listener(std::move(tell));
  auto job = [&] {
    const nb::gil_scoped_release release;
    auto started = std::async(std::launch::async, [&] {
      return work(Control{.threads = threads, .progress = [&](const Progress& progress) {
                            return listener.report(progress);
                          }});
    });
    while (started.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
      const nb::gil_scoped_acquire acquire;
      listener.listen();
    }
    return started;
  }();
  listener.rethrow();
  return job.get();
}

}  // namespace genera::python
