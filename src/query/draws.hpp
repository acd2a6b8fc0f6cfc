#pragma once

#include <genera/model.hpp>
#include <genera/random.hpp>

namespace genera::query {

struct DrawRange {
  Index begin, end;
};

/// Rows [begin, end) of an endless table of draws from the model, labelled with the classes they
/// were drawn from: row i depends on `rng` and i alone. Counts have the mean length of their class.
/// Throws Error (bad_model) if the model is a scorer.
[[nodiscard]] Table draw_rows(const Model& model, DrawRange range, const Rng& rng, int threads);

}  // namespace genera::query
