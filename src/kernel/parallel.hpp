#pragma once

#include <functional>
#include <optional>

#include <genera/types.hpp>

/// The only code that starts threads. Work is divided into parts that do not depend on the number
/// of threads, and results are combined in the order of the parts: the same bits for 1 or 64
/// threads.
namespace genera::kernel {

/// The part of a task that runs in order, one at a time.
using Finish = std::function<void()>;
using Task = std::function<Finish()>;

/// Takes tasks from `produce` (called by one thread at a time) until it returns nothing. At most
/// two per thread exist at a time. Rethrows the exception of the earliest failed part after all
/// earlier parts have finished.
void run_in_order(int threads, const std::function<std::optional<Task>()>& produce);

/// Calls f(0), ..., f(count - 1), each once, in any order; the result of `f` must not depend on the
/// order.
void parallel_for(Index count, int threads, const std::function<void(Index)>& f);
/// Also calls `after` for each index in order, one at a time; an exception in it ends the loop.
void parallel_for(Index count, int threads, const std::function<void(Index)>& f,
                  const std::function<void(Index)>& after);

}  // namespace genera::kernel
