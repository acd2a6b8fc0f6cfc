#pragma once

#include <cmath>

#include "blocks/places.hpp"

namespace genera::blocks {

/// Reads the categories of a block: codes of the data, or level numbers if columns have no names.
class LevelReader {
 public:
  /// Both must outlive it.
  LevelReader(const BoundRows& rows, const Places& places) : rows_(rows), places_(places) {}

  /// The level of column j in the numbering of the block, out of `levels`; -1 if it is missing or
  /// unseen.
  [[nodiscard]] std::int32_t operator()(Index row, std::size_t j, Index levels) {
    std::int32_t found = -1;
    if (places_.codes.empty()) {
      const double number = rows_.numbers(row, places_.numbers[j]);
      if (std::isnan(number)) return -1;
      const bool known =
          number >= 0 && number < static_cast<double>(levels) && number == std::floor(number);
      found = known ? static_cast<std::int32_t>(number) : -1;
    } else {
      const std::int32_t code = rows_.codes(places_.codes[j])(row);
      if (code < 0) return -1;
      found = places_.levels[j][static_cast<std::size_t>(code)];
    }
    if (found < 0) ++unseen_;
    return found;
  }

  /// Number of unseen categories so far.
  [[nodiscard]] Index unseen() const { return unseen_; }

 private:
  const BoundRows& rows_;
  const Places& places_;
  Index unseen_ = 0;
};

}  // namespace genera::blocks
