#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <genera/types.hpp>

#include "kernel/aligned.hpp"
#include "kernel/gather.hpp"

/// The prediction kernels. Lanes are rows: sixteen rows are transposed into a panel, d x 16, and
/// each SIMD lane does the arithmetic of one row. Lanes never mix, so one row, a batch, and any
/// vector width with fused multiply-add give the same bits. The instruction set is selected at run
/// time.
namespace genera::kernel {

/// Whole tiles needed for `count` items.
constexpr Index round_up(Index count, Index tile) { return (count + tile - 1) / tile * tile; }

struct TileRange {
  Index begin, end;
};

/// A matrix packed six rows at a time, so that a kernel can broadcast its entries in order.
class PackedMatrix {
 public:
  static constexpr Index tile_rows = 6;

  PackedMatrix() = default;
  /// Packs a rows x columns matrix.
  [[nodiscard]] static PackedMatrix dense(const Matrix& matrix);
  /// Packs the lower triangle of a square matrix; kernels skip the zero half.
  [[nodiscard]] static PackedMatrix lower(const Matrix& matrix);

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index tiles() const { return static_cast<Index>(offsets_.size()); }
  [[nodiscard]] const double* tile(Index t) const {
    return values_.data() + offsets_[static_cast<std::size_t>(t)];
  }
  /// Number of columns in tile t.
  [[nodiscard]] Index length(Index t) const { return lengths_[static_cast<std::size_t>(t)]; }
  [[nodiscard]] double entry(Index i, Index j) const {
    return tile(i / tile_rows)[j * tile_rows + i % tile_rows];
  }
  [[nodiscard]] double diagonal(Index i) const { return entry(i, i); }

 private:
  void pack_tile(const Matrix& matrix, Index t, Index length, bool lower);

  Index rows_ = 0;
  std::vector<Index> offsets_;
  std::vector<Index> lengths_;
  AlignedVector values_;
};

/// A lower triangular matrix stored by columns, for single rows, which would leave panels almost
/// empty.
class PackedColumns {
 public:
  PackedColumns() = default;
  explicit PackedColumns(const PackedMatrix& lower);

  [[nodiscard]] Index size() const { return size_; }
  [[nodiscard]] Index stride() const { return round_up(size_, alignment); }
  /// Zeros above the diagonal are stored.
  [[nodiscard]] const double* column(Index j) const { return values_.data() + j * stride(); }
  /// Number of leading zeros of column j that can be skipped.
  [[nodiscard]] static constexpr Index skipped(Index j) { return j / alignment * alignment; }

 private:
  static constexpr Index alignment = 8;
  Index size_ = 0;
  AlignedVector values_;
};

/// |A x|^2. `product` must have room for stride() numbers and becomes A x.
[[nodiscard]] double squared_product(const PackedColumns& a, const double* x, double* product);

/// out[i] = (row rows[i] of the matrix)' x, for a list of rows.
void row_products(const Matrix& matrix, std::span<const Index> rows, const double* x, double* out);

/// squares[lane] += sum over the rows of the tiles of (A x)_i^2.
void add_squared_products(const PackedMatrix& a, TileRange tiles, const double* panel, Index lanes,
                          double* squares);

/// out[i * 16 + lane] = (A x)_i. `out` must have room for whole tiles.
void products(const PackedMatrix& a, const double* panel, Index lanes, double* out,
              Ahead ahead = {});
/// x -> constants + A (x - centre).
struct AffineMap {
  const PackedMatrix& matrix;
  const double* centre;
  const double* constants;
};
/// out[i * 16 + lane] = (constants + A (x - centre))_i.
void affine_products(const AffineMap& map, const double* panel, Index lanes, double* out,
                     Ahead ahead = {});

/// Means and inverse standard deviations of K classes, packed a few classes at a time.
///
/// If the means of each column are close to each other in standard deviations, a common centre is
/// subtracted first, and (x - centre) / sd + shift takes one operation per class instead of two.
class PackedDiagonals {
 public:
  static constexpr Index max_tile_classes = 5;
  PackedDiagonals() = default;
  /// K x d each; `means_low` may be empty.
  PackedDiagonals(const Matrix& means, const Matrix& inverse_sds, const Matrix& means_low = {});
  [[nodiscard]] Index classes() const { return classes_; }
  [[nodiscard]] Index dimension() const { return dimension_; }

  /// Values stored for each class and column. Close classes: the inverse sd and the shift; others:
  /// the mean, the inverse sd and, if there are low parts, the low part of the mean in sds.
  enum class Form { near, far, far_with_low };
  [[nodiscard]] Form form() const { return form_; }
  [[nodiscard]] Index numbers() const { return form_ == Form::far_with_low ? 3 : 2; }
  [[nodiscard]] const double* centre() const { return centre_.data(); }

  [[nodiscard]] Index tiles() const { return (classes_ + max_tile_classes - 1) / max_tile_classes; }
  /// The classes [begin, end) of a tile; tile sizes differ by at most one class.
  [[nodiscard]] TileRange classes_of(Index tile) const {
    return {classes_ * tile / tiles(), classes_ * (tile + 1) / tiles()};
  }
  /// By column, then by class.
  [[nodiscard]] const double* tile(Index t) const {
    return values_.data() + classes_of(t).begin * dimension_ * numbers();
  }

  /// (x_j - mean_kj) * inverse_sd_kj.
  [[nodiscard]] double standardised(Index k, Index j, double x) const;

 private:
  void find_centre(const Matrix& means);
  [[nodiscard]] bool are_near(const Matrix& means, const Matrix& inverse_sds,
                              const Matrix& means_low) const;

  Index classes_ = 0;
  Index dimension_ = 0;
  Form form_ = Form::near;
  Vector centre_;
  AlignedVector values_;
};

/// out[k * 16 + lane] = sum_j ((x_j - mean_kj) * inverse_sd_kj)^2, or infinity instead of NaN.
void diagonal_distances(const PackedDiagonals& classes, const double* panel, Index lanes,
                        double* out, Ahead ahead = {});

/// out = panel - mean, for the columns [range.begin, range.end).
void centre(const double* panel, const double* mean, TileRange columns, double* out);

/// Scores of several panels, K x 16 each, at a distance of `stride` doubles.
struct ScorePanels {
  double* data;
  Index stride;
  Index panels;
  Index classes;
  [[nodiscard]] double* of(Index p) const { return data + p * stride; }
};

/// scores = constants[k] + scores.
void add_constants(const double* constants, const ScorePanels& scores);

/// sums += factor * terms, for whole panel rows; with `fresh`, sums = factor * terms.
void add_multiple(const double* terms, Index count, double factor, bool fresh, double* sums);

/// True if all magnitudes are below the limit; with limit infinity, if all are finite.
[[nodiscard]] bool are_within(const ScorePanels& scores, double limit);

/// scores (K x 16, log domain, -inf allowed) -> log of the sum of exponentials per lane, and,
/// unless null, the normalised exponentials. A lane of -inf gives -inf and zeros.
void softmax(const double* scores, Index classes, double* log_sums, double* probabilities);

/// Finds the largest score of each lane and its class, ties to the first. Returns true if all are
/// above -inf.
bool best_classes(const double* scores, Index classes, double* best, std::int32_t* labels);

/// Name of the selected instruction set, for reports.
[[nodiscard]] const char* instruction_set();

}  // namespace genera::kernel
