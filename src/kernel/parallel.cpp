#include "kernel/parallel.hpp"

#include "kernel/exclusive.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace genera::kernel {
namespace {

/// Allocates only on construction, so that running out of memory later cannot end the program.
class OrderedRun {
 public:
  OrderedRun(int threads, const std::function<std::optional<Task>()>& produce)
      : produce_(produce), waiting_(2 * static_cast<std::size_t>(threads)) {}

  void work() {
    while (auto part = take()) {
      Result result;
      try {
        if (part->error) std::rethrow_exception(part->error);
        result.finish = part->task();
      } catch (...) {
        result.error = std::current_exception();
      }
      hand_in(part->number, std::move(result));
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  struct Part {
    std::size_t number;
    Task task;
    std::exception_ptr error;  // instead of a task
  };
  struct Result {
    Finish finish;
    std::exception_ptr error;  // instead of a result
  };

  // One thread produces at a time; the others wait for it or for room.
  std::optional<Part> take() {
    {
      std::unique_lock lock(mutex_);
      turn_.wait(
          lock, [&] { return exhausted_ || (!producing_ && next_ - finished_ < waiting_.size()); });
      if (exhausted_) return std::nullopt;
      producing_ = true;
    }
    std::optional<Task> task;
    std::exception_ptr error;
    try {
      task = produce_();
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    producing_ = false;
    turn_.notify_all();
    if (exhausted_) return std::nullopt;
    exhausted_ = !task;
    if (!task && !error) return std::nullopt;
    return Part{next_++, task ? std::move(*task) : Task(), std::move(error)};
  }

  std::optional<Result>& place_of(std::size_t number) { return waiting_[number % waiting_.size()]; }

  void hand_in(std::size_t number, Result result) {
    std::unique_lock lock(mutex_);
    place_of(number) = std::move(result);
    if (finishing_) return;
    finishing_ = true;
    while (place_of(finished_)) {
      Result due = *std::exchange(place_of(finished_), std::nullopt);
      lock.unlock();
      finish_one(std::move(due));
      lock.lock();
      ++finished_;
      turn_.notify_all();
    }
    finishing_ = false;
  }

  /// Destroys the result without holding the lock.
  void finish_one(Result due) {
    if (error_) return;
    try {
      if (due.error) std::rethrow_exception(due.error);
      due.finish();
    } catch (...) {
      error_ = std::current_exception();
      const std::lock_guard lock(mutex_);
      exhausted_ = true;
    }
  }

  const std::function<std::optional<Task>()>& produce_;
  std::mutex mutex_;
  std::condition_variable turn_;
  /// results with consecutive numbers, each at the remainder of its number
  std::vector<std::optional<Result>> waiting_;
  std::size_t next_ = 0;
  std::size_t finished_ = 0;
  bool producing_ = false;
  bool finishing_ = false;
  bool exhausted_ = false;
  std::exception_ptr error_;  // used only by the thread that finishes, and after the join
};

}  // namespace

void run_in_order(int threads, const std::function<std::optional<Task>()>& produce) {
  if (threads <= 1) {
    while (const auto task = produce()) (*task)()();
    return;
  }
  OrderedRun run(threads, produce);
  {
    std::vector<std::jthread> others;
    try {
      for (int i = 1; i < threads; ++i) others.emplace_back([&run] { run.work(); });
      /// thread limit reached: continue with the threads started so far
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {  // likewise without memory for another thread
    }
    run.work();
  }
  run.rethrow();
}

void parallel_for(Index count, int threads, const std::function<void(Index)>& f) {
  parallel_for(count, threads, f, [](Index) {});
}

void parallel_for(Index count, int threads, const std::function<void(Index)>& f,
                  const std::function<void(Index)>& after) {
  Index next = 0;
  const int useful = static_cast<int>(std::min<Index>(threads, count));
  run_in_order(useful, [&]() -> std::optional<Task> {
    if (next == count) return std::nullopt;
    return [&f, &after, i = next++]() -> Finish {
      f(i);
      return [&after, i] { after(i); };
    };
  });
}

struct Exclusive::Lock {
  std::mutex mutex;
};

Exclusive::Exclusive() : lock_(std::make_unique<Lock>()) {}
Exclusive::~Exclusive() = default;

void Exclusive::run(const std::function<void()>& work) const {
  const std::lock_guard lock(lock_->mutex);
  work();
}

}  // namespace genera::kernel
