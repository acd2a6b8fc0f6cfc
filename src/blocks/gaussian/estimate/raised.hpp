#pragma once

#include <vector>

#include "blocks/gaussian/estimate/estimate_input.hpp"

namespace genera::blocks {

/// Reports the number of variances on the floor, their columns, and remedies. `raised`: number of
/// classes for each column.
void report_raised(const GaussianInput& input, const GaussianOptions& options,
                   const std::vector<Index>& raised, Report& report);

/// The same for structures with one variance per class.
void report_raised(const GaussianInput& input, const GaussianOptions& options, Index raised,
                   Report& report);

}  // namespace genera::blocks
