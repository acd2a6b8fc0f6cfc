#pragma once

#include <optional>

#include <genera/table.hpp>

namespace genera::data {

/// Content of a table of numbers, independent of whether its zeros are stored.
struct NumberContent {
  Index columns = 0;
  double nonzero = 0;    ///< fraction of cells that are not 0
  bool missing = false;  ///< a cell is missing
  bool counts = false;   ///< every cell is a whole number >= 0
};

/// Empty unless all features are numbers: only numeric columns, or one sparse matrix of numbers.
[[nodiscard]] std::optional<NumberContent> content_of(const Table& table);

}  // namespace genera::data
