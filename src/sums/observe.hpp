#pragma once

#include <genera/control.hpp>
#include <genera/observed.hpp>

#include "sums/schema.hpp"

namespace genera::sums {

struct ObserveOptions {
  SchemaChoice schema{};
  bool unlabelled = true;  ///< false: only count rows without a label
  /// Statistics of further rows with complete numbers; null: none.
  const Statistics* complete = nullptr;
};

/// Available-case sums of all rows with a weight above 0, in chunks whose size depends only on the
/// data, on several threads. Throws Error (bad_data) for an infinite number, a negative count, and
/// a weight that is negative, too large or not finite.
[[nodiscard]] ObservedStatistics observe(const Rows& rows, const ObserveOptions& options,
                                         const Control& control);

}  // namespace genera::sums
