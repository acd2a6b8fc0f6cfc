#include <algorithm>

#include <genera/stream.hpp>

namespace genera {

// A chunk is the unit of work of a thread, and sums are added in the order of chunks. It is large
// enough that merging its statistics (d^2 numbers per class) is cheap relative to its own work
// (rows * d^2), small enough that threads end at about the same time, and has at most 2^24 numbers
// (128 MiB).
Index rows_per_chunk(Index columns) {
  const Index d = std::max<Index>(1, columns);
  const Index rows = 4096 * std::clamp<Index>(d / 64, d < 32 ? 1 : 2, 4);
  return std::min(rows, std::max<Index>(64, (Index{1} << 24) / d));
}

}  // namespace genera
