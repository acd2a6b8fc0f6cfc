#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include <genera/block_description.hpp>

/// Text shared by the descriptions of several kinds of blocks.
namespace genera::blocks {

/// Rounded to six digits.
[[nodiscard]] inline std::string rounded(double value) { return fmt::format("{:.6g}", value); }

/// The option that prints all numbers.
[[nodiscard]] inline OptionUse all_numbers() { return {"json"}; }
[[nodiscard]] inline OptionUse strongest_features() { return {"top", {"N"}}; }

/// `values` transposed.
[[nodiscard]] inline Matrix transposed(const Matrix& values) {
  Matrix result(values.columns(), values.rows());
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.columns(); ++j) result(j, i) = values(i, j);
  return result;
}

}  // namespace genera::blocks
