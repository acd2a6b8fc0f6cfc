#pragma once

#include <functional>
#include <optional>

#include <genera/types.hpp>

/// The only place that knows threads. Work is cut into parts that do not depend on the number of
/// threads, and results are combined in the order of the parts: the same bits for 1 or 64 threads.
namespace genera::kernel {

/// Work for any thread; what it returns is called in order, one at a time.
using Finish = std::function<void()>;
using Task = std::function<Finish()>;

/// Takes tasks from `produce` (called by one thread at a time) until it returns nothing. At most
/// two per thread are alive. The exception of the earliest part comes out, after all before it
/// finished.
void run_in_order(int threads, const std::function<std::optional<Task>()>& produce);

/// Calls f(0), ..., f(count - 1), each once, in any order; `f` must not depend on the order.
void parallel_for(Index count, int threads, const std::function<void(Index)>& f);
/// The same, and `after` of each in order, one at a time; an exception there ends it.
void parallel_for(Index count, int threads, const std::function<void(Index)>& f,
                  const std::function<void(Index)>& after);

}  // namespace genera::kernel
