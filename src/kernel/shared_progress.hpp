#pragma once

#include <algorithm>
#include <exception>
#include <functional>

#include "kernel/exclusive.hpp"
#include "kernel/progress.hpp"

/// Progress of calls with parts of different sizes on several threads.
namespace genera::kernel {

/// Reports `more` finished parts and `cost` of the expected total. May be called by any thread;
/// exceptions end the call.
using Tell = std::function<void(Index more, double cost)>;

/// Reports the fraction of the expected cost, in any unit, and the number of finished parts.
class SharedMeter {
 public:
  struct Whole {
    Index parts = 0;
    double cost = 0;
  };
  /// `control` must outlive it.
  SharedMeter(const Control& control, Progress::Task task, const Whole& whole)
      : tells_(control.progress != nullptr),
        cost_(whole.cost),
        meter_(control, task, whole.parts) {}

  /// Throws Error (stopped) on every thread once the caller has stopped the call; the caller is not
  /// asked again.
  void advance(Index more, double cost) {
    if (!tells_) return;
    one_at_a_time_.run([&] {
      if (stopped_) std::rethrow_exception(stopped_);
      spent_ += cost;
      try {
        meter_.advance(more,
                       cost_ > 0 ? std::optional(std::min(1.0, spent_ / cost_)) : std::nullopt);
      } catch (...) {
        stopped_ = std::current_exception();
        throw;
      }
    });
  }
  /// Lets the caller stop the call without progress.
  void pause() { advance(0, 0); }

  /// Settings for a fit within a part, on its thread, so that it can be stopped.
  [[nodiscard]] Control within() {
    if (!tells_) return {};
    return {.threads = 1, .progress = [this](const Progress&) {
              pause();
              return true;
            }};
  }

 private:
  bool tells_;
  double cost_, spent_ = 0;
  ProgressMeter meter_;
  Exclusive one_at_a_time_;
  std::exception_ptr stopped_;
};

/// Expected cost of a part, reported as it is spent, by one thread at a time. If the part costs
/// less, the rest is reported at its end; if it costs more, the excess is not reported.
class Budget {
 public:
  /// `tell` must outlive it.
  Budget(const Tell& tell, double cost) : tell_(&tell), left_(cost) {}

  void spend(double cost) {
    const double some = std::min(cost, left_);
    left_ -= some;
    (*tell_)(0, some);
  }
  /// Ends the part and reports `parts` as finished.
  void close(Index parts) {
    (*tell_)(parts, left_);
    left_ = 0;
  }
  [[nodiscard]] double left() const { return left_; }

 private:
  const Tell* tell_;
  double left_;
};

}  // namespace genera::kernel
