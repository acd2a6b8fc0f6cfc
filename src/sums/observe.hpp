#pragma once

#include <genera/control.hpp>
#include <genera/observed.hpp>

#include "sums/schema.hpp"

namespace genera::sums {

struct ObserveOptions {
  SchemaChoice schema{};
  bool unlabelled = true;  ///< false: rows without a label are only counted
  /// Statistics of further rows, which miss no number; null: there are none.
  const Statistics* complete = nullptr;
};

/// The available cases of all rows with a weight above 0, in chunks whose size depends on nothing
/// but the data, on several threads. Throws Error (bad_data) on an infinite number, a negative
/// count, and a weight that is negative, too large or not finite.
[[nodiscard]] ObservedStatistics observe(const Rows& rows, const ObserveOptions& options,
                                         const Control& control);

}  // namespace genera::sums
