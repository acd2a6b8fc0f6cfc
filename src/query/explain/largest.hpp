#pragma once

#include <functional>
#include <string>
#include <vector>

#include <genera/explain.hpp>

#include "blocks/worker.hpp"

namespace genera::query {

/// What a feature of one of the blocks says.
struct BlockShare {
  std::size_t block;
  blocks::Share share;
};
using Shares = std::vector<BlockShare>;

enum class By { value, size };  ///< size: the largest in absolute value

/// Appends the `max` largest shares to `evidence`, largest first (of equals the name that sorts
/// first), and returns the sum of the rest. Only those that are kept, and equals, are named.
double keep_largest(Shares& shares, Index max, By by,
                    const std::function<std::string(const BlockShare&)>& name,
                    std::vector<Evidence>& evidence);

}  // namespace genera::query
