#include "kernel/large_factor.hpp"

#include <algorithm>

#include "kernel/cholesky.hpp"
#include "kernel/panel.hpp"
#include "kernel/substitution.hpp"

namespace genera::kernel {
namespace {

constexpr Index width = 48;  // of a block: whole panels and whole tiles
static_assert(width % panel_rows == 0 && width % PackedMatrix::tile_rows == 0);

struct Block {
  Index first, count;
};

Matrix part_of(const Matrix& m, Block rows, Block columns) {
  Matrix part = Matrix::for_overwrite(rows.count, columns.count);
  for (Index i = 0; i < rows.count; ++i)
    std::copy_n(m.row(rows.first + i).data() + columns.first, columns.count, part.row(i).data());
  return part;
}

/// The residual of L z = b - A x on a panel, A x - b: `before` is A, x the solved numbers of the
/// panel, and z the `count` numbers that follow.
class Remainder {
 public:
  Remainder(const Matrix& before, Index count)
      : before_(PackedMatrix::dense(before)),
        count_(count),
        products_(static_cast<std::size_t>(width * panel_rows)) {}

  template <class Right>
  void write(const double* x, Right b, double* z) {
    if (before_.rows() > 0) products(before_, x, panel_rows, products_.data());
    for (Index k = 0; k < count_; ++k) {
      for (Index lane = 0; lane < panel_rows; ++lane)
        z[k * panel_rows + lane] =
            products_[static_cast<std::size_t>(k * panel_rows + lane)] - b(k, lane);
    }
  }

 private:
  PackedMatrix before_;
  Index count_;
  AlignedVector products_;
};

/// Solves L z = -b in place.
void solve(const Matrix& lower, double* z) {
  substitute(lower.data(), lower.columns(), lower.rows(), z);
}

/// Rows of L that are computed column by column, both in lanes for the kernels and as plain rows.
class RowsOfLower {
 public:
  explicit RowsOfLower(Index d)
      : d_(d), lower_(d, d), lanes_(static_cast<std::size_t>(round_up(d, panel_rows) * d)) {}

  [[nodiscard]] Index panels() const { return round_up(d_, panel_rows) / panel_rows; }
  [[nodiscard]] double* panel(Index p) { return lanes_.data() + p * d_ * panel_rows; }
  [[nodiscard]] Matrix& lower() { return lower_; }

  /// Copies these columns from the lanes of a panel to the rows.
  void take(Index p, Block columns) {
    const double* z = panel(p) + columns.first * panel_rows;
    const Index begin = p * panel_rows, end = std::min(begin + panel_rows, d_);
    for (Index i = begin; i < end; ++i) {
      for (Index k = 0; k < columns.count; ++k)
        lower_(i, columns.first + k) = z[k * panel_rows + i - begin];
    }
  }
  /// Factor of the diagonal block, whose negative residual is in the lanes.
  [[nodiscard]] std::optional<Matrix> factor_of_diagonal(Block block) {
    Matrix own(block.count, block.count);
    for (Index i = 0; i < block.count; ++i) {
      const Index row = block.first + i;
      const double* z = panel(row / panel_rows) + block.first * panel_rows + row % panel_rows;
      for (Index k = 0; k <= i; ++k) own(i, k) = -z[k * panel_rows];
    }
    if (!factorise_in_place(own)) return std::nullopt;
    for (Index i = 0; i < block.count; ++i)
      std::copy_n(own.row(i).data(), i + 1, lower_.row(block.first + i).data() + block.first);
    return own;
  }

 private:
  Index d_;
  Matrix lower_;
  AlignedVector lanes_;
};

}  // namespace

std::optional<Matrix> lower_of_large(const Matrix& s) {
  const Index d = s.rows();
  RowsOfLower rows(d);
  for (Index first = 0; first < d; first += width) {
    const Block block{first, std::min(width, d - first)};
    Remainder remainder(first > 0 ? part_of(rows.lower(), block, {0, first}) : Matrix(),
                        block.count);
    for (Index p = first / panel_rows; p < rows.panels(); ++p) {
      const auto entry = [&](Index k, Index lane) {
        const Index row = p * panel_rows + lane;
        return row < d && first + k <= row ? s(row, first + k) : 0;
      };
      remainder.write(rows.panel(p), entry, rows.panel(p) + first * panel_rows);
    }
    const std::optional<Matrix> own = rows.factor_of_diagonal(block);
    if (!own) return std::nullopt;
    for (Index p = round_up(first + block.count, panel_rows) / panel_rows; p < rows.panels(); ++p) {
      solve(*own, rows.panel(p) + first * panel_rows);
      rows.take(p, block);
    }
  }
  return std::move(rows.lower());
}

Matrix inverse_of_large(const Matrix& lower) {
  const Index d = lower.rows();
  Matrix inverse(d, d);
  for (Index from = 0; from < d; from += width) {  // a block of columns, in lanes
    const Index left = d - from;
    AlignedVector columns(static_cast<std::size_t>(width * left));
    for (Index first = from; first < d; first += width) {
      const Block block{first, std::min(width, d - first)};
      const Matrix own = part_of(lower, block, block);
      Remainder remainder(first > from ? part_of(lower, block, {from, first - from}) : Matrix(),
                          block.count);
      for (Index p = 0; p < width / panel_rows; ++p) {
        const Index column = from + p * panel_rows;
        double* const panel = columns.data() + p * left * panel_rows;
        double* const z = panel + (first - from) * panel_rows;
        remainder.write(
            panel, [&](Index k, Index lane) { return first + k == column + lane ? 1.0 : 0.0; }, z);
        solve(own, z);
        for (Index row = first; row < first + block.count; ++row) {
          for (Index lane = 0; lane < panel_rows && column + lane <= row; ++lane)
            inverse(row, column + lane) = z[(row - first) * panel_rows + lane];
        }
      }
    }
  }
  return inverse;
}

}  // namespace genera::kernel
