#pragma once

#include <vector>

#include <genera/blocks.hpp>
#include <genera/recipe.hpp>

namespace genera::fit_detail {

/// The order that puts the heaviest component first; emptied ones are left out.
[[nodiscard]] std::vector<std::size_t> heaviest_first(const MixtureParameters& mixture);

/// Components in this order; others are left out.
[[nodiscard]] GaussianParameters selected(const GaussianParameters& parameters,
                                          const std::vector<std::size_t>& components);

/// Throws Error (bad_argument) on options that mixtures do not have.
void refuse_for_mixtures(const GaussianOptions& options);

}  // namespace genera::fit_detail
