#pragma once

#include <string>
#include <vector>

#include <genera/types.hpp>

/// What must hold of given probabilities. Everything here throws Error (bad_model).
namespace genera::detail {

[[noreturn]] void refuse_model(const std::string& what, const std::string& hint);

/// At least one level, none twice.
void check_levels(const std::vector<std::string>& levels, const std::string& what);

/// K rows of so many probabilities, each row summing to one.
void check_probabilities(const Matrix& table, Index columns, const std::string& what,
                         int threads = 1);
/// The same without the sum: each is a probability of its own.
void check_fractions(const Matrix& table, Index columns, const std::string& what, int threads = 1);

void check_classes(Index found, Index expected, const std::string& what);

/// One per class, each finite and >= 0; or none.
void check_counts(const Vector& counts, Index classes);

}  // namespace genera::detail
