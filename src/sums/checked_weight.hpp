#pragma once

#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/rows.hpp>

namespace genera::sums {

/// The weight of a row. Throws Error (bad_data) if it is negative or not finite.
inline double checked_weight(const Rows& rows, Index row) {
  const double weight = rows.weight(row);
  if (weight >= 0 && std::isfinite(weight)) return weight;
  throw Error(Errc::bad_data, fmt::format("{}: the weight is {}", rows.place(row), weight),
              "weights must be finite numbers of at least 0");
}

}  // namespace genera::sums
