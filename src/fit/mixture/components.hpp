#pragma once

#include <vector>

#include <genera/blocks.hpp>
#include <genera/recipe.hpp>

namespace genera::fit_detail {

/// Components by decreasing weight, without emptied ones.
[[nodiscard]] std::vector<std::size_t> heaviest_first(const MixtureParameters& mixture);

/// The components with these indices, in this order.
[[nodiscard]] GaussianParameters selected(const GaussianParameters& parameters,
                                          const std::vector<std::size_t>& components);

/// Throws Error (bad_argument) for options that mixtures do not support.
void refuse_for_mixtures(const GaussianOptions& options);

}  // namespace genera::fit_detail
