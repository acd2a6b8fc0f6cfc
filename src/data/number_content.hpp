#pragma once

#include <optional>

#include <genera/table.hpp>

namespace genera::data {

/// What a table of numbers holds, whether its zeros are stored or not.
struct NumberContent {
  Index columns = 0;
  double nonzero = 0;    ///< share of the cells that are not 0
  bool missing = false;  ///< some cells
  bool counts = false;   ///< every cell is a whole number of at least 0
};

/// Empty unless every feature is a number: numeric columns alone, or one sparse matrix of numbers.
[[nodiscard]] std::optional<NumberContent> content_of(const Table& table);

}  // namespace genera::data
