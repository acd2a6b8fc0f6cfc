#pragma once

#include <algorithm>
#include <exception>
#include <functional>

#include "kernel/exclusive.hpp"
#include "kernel/progress.hpp"

/// How far a call is whose parts are of different size and are done by several threads.
namespace genera::kernel {

/// So many more parts are done, and so much of the expected cost is behind us. Callable by any
/// thread; what it throws ends the call.
using Tell = std::function<void(Index more, double cost)>;

/// Tells the caller the share of the expected cost, in any unit, besides the number of parts.
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

  /// Throws Error (stopped) if the caller wants no more, on every thread that tells from then on;
  /// the caller is not asked again.
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
  /// The same without having come further: a chance to stop.
  void pause() { advance(0, 0); }

  /// For a fit within a part, on its thread: it can be stopped.
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

/// What a part is expected to cost; told while it is spent, by one thread at a time. If it costs
/// less the rest is told at its end, if it costs more nothing is told any more.
class Budget {
 public:
  /// `tell` must outlive it.
  Budget(const Tell& tell, double cost) : tell_(&tell), left_(cost) {}

  void spend(double cost) {
    const double some = std::min(cost, left_);
    left_ -= some;
    (*tell_)(0, some);
  }
  /// The part is done, and with it so many of those that are counted.
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
