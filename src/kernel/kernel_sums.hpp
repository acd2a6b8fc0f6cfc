#pragma once

#include "kernel/nearest.hpp"

namespace genera::kernel {

/// Points with the log weights of their kernels.
struct KernelPoints {
  Points points;
  const double* log_weights;
};

/// For each lane: a point, and its log weight in place of the usual one (-inf: it is left out).
struct ReplacedWeights {
  const double* point;       ///< 16; -1: none
  const double* log_weight;  ///< 16
};

/// For each row of a panel (kernel/panel.hpp: d x 16, lanes are rows): the log of the sum of
/// exp(log weight - D^2 / 2) over the points, with their squared distances D^2, and the smallest
/// D^2. Terms below exp(-40) of the largest one so far are left out: together they are less than
/// 1e-12 of the sum of up to 200,000 points. Lanes never mix. `replaced` may be null.
void add_up_kernels(const KernelPoints& points, const double* panel,
                    const ReplacedWeights* replaced, double* log_sums, double* nearest);

/// The same sums plus half the square of each row: they compare points also where a row is so far
/// away that its squared distances have lost all differences.
void add_up_relative(const KernelPoints& points, const double* panel, double* log_sums);

}  // namespace genera::kernel
