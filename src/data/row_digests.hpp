#pragma once

#include <cstdint>
#include <vector>

#include <genera/rows.hpp>

/// Rows by what is in them, so that samples and folds do not depend on the order of rows.
namespace genera::data {

/// A 64-bit digest of the cells, the label and the weight of a row (not of a frequency). A row of a
/// sparse matrix has the digest of the dense row. It does
/// not depend on the place of the row, nor on the order of columns, levels, classes or terms.
class RowDigests {
 public:
  explicit RowDigests(Rows rows);
  /// Of a row of the data.
  [[nodiscard]] std::uint64_t operator()(Index row) const;

 private:
  using Hashes = std::vector<std::uint64_t>;
  [[nodiscard]] static std::uint64_t named(const Hashes& names, std::int32_t code);

  Rows rows_;
  Hashes numbers_, codes_;             // of the names of columns
  std::vector<Hashes> levels_;         // of each coded column: of the names of its levels
  std::vector<std::uint64_t> sparse_;  // of the names of text columns; 0 of a sparse matrix
  std::vector<Hashes> terms_;          // of each: of its terms
  Hashes classes_;
};

/// Sorts positions of `rows` by the content of the rows: only positions of equal rows depend on the
/// order of the rows. The result is invariant to the order of columns; with at most five million
/// numbers also to the names and units of columns, unless columns have the same ranks.
void sort_by_content(const Rows& rows, std::vector<Index>& positions);

}  // namespace genera::data
