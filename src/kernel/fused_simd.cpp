// Kernels that may fuse a product and the sum it enters, and kernels without such sums. Highway
// compiles this file once for each instruction set, mostly to parse its own headers; therefore all
// kernels are in one file.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/fused_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>

#include "kernel/dispatch.hpp"
#include "kernel/lanes_simd.hpp"

#include "kernel/gather_simd.hpp"
#include "kernel/kernel_sums_simd.hpp"
#include "kernel/lattice_points_simd.hpp"
#include "kernel/nearest_simd.hpp"
#include "kernel/panel_simd.hpp"
#include "kernel/linear_rows_simd.hpp"
#include "kernel/positions_simd.hpp"
#include "kernel/scatter_simd.hpp"
#include "kernel/shared_rows_simd.hpp"
#include "kernel/short_numbers_simd.hpp"
#include "kernel/softmax_simd.hpp"
#include "kernel/word_edges_simd.hpp"
