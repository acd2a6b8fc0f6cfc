#pragma once

#include <cstddef>
#include <string_view>

namespace genera::kernel {

/// Bytes that word_edges writes at once, and room needed for edges in addition to one per byte.
inline constexpr std::size_t edge_block = 64, more_edges = 8;

/// Copies ASCII text in lower case to `lower`, which must have room for whole blocks, and writes to
/// `edges` the alternating begins and ends of runs of letters, digits and underscores. Returns the
/// number of edges, or -1 if the text is not ASCII.
[[nodiscard]] std::ptrdiff_t word_edges(std::string_view text, char* lower, std::size_t* edges);

}  // namespace genera::kernel
