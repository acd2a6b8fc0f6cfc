#pragma once

#include <genera/stats.hpp>

namespace genera::fit_detail {

/// Throws Error (bad_data) if the labels are measurements rather than classes, or if two of them
/// are the same number written differently.
void refuse_odd_classes(const Statistics& statistics);

}  // namespace genera::fit_detail
