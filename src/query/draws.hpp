#pragma once

#include <genera/model.hpp>
#include <genera/random.hpp>

namespace genera::query {

struct DrawRange {
  Index begin, end;
};

/// Rows [begin, end) of an endless table of draws from the model: row i depends on `rng` and i
/// alone.
[[nodiscard]] Matrix draw_rows(const Model& model, DrawRange range, const Rng& rng, int threads);

}  // namespace genera::query
