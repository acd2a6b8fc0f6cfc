#pragma once

#include <genera/diagnosis.hpp>

#include "diagnose/class_scatters.hpp"

/// Tests that need only means and scatters. Each function adds its result, or the reason why it
/// could not run, to `to`.
namespace genera::diagnose_detail {

/// Significance level.
inline constexpr double significant = 0.05;

/// Wilks' Lambda and the canonical variates.
void compare_means(const ClassScatters& of, Diagnosis& to);
/// F tests of each column, alone and given the others.
void test_features(const ClassScatters& of, Diagnosis& to);
/// Box's M.
void compare_covariances(const ClassScatters& of, Diagnosis& to);
/// Condition indices.
void find_dependence(const ClassScatters& of, Diagnosis& to);

}  // namespace genera::diagnose_detail
