#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include <genera/block_description.hpp>

/// Words that the descriptions of several kinds of blocks share.
namespace genera::blocks {

/// Six digits, for reading.
[[nodiscard]] inline std::string rounded(double value) { return fmt::format("{:.6g}", value); }

/// Where all numbers are, and those that tell the classes apart.
[[nodiscard]] inline OptionUse all_numbers() { return {"json"}; }
[[nodiscard]] inline OptionUse strongest_features() { return {"top", {"N"}}; }

/// `values` with rows and columns exchanged.
[[nodiscard]] inline Matrix transposed(const Matrix& values) {
  Matrix result(values.columns(), values.rows());
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.columns(); ++j) result(j, i) = values(i, j);
  return result;
}

}  // namespace genera::blocks
