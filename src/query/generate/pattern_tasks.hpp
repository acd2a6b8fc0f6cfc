#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "kernel/patterns.hpp"

namespace genera::query {

/// Rows that miss the same columns.
struct PatternRun {
  std::span<const Index> observed;  ///< places among the columns looked at
  std::span<const Index> rows;
};

/// Cuts patterns into pieces of work of at most a thousand rows, which follow each other: what was
/// factorised for a pattern serves all rows of its run. The patterns must outlive the tasks.
[[nodiscard]] inline std::vector<std::vector<PatternRun>> tasks_of(
    const std::vector<kernel::Pattern>& patterns) {
  constexpr std::size_t most = 1024;
  std::vector<std::vector<PatternRun>> tasks;
  std::size_t room = 0;
  for (const kernel::Pattern& pattern : patterns) {
    for (std::size_t begin = 0; begin < pattern.rows.size();) {
      if (room == 0) {
        tasks.emplace_back();
        room = most;
      }
      const std::size_t count = std::min(room, pattern.rows.size() - begin);
      tasks.back().push_back({pattern.observed, std::span(pattern.rows).subspan(begin, count)});
      begin += count;
      room -= count;
    }
  }
  return tasks;
}

}  // namespace genera::query
