#pragma once

#include <span>
#include <string>
#include <vector>

#include <genera/discrete.hpp>

#include "blocks/levels/features.hpp"

namespace genera::blocks {

/// The features of a joint table: its combinations of levels, where each column has one more level
/// for "missing".
[[nodiscard]] inline Index joint_feature(const JointParameters& p,
                                         std::span<const std::int32_t> levels) {
  Index feature = 0;
  for (std::size_t j = 0; j < levels.size(); ++j)
    feature = feature * (std::ssize(p.levels[j]) + 1) + levels[j] + 1;
  return feature;
}

/// "a=1, b=2": the known levels.
[[nodiscard]] inline std::string joint_name(const JointParameters& p, Index feature) {
  std::vector<std::string> parts;
  for (std::size_t j = p.columns.size(); j-- > 0;) {
    const Index level = feature % (std::ssize(p.levels[j]) + 1);
    feature /= std::ssize(p.levels[j]) + 1;
    if (level > 0)
      parts.push_back(level_name(p.columns[j], p.levels[j][static_cast<std::size_t>(level - 1)]));
  }
  std::string name;
  for (std::size_t i = parts.size(); i-- > 0;) name += (name.empty() ? "" : ", ") + parts[i];
  return name;
}

}  // namespace genera::blocks
