#pragma once

#include <genera/types.hpp>

namespace genera::kernel {

/// Solves L z = -b on a panel by forward substitution in place: `panel` holds b, count x 16, and
/// becomes z. Rows of L are `stride` apart. Nothing is fused: the bits are those of a plain loop.
void substitute(const double* lower, Index stride, Index count, double* panel);

}  // namespace genera::kernel
