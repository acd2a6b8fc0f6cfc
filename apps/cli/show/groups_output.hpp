#pragma once

#include <genera/evaluate.hpp>

#include <string>
#include <vector>

/// The groups of a clustering as text.
namespace genera::cli {

/// Sizes, the columns that distinguish each group, and the means of the columns.
[[nodiscard]] std::string groups_text(const GroupProfiles& profiles,
                                      const std::vector<std::string>& groups);

}  // namespace genera::cli
