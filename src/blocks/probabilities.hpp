#pragma once

#include <string>
#include <vector>

#include <genera/types.hpp>

/// Checks of given probabilities. All throw Error (bad_model).
namespace genera::detail {

[[noreturn]] void refuse_model(const std::string& what, const std::string& hint);

/// Requires at least one level, and distinct levels.
void check_levels(const std::vector<std::string>& levels, const std::string& what);

/// Requires K rows of `columns` probabilities that sum to one.
void check_probabilities(const Matrix& table, Index columns, const std::string& what,
                         int threads = 1);
/// Requires probabilities without a condition on sums.
void check_fractions(const Matrix& table, Index columns, const std::string& what, int threads = 1);

void check_classes(Index found, Index expected, const std::string& what);

/// Requires one finite number >= 0 per class, or none.
void check_counts(const Vector& counts, Index classes);

}  // namespace genera::detail
