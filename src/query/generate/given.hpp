#pragma once

#include <genera/sample.hpp>

#include "query/generate/model_rows.hpp"

namespace genera::query {

/// What is known of the rows to be drawn.
struct Condition {
  ModelRows cells;        ///< one row
  bool any_cell = false;  ///< whether something but the class is known
  std::optional<Index> label{};
};

/// Throws Error (bad_argument) as Sampler says.
[[nodiscard]] Condition condition_of(const Model& model, const SampleOptions& options);

/// p(k | what is known), one row. Throws Error (bad_argument) if that is impossible.
[[nodiscard]] Matrix class_probabilities(const Model& model, const Condition& condition);

}  // namespace genera::query
