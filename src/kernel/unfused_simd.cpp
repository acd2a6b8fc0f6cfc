// Kernels with the same bits as a plain loop, compiled once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/unfused_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernel/dispatch.hpp"
#include "kernel/lanes_simd.hpp"

#include "kernel/substitution_simd.hpp"
#include "kernel/weighted_rows_simd.hpp"
