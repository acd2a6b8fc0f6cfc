#pragma once

#include <genera/diagnosis.hpp>

#include "diagnose/class_scatters.hpp"

/// What means and scatters alone can tell. Each function adds its findings to `to`, or why there
/// are none.
namespace genera::diagnose_detail {

/// Probabilities below this are taken as a sign.
inline constexpr double significant = 0.05;

/// Wilks' Lambda and the canonical variates.
void compare_means(const ClassScatters& of, Diagnosis& to);
/// F of each column, alone and beside the others.
void test_features(const ClassScatters& of, Diagnosis& to);
/// Box's M.
void compare_covariances(const ClassScatters& of, Diagnosis& to);
/// Condition indices.
void find_dependence(const ClassScatters& of, Diagnosis& to);

}  // namespace genera::diagnose_detail
