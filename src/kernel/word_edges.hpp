#pragma once

#include <cstddef>
#include <string_view>

namespace genera::kernel {

/// Bytes that word_edges writes at once, and how many edges more than bytes it needs room for.
inline constexpr std::size_t edge_block = 64, more_edges = 8;

/// Copies ASCII text in lower case to `lower`, which has room for whole blocks, and writes to
/// `edges` where runs of letters, digits and underscores begin and end, in turn. Returns how many
/// edges there are, or -1 if the text is not ASCII.
[[nodiscard]] std::ptrdiff_t word_edges(std::string_view text, char* lower, std::size_t* edges);

}  // namespace genera::kernel
