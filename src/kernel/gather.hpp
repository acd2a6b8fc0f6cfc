#pragma once

#include <span>
#include <vector>

#include <genera/types.hpp>

/// Gathers rows into panels: sixteen rows of a view are transposed, so that the prediction kernels
/// (kernel/panel.hpp) find each column of all rows contiguously.
namespace genera::kernel {

inline constexpr Index panel_rows = 16;

/// The columns of a view that a panel contains, in its order. Only this class and the gather depend
/// on the strides and element type of the caller's numbers.
class PanelLayout {
 public:
  PanelLayout() = default;
  /// Column j of a panel is column columns[j] of the view.
  explicit PanelLayout(std::span<const Index> columns);

  struct Move {
    Index from, to;  // column of the view, column of the panel
  };
  [[nodiscard]] std::span<const Move> moves() const { return moves_; }
  [[nodiscard]] Index columns() const { return static_cast<Index>(moves_.size()); }

 private:
  std::vector<Move> moves_;  // sorted by `from`: the view is read from left to right
};

/// Writes rows [first, first + lanes) into `panel` (columns x 16) and zeros into unused lanes.
/// Returns true if all numbers are finite.
bool gather_panel(const MatrixView& view, const PanelLayout& layout, Index first, Index lanes,
                  double* panel);
/// The same for a list of at most sixteen rows.
bool gather_panel(const MatrixView& view, const PanelLayout& layout, std::span<const Index> rows,
                  double* panel);

/// Memory that will be read next. Kernels prefetch it line by line between their products;
/// prefetching everything at once would stall them.
struct Ahead {
  const char* begin = nullptr;
  const char* end = nullptr;
};

/// Rows anywhere in memory, each contiguous.
struct RowsInMemory {
  std::span<const char* const> rows{};
  Index columns = 0;
  bool floats = false;  ///< or doubles

  [[nodiscard]] Index bytes() const {  // of a row
    return columns * static_cast<Index>(floats ? sizeof(float) : sizeof(double));
  }
};

/// Rows at a constant distance in memory.
struct StridedRows {
  const char* first = nullptr;
  Index stride = 0;  ///< in bytes
  Index count = 0;
  Index columns = 0;
  bool floats = false;  ///< false: doubles
};

}  // namespace genera::kernel
