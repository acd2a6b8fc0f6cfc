#pragma once

#include <genera/control.hpp>
#include <genera/error.hpp>

namespace genera::kernel {

/// Reports progress to the caller. Used where results are combined, by one thread at a time.
class ProgressMeter {
 public:
  /// `control` must outlive it.
  ProgressMeter(const Control& control, Progress::Task task, std::optional<Index> total = {})
      : control_(control), progress_{task, 0, total, {}, {}} {}

  /// Throws Error (stopped) if the caller stops the call.
  void advance(Index more) {
    progress_.done += more;
    pause();
  }
  /// The same for a source, of which the fraction `share` has been read.
  void advance(Index more, std::optional<double> share) {
    progress_.share = share;
    advance(more);
  }
  void advance(const EmStep& step) {
    progress_.step = step;
    advance(1);
  }
  /// Lets the caller stop the call without progress.
  void pause() const {
    if (!control_.progress || control_.progress(progress_)) return;
    throw Error(Errc::stopped, "the call was stopped, as its caller asked for",
                "nothing was changed: call again to start over");
  }

 private:
  const Control& control_;
  Progress progress_;
};

/// Settings without progress, for a part of a call that reports it differently.
[[nodiscard]] inline Control silent(const Control& control) { return {control.threads, {}}; }

}  // namespace genera::kernel
