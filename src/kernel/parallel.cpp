#include "kernel/parallel.hpp"

#include "kernel/exclusive.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace genera::kernel {
namespace {

Finish rethrow_later(const std::exception_ptr& error) {
  return [error] { std::rethrow_exception(error); };
}

class OrderedRun {
 public:
  OrderedRun(int threads, const std::function<std::optional<Task>()>& produce)
      : limit_(2 * static_cast<std::size_t>(threads)), produce_(produce) {}

  void work() {
    while (auto part = take()) {
      Finish finish;
      try {
        finish = part->task();
      } catch (...) {
        finish = rethrow_later(std::current_exception());
      }
      hand_in(part->number, std::move(finish));
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  struct Part {
    std::size_t number;
    Task task;
  };

  // One thread produces at a time; the others wait for it or for room.
  std::optional<Part> take() {
    {
      std::unique_lock lock(mutex_);
      turn_.wait(lock, [&] { return exhausted_ || (!producing_ && next_ - finished_ < limit_); });
      if (exhausted_) return std::nullopt;
      producing_ = true;
    }
    std::optional<Task> task;
    bool failed = false;
    try {
      task = produce_();
    } catch (...) {
      failed = true;
      task = [error = std::current_exception()]() -> Finish { return rethrow_later(error); };
    }
    const std::lock_guard lock(mutex_);
    producing_ = false;
    turn_.notify_all();
    if (exhausted_) return std::nullopt;
    exhausted_ = !task || failed;
    if (!task) return std::nullopt;
    return Part{next_++, std::move(*task)};
  }

  void hand_in(std::size_t number, Finish finish) {
    std::unique_lock lock(mutex_);
    waiting_.emplace(number, std::move(finish));
    if (finishing_) return;
    finishing_ = true;
    for (auto first = waiting_.find(finished_); first != waiting_.end();
         first = waiting_.find(finished_)) {
      const Finish due = std::move(first->second);
      waiting_.erase(first);
      lock.unlock();
      finish_one(due);
      lock.lock();
      ++finished_;
      turn_.notify_all();
    }
    finishing_ = false;
  }

  void finish_one(const Finish& due) {
    if (error_) return;
    try {
      due();
    } catch (...) {
      error_ = std::current_exception();
      const std::lock_guard lock(mutex_);
      exhausted_ = true;
    }
  }

  const std::size_t limit_;
  const std::function<std::optional<Task>()>& produce_;
  std::mutex mutex_;
  std::condition_variable turn_;
  std::map<std::size_t, Finish> waiting_;
  std::size_t next_ = 0;
  std::size_t finished_ = 0;
  bool producing_ = false;
  bool finishing_ = false;
  bool exhausted_ = false;
  std::exception_ptr error_;  // touched only by the thread that finishes, and after the join
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
    } catch (const std::system_error&) {  // no more threads to be had: those there are will do
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
