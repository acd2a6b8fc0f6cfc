#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <genera/types.hpp>

#include "kernel/aligned.hpp"
#include "kernel/gather.hpp"

/// The prediction kernels. Lanes are rows: sixteen rows are transposed into a panel, d x 16, and
/// every SIMD lane does the arithmetic of one row. Lanes never mix, so one row, a batch, and any
/// vector width with fused multiply-add give the same bits. Kernels are chosen for the CPU at run
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
  /// All of a rows x columns matrix.
  [[nodiscard]] static PackedMatrix dense(const Matrix& matrix);
  /// The lower triangle of a square matrix; the zero half is never touched again.
  [[nodiscard]] static PackedMatrix lower(const Matrix& matrix);

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index tiles() const { return static_cast<Index>(offsets_.size()); }
  [[nodiscard]] const double* tile(Index t) const {
    return values_.data() + offsets_[static_cast<std::size_t>(t)];
  }
  /// How many columns tile t reaches over.
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

/// A lower triangular matrix by its columns, for rows that come one at a time: they would leave
/// panels all but empty.
class PackedColumns {
 public:
  PackedColumns() = default;
  explicit PackedColumns(const PackedMatrix& lower);

  [[nodiscard]] Index size() const { return size_; }
  [[nodiscard]] Index stride() const { return round_up(size_, alignment); }
  /// Zero above the diagonal.
  [[nodiscard]] const double* column(Index j) const { return values_.data() + j * stride(); }
  /// How many entries are zero for certain before the diagonal of column j.
  [[nodiscard]] static constexpr Index skipped(Index j) { return j / alignment * alignment; }

 private:
  static constexpr Index alignment = 8;
  Index size_ = 0;
  AlignedVector values_;
};

/// |A x|^2; `product` has room for stride() numbers and becomes A x.
[[nodiscard]] double squared_product(const PackedColumns& a, const double* x, double* product);

/// out[i] = (row rows[i] of the matrix)' x, for some of its rows.
void row_products(const Matrix& matrix, std::span<const Index> rows, const double* x, double* out);

/// squares[lane] += sum over the rows of the tiles of (A x)_i^2.
void add_squared_products(const PackedMatrix& a, TileRange tiles, const double* panel, Index lanes,
                          double* squares);

/// out[i * 16 + lane] = (A x)_i; `out` has room for a whole number of tiles.
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
/// Where the means of each column are near to each other, in standard deviations, a common centre
/// is subtracted first, and (x - centre) / sd + shift takes one operation for each class instead of
/// two.
class PackedDiagonals {
 public:
  static constexpr Index max_tile_classes = 5;
  PackedDiagonals() = default;
  /// K x d each; `means_low` may be empty.
  PackedDiagonals(const Matrix& means, const Matrix& inverse_sds, const Matrix& means_low = {});
  [[nodiscard]] Index classes() const { return classes_; }
  [[nodiscard]] Index dimension() const { return dimension_; }

  /// What is kept of a class and column: of classes that are near to each other the inverse sd and
  /// the shift, else the mean, the inverse sd and, if there are low parts, that of the mean in sds.
  enum class Form { near, far, far_with_low };
  [[nodiscard]] Form form() const { return form_; }
  [[nodiscard]] Index numbers() const { return form_ == Form::far_with_low ? 3 : 2; }
  [[nodiscard]] const double* centre() const { return centre_.data(); }

  [[nodiscard]] Index tiles() const { return (classes_ + max_tile_classes - 1) / max_tile_classes; }
  /// The classes [begin, end) of a tile; tiles differ by one class at most.
  [[nodiscard]] TileRange classes_of(Index tile) const {
    return {classes_ * tile / tiles(), classes_ * (tile + 1) / tiles()};
  }
  /// Column after column, class after class.
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

/// out[k * 16 + lane] = sum_j ((x_j - mean_kj) * inverse_sd_kj)^2, infinity where that is no
/// number.
void diagonal_distances(const PackedDiagonals& classes, const double* panel, Index lanes,
                        double* out, Ahead ahead = {});

/// out = panel - mean, for the columns [range.begin, range.end).
void centre(const double* panel, const double* mean, TileRange columns, double* out);

/// Scores of several panels, K x 16 each, that begin `stride` doubles apart.
struct ScorePanels {
  double* data;
  Index stride;
  Index panels;
  Index classes;
  [[nodiscard]] double* of(Index p) const { return data + p * stride; }
};

/// scores = constants[k] + scores.
void add_constants(const double* constants, const ScorePanels& scores);

/// sums += factor * terms, a whole number of panel rows; `fresh`: what was there does not count.
void add_multiple(const double* terms, Index count, double factor, bool fresh, double* sums);

/// Whether all are smaller in magnitude; infinity: finite.
[[nodiscard]] bool are_within(const ScorePanels& scores, double limit);

/// scores (K x 16, log domain, -inf allowed) -> log of the sum of exponentials per lane, and,
/// unless null, the normalised exponentials. A lane of -inf gives -inf and zeros.
void softmax(const double* scores, Index classes, double* log_sums, double* probabilities);

/// The largest score of each lane and its class, ties to the first. Whether all are above -inf.
bool best_classes(const double* scores, Index classes, double* best, std::int32_t* labels);

/// Name of the instruction set the kernels run on, for reports.
[[nodiscard]] const char* instruction_set();

}  // namespace genera::kernel
