#pragma once

#include <cmath>
#include <string>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/rows.hpp>

#include "data/largest_weight.hpp"

namespace genera::sums {

/// The weight of a row. Throws Error (bad_data) if it is negative, too large or not finite.
inline double checked_weight(const Rows& rows, Index row) {
  const double weight = rows.weight(row);
  if (weight >= 0 && weight <= data::largest_weight) return weight;
  const std::string what = fmt::format("{}: the weight is {}", rows.place(row), weight);
  if (weight >= 0 && std::isfinite(weight))
    throw Error(Errc::bad_data, what + ", which is too large to compute with",
                "divide all weights by the same number");
  throw Error(Errc::bad_data, what, "weights must be finite numbers of at least 0");
}

}  // namespace genera::sums
