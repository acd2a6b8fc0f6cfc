#pragma once

#include <cstdint>
#include <vector>

#include <genera/rows.hpp>

/// Digests of the content of rows, so that samples and folds do not depend on the order of rows.
namespace genera::data {

/// A 64-bit digest of the cells, the label and the weight of a row (without frequency). A row of a
/// sparse matrix has the digest of the dense row. The digest depends neither on the position of the
/// row nor on the order of columns, levels, classes or terms.
class RowDigests {
 public:
  explicit RowDigests(Rows rows);
  /// The digest of a row of the data.
  [[nodiscard]] std::uint64_t operator()(Index row) const;

 private:
  using Hashes = std::vector<std::uint64_t>;
  [[nodiscard]] static std::uint64_t named(const Hashes& names, std::int32_t code);

  Rows rows_;
  Hashes numbers_, codes_;             // hashes of the column names
  std::vector<Hashes> levels_;         // for each coded column, hashes of the level names
  std::vector<std::uint64_t> sparse_;  // hashes of the names of text columns; 0 for a sparse matrix
  std::vector<Hashes> terms_;          // for each sparse column, hashes of the terms
  Hashes classes_;
};

/// Sorts positions of `rows` by the content of the rows; only the positions of equal rows depend on
/// the order of rows. Invariant to the order of columns, and with at most five million numbers also
/// to the names and units of columns, unless columns have the same ranks.
void sort_by_content(const Rows& rows, std::vector<Index>& positions);

}  // namespace genera::data
