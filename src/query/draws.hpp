#pragma once

#include <genera/model.hpp>
#include <genera/random.hpp>

namespace genera::query {

/// New rows from the model, n x (features): row i depends on `rng` and i alone.
[[nodiscard]] Matrix draw_rows(const Model& model, Index n, const Rng& rng, int threads);

}  // namespace genera::query
