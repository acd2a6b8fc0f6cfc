#include <algorithm>
#include <cmath>

#include "query/incomplete.hpp"

namespace genera::query {
namespace {

/// Cells that lack something, counted row by row.
class Count {
 public:
  explicit Count(Index rows) : lacks_(static_cast<std::size_t>(rows)) {}

  void missing(Index row) {
    ++found_.cells;
    char& lacks = lacks_[static_cast<std::size_t>(row)];
    if (!lacks) ++found_.rows;
    lacks = 1;
  }

  void numbers(const MatrixView& view, const std::vector<Index>& columns, Index row) {
    for (const Index column : columns) {
      if (std::isnan(view(row, column))) missing(row);
    }
  }

  void block(const BoundBlock& bound, const Rows& rows) {
    for (Index i = 0; i < rows.count(); ++i) {
      numbers(rows.numbers, bound.numbers, i);
      for (const Index column : bound.codes) {
        if (rows.table->codes(i, column) < 0) missing(i);
      }
      if (!bound.sparse) continue;
      const std::vector<std::uint8_t>& gone = rows.table->sparse[*bound.sparse].missing;
      if (!gone.empty() && gone[static_cast<std::size_t>(i)]) missing(i);
    }
  }

  [[nodiscard]] MissingCells found() const { return found_; }

 private:
  std::vector<char> lacks_;
  MissingCells found_;
};

}  // namespace

MissingCells missing_cells(const Model& model, const Rows& rows, std::span<const Index> suspects) {
  Count count(rows.count());
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    const BoundBlock& bound = rows.blocks[b];
    if (!std::holds_alternative<GaussianBlock>(model.blocks()[b])) {
      count.block(bound, rows);
    } else if (!bound.sparse) {
      for (const Index row : suspects) count.numbers(rows.numbers, bound.numbers, row);
    }
  }
  return count.found();
}

}  // namespace genera::query
