#pragma once

#include <vector>

#include "blocks/gaussian/estimate/estimate_input.hpp"

namespace genera::blocks {

/// Says how many variances had to be raised to the floor, in which columns, and what helps against
/// that: `raised` counts the classes for each column.
void report_raised(const GaussianInput& input, const GaussianOptions& options,
                   const std::vector<Index>& raised, Report& report);

/// The same where a class has one variance for all columns.
void report_raised(const GaussianInput& input, const GaussianOptions& options, Index raised,
                   Report& report);

}  // namespace genera::blocks
