#pragma once

#include <span>
#include <vector>

#include <genera/types.hpp>

/// Rows into panels: sixteen rows of a view are transposed, so that the prediction kernels
/// (kernel/panel.hpp) find the same column of all of them side by side.
namespace genera::kernel {

inline constexpr Index panel_rows = 16;

/// Which columns of a view a panel has, in which order. Only this and the gather see the strides
/// and the element type of the caller's numbers.
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
  std::vector<Move> moves_;  // by `from`: the view is read from left to right
};

/// Writes rows [first, first + lanes) into `panel` (columns x 16); unused lanes become zero.
/// Returns whether all numbers are finite.
bool gather_panel(const MatrixView& view, const PanelLayout& layout, Index first, Index lanes,
                  double* panel);
/// The same for any rows, at most sixteen.
bool gather_panel(const MatrixView& view, const PanelLayout& layout, std::span<const Index> rows,
                  double* panel);

/// Memory that is read next. Kernels ask for it line by line between their products, so that it
/// comes while they compute; asked for at once, it would hold them up.
struct Ahead {
  const char* begin = nullptr;
  const char* end = nullptr;
};

/// Rows somewhere in memory, the numbers of each side by side.
struct RowsInMemory {
  std::span<const char* const> rows{};
  Index columns = 0;
  bool floats = false;  ///< or doubles

  [[nodiscard]] Index bytes() const {  // of a row
    return columns * static_cast<Index>(floats ? sizeof(float) : sizeof(double));
  }
};

/// Rows that begin at the same distance from one to the next.
struct StridedRows {
  const char* first = nullptr;
  Index stride = 0;  ///< bytes
  Index count = 0;
  Index columns = 0;
  bool floats = false;  ///< or doubles
};

}  // namespace genera::kernel
