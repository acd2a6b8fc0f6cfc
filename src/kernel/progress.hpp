#pragma once

#include <genera/control.hpp>
#include <genera/error.hpp>

namespace genera::kernel {

/// Tells the caller how far a call is. Used where results are combined, by one thread at a time.
class ProgressMeter {
 public:
  /// `control` must outlive it.
  ProgressMeter(const Control& control, Progress::Task task, std::optional<Index> total = {})
      : control_(control), progress_{task, 0, total, {}, {}} {}

  /// Throws Error (stopped) if the caller wants no more.
  void advance(Index more) {
    progress_.done += more;
    pause();
  }
  /// After rows of a source, so much of which has been read.
  void advance(Index more, std::optional<double> share) {
    progress_.share = share;
    advance(more);
  }
  void advance(const EmStep& step) {
    progress_.step = step;
    advance(1);
  }
  /// The same without having come further: a chance to stop.
  void pause() const {
    if (!control_.progress || control_.progress(progress_)) return;
    throw Error(Errc::stopped, "the call was stopped, as its caller asked for",
                "nothing was changed: call again to start over");
  }

 private:
  const Control& control_;
  Progress progress_;
};

/// For a part of a call that has its own way of telling how far it is.
[[nodiscard]] inline Control silent(const Control& control) { return {control.threads, {}}; }

}  // namespace genera::kernel
