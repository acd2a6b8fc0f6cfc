#pragma once

#include <cmath>
#include <cstdint>

#include <genera/discrete.hpp>

#include "blocks/aode/table.hpp"
#include "blocks/places.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {

/// Reads the columns of a block: bins of numbers, and levels.
class AodeReader {
 public:
  /// All must outlive it.
  AodeReader(const AodeBlock& block, const BoundRows& rows, const Places& places)
      : block_(block), rows_(rows), places_(places), cells_(block.parameters().columns.size()) {}

  /// Reads a row; false if a number is infinite.
  bool read(Index row) {
    using kernel::at;
    std::size_t number = 0, code = 0;
    bool finite = true;
    log_density_ = 0;
    for (std::size_t j = 0; j < cells_.size(); ++j) {
      const std::optional<Cut>& cut = block_.parameters().columns[j].cut;
      if (!cut && !places_.codes.empty()) {
        cells_[j] = level(row, code++);
        continue;
      }
      const double x = rows_.numbers(row, places_.numbers[number++]);
      finite = finite && !std::isinf(x);
      cells_[j] = -1;
      if (std::isnan(x)) continue;
      if (cut) {
        cells_[j] = static_cast<std::int32_t>(cut->bin(x));
        log_density_ += genera::detail::log_density_in_bin(*cut, x);
      } else if (x >= 0 && x < static_cast<double>(block_.density().levels(j)) &&
                 x == std::floor(x)) {
        cells_[j] = static_cast<std::int32_t>(x);
      } else {
        ++unseen_;
      }
    }
    return finite;
  }

  /// Bins and levels of the row; -1: missing or unseen.
  [[nodiscard]] std::span<const std::int32_t> cells() const { return cells_; }
  /// Log density of its numbers within their bins.
  [[nodiscard]] double log_density() const { return log_density_; }
  [[nodiscard]] Index unseen() const { return unseen_; }

 private:
  std::int32_t level(Index row, std::size_t place) {
    const std::int32_t code = rows_.codes(places_.codes[place])(row);
    if (code < 0) return -1;
    const std::int32_t found = places_.levels[place][static_cast<std::size_t>(code)];
    if (found < 0) ++unseen_;
    return found;
  }

  const AodeBlock& block_;
  const BoundRows& rows_;
  const Places& places_;
  std::vector<std::int32_t> cells_;
  double log_density_ = 0;
  Index unseen_ = 0;
};

}  // namespace genera::blocks
