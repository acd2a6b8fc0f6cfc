#pragma once

#include <span>

#include "blocks/fill.hpp"

namespace genera::blocks {

/// Beyond this it is quicker to ask each term for its part of what is left than to choose a term
/// for each of those that are shared out.
[[nodiscard]] constexpr Index max_chosen(Index terms) { return 4096 + 2 * terms; }
[[nodiscard]] constexpr bool many(Index count, Index terms) { return count > max_chosen(terms); }

/// Shares out `count` among terms, term by term.
[[nodiscard]] TermCounts split_count(std::span<const double> shares, Index count, Rng& rng);

}  // namespace genera::blocks
