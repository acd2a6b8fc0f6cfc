#pragma once

#include <functional>

#include <genera/classifier.hpp>
#include <genera/impute.hpp>

namespace genera::query {

/// How a member fills all missing cells of the table.
using FillByMember = std::function<Imputed(const Model& model)>;

/// Numbers by their expectation under the mixture of the members given the observed cells and the
/// label, categories by their most probable level.
[[nodiscard]] Imputed impute_by_mixture(const Committee& committee, const Table& table,
                                        const FillByMember& fill, const ImputeOptions& options,
                                        const Control& control);

/// Each row as one member fills it, drawn by its probability given the observed cells and the
/// label.
[[nodiscard]] Imputed impute_by_member(const Committee& committee, const Table& table,
                                       const FillByMember& fill,
                                       const std::function<Rng(Index row)>& stream,
                                       const Control& control);

}  // namespace genera::query
