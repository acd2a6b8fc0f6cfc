#pragma once

#include <genera/evaluate.hpp>

#include <string>
#include <vector>

/// What the groups that cluster finds are like.
namespace genera::cli {

/// Their sizes, what sets each apart, and the means of their columns.
[[nodiscard]] std::string groups_text(const GroupProfiles& profiles,
                                      const std::vector<std::string>& groups);

}  // namespace genera::cli
