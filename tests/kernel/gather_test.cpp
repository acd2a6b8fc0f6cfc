#include "kernel/gather.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "kernel/aligned.hpp"

namespace genera::kernel::gather_test {
namespace {

/// Rows numbered so that every element tells its place.
template <class T>
std::vector<T> numbered(Index rows, Index columns) {
  std::vector<T> values;
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) values.push_back(static_cast<T>(100 * i + j));
  }
  return values;
}

void expect_places(const AlignedVector& panel, std::span<const Index> columns,
                   std::span<const Index> rows) {
  for (std::size_t j = 0; j < columns.size(); ++j) {
    for (std::size_t lane = 0; lane < panel_rows; ++lane) {
      const double expected =
          lane < rows.size() ? static_cast<double>(100 * rows[lane] + columns[j]) : 0;
      EXPECT_EQ(panel[j * panel_rows + lane], expected) << "column " << j << " lane " << lane;
    }
  }
}

/// Orders with runs of four side by side, runs cut short, and none at all.
const std::vector<std::vector<Index>> orders{
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, {2, 7, 0, 9, 4}, {3}, {}};

template <class T>
void expect_gathered(const std::vector<T>& values, Strides strides, Index lanes) {
  const MatrixView view(values.data(), 40, 10, strides);
  for (const std::vector<Index>& columns : orders) {
    const PanelLayout layout(columns);
    AlignedVector panel(columns.size() * panel_rows, -7);
    std::vector<Index> rows;
    for (Index lane = 0; lane < lanes; ++lane) rows.push_back(5 + lane);
    EXPECT_TRUE(gather_panel(view, layout, 5, lanes, panel.data()));
    expect_places(panel, columns, rows);
    for (Index& row : rows) row = (row * 7) % 40;
    EXPECT_TRUE(gather_panel(view, layout, rows, panel.data()));
    expect_places(panel, columns, rows);
  }
}

TEST(GatherPanel, BringsAnyRowsAndColumnsInOrder) {
  for (const Index lanes : {1, 3, 15, 16}) {
    expect_gathered(numbered<double>(40, 10), {10, 1}, lanes);
    expect_gathered(numbered<float>(40, 10), {10, 1}, lanes);
  }
}

TEST(GatherPanel, ReadsFloatsAndAnyStrides) {
  const float data[] = {1, 2, 3, 4, 5, 6};  // 2 rows, 3 columns, stored by columns
  const MatrixView view(data, 2, 3, {1, 2});
  const std::vector<Index> columns{2, 0};
  AlignedVector panel(2 * panel_rows, -1);
  gather_panel(view, PanelLayout(columns), 0, 2, panel.data());
  EXPECT_EQ(panel[0], 5);
  EXPECT_EQ(panel[1], 6);
  EXPECT_EQ(panel[2], 0);
  EXPECT_EQ(panel[panel_rows], 1);
  EXPECT_EQ(panel[panel_rows + 1], 2);
}

TEST(GatherPanel, SeesOneBadNumberAnywhere) {
  Matrix rows(panel_rows, 7, 1e300);
  const std::vector<Index> columns{0, 1, 2, 3, 4, 6};
  const PanelLayout layout(columns);
  AlignedVector panel(columns.size() * panel_rows);
  EXPECT_TRUE(gather_panel(rows, layout, 0, panel_rows, panel.data()));
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    for (Index i = 0; i < panel_rows; ++i) {
      for (Index j = 0; j < 7; ++j) {
        rows(i, j) = bad;
        EXPECT_EQ(gather_panel(rows, layout, 0, panel_rows, panel.data()), j == 5);
        EXPECT_TRUE(i == 0 || gather_panel(rows, layout, 0, i, panel.data()))
            << "rows beyond the lanes do not count";
        rows(i, j) = 1;
      }
    }
  }
}

}  // namespace
}  // namespace genera::kernel::gather_test
