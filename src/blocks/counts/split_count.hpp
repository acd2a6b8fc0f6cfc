#pragma once

#include <span>

#include "blocks/fill.hpp"

namespace genera::blocks {

/// For larger counts, drawing a binomial per term is faster than drawing a term for each single
/// occurrence.
[[nodiscard]] constexpr Index max_chosen(Index terms) { return 4096 + 2 * terms; }
[[nodiscard]] constexpr bool many(Index count, Index terms) { return count > max_chosen(terms); }

/// Splits `count` among terms by a multinomial draw, term by term.
[[nodiscard]] TermCounts split_count(std::span<const double> shares, Index count, Rng& rng);

}  // namespace genera::blocks
